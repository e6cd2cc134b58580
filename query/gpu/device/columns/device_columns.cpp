#include "query/gpu/device/columns/device_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/filter/segment_filter.hpp"
#include "query/gpu/device/columns/device_filters.hpp"

namespace gannet::query::cuda {
namespace {

std::uint32_t documents_of(const DeviceSegment& segment) {
  return static_cast<std::uint32_t>(segment.segment->statistics().documents);
}

using ColumnLease = BoundedPool<ColumnContext>::Lease;

/// If work ends by an exception, waits for what is queued, and frees the context's memory.
class Abandoner {
 public:
  explicit Abandoner(ColumnLease& context) : context_(&context) {}
  ~Abandoner() {
    if (context_ == nullptr) return;
    (*context_)->counter.abandon();
    context_->discard();
  }
  Abandoner(const Abandoner&) = delete;
  Abandoner& operator=(const Abandoner&) = delete;
  void done() { context_ = nullptr; }

 private:
  ColumnLease* context_;
};

bool can_count(const index::FieldColumn& column) {
  return !column.multi() && column.texts() == nullptr &&
         column.code_limit() <= MatchCounter::kMaxCodes;
}

}  // namespace

DeviceColumns::DeviceColumns(std::shared_ptr<const index::Index> index,
                             std::vector<DeviceSegment> segments, const Options& options,
                             MemoryBudget& budget)
    : index_(std::move(index)),
      segments_(std::move(segments)),
      fields_(budget, options.bytes),
      contexts_(options.calls, [] { return std::make_unique<ColumnContext>(); }),
      owner_(budget, MemoryUse::kBatches, [this](std::uint64_t) { return contexts_.reclaim(); }) {}

std::vector<std::uint64_t> DeviceColumns::find_filters(FilterPrograms& programs,
                                                       std::uint32_t documents,
                                                       std::span<const FilterSlot> slots,
                                                       const std::stop_token& stop) {
  const std::size_t count = programs.size();
  // Filters of one column follow one another: what they read of it is read once.
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::less<>(), [&](std::size_t i) { return programs.column(i); });
  ColumnLease context = contexts_.acquire(stop);
  Abandoner abandoner(context);
  Arena& arena = context->arena;
  arena.reset(programs.room<Arena>() + Arena::room<FilterTarget>(count) +
              Arena::room<unsigned long long>(count));
  programs.put(arena);
  const auto targets = arena.take<FilterTarget>(count);
  const auto passing = arena.take<unsigned long long>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FilterSlot& slot = slots[order[i]];
    targets.host[i] = {programs.steps(order[i]), programs.count(order[i]), slot.words(),
                       slot.ranges()};
    passing.host[i] = 0;
  }
  arena.send(context->stream);
  launch_find_filters(
      {targets.device, static_cast<std::uint32_t>(count), documents, passing.device},
      context->stream);
  fetch(passing.host, passing.device, count, context->stream);
  context->stream.wait();
  abandoner.done();
  std::vector<std::uint64_t> found(count);
  for (std::size_t i = 0; i < count; ++i) found[order[i]] = passing.host[i];
  return found;
}

DeviceColumns::Fields DeviceColumns::fields_of(std::size_t segment, const ColumnWork& work,
                                               tbb::task_arena& arena,
                                               const std::stop_token& stop) {
  const index::Segment& on_host = *segments_[segment].segment;
  Fields fields;
  for (const std::size_t number : work.counted) {
    const index::FieldColumn& column = on_host.field(number);
    fields.counted.push_back(can_count(column) ? fields_.of(column, arena, stop) : nullptr);
  }
  if (!work.first || work.first->k == 0 || work.first->k > MatchCounter::kMaxFirst) return fields;
  const index::FieldColumn& column = on_host.field(work.first->field);
  if (!column.multi() && column.texts() == nullptr) fields.first = fields_.of(column, arena, stop);
  return fields;
}

ColumnFindings DeviceColumns::look(const BoundPlans& plans, std::size_t number,
                                   const ColumnWork& work, DeviceFilters& filters,
                                   tbb::task_arena& arena, const std::stop_token& stop) {
  ColumnFindings findings;
  const auto has_matches = [](const SegmentFindings& one) { return one.matches.documents > 0; };
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    findings.push_back(look(plans, number, s, work, filters, arena, stop));
  }
  if (std::ranges::none_of(findings, has_matches)) return findings;
  // A caller that needs the matches of one segment needs those of all segments.
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    if (has_matches(findings[s])) continue;
    const ColumnWork rest{.matches = true};
    findings[s].matches = look(plans, number, s, rest, filters, arena, stop).matches;
  }
  return findings;
}

