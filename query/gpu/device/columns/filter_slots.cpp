#include "query/gpu/device/columns/filter_slots.hpp"

#include <algorithm>
#include <mutex>

#include "codecs/core/codec.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// An allocation of slots of one size.
struct FilterSlab {
  std::uint32_t documents;
  std::size_t slots;
  BudgetArray<std::uint64_t> memory;
  std::vector<std::uint64_t*> idle = {};  ///< where slots begin that are not in use

  bool unused() const { return idle.size() == slots; }
};

struct FilterSlabs {
  std::mutex mutex;  ///< of all members, and of `idle` of the slabs
  std::vector<std::unique_ptr<FilterSlab>> slabs;
};

namespace {

/// Bytes of an allocation, unless a single slot takes more.
constexpr std::uint64_t kSlabBytes = std::uint64_t{64} << 20;

/// Words of 64 bits in a slot: a multiple of 16 bytes.
std::size_t words_of(std::uint32_t documents) {
  const std::size_t ranges = padded_superblocks(documents) * sizeof(std::uint16_t);
  return bitmap_room(documents) + ranges / sizeof(std::uint64_t);
}

}  // namespace

static_assert(kGroupCodes / 64 % 2 == 0);

FilterSlot::~FilterSlot() {
  if (slab_ == nullptr) return;
  const std::lock_guard lock(slabs_->mutex);
  slab_->idle.push_back(words_);  // there is room for all
}

void FilterSlot::swap(FilterSlot& other) noexcept {
  std::swap(slabs_, other.slabs_);
  std::swap(slab_, other.slab_);
  std::swap(words_, other.words_);
  std::swap(ranges_, other.ranges_);
  std::swap(bytes_, other.bytes_);
}

FilterSlots::FilterSlots() : slabs_(std::make_shared<FilterSlabs>()) {}

std::uint64_t FilterSlots::bytes_for(std::uint32_t documents) {
  return words_of(documents) * sizeof(std::uint64_t);
}

/// The caller holds the lock.
void FilterSlots::take_idle(std::uint32_t documents, std::size_t count,
                            std::vector<FilterSlot>& slots) {
  for (const auto& slab : slabs_->slabs) {
    while (slab->documents == documents && !slab->idle.empty() && slots.size() < count) {
      FilterSlot& slot = slots.emplace_back();
      slot.slabs_ = slabs_;
      slot.slab_ = slab.get();
      slot.words_ = slab->idle.back();
      slot.ranges_ = reinterpret_cast<std::uint16_t*>(slot.words_ + bitmap_room(documents));
      slot.bytes_ = bytes_for(documents);
      slab->idle.pop_back();
    }
  }
}

/// Allocates up to `wanted` slots together.
void FilterSlots::add_slab(std::uint32_t documents, std::size_t wanted) {
  const std::size_t each = words_of(documents);
  // A segment without documents takes nothing.
  const std::uint64_t bytes = std::max<std::uint64_t>(1, bytes_for(documents));
  const std::size_t slots =
      std::min<std::size_t>(wanted, std::max<std::uint64_t>(1, kSlabBytes / bytes));
  auto made = std::make_unique<FilterSlab>(
      FilterSlab{documents, slots, BudgetArray<std::uint64_t>(slots * each, MemoryUse::kFilters)});
  made->idle.reserve(slots);
  for (std::size_t i = slots; i-- > 0;) made->idle.push_back(made->memory.data() + i * each);
  const std::lock_guard lock(slabs_->mutex);
  slabs_->slabs.push_back(std::move(made));
}

std::vector<FilterSlot> FilterSlots::take(std::uint32_t documents, std::size_t count) {
  std::vector<FilterSlot> slots;
  slots.reserve(count);
  while (true) {
    {
      const std::lock_guard lock(slabs_->mutex);
      take_idle(documents, count, slots);
    }
    if (slots.size() == count) return slots;
    // Another call may take some of them: then they are missing once more.
    add_slab(documents, count - slots.size());
  }
}

std::uint64_t FilterSlots::trim(std::uint64_t bytes) {
  std::vector<std::unique_ptr<FilterSlab>> gone;  // freed without the lock
  std::uint64_t freed = 0;
  const std::lock_guard lock(slabs_->mutex);
  std::uint64_t idle = 0;
  for (const auto& slab : slabs_->slabs) idle += slab->idle.size() * bytes_for(slab->documents);
  for (auto slab = slabs_->slabs.begin(); idle > bytes && slab != slabs_->slabs.end();) {
    if (!(*slab)->unused()) {
      ++slab;
      continue;
    }
    idle -= (*slab)->memory.bytes();
    freed += (*slab)->memory.bytes();
    gone.push_back(std::move(*slab));
    slab = slabs_->slabs.erase(slab);
  }
  return freed;
}

std::uint64_t FilterSlots::bytes() const {
  const std::lock_guard lock(slabs_->mutex);
  std::uint64_t bytes = 0;
  for (const auto& slab : slabs_->slabs) bytes += slab->memory.bytes();
  return bytes;
}

}  // namespace gannet::query::cuda
