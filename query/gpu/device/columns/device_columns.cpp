#include "query/gpu/device/columns/device_columns.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "query/filter/segment_filter.hpp"

namespace gannet::query::cuda {
namespace {

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

}  // namespace gannet::query::cuda