SegmentFindings DeviceColumns::look(const BoundPlans& plans, std::size_t number,
                                    std::size_t segment, const ColumnWork& work,
                                    DeviceFilters& filters, tbb::task_arena& arena,
                                    const std::stop_token& stop) {
  throw_if_stopped(stop);
  const Plan& plan = plans.plan(number);
  const Fields fields = fields_of(segment, work, arena, stop);
  FilterPointers pointers;
  for (const Filter& predicate : plan.predicates()) {
    pointers.push_back(filters.of(segment, predicate, arena, stop));
  }
  if (!plan.filter().is_all()) pointers.push_back(filters.of(segment, plan.filter(), arena, stop));
  ColumnLease context = contexts_.acquire(stop);
  Abandoner abandoner(context);
  push_plan(plans, number, segment, pointers, context->stack);
  SegmentFindings findings = look_at_top(fields, work, *context);
  abandoner.done();
  return findings;
}

/// `filters`: those of the plan's predicates, then the plan's own one.
void DeviceColumns::push_plan(const BoundPlans& plans, std::size_t number, std::size_t segment,
                              const FilterPointers& filters, BitmapStack& stack) const {
  const Plan& plan = plans.plan(number);
  const auto ids = plans.ids(number, segment);
  stack.begin(documents_of(segments_[segment]));
  if (plan.disjunction() && plan.predicates().empty()) {
    stack.push_lists(lists_of(ids, segment));
  } else if (plan.expression().empty()) {
    stack.push_none();
  } else {
    for (const Node& node : plan.expression()) {
      switch (node.kind) {
        case Node::Kind::kTerm:
          stack.push_lists(lists_of(ids.subspan(node.operand, 1), segment));
          break;
        case Node::Kind::kNever:
          stack.push_none();
          break;
        case Node::Kind::kPredicate:
          stack.push(filters[node.operand]->view().words);
          break;
        case Node::Kind::kAnd:
          stack.all();
          break;
        case Node::Kind::kOr:
          stack.any();
          break;
        case Node::Kind::kNot:
          stack.negate();
          break;
      }
    }
  }
  if (plan.filter().is_all()) return;
  stack.push(filters.back()->view().words);
  stack.all();
}

std::vector<MarkedList> DeviceColumns::lists_of(std::span<const index::TermId> ids,
                                                std::size_t segment) const {
  const DeviceSegment& place = segments_[segment];
  const IndexView& view = place.copy->view();
  std::vector<MarkedList> lists;
  for (const index::TermId id : ids) {
    if (id == kNoTerm) continue;
    place.segment->list(id);  // throws if the list is damaged, as the CPU back end does
    const DeviceList& list = place.copy->lists()[id];
    lists.push_back({view.docid_codec,
                     {view.words + list.first_word, list.count},
                     view.skips + list.first_tile});
  }
  return lists;
}

SegmentFindings DeviceColumns::look_at_top(const Fields& fields, const ColumnWork& work,
                                           ColumnContext& context) {
  SegmentFindings findings;
  const std::uint64_t* const matches = context.stack.top();
  const std::uint32_t documents = context.stack.documents();
  findings.count = context.counter.count(matches, documents);
  bool complete = !work.matches;
  for (const auto& field : fields.counted) {
    std::optional<CodeCounts>& counted = findings.counted.emplace_back();
    complete = complete && field != nullptr;
    if (field == nullptr) continue;
    counted = CodeCounts{context.counter.count_codes(*field, matches), findings.count};
    for (const NumberCount& one : counted->counts) counted->missing -= one.count;
  }
  if (fields.first != nullptr) {
    findings.first = context.counter.first(*fields.first, *work.first, matches, findings.count);
    // With fewer, documents without the field are among the first too.
    const std::uint64_t wanted = std::min<std::uint64_t>(work.first->k, findings.count);
    if (findings.first && findings.first->size() < wanted) findings.first.reset();
  }
  complete = complete && (!work.first || findings.first);
  if (!complete) findings.matches = context.counter.fetch(matches, documents);
  return findings;
}

}  // namespace gannet::query::cuda
