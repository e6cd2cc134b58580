// A plan's lists in one place of a pruned search: a range of documents of one segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "query/bounds/bounds_cache.hpp"
#include "query/bounds/word_in_text.hpp"
#include "query/cpu/collector.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/cpu/pruned/pruned_term.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Where a plan is searched.
struct PrunedPlace {
  const index::Segment* segment;
  /// Lists that have none are decoded as a whole.
  const SegmentBounds* bounds;
  /// begin is a multiple of 64, end as well or the segment's end.
  DocidRange range;
  /// The index's docid of the segment's first document.
  index::Docid docid_base;
  /// The numbers of the plan's terms in the segment.
  std::span<const index::TermId> ids;
  const PlanBitmaps* bitmaps;
  /// Of the segment's documents that are not deleted, those that do not pass the filter, at most.
  std::uint64_t held_back = 0;
};

/// Terms whose memory is used again: a KiB each, and what lists that are decoded as a whole take.
class TermPool {
 public:
  void clear() { used_ = 0; }
  /// One more, as another search left it.
  PrunedTerm& next() {
    if (used_ == terms_.size()) terms_.push_back(std::make_unique<PrunedTerm>());
    return *terms_[used_++];
  }

 private:
  std::vector<std::unique_ptr<PrunedTerm>> terms_;
  std::size_t used_ = 0;
};

/// A clause of a plan, whose terms that the segment has are all scored: ranges are narrowed by it.
struct PrunedClause {
  std::uint32_t begin;  ///< of its terms among the part's clause_terms
  std::uint32_t end;
  std::uint64_t count;  ///< postings of its lists
};

/// A word of BM25F with its texts.
struct PrunedWord {
  float factor;
  std::vector<std::pair<PrunedTerm*, WordInText>> texts;  ///< that have it
};

/// What reading the lists of a place said.
enum class PlaceState {
  kReady,
  kNothingMatches,
  kNoGood,  ///< its bounds are none of this plan's scores
};

/// A place with the plan's terms there. Memory is used again.
struct PrunedPart {
  const PrunedPlace* place = nullptr;
  /// With contributions, in the order in which they are looked at, those of clauses first.
  std::vector<PrunedTerm*> scored;
  /// Those that only decide.
  std::vector<PrunedTerm*> others;
  /// Those with contributions in the plan's order: contributions are added so.
  std::vector<PrunedTerm*> in_plan_order;
  /// By the plan's numbers; null where the segment has no such term.
  std::vector<PrunedTerm*> by_number;
  /// In the order of their last terms. None for a disjunction, which its one clause does not
  /// narrow.
  std::vector<PrunedClause> clauses;
  std::vector<PrunedTerm*> clause_terms;
  /// Documents that have a term of each of `clauses` match, if they pass the filter.
  bool clauses_decide = false;
  /// Of BM25F: scores are sums over these, in the plan's order, and not over `in_plan_order`.
  std::vector<PrunedWord> words;
  /// No score is larger, but for rounding.
  double largest = 0;
  std::uint32_t first_range = 0;  ///< of the segment's
  std::uint32_t ranges = 0;
  /// Where its ranges begin among those of all parts: a multiple of 64.
  std::uint32_t offset = 0;

  /// Ranges of whole vectors.
  std::uint32_t padded() const { return (ranges + kRange - 1) / kRange * kRange; }

  /// Reads the lists of a place, which must outlive the part. Throws FormatError for a damaged one.
  PlaceState read(const PrunedPlace& where, const Plan& plan, TermPool& pool);

  /// A score that `documents` documents, none of them deleted, are known to have by what is stored
  /// of single lists, whatever their other terms.
  float reached_by_one_list(std::uint64_t documents) const;

  std::span<PrunedTerm* const> terms_of(const PrunedClause& clause) const {
    return std::span(clause_terms).subspan(clause.begin, clause.end - clause.begin);
  }
  /// The documents of the current range that have a term of the clause.
  std::uint64_t map_of(const PrunedClause& clause) const {
    std::uint64_t map = 0;
    for (const PrunedTerm* term : terms_of(clause)) map |= term->map;
    return map;
  }

  /// Calls f(term) for all terms.
  template <class F>
  void for_each_term(F f) const {
    for (PrunedTerm* term : scored) f(*term);
    for (PrunedTerm* term : others) f(*term);
  }

 private:
  bool read_terms(const Plan& plan, TermPool& pool);
  bool read_words(const Plan& plan, TermPool& pool);
  PrunedTerm* add_term(const Plan& plan, std::uint32_t number, const Contribution* contribution,
                       TermPool& pool);
  bool read_list(PrunedTerm& term, index::TermId id, bool keep_frequencies) const;
  void take_clauses(const Plan& plan);
  void sort_terms();
};

}  // namespace gannet::query
