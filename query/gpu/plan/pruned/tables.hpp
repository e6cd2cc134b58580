// A batch of the pruned search as its kernels see it: plain structs in device memory, filled in by
// fill.cpp and pruned_run.cpp.
//
// Documents are searched in ranges of 64, superblocks of 16 ranges and chunks of 512 superblocks.
// A bound is a whole number: a code of a list (query/bounds/ranges.hpp) times the term's weight.
// The sum of the bounds of a range is never less than `scale` times the score of any of its
// documents, and fits 16 bits.
#pragma once

#include <cstdint>

#include "query/bounds/ranges.hpp"
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/filter_steps.hpp"
#include "query/gpu/plan/shared_scores.hpp"
#include "query/gpu/plan/vectors.hpp"
#include "query/scoring/word_score.hpp"

namespace gannet::query::cuda {

/// Superblocks whose bounds one thread block adds up.
inline constexpr std::uint32_t kChunkSuperblocks = 512;
inline constexpr std::uint32_t kChunkRanges = kChunkSuperblocks * kRangesPerSuperblock;
inline constexpr std::uint32_t kChunkDocuments = kChunkRanges * kRange;
/// A stretch: the superblocks from which units of the second wave are made at a time.
inline constexpr std::uint32_t kStretchSuperblocks = 1024;
/// Segments that a batch searches together, at most: kernels get them as a parameter.
inline constexpr std::uint32_t kMaxBatchSegments = 32;
/// Terms of a query in a segment, at most; superblocks that a warp searches at a time, at most.
inline constexpr std::uint32_t kMaxPrunedTerms = 32;
inline constexpr std::uint32_t kUnitSuperblocks = 4;
/// With PrunedPath::kWindows: terms of a query, at most; documents whose scores a thread block
/// keeps at a time.
inline constexpr std::uint32_t kMaxWindowTerms = 1024;
inline constexpr std::uint32_t kWindowDocuments = 16384;
/// Sums of bounds are at most this.
inline constexpr std::uint32_t kMaxSum = 65535;

/// Superblocks of `documents` documents, rounded up to 8: arrays are read by vectors of 16 bytes.
constexpr std::uint32_t padded_superblocks(std::uint32_t documents) {
  return (documents + 8 * kSuperblock - 1) / (8 * kSuperblock) * 8;
}

/// Postings are looked up by groups. A group is 32 postings, and the docid before each is stored,
/// if both codecs are gpu-bp128 and the scorer is a usual one. Otherwise a group is a tile.
inline constexpr std::uint32_t kSmallGroup = 32;
inline constexpr std::uint32_t kGroupsPerTile = codecs::kTile / kSmallGroup;

/// Bounds of one list; the pointers are null if it has none.
struct BoundsRow {
  const std::uint8_t* codes;  ///< a range: 0 if and only if the list has no posting there
  /// A superblock: its first group is bases[s / kPointerGroup] + steps[s]: the first one that ends
  /// in it or behind it, or the number of groups.
  const std::uint16_t* steps;
  const std::uint32_t* bases;
  /// The docid before each small group, and the list's last docid; null if groups are tiles.
  const std::uint32_t* groups;
};

/// What a list is in a clause of its plan: every match has one of the lists of each clause. Only
/// clauses are marked whose lists follow one another among those of the part, in no other clause.
enum ClauseMark : std::uint32_t {
  kInClause = 1,    ///< in a clause
  kEndsClause = 2,  ///< the last one of it
  /// All lists of the clause have bounds, or are short lists with one: ranges without any of them
  /// can be ruled out.
  kRulesRanges = 4,
  kClauseMarks = kInClause | kEndsClause | kRulesRanges,
  /// Of BM25F: the last list of a word, whose lists follow one another.
  kEndsWord = 8,
};

/// The scorer's constants for a list's text.
struct TextScoring {
  float weight;  ///< of BM25F: the text's
  float a, b;    ///< as PlanConstants has them
  /// For contribution(), which does not look at the scorer's id.
  GANNET_HD PlanConstants constants() const { return {ScorerId{}, a, b}; }
};

/// One list of a query: a plan term that the segment has.
struct alignas(16) PrunedTerm : ListLocation {
  BoundsRow row;
  /// Of the codes of a list with bounds; else the largest bound that a posting has. 0: not scored.
  std::uint32_t weight;
  std::uint32_t clause;  ///< marks of ClauseMark
  /// Of BM25F, which has a factor alone, `a` and `b` are WordInText::least and slope.
  TermConstants constants;
  // Lists without bounds:
  std::uint32_t first_chunk;  ///< where the first tiles of its chunks stand
  std::uint32_t first_group;  ///< where its groups stand, if they are small
  TextScoring scoring;
  const std::uint32_t* lengths;  ///< of its text

  /// Of BM25F.
  GANNET_HD WordInText in_text() const {
    return {scoring.weight, constants.a, constants.b, scoring.a, scoring.b};
  }
};
static_assert(sizeof(PrunedTerm) == 112);

/// A scored list with bounds, as the sums of bounds need it.
struct alignas(16) WeightedRow {
  const std::uint8_t* codes;
  std::uint32_t weight;
  /// 0, or kInClause, and of the last row of a clause kEndsClause; from kShortBits on the bit of
  /// the clause's short lists (ShortList::clause), if it has any.
  std::uint32_t clause;
  static constexpr std::uint32_t kShortBits = 8;
};

/// A list without bounds: it is decoded as a whole. The tiles of all short lists of a batch are
/// numbered in one row.
struct ShortList {
  std::uint32_t part;  ///< in PrunedView::parts
  std::uint32_t term;  ///< in PrunedView::terms
  std::uint32_t first_tile;
  std::uint32_t tiles;
  std::uint32_t first_chunk;  ///< as PrunedTerm has it
  std::uint32_t clause;       ///< one bit of 8 for the clause that it is in; 0: of none
};

/// Documents of a segment that pass a filter: as a bitmap, or as steps that are evaluated for the
/// ranges that are searched. Null pointers: all documents pass.
struct FilterView {
  /// Bit j of word i: document 64 i + j, which is document j of range i.
  const std::uint64_t* words;
  /// Bit j of number i: some document of range j of superblock i passes. padded_superblocks().
  const std::uint16_t* ranges;
  /// Instead of both.
  const FilterStep* steps;
  std::uint32_t step_count;

