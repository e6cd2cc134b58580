#include "query/gpu/device/columns/device_columns.hpp"

#include <cmath>
#include <utility>

#include "query/filter/segment_filter.hpp"

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

}  // namespace

DeviceColumns::DeviceColumns(std::shared_ptr<const index::Index> index,
                             std::vector<DeviceSegment> segments, const Options& options,
                             MemoryBudget& budget)
    : index_(std::move(index)),
      segments_(std::move(segments)),
      fields_(budget, options.bytes),
      contexts_(options.calls, [] { return std::make_unique<ColumnContext>(); }),
      owner_(budget, MemoryUse::kBatches, [this](std::uint64_t) { return contexts_.reclaim(); }) {}

std::shared_ptr<const DeviceFilter> DeviceColumns::make_filter(std::size_t segment,
                                                               const Filter& filter,
                                                               tbb::task_arena& arena,
                                                               const std::stop_token& stop) {
  const SegmentFilter bound = bind_filter(filter, *index_, segment);
  FilterProgram program(bound, fields_, arena, stop);
  if (!program.usable()) return nullptr;
  const std::uint32_t documents = documents_of(segments_[segment]);
  BudgetArray<std::uint64_t> words(bitmap_room(documents), MemoryUse::kFilters);
  BudgetArray<std::uint16_t> ranges(padded_superblocks(documents), MemoryUse::kFilters);
  ColumnLease context = contexts_.acquire(stop);
  Abandoner abandoner(context);
  context->arena.reset(program.room());
  program.put(context->arena);
  if (program.room() > 0) context->arena.send(context->stream);
  context->stack.begin(documents);
  program.push(context->stack);
  codecs::cuda::check(cudaMemcpyAsync(words.data(), context->stack.top(), words.bytes(),
                                      cudaMemcpyDeviceToDevice, context->stream),
                      "cudaMemcpyAsync on the device");
  const std::uint64_t passing = context->counter.count(words.data(), documents, ranges.data());
  abandoner.done();
  const auto estimated =
      static_cast<std::uint64_t>(std::llround(estimated_share(bound) * documents));
  return std::make_shared<const DeviceFilter>(std::move(words), std::move(ranges), passing,
                                              estimated);
}

}  // namespace gannet::query::cuda
