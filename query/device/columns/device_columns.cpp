#include "query/device/columns/device_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/device/filters/device_filters.hpp"
#include "query/filter/segment_filter.hpp"

namespace gannet::query::cuda {
namespace {

std::uint32_t documents_of(const DeviceSegment& segment) {
  return static_cast<std::uint32_t>(segment.segment->statistics().documents);
}

/// If work under way ends early, waits for what is queued: the next one uses the same memory.
class Abandoner {
 public:
  explicit Abandoner(MatchCounter& counter) : counter_(&counter) {}
  ~Abandoner() {
    if (counter_ != nullptr) counter_->abandon();
  }
  Abandoner(const Abandoner&) = delete;
  Abandoner& operator=(const Abandoner&) = delete;
  void done() { counter_ = nullptr; }

 private:
  MatchCounter* counter_;
};

bool can_count(const index::FieldColumn& column) {
  return !column.multi() && column.texts() == nullptr &&
         column.code_limit() <= MatchCounter::kMostCodes;
}

}  // namespace

DeviceColumns::DeviceColumns(std::shared_ptr<const index::Index> index,
                             std::vector<DeviceSegment> segments, std::uint64_t bytes)
    : index_(std::move(index)), segments_(std::move(segments)), fields_(bytes) {}

std::shared_ptr<const DeviceFilter> DeviceColumns::make_filter(std::size_t segment,
                                                               const Filter& filter,
                                                               tbb::task_arena& arena,
                                                               const std::stop_token& stop) {
  const SegmentFilter bound = bind_filter(filter, *index_, segment);
  FilterProgram program(bound, fields_, arena, stop);
  if (!program.usable()) return nullptr;
  const std::uint32_t documents = documents_of(segments_[segment]);
  codecs::cuda::DeviceArray<std::uint64_t> words(bitmap_room(documents));
  codecs::cuda::DeviceArray<std::uint16_t> ranges(padded_superblocks(documents));
  const std::lock_guard lock(mutex_);
  Abandoner abandoner(counter_);
  arena_.reset(program.room());
  program.put(arena_);
  if (program.room() > 0) arena_.send(stream_);
  stack_.begin(documents);
  program.push(stack_);
  codecs::cuda::check(
      cudaMemcpyAsync(words.data(), stack_.top(), words.bytes(), cudaMemcpyDeviceToDevice, stream_),
      "cudaMemcpyAsync on the device");
  const std::uint64_t passing = counter_.count(words.data(), documents, ranges.data());
  abandoner.done();
  const auto estimated =
      static_cast<std::uint64_t>(std::llround(estimated_share(bound) * documents));
  return std::make_shared<const DeviceFilter>(std::move(words), std::move(ranges), passing,
                                              estimated);
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
  if (!work.first || work.first->k == 0 || work.first->k > MatchCounter::kMostFirst) return fields;
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
  // Who looks at the matches of one segment looks at all.
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
  const std::lock_guard lock(mutex_);
  Abandoner abandoner(counter_);
  push_plan(plans, number, segment, pointers);
  SegmentFindings findings = look_at_top(fields, work);
  abandoner.done();
  return findings;
}

/// `filters`: those of the plan's predicates, then the plan's own one.
void DeviceColumns::push_plan(const BoundPlans& plans, std::size_t number, std::size_t segment,
                              const FilterPointers& filters) {
  const Plan& plan = plans.plan(number);
  const auto ids = plans.ids(number, segment);
  stack_.begin(documents_of(segments_[segment]));
  if (plan.disjunction() && plan.predicates().empty()) {
    stack_.push_lists(lists_of(ids, segment));
  } else if (plan.expression().empty()) {
    stack_.push_none();
  } else {
    for (const Node& node : plan.expression()) {
      switch (node.kind) {
        case Node::Kind::kTerm:
          stack_.push_lists(lists_of(ids.subspan(node.operand, 1), segment));
          break;
        case Node::Kind::kNever:
          stack_.push_none();
          break;
        case Node::Kind::kPredicate:
          stack_.push(filters[node.operand]->view().words);
          break;
        case Node::Kind::kAnd:
          stack_.all();
          break;
        case Node::Kind::kOr:
          stack_.any();
          break;
        case Node::Kind::kNot:
          stack_.negate();
          break;
      }
    }
  }
  if (plan.filter().is_all()) return;
  stack_.push(filters.back()->view().words);
  stack_.all();
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

SegmentFindings DeviceColumns::look_at_top(const Fields& fields, const ColumnWork& work) {
  SegmentFindings findings;
  const std::uint64_t* const matches = stack_.top();
  const std::uint32_t documents = stack_.documents();
  findings.count = counter_.count(matches, documents);
  bool complete = !work.matches;
  for (const auto& field : fields.counted) {
    std::optional<CodeCounts>& counted = findings.counted.emplace_back();
    complete = complete && field != nullptr;
    if (field == nullptr) continue;
    counted = CodeCounts{counter_.count_codes(*field, matches), findings.count};
    for (const NumberCount& one : counted->counts) counted->missing -= one.count;
  }
  if (fields.first != nullptr) {
    findings.first = counter_.first(*fields.first, *work.first, matches, findings.count);
    // With fewer, documents without the field are among the first too.
    const std::uint64_t wanted = std::min<std::uint64_t>(work.first->k, findings.count);
    if (findings.first && findings.first->size() < wanted) findings.first.reset();
  }
  complete = complete && (!work.first || findings.first);
  if (!complete) findings.matches = counter_.fetch(matches, documents);
  return findings;
}

}  // namespace gannet::query::cuda
