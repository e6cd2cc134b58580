// What columns say of a segment's documents, for one plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "query/cpu/batch_filters.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// How a search would have its filter.
enum class FilterUse : std::uint8_t {
  kBitmap,
  kBounds,   ///< by bounds, where documents that reach the limit may be looked up instead
  kMatches,  ///< by lists, where documents that match are few enough to be looked up instead
};

/// The bitmaps of a plan's filter and predicates in a segment: word i is about the documents 64 i
/// .. 64 i + 63. For the thread that made it, as long as that makes none of another filter.
class PlanBitmaps {
 public:
  /// Of a plan that asks no fields: all documents pass.
  PlanBitmaps() = default;
  /// Of the batch's plan with this number. Makes those that are missing. Throws FormatError for a
  /// damaged column, UsageError for fields that the index does not have, CancelledError.
  /// `begins`: it is the first piece of the search in the segment, which counts as a search.
  PlanBitmaps(BatchFilters& filters, std::size_t number, const Plan& plan, std::size_t segment,
              FilterUse use, bool begins, const std::stop_token& stop);

  /// Makes the filter's bitmap if it is evaluated on candidates. Throws as the constructor does.
  void complete(const std::stop_token& stop);

  /// Whether documents can be outside the filter.
  bool filters() const { return filter_ != nullptr || probe_; }
  /// Whether the filter has no bitmap: among() and block_may_pass() evaluate it, passing()
  /// is a number that passes at least, and word(), words() and next() know of no filter.
  bool on_candidates() const { return probe_.has_value(); }
  /// Whether the filter has a bitmap: what words() gives.
  bool has_words() const { return filter_ != nullptr; }
  /// Of the documents 64 i + (bits of `documents`), those that pass. Throws FormatError.
  std::uint64_t among(std::uint64_t documents, std::uint32_t i) const {
    return probe_ ? probe_->among(documents, i) : documents & word(i);
  }
  /// Whether a document of a column block may pass. Needs on_candidates().
  bool block_may_pass(std::uint32_t block) const { return probe_->block_may_pass(block); }

  /// Documents that pass the filter. Needs filters().
  std::uint64_t passing() const { return passing_; }
  std::uint64_t estimated() const { return estimated_; }
  std::uint32_t documents() const { return documents_; }

  /// Documents that pass the filter.
  std::uint64_t word(std::size_t i) const {
    return filter_ == nullptr ? ~std::uint64_t{0} : filter_[i];
  }
  /// word() of all i. Needs has_words().
  const std::uint64_t* words() const { return filter_; }
  /// Throws FormatError.
  bool passes(std::uint32_t document) const {
    return probe_ ? probe_->passes(document) : (word(document / 64) >> document % 64 & 1) != 0;
  }
  /// Documents that pass predicate `number` of the plan.
  std::uint64_t predicate(std::size_t number, std::size_t i) const {
    return predicates_[number][i];
  }

  /// predicate() of all i.
  const std::uint64_t* predicates(std::size_t number) const { return predicates_[number]; }

  /// The first document from `begin` on that passes the filter, at least `begin`; `end` if there is
  /// none before it.
  std::uint64_t next(std::uint64_t begin, std::uint64_t end) const;

 private:
  std::vector<std::shared_ptr<FilterBitmap>> kept_;  ///< of the predicates
  FilterBitmap* bitmap_ = nullptr;                   ///< of the filter
  std::optional<FilterProbe> probe_;
  const std::uint64_t* filter_ = nullptr;
  std::vector<const std::uint64_t*> predicates_;
  std::uint64_t passing_ = 0;
  std::uint64_t estimated_ = 0;
  std::uint32_t documents_ = 0;
};

}  // namespace gannet::query
