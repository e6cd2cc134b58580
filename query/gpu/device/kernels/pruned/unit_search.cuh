// Searching a unit: one warp searches up to kUnitSuperblocks superblocks of one segment for one
// query, in four steps.
//
//   1. It takes the ranges whose sums of bounds reach the limit, as many as there is room for.
//   2. One lane per (superblock, list) finds the list's groups of postings there. One lane per
//   group
//      drops the groups that meet none of the ranges. The warp decodes the docids of the others. Of
//      each list and range it keeps a map of the documents and the number of the first posting.
//   3. A document is a candidate if the bounds that its range has of the lists that it is in add up
//      to the limit: most documents of the ranges are not.
//   4. Candidates are scored 32 at a time, as the plan says, with frequencies that are read one by
//      one: a document's place in the map is its posting's number. What reaches the threshold is a
//      finalist, and the threshold rises.
#pragma once

#include <type_traits>

#include "query/gpu/device/kernels/filter_steps.cuh"
#include "query/gpu/device/kernels/pruned/limits.cuh"
#include "query/gpu/device/kernels/pruned/list_groups.cuh"
#include "query/gpu/device/kernels/pruned/ranges.cuh"
#include "query/gpu/device/kernels/pruned/segments.cuh"
#include "query/gpu/device/kernels/pruned/threshold.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/plan/pruned/steps.hpp"
#include "query/gpu/plan/pruned/unit_memory.hpp"
#include "query/results/hits.hpp"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

/// Counts of what a warp read.
struct UnitCounters {
  std::uint32_t postings = 0, ranges = 0, documents = 0;
};

/// The numbers of a query and of a segment in the batch.
struct UnitOwner {
  std::uint32_t query, segment;
};

template <class Tiles, class Scorers>
class UnitSearch {
 public:
  using Place = typename Tiles::Place;
  using Memory = UnitMemory<Place>;

  /// `counters`: the warp's counts are added to them.
  __device__ UnitSearch(const PrunedView& view, Memory& memory, const UnitOwner& owner,
                        UnitCounters& counters)
      : view_(view),
        segment_(view.segments[owner.segment]),
        memory_(memory),
        number_(owner.query),
        query_(view.queries[owner.query]),
        part_(part_of(view, owner.query, owner.segment)),
        terms_(part_.terms),
        slots_(part_.slots),
        groups_(view, segment_),
        threshold_(view, owner.query, query_),
        counters_(counters) {}

  /// `superblock`: the segment's superblock that is item lane / 8 of the unit; kNone if the unit
  /// has fewer.
  __device__ void run(std::uint32_t superblock) {
    raise_limit();
    sums_ = superblock == kNone ? 0 : sums_word(superblock);
    std::uint64_t left = ranges_that_reach();
    if (left == 0) return;
    start(superblock);
    while (left != 0) {
      const std::uint64_t now = assign_slots(left);
      left &= ~now;
      clear_maps();
      for (std::uint32_t first = 0; first < terms_; first += kTermsAtOnce) {
        read_lists(first, now);
      }
      search_ranges();
    }
  }

 private:
  /// Lists that are looked up at the same time, with one lane per (superblock, list).
  static constexpr std::uint32_t kTermsAtOnce = kLanes / kUnitSuperblocks;
  static constexpr std::uint32_t kAll = WarpLanes::kAll;
  /// Scores are sums over words, whose lists follow one another.
  static constexpr bool kWords = std::is_same_v<Scorers, WordScorers>;

  __device__ static std::uint32_t lane() { return WarpLanes::id(); }
  __device__ static std::uint32_t item() { return WarpLanes::id() / 8; }
  __device__ static std::uint32_t lanes_before() { return (1u << WarpLanes::id()) - 1; }

  __device__ std::uint8_t* codes() const {
    return reinterpret_cast<std::uint8_t*>(memory_.terms() + view_.max_terms);
  }
  __device__ std::uint32_t* starts() const {
    return reinterpret_cast<std::uint32_t*>(memory_.maps + terms_ * slots_);
  }

