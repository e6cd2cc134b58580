#include "query/plan/term_binding.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/plan/making/plan_ranges.hpp"
#include "query/plan/plan.hpp"
#include "query/postings/union_cache.hpp"

namespace gannet::query {
namespace {

/// So many plans are bound sooner than other threads wake up.
constexpr std::size_t kPlansPerRange = 1024;

/// The number of a list that is made for the plan; it is added to `lists`.
index::TermId number_of_made(const std::shared_ptr<const index::Segment>& in, ListRecipe recipe,
                             std::uint32_t text, UnionSegment::Lists& lists) {
  const std::uint64_t number = in->statistics().terms + lists.size();
  if (number >= kNoTerm) throw UsageError("the segment has too many terms for one of some more");
  auto made = union_cache().of(in, std::move(recipe), text);
  if (made->empty()) return kNoTerm;
  lists.push_back(std::move(made));
  return static_cast<index::TermId>(number);
}

/// That of a phrase; kNoTerm if no document has it.
index::TermId number_of_phrase(const TermKeys& term,
                               const std::shared_ptr<const index::Segment>& in,
                               UnionSegment::Lists& lists, StopCheck& check_stop) {
  ListRecipe recipe{.kind = ListRecipe::Kind::kWindow, .window = term.window};
  for (const std::vector<std::string>& word : term.phrase) {
    const auto begin = static_cast<std::ptrdiff_t>(recipe.terms.size());
    for (const std::string& key : word) {
      check_stop();
      if (const auto id = in->find(key)) recipe.terms.push_back(*id);
    }
    std::sort(recipe.terms.begin() + begin, recipe.terms.end());
    if (std::cmp_equal(recipe.terms.size(), begin)) return kNoTerm;
    recipe.ends.push_back(static_cast<std::uint32_t>(recipe.terms.size()));
  }
  return number_of_made(in, std::move(recipe), term.text, lists);
}

/// The number of a union in a segment; its list is added to `lists` if it is not that of a term of
/// the segment.
index::TermId number_of_union(const TermKeys& term, const std::shared_ptr<const index::Segment>& in,
                              UnionSegment::Lists& lists, StopCheck& check_stop) {
  std::vector<index::TermId> ids;
  for (const std::string& key : term.any_of) {
    check_stop();
    if (const auto id = in->find(key)) ids.push_back(*id);
  }
  if (ids.empty()) return kNoTerm;
  if (ids.size() == 1 && !term.constant) return ids.front();
  std::ranges::sort(ids);
  using Kind = ListRecipe::Kind;
  ListRecipe recipe{.kind = term.constant ? Kind::kOne : Kind::kSum, .terms = std::move(ids)};
  return number_of_made(in, std::move(recipe), term.text, lists);
}

}  // namespace

TermBinding::TermBinding(std::span<const TermKeys> terms, const index::Index& index)
    : segments_(index.segment_list()), terms_(terms.size()) {
  ids_.reserve(segments_->size() * terms_);
  StopCheck check_stop;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const auto& segment = index.segments()[s];
    UnionSegment::Lists lists;
    for (const TermKeys& term : terms) {
      check_stop();
      if (term.alone()) {
        ids_.push_back(segment->find(term.key).value_or(kNoTerm));
      } else if (!term.phrase.empty()) {
        ids_.push_back(number_of_phrase(term, segment, lists, check_stop));
      } else {
        ids_.push_back(number_of_union(term, segment, lists, check_stop));
      }
    }
    if (lists.empty()) continue;
    views_.resize(index.segments().size());
    views_[s] = std::make_shared<const UnionSegment>(*segment, std::move(lists));
  }
}

void TermBinding::append_terms(std::size_t segment, index::TermId id,
                               std::vector<index::TermId>& terms) const {
  const UnionSegment* const view = views_.empty() ? nullptr : views_[segment].get();
  const MadeList* const made = view == nullptr ? nullptr : view->find_made(id);
  if (made == nullptr || made->recipe().kind == ListRecipe::Kind::kWindow) {
    terms.push_back(id);
  } else {
    const std::vector<index::TermId>& own = made->recipe().terms;
    terms.insert(terms.end(), own.begin(), own.end());
  }
}

std::optional<std::size_t> TermBinding::first_of(const index::Index& index) const {
  const auto same = [](const auto& mine, const auto& theirs) {
    return !mine.owner_before(theirs) && !theirs.owner_before(mine);
  };
  const auto& wanted = index.segments();
  if (segments_ == nullptr || wanted.size() > segments_->size()) return std::nullopt;
  if (wanted.empty()) return 0;
  const auto first = std::ranges::find_if(
      *segments_, [&](const auto& segment) { return same(segment, wanted.front()); });
  const auto at = static_cast<std::size_t>(first - segments_->begin());
  if (segments_->size() - at < wanted.size()) return std::nullopt;
  const bool equal =
      std::equal(wanted.begin(), wanted.end(), first,
                 [&](const auto& one, const auto& other) { return same(other, one); });
  return equal ? std::optional(at) : std::nullopt;
}

BoundPlans::BoundPlans(std::span<const Plan> plans, const index::Index& index,
                       const std::stop_token& stop, const PlanShare& share)
    : plans_(plans), index_(index), share_(share), bindings_(plans.size()) {
  for_plan_ranges(plans.size(), kPlansPerRange, [&](std::size_t begin, std::size_t end) {
    throw_if_stopped(stop);
    bind(begin, end, index);
  });
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (bindings_[i].binding != nullptr || !share_.has(i)) continue;
    throw_if_stopped(stop);
    const StopScope scope(stop);  // lists may be made
    std::vector<TermKeys> keys;
    for (const PlanTerm& term : plans[i].terms()) keys.push_back(term.keys());
    bindings_[i] = {&made_.emplace_back(keys, index), 0};
  }
}

/// Binds those plans that are bound to the index already.
void BoundPlans::bind(std::size_t begin, std::size_t end, const index::Index& index) {
  // Plans of a batch are mostly of one index: comparing segments for each would take longer than
  // all else that is done with a plan before it is searched.
  const index::SegmentList* last = nullptr;
  std::optional<std::size_t> first;
  for (std::size_t i = begin; i < end; ++i) {
    if (!share_.has(i)) continue;
    const TermBinding& binding = plans_[i].binding();
    if (binding.segments() != last || last == nullptr) {
      last = binding.segments();
      first = binding.first_of(index);
    }
    if (first) bindings_[i] = {&binding, *first};
  }
}

const Plan& BoundPlans::plan(std::size_t i) const { return plans_[i]; }

}  // namespace gannet::query
