#include "query/gpu/device/matches/repeated_codes.hpp"

#include <bit>
#include <utility>

#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {

using codecs::cuda::check;

bool RepeatedCodes::pays(const index::FieldColumn& column) {
  // With fewer codes, half of the documents or more share theirs.
  return !column.multi() && column.documents() > 0 &&
         column.code_limit() > column.documents() / 2 &&
         column.documents() <= HashSlots::kNoCode / 8;
}

namespace {

/// At the end of its life no work is queued, also after an exception: arrays are freed then.
class Waiter {
 public:
  explicit Waiter(cudaStream_t stream) : stream_(stream) {}
  ~Waiter() { cudaStreamSynchronize(stream_); }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

 private:
  cudaStream_t stream_;
};

}  // namespace

RepeatedCodes::RepeatedCodes(const DeviceField& field)
    : words_(bitmap_room(field.view().documents), MemoryUse::kColumns) {
  const FieldView& view = field.view();
  const std::uint32_t size = std::bit_ceil(2 * view.documents + 2);
  BudgetArray<std::uint32_t> table(std::size_t{size} + 1);
  BudgetArray<std::uint32_t> counts(std::size_t{size} + 1);
  BudgetArray<std::uint64_t> all(bitmap_room(view.documents));
  BudgetArray<FieldSums> sums(1);
  codecs::cuda::PinnedArray<FieldSums> host_sums(1);
  const codecs::cuda::OwnedStream stream;
  const Waiter waiter(stream);
  check(cudaMemsetAsync(table.data(), 0xff, table.bytes(), stream), "cudaMemsetAsync");
  check(cudaMemsetAsync(counts.data(), 0, counts.bytes(), stream), "cudaMemsetAsync");
  check(cudaMemsetAsync(sums.data(), 0, sums.bytes(), stream), "cudaMemsetAsync");
  launch_combine(BitmapOperation::kFill, all.data(), nullptr, view.documents, stream);
  const HashSlots slots{table.data(), size};
  launch_count_codes({view, all.data()}, slots, 0, counts.data(), sums.data(), stream);
  launch_repeated_codes(view, slots, counts.data(), words_.data(), &sums.data()->total, stream);
  fetch(host_sums.data(), sums.data(), 1, stream);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  documents_ = host_sums.data()[0].total;
}

namespace {

/// Null if there is no memory, which is remembered: to ask again would take caches away from others
/// at each call.
std::shared_ptr<const RepeatedCodes> make(const DeviceField& field) {
  try {
    return std::make_shared<const RepeatedCodes>(field);
  } catch (const DeviceMemoryError&) {
    return nullptr;  // the codes are looked at one by one
  }
}

}  // namespace

std::shared_ptr<const RepeatedCodes> RepeatedCodesCache::of(
    const std::shared_ptr<const DeviceField>& field) {
  if (field == nullptr || !RepeatedCodes::pays(field->column())) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    forget_gone();
    const auto known = entries_.find(field.get());
    if (known != entries_.end()) return known->second.codes;
  }
  auto made = make(*field);
  const std::lock_guard lock(mutex_);
  return entries_.try_emplace(field.get(), Entry{field, std::move(made)}).first->second.codes;
}

/// The caller holds the lock. What is freed waits for the device, which is rare.
void RepeatedCodesCache::forget_gone() {
  std::erase_if(entries_, [](const auto& entry) { return entry.second.field.expired(); });
}

}  // namespace gannet::query::cuda