  __device__ void raise_limit() {
    least_ = fmaxf(least_, threshold_.read());
    limit_ = limit_of(least_, query_.scale);
  }

  __device__ std::uint32_t sums_word(std::uint32_t superblock) const {
    return __ldg(sums_of(superblock) + lane() % 8);
  }

  /// Eight words of a superblock, as PrunedView::sums has them.
  __device__ const std::uint32_t* sums_of(std::uint32_t superblock) const {
    const std::size_t at =
        std::size_t{number_} * view_.superblocks + segment_.first_superblock + superblock;
    return reinterpret_cast<const std::uint32_t*>(view_.sums + 2 * at);
  }

  /// Bit 16 * item + range.
  __device__ std::uint64_t ranges_that_reach() const {
    const std::uint32_t limit = has(Step::kRangeSums) ? limit_ : 1;
    const std::uint32_t low = __ballot_sync(kAll, (sums_ & 0xffff) >= limit);
    const std::uint32_t high = __ballot_sync(kAll, sums_ >> 16 >= limit);
    // Byte i of `low` has ranges 0 .. 7 of item i, byte i of `high` ranges 8 .. 15.
    return codecs::concat(__byte_perm(low, high, 0x5140), __byte_perm(low, high, 0x7362));
  }

  __device__ void start(std::uint32_t superblock) {
    const auto* const from = reinterpret_cast<const uint4*>(view_.terms + part_.first_term);
    auto* const to = reinterpret_cast<uint4*>(memory_.terms());
    constexpr std::uint32_t kVectors = sizeof(PrunedTerm) / sizeof(uint4);
    for (std::uint32_t i = lane(); i < terms_ * kVectors; i += kLanes) to[i] = from[i];
    if (lane() % 8 == 0) memory_.superblocks[item()] = superblock;
    __syncwarp();
  }

  /// Gives slots to the first of the ranges; returns those that have one.
  __device__ std::uint64_t assign_slots(std::uint64_t left) {
    const auto low = static_cast<std::uint32_t>(left);
    const auto high = static_cast<std::uint32_t>(left >> 32);
    const std::uint32_t first = codecs::popcount(low & lanes_before());
    const std::uint32_t second = codecs::popcount(low) + codecs::popcount(high & lanes_before());
    const bool takes_first = (low >> lane() & 1) != 0 && first < slots_;
    const bool takes_second = (high >> lane() & 1) != 0 && second < slots_;
    memory_.slot_of_range[lane() / 16][lane() % 16] =
        takes_first ? static_cast<std::uint8_t>(first) : kNoSlot;
    memory_.slot_of_range[lane() / 16 + 2][lane() % 16] =
        takes_second ? static_cast<std::uint8_t>(second) : kNoSlot;
    if (lane() < kUnitSuperblocks) memory_.slot_of_range[lane()][16] = kNoSlot;
    if (takes_first) memory_.range_of_slot[first] = static_cast<std::uint8_t>(lane());
    if (takes_second) memory_.range_of_slot[second] = static_cast<std::uint8_t>(lane() + 32);
    const std::uint64_t now =
        codecs::concat(__ballot_sync(kAll, takes_first), __ballot_sync(kAll, takes_second));
    filled_ = static_cast<std::uint32_t>(__popcll(now));
    counters_.ranges += filled_;
    return now;
  }

  __device__ void clear_maps() const {
    for (std::uint32_t i = lane(); i < terms_ * slots_; i += kLanes) {
      memory_.maps[i] = 0;
    }
    __syncwarp();
  }

