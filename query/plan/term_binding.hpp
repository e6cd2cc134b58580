// The numbers that the terms of a plan have in the segments of an index.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/plan/plan_share.hpp"
#include "query/postings/union_segment.hpp"

namespace gannet::query {

class Plan;

/// The number of a term that a segment does not have.
inline constexpr index::TermId kNoTerm = 0xffffffffu;

/// What a term is looked up by in the lexicon of a segment.
struct TermKeys {
  std::string key;
  std::vector<std::string> any_of = {};   ///< not empty: a union of the terms with these keys
  std::uint32_t text = index::kMainText;  ///< of a union: the text that its terms are of
  bool constant = false;                  ///< QueryTerm::constant; `any_of` may be empty then
  /// Not empty: a phrase, of each word the keys of its terms.
  std::vector<std::vector<std::string>> phrase = {};
  WindowShape window = {};  ///< of a phrase

  /// Whether it is one term of the lexicon.
  bool alone() const { return any_of.empty() && phrase.empty() && !constant; }
};

/// The numbers of a plan's terms in every segment of one index. Holds weak references: it does not
/// keep the segments alive. Immutable; any number of threads may use one.
class TermBinding {
 public:
  /// A binding that belongs to no index.
  TermBinding() = default;
  /// Looks up `terms` (QueryTerm::keys()) in every segment, in O(keys * log terms) per segment, and
  /// takes the lists of unions and phrases from union_cache(). Throws FormatError for a damaged
  /// lexicon or list, UsageError for a phrase in an index without positions, CancelledError if the
  /// token of the thread's StopScope asks for it.
  TermBinding(std::span<const TermKeys> terms, const index::Index& index);

  /// If the segments of `index` are a contiguous part of the segments of this binding, the function
  /// returns the number that the first of them has in this binding; else nullopt. Compares segment
  /// objects, not their contents.
  std::optional<std::size_t> first_of(const index::Index& index) const;

  /// The segments of the index that the binding was made for; null if it belongs to no index. Plans
  /// of one index share the list, so equal pointers mean equal segments.
  const index::SegmentList* segments() const { return segments_.get(); }

  /// The number of each term in segment `segment` of the binding, in the order of the terms;
  /// kNoTerm where the segment does not have the term. A union of which the segment has several
  /// terms, and a phrase, have a number beyond those of the segment, which only segment() knows.
  /// `segment` must be a valid number.
  std::span<const index::TermId> ids(std::size_t segment) const {
    return std::span(ids_).subspan(segment * terms_, terms_);
  }
  /// The segment as ids() are to be used with it: `own`, which is segment `number` of the binding,
  /// or a view of it with the lists of unions and phrases.
  const index::Segment& segment(std::size_t number, const index::Segment& own) const {
    const UnionSegment* const view = views_.empty() ? nullptr : views_[number].get();
    return view != nullptr ? *view : own;
  }
  /// Appends the lists of which one has each document that number `id` of ids(segment) stands for:
  /// of a union the segment's own terms, else `id` itself, which of a phrase only segment() knows.
  void append_terms(std::size_t segment, index::TermId id, std::vector<index::TermId>& terms) const;

 private:
  std::shared_ptr<const index::SegmentList> segments_;  ///< null: belongs to no index
  std::vector<index::TermId> ids_;                      ///< segment by segment
  std::size_t terms_ = 0;
  /// By segment, null where there is no list of a union or phrase; empty if there is none at all.
  std::vector<std::shared_ptr<const UnionSegment>> views_;
};

/// The plans of a batch, or a share of them, with their term numbers in one index. Refers to the
/// plans, which must outlive it. Immutable; any number of threads may use one.
class BoundPlans {
 public:
  /// Uses the binding of each plan that is bound to `index`, which must outlive this, and looks up
  /// the terms of the other plans on the calling thread. Plans outside of `share` are left out.
  /// Throws CancelledError after a stop request, FormatError for a damaged lexicon.
  BoundPlans(std::span<const Plan> plans, const index::Index& index, const std::stop_token& stop,
             const PlanShare& share = {});

  /// Number of plans of the batch, those outside of the share included.
  std::size_t size() const { return plans_.size(); }
  const Plan& plan(std::size_t i) const;
  /// The numbers of the terms of plan `plan`, which must be of the share, in segment `segment` of
  /// the index; kNoTerm where the segment does not have the term.
  std::span<const index::TermId> ids(std::size_t plan, std::size_t segment) const {
    return bindings_[plan].binding->ids(bindings_[plan].first_segment + segment);
  }
  /// TermBinding::append_terms() for ids(plan, segment).
  void append_terms(std::size_t plan, std::size_t segment, index::TermId id,
                    std::vector<index::TermId>& terms) const {
    const Bound& bound = bindings_[plan];
    bound.binding->append_terms(bound.first_segment + segment, id, terms);
  }
  /// Segment `segment` of the index, as ids(plan, segment) are to be used with it.
  const index::Segment& segment(std::size_t plan, std::size_t segment) const {
    const Bound& bound = bindings_[plan];
    return bound.binding->segment(bound.first_segment + segment, *index_.segments()[segment]);
  }

 private:
  struct Bound {
    const TermBinding* binding = nullptr;
    std::size_t first_segment = 0;  ///< the binding's number of the first segment of the index
  };
  void bind(std::size_t begin, std::size_t end, const index::Index& index);

  std::span<const Plan> plans_;
  const index::Index& index_;
  const PlanShare share_;
  std::vector<Bound> bindings_;
  std::deque<TermBinding> made_;
};

}  // namespace gannet::query
