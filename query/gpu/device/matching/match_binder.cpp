#include "query/gpu/device/matching/match_binder.hpp"

#include "query/gpu/plan/list_location.hpp"

namespace gannet::query::cuda {

MatchRequest MatchBinder::bind(std::size_t plan, const DeviceFilter* filter,
                               std::span<const char> left_out, BindMemory& memory) const {
  memory.operands.clear();
  memory.ends.clear();
  const auto ids = plans_.ids(plan, segment_);
  const auto placed = context_.unions.of(segment_, plan);
  const std::size_t own = segment().copy->lists().size();
  for (std::size_t t = 0; t < ids.size(); ++t) {
    memory.terms.clear();
    if (ids[t] != kNoTerm) plans_.append_terms(plan, segment_, ids[t], memory.terms);
    const bool leaves_out = !left_out.empty() && left_out[t] != 0;
    for (const index::TermId term : memory.terms) {
      if (term >= own) {  // a phrase: append_terms() gives those of a union
        if (!leaves_out) add_phrase(placed[t], memory);
      } else if (leaves_out) {
        segment().segment->list(term);  // throws if it is damaged, as the CPU back end does
      } else {
        add_operand(term, memory);
      }
    }
    memory.ends.push_back(static_cast<std::uint32_t>(memory.operands.size()));
  }
  memory.predicates.clear();
  if (!plans_.plan(plan).predicates().empty()) {
    for (const auto& predicate : context_.predicates.of(segment_, plan)) {
      memory.predicates.push_back(predicate->view().words);
    }
  }
  MatchRequest request{&plans_.plan(plan), memory.operands, memory.ends, memory.predicates};
  request.guards = !context_.exhaustive;
  if (filter != nullptr && filter->passing() < segment().copy->view().documents) {
    request.filter = filter->view().words;
    request.passing = filter->passing();
  }
  return request;
}

void MatchBinder::add_operand(index::TermId term, BindMemory& memory) const {
  const DeviceIndex& copy = *segment().copy;
  MatchOperand operand{list_location(copy.view(), copy.lists()[term])};
  if (kept_ == nullptr) {
    segment().segment->list(term);  // throws if it is damaged, as the CPU back end does
  } else if (const KeptList* const found = kept_->find(term)) {
    operand.bitmap = found->bitmap;
  } else {
    memory.missing.push_back(term);
  }
  memory.operands.push_back(operand);
}

/// Its list was made for the plan: it is sound, and has no bitmap.
void MatchBinder::add_phrase(const PlacedUnion& phrase, BindMemory& memory) const {
  MatchOperand operand{list_location(segment().copy->view(), phrase.place)};
  operand.list.on_host = 0;  // it is on the device, whatever the index is split into
  memory.operands.push_back(operand);
}

}  // namespace gannet::query::cuda