  /// Queues the groups of kTermsAtOnce lists that meet ranges of `now`; decodes when the queue is
  /// full, and in the end. (There is one call of the decoder: the code must fit the instruction
  /// cache.)
  __device__ void read_lists(std::uint32_t first, std::uint64_t now) {
    const std::uint32_t number = first + lane() % 8;
    const std::uint32_t superblock = memory_.superblocks[item()];
    auto ranges = static_cast<std::uint32_t>(now >> (16 * item())) & 0xffff;
    typename ListGroups<Tiles>::Span span{0, 0};
    if (number < terms_) {
      const PrunedTerm& term = memory_.terms()[number];
      uint4 row = make_uint4(0, 0, 0, 0);
      if (ranges != 0 && term.row.codes != nullptr) {
        row = __ldg(reinterpret_cast<const uint4*>(term.row.codes) + superblock);
        ranges &= nonzero_codes(row);
      }
      reinterpret_cast<uint4*>(codes())[number * kUnitSuperblocks + item()] = row;
      if (ranges != 0) span = groups_.of_superblock(term, superblock);
    }
    WarpLanes::Var<std::uint32_t> before;
    before.value = span.end - span.begin;
    const std::uint32_t total = WarpLanes{}.exclusive_scan(before);
    const std::uint32_t shift = span.begin - before.value;
    std::uint32_t at = 0;
    do {
      queue_32(first, at + lane(), total, before.value, shift, ranges);
      at += kLanes;
      const bool last = at >= total && first + kTermsAtOnce >= terms_;
      if (last || tasks_ > kTaskRoom - kLanes) decode_groups();
    } while (at < total);
  }

  /// One group per lane: that of number `at` in the spans of all lanes, one after the other.
  /// `before`: groups in the spans of the lanes before; `shift`: is added to a number to get a
  /// group; `ranges`: those of the lane's superblock.
  __device__ void queue_32(std::uint32_t first, std::uint32_t at, std::uint32_t total,
                           std::uint32_t before, std::uint32_t shift, std::uint32_t ranges) {
    // The last lane whose span begins at `at` or before it: empty spans begin where the next does.
    std::uint32_t owner = 0;
#pragma unroll
    for (std::uint32_t step = 16; step > 0; step /= 2) {
      const std::uint32_t begin = __shfl_sync(kAll, before, owner + step);
      if (begin <= at) owner += step;
    }
    const std::uint32_t group = __shfl_sync(kAll, shift, owner) + at;
    const std::uint32_t wanted = __shfl_sync(kAll, ranges, owner);
    const std::uint32_t number = first + owner % 8;
    bool needed = false;
    GroupTask<Place> task;
    if (at < total) {
      const PrunedTerm& term = memory_.terms()[number];
      const std::uint32_t* const docids = groups_.docids(term);
      const std::uint32_t last = __ldg(docids + group + 1);
      task.group = group;
      task.before = groups_.before(docids, group);
      task.owner = number | (owner / 8) << 8;
      task.place = Tiles::find(segment_.index, term, group / (kTile / Tiles::kGroup));
      needed =
          (ranges_between(task.before + 1, last, memory_.superblocks[owner / 8]) & wanted) != 0;
    }
    const std::uint32_t all = __ballot_sync(kAll, needed);
    if (needed) {
      memory_.tasks[tasks_ + codecs::popcount(all & lanes_before())] = task;
      const PrunedTerm& term = memory_.terms()[number];
      count_host_read(segment_.index, term,
                      kPlaceBytes + crossing(Tiles::group_bytes(term, task.place)));
    }
    tasks_ += codecs::popcount(all);
    __syncwarp();
  }

  __device__ void decode_groups() {
    constexpr std::uint32_t kLanesEach = Tiles::kGroup / 4;
    __syncwarp();
    counters_.postings += tasks_ * Tiles::kGroup;
    for (std::uint32_t i = 0; i < tasks_; i += kLanes / kLanesEach) {
      const std::uint32_t mine = i + lane() / kLanesEach;
      const bool there = mine < tasks_;
      const GroupTask<Place>& task = memory_.tasks[there ? mine : i];
      const std::uint32_t number = task.owner & 0xff;
      const std::uint32_t owner = task.owner >> 8;
      const std::uint32_t posting = task.group * Tiles::kGroup + 4 * (lane() % kLanesEach);
      Quad docids;
      std::uint32_t previous;
      Tiles::read_group(segment_.index, memory_.terms()[number], task.group, task.before,
                        task.place, there, docids, previous);
      keep(number * slots_, owner, posting, docids, previous);
    }
    tasks_ = 0;
    __syncwarp();
  }

