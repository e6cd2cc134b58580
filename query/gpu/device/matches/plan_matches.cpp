#include "query/gpu/device/matches/plan_matches.hpp"

#include <algorithm>
#include <vector>

namespace gannet::query::cuda {
namespace {

class MatchMaker {
 public:
  MatchMaker(const PlanInSegment& where, BitmapStack& stack)
      : where_(where), stack_(stack), documents_(where.segment.segment->statistics().documents) {}

  std::uint64_t run() {
    stack_.begin(static_cast<std::uint32_t>(documents_));
    const Plan& plan = where_.plan;
    if (plan.disjunction() && plan.predicates().empty()) {
      push_lists(where_.ids);
    } else if (plan.expression().empty()) {
      push_none();
    } else {
      for (const Node& node : plan.expression()) push(node);
    }
    if (!plan.filter().is_all()) {
      push(*where_.filters.back());
      all();
    }
    return bounds_.back();
  }

 private:
  void push(const Node& node) {
    switch (node.kind) {
      case Node::Kind::kTerm:
        return push_lists(where_.ids.subspan(node.operand, 1));
      case Node::Kind::kNever:
        return push_none();
      case Node::Kind::kPredicate:
        return push(*where_.filters[node.operand]);
      case Node::Kind::kAnd:
        return all();
      case Node::Kind::kOr:
        return any();
      case Node::Kind::kNot:
        stack_.negate();
        bounds_.back() = documents_;
        return;
    }
  }

  void push_none() {
    stack_.push_none();
    bounds_.push_back(0);
  }

  void push(const DeviceFilter& filter) {
    stack_.push(filter.view().words);
    bounds_.push_back(filter.passing());
  }

  void push_lists(std::span<const index::TermId> ids) {
    std::vector<MarkedList> lists;
    const IndexView& view = where_.segment.copy->view();
    std::uint64_t postings = 0;
    for (const index::TermId id : ids) {
      if (id == kNoTerm) continue;
      where_.segment.segment->list(id);  // throws if the list is damaged, as the CPU back end does
      const DeviceList& list = where_.segment.copy->lists()[id];
      lists.push_back({view.docid_codec,
                       {view.words + list.first_word, list.count},
                       view.skips + list.first_tile});
      postings += list.count;
    }
    stack_.push_lists(lists);
    bounds_.push_back(std::min(postings, documents_));
  }

  void all() {
    stack_.all();
    const std::uint64_t top = pop();
    bounds_.back() = std::min(bounds_.back(), top);
  }

  void any() {
    stack_.any();
    const std::uint64_t top = pop();
    bounds_.back() = std::min(bounds_.back() + top, documents_);
  }

  std::uint64_t pop() {
    const std::uint64_t top = bounds_.back();
    bounds_.pop_back();
    return top;
  }

  const PlanInSegment& where_;
  BitmapStack& stack_;
  std::uint64_t documents_;
  std::vector<std::uint64_t> bounds_;  ///< of the bitmaps on the stack
};

}  // namespace

std::uint64_t push_matches(const PlanInSegment& where, BitmapStack& stack) {
  return MatchMaker(where, stack).run();
}

}  // namespace gannet::query::cuda