  bool all() const { return words == nullptr && steps == nullptr; }
};

/// One plan of the batch.
struct PrunedQuery {
  Match match;
  std::uint32_t number;    ///< of the plan in the call
  std::uint32_t k;         ///< hits of the batch's segments: no more than may match
  std::uint32_t rank;      ///< hits that the plan asks for, of all shards together
  float scale;             ///< from scores to whole numbers
  float start;             ///< a score that at least `rank` documents have, or 0
  std::uint32_t capacity;  ///< finalists that there is room for
  std::uint64_t first_finalist;
  std::uint64_t below = kNoBound;  ///< rank keys of results are below: PageStart::below
};

/// One plan in one segment. Without terms: nothing matches there.
struct PrunedPart {
  std::uint32_t first_term, terms;
  std::uint32_t first_row, rows;
  std::uint32_t first_short, shorts;
  std::uint32_t marked_shorts;  ///< ShortList::clause of all its short lists
  std::uint32_t short_clauses;  ///< bits of the clauses that have short lists alone
  std::uint32_t first_node, nodes;
  /// Ranges that a warp keeps at a time: slots_of().
  std::uint32_t slots;
  FilterView filter;
};

/// A segment that is searched. Superblocks, chunks, stretches and windows are numbered through all
/// segments of a batch. None of them spans two segments.
struct SegmentView {
  IndexView index;
  std::uint32_t docid_base;   ///< what its docids begin with in the index
  std::uint32_t superblocks;  ///< padded_superblocks()
  std::uint32_t chunks;
  std::uint32_t first_superblock, first_chunk, first_stretch, first_window;
};

/// Counts of what the kernels did.
struct PrunedCounters {
  unsigned long long tiles, ranges, documents;
};
static_assert(sizeof(PrunedCounters) == 3 * sizeof(std::uint64_t));

/// Entries of a first wave of `wave_size` superblocks, at most: the last unit of each segment may
/// be padded.
GANNET_HD std::uint32_t first_room(std::uint32_t wave_size, std::uint32_t segments) {
  return 2 * wave_size + (segments > 1 ? segments * kUnitSuperblocks : 0);
}

/// Everything that the launches of a batch need: a parameter of kernels.
struct PrunedView {
  SegmentView segments[kMaxBatchSegments];
  std::uint32_t segment_count;
  ScorerId scorer;  ///< of all queries
  // Of all segments:
  std::uint32_t superblocks, chunks, stretches, windows;
  std::uint32_t most_chunks;  ///< of any segment
  std::uint32_t queries_count;
  std::uint32_t short_count;
  std::uint32_t short_parts;  ///< warps that share a short list's tiles in a chunk
  std::uint32_t max_terms;
  std::uint32_t wave_size;          ///< superblocks of a query's first wave, roughly
  std::uint32_t first_superblocks;  ///< superblocks a warp searches at a time in the first wave
  std::uint32_t later_superblocks;  ///< superblocks a warp searches at a time in the second wave;
                                    ///< up to kUnitSuperblocks

  const PrunedQuery* queries;
  const PrunedPart* parts;  ///< query by query, segment_count of each
  const PrunedTerm* terms;
  const WeightedRow* rows;
  const ShortList* shorts;
  const Node* nodes;

  // One entry per posting of short lists: its range and a bound. The last posting of a list in a
  // range has the bound of all of them, the others have 0.
  std::uint32_t* entry_ranges;
  std::uint16_t* entry_bounds;
  std::uint32_t* short_groups;  ///< as BoundsRow::groups
  /// For each short list and chunk of its segment, and one chunk more: the first tile that reaches
  /// into it.
  std::uint32_t* chunk_tiles;

  // By query:
  std::uint16_t* maxima;  ///< per superblock: its largest sum of bounds
  /// Per superblock, if its largest sum may matter: the sums of its ranges. Word i has those of
  /// range i and of range i + 8.
  uint4* sums;
  /// Superblocks of the first wave, the best ones first, unit by unit: first_superblocks of one
  /// segment, padded with kNone. first_room() entries per query.
  std::uint32_t* first_items;
  std::uint32_t* first_counts;
  std::uint32_t* cuts;             ///< superblocks with this maximum or more are in the first wave
  std::uint32_t* thresholds;       ///< the bits of a score that at least `rank` documents have
  float2* bins;                    ///< bins per unit of score above the start, and its inverse
  std::uint32_t* histogram;        ///< kScoreBins: the scores of finalists
  std::uint64_t* finalists;        ///< rank keys
  std::uint32_t* finalist_counts;  ///< more than its capacity: some of the query's are lost

  /// Superblocks of the second wave, of all queries, numbered query * superblocks + superblock,
  /// unit by unit: later_superblocks each, padded with kNone.
  std::uint32_t* units;
  std::uint32_t* unit_count;  ///< entries of `units`
  PrunedCounters* counters;
  SharedScores shared;  ///< with other shards
  float k1;             ///< of BM25F

  /// Entries of a query's first wave, at most.
  GANNET_HD std::uint32_t first_room() const { return cuda::first_room(wave_size, segment_count); }
};
static_assert(sizeof(PrunedView) <= 4096);

}  // namespace gannet::query::cuda