  /// Keeps the documents of the ranges that have slots. `first_slot`: the list's; `posting`: the
  /// number of the lane's first posting; `previous`: the docid before it.
  __device__ void keep(std::uint32_t first_slot, std::uint32_t owner, std::uint32_t posting,
                       const Quad& docids, std::uint32_t previous) const {
    const std::uint32_t first = memory_.superblocks[owner] * kSuperblock;
    std::uint32_t words[4];
    std::uint32_t bits[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t at = docids.value[i] - first;  // of documents before it: very large
      const std::uint32_t slot =
          memory_.slot_of_range[owner][min(at / kRange, kRangesPerSuperblock)];
      const std::uint32_t before = i == 0 ? previous : docids.value[i - 1];
      const std::uint32_t place = first_slot + slot;
      words[i] = slot == kNoSlot ? kNone : 2 * place + at / 32 % 2;
      bits[i] = 1u << at % 32;
      if (slot != kNoSlot && before / kRange != docids.value[i] / kRange) {
        starts()[place] = posting + i;
      }
    }
    // One atomic operation for the lane's documents in the same word.
    auto* const maps = reinterpret_cast<std::uint32_t*>(memory_.maps);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool joined = i < 3 && words[i] == words[i + 1];
      if (i < 3) bits[i + 1] |= joined ? bits[i] : 0;
      if (!joined && words[i] != kNone) atomicOr(maps + words[i], bits[i]);
    }
  }

  /// Finds candidates in four ranges at a time: eight lanes per range, eight documents per lane.
  __device__ void search_ranges() {
    for (std::uint32_t first = 0; first < filled_; first += 4) {
      const std::uint32_t slot = first + item();
      std::uint32_t found = slot < filled_ ? candidates_of(slot) : 0;
      bool more = false;
      do {
        add_candidates(slot, found);
        more = __any_sync(kAll, found != 0);
        const bool last = !more && first + 4 >= filled_;
        if (last || candidates_ > kCandidateRoom - kLanes) score_candidates();
      } while (more);
    }
  }

  /// Takes one candidate per lane out of `found`; it is in the lane's slot. Those that do not pass
  /// a filter without a bitmap are dropped.
  __device__ void add_candidates(std::uint32_t slot, std::uint32_t& found) {
    bool passes = found != 0;
    std::uint32_t docid = 0;
    if (found != 0) {
      const auto bit = static_cast<std::uint32_t>(__ffs(static_cast<int>(found))) - 1;
      found &= found - 1;
      const std::uint32_t range = memory_.range_of_slot[slot];
      docid = memory_.superblocks[range / kRangesPerSuperblock] * kSuperblock +
              range % kRangesPerSuperblock * kRange + lane() % 8 * 8 + bit;
      const FilterView& filter = part_.filter;
      if (filter.steps != nullptr) {
        passes = document_passes(filter.steps, filter.step_count, docid);
      }
    }
    const std::uint32_t all = __ballot_sync(kAll, passes);
    if (passes) {
      memory_.candidates[candidates_ + codecs::popcount(all & lanes_before())] = {docid, slot};
    }
    candidates_ += codecs::popcount(all);
  }

  /// Bit i: document i of the lane's eight documents of a slot's range is a candidate.
  __device__ std::uint32_t candidates_of(std::uint32_t slot) const {
    const std::uint32_t range = memory_.range_of_slot[slot];
    const auto* const bytes =
        reinterpret_cast<const std::uint8_t*>(memory_.maps + slot) + lane() % 8;
    const std::uint32_t rest = rest_of(range);
    // Word j has the sums of documents j and j + 4.
    std::uint32_t sums[4] = {};
    std::uint32_t matching = passing(range);
    std::uint32_t clause = 0;
    for (std::uint32_t t = 0; t < terms_; ++t) {
      const PrunedTerm& term = memory_.terms()[t];
      const std::uint32_t eight = bytes[t * slots_ * sizeof(std::uint64_t)];
      if ((kWords ? term.clause & kInClause : term.clause) != 0) clause |= eight;
      if ((term.clause & kEndsClause) != 0) {
        matching &= clause;
        clause = 0;
      }
      const std::uint32_t bound = term.row.codes != nullptr
                                      ? codes()[t * kUnitRanges + range] * term.weight
                                      : min(rest, term.weight);
      const std::uint32_t spread = eight | eight << 12;  // document j + 4 is at 16 + j
#pragma unroll
      for (std::uint32_t j = 0; j < 4; ++j) sums[j] += ((spread >> j) & 0x00010001u) * bound;
    }
    const std::uint32_t limit = has(Step::kDocumentBounds) ? limit_ : 1;
    std::uint32_t found = 0;
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
      if ((sums[j] & 0xffff) >= limit) found |= 1u << j;
      if (sums[j] >> 16 >= limit) found |= 16u << j;
    }
    return found & matching;
  }

  /// Bit i: document i of the lane's eight documents of a range is in the filter's bitmap, if it
  /// has one.
  __device__ std::uint32_t passing(std::uint32_t range) const {
    if (part_.filter.words == nullptr) return 0xff;
    const std::size_t number =
        std::size_t{memory_.superblocks[range / kRangesPerSuperblock]} * kRangesPerSuperblock +
        range % kRangesPerSuperblock;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(part_.filter.words + number);
    return __ldg(bytes + lane() % 8);
  }

  /// What all lists without bounds together add to the sum of a range.
  __device__ std::uint32_t rest_of(std::uint32_t range) const {
    if (part_.shorts == 0) return 0;
    // Another lane has the word of the range. It is read from memory, not by a shuffle: lanes
    // without a slot do not get here.
    const std::uint32_t superblock = memory_.superblocks[range / kRangesPerSuperblock];
    const std::uint32_t in_superblock = range % kRangesPerSuperblock;
    const std::uint32_t word = __ldg(sums_of(superblock) + in_superblock % 8);
    std::uint32_t rest = in_superblock < 8 ? word & 0xffff : word >> 16;
    for (std::uint32_t t = 0; t < terms_; ++t) {
      const PrunedTerm& term = memory_.terms()[t];
      if (term.row.codes != nullptr) rest -= codes()[t * kUnitRanges + range] * term.weight;
    }
    return rest;
  }

  __device__ void score_candidates() {
    __syncwarp();
    counters_.documents += candidates_;
    for (std::uint32_t first = 0; first < candidates_; first += kLanes) {
      const bool there = first + lane() < candidates_;
      const Candidate candidate = there ? memory_.candidates[first + lane()] : Candidate{0, 0};
      add_finalists(score(candidate, there), candidate.docid);
    }
    candidates_ = 0;
    __syncwarp();
  }

  /// The score of a document; 0 if it does not match.
  __device__ float score(const Candidate& candidate, bool there) const {
    // The frequencies of kAtOnce terms are read together.
    constexpr std::uint32_t kAtOnce = 4;
    // Mostly all terms are of one text.
    const std::uint32_t* lengths = memory_.terms()[0].lengths;
    std::uint32_t length = there && !kWords ? __ldg(lengths + candidate.docid) : 0;
    const std::uint64_t bit = std::uint64_t{1} << candidate.docid % kRange;
    float sum = 0;
    [[maybe_unused]] WordSum word;
    std::uint32_t marks = 0;
    for (std::uint32_t first = 0; first < terms_; first += kAtOnce) {
      std::uint32_t frequencies[kAtOnce];
      [[maybe_unused]] std::uint32_t of_lists[kAtOnce] = {};  // lengths
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        frequencies[i] = 0;
        const std::uint32_t t = first + i;
        if (t >= terms_) continue;  // all lanes
        const std::uint32_t place = t * slots_ + candidate.slot;
        const std::uint64_t map = there ? memory_.maps[place] : 0;
        const bool has = (map & bit) != 0;
        if (has) marks |= 1u << t;
        const PrunedTerm& term = memory_.terms()[t];
        if (term.weight == 0) continue;  // all lanes
        const std::uint32_t posting =
            has ? starts()[place] + static_cast<std::uint32_t>(__popcll(map & (bit - 1))) : 0;
        frequencies[i] = Tiles::frequency(segment_.index, term, posting, has);
        if constexpr (kWords) of_lists[i] = has ? __ldg(term.lengths + candidate.docid) : 0;
        if (has) count_host_read(segment_.index, term, kPlaceBytes + kSectorBytes);
      }
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        if constexpr (kWords) {
          if (first + i < terms_) add_to_word(first + i, frequencies[i], of_lists[i], word, sum);
          continue;
        }
        if (frequencies[i] == 0) continue;
        const PrunedTerm& term = memory_.terms()[first + i];
        if (term.lengths != lengths) {
          lengths = term.lengths;
          length = __ldg(lengths + candidate.docid);
        }
        with_scorer<Scorers>(view_.scorer, [&]<class S>() {
          sum = codecs::rounded_add(sum, S::contribution(term.scoring.constants(), term.constants,
                                                         frequencies[i], length));
        });
      }
    }
    if (query_.match == Match::kExpression && !holds(marks)) return 0;
    return sum;
  }

  /// Adds what a document of a length has of list `number`, which is nothing for the frequency 0,
  /// and behind the last list of a word what the word gives it.
  __device__ void add_to_word(std::uint32_t number, std::uint32_t frequency, std::uint32_t length,
                              WordSum& word, float& sum) const {
    const PrunedTerm& term = memory_.terms()[number];
    const float factor = term.constants.factor;
    if (frequency != 0) word.add(term.in_text(), factor, frequency, length);
    if ((term.clause & kEndsWord) == 0) return;  // all lanes
    if (word.texts != 0) sum = codecs::rounded_add(sum, word.score(factor, view_.k1));
    word = {};
  }

  __device__ bool holds(std::uint32_t marks) const {
    return evaluate(view_.nodes + part_.first_node, part_.nodes, BitStack{},
                    [marks](std::uint32_t term) { return marks >> term & 1; }) != 0;
  }

  __device__ void add_finalists(float score, std::uint32_t docid) {
    const std::uint64_t key = rank_key(__float_as_uint(score), segment_.docid_base + docid);
    const bool is_one = score > 0 && score >= least_ && key < query_.below;
    const std::uint32_t all = __ballot_sync(kAll, is_one);
    if (all == 0) return;
    std::uint32_t position = 0;
    if (lane() == 0) {
      position = atomicAdd(view_.finalist_counts + number_, codecs::popcount(all));
    }
    position = __shfl_sync(kAll, position, 0) + codecs::popcount(all & lanes_before());
    if (is_one) {
      if (position < query_.capacity) {
        view_.finalists[query_.first_finalist + position] = key;
      }
      threshold_.count(score);
    }
    __syncwarp();
    threshold_.raise();
    __syncwarp();
    raise_limit();
  }

  const PrunedView& view_;
  const SegmentView& segment_;
  Memory& memory_;
  const std::uint32_t number_;
  const PrunedQuery& query_;
  const PrunedPart& part_;
  const std::uint32_t terms_;
  const std::uint32_t slots_;
  const ListGroups<Tiles> groups_;
  const Threshold threshold_;
  float least_ = 0;          ///< documents with a lower score are dropped
  std::uint32_t limit_ = 1;  ///< documents whose bounds add up to less are dropped
  std::uint32_t sums_ = 0;   ///< word lane % 8 of item lane / 8
  std::uint32_t tasks_ = 0;
  std::uint32_t candidates_ = 0;
  std::uint32_t filled_ = 0;  ///< slots
  UnitCounters& counters_;
};

}  // namespace gannet::query::cuda
