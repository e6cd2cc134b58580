#include "query/memory/memory_budget.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <shared_mutex>

#include "codecs/base/error.hpp"

namespace gannet::query {
namespace {

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MB";
}

std::uint64_t sum_of(const std::array<std::uint64_t, kMemoryUses>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

}  // namespace

/// An owner as long as anybody may still ask it.
class MemoryOwner {
 public:
  MemoryOwner(MemoryUse use, MemoryBudget::GiveBack give_back)
      : use_(use), give_back_(std::move(give_back)) {}

  MemoryUse use() const { return use_; }

  bool give_back(std::uint64_t bytes) {
    const std::shared_lock asking(asked_);
    return !gone_ && give_back_(bytes);
  }

  void leave() {
    const std::unique_lock unasked(asked_);
    gone_ = true;
  }

 private:
  const MemoryUse use_;
  const MemoryBudget::GiveBack give_back_;
  std::shared_mutex asked_;  ///< shared by those who ask
  bool gone_ = false;
};

std::uint64_t MemoryState::all_used() const { return sum_of(used); }

MemoryBudget::MemoryBudget(codecs::cuda::MemoryResource& resource, FreeBytes free_bytes,
                           std::uint64_t headroom)
    : free_bytes_(std::move(free_bytes)), headroom_(headroom), resource_(&resource) {}

MemoryBudget::Block::~Block() {
  if (budget_ == nullptr) return;
  if (data_ != nullptr) {
    resource_->deallocate_async(data_, bytes_, codecs::cuda::kMemoryAlignment, nullptr);
  }
  // Not before, or others would take what is not free yet.
  budget_->uncount(bytes_, use_);
}

void MemoryBudget::Block::swap(Block& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(resource_, other.resource_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(use_, other.use_);
}

MemoryBudget::Block MemoryBudget::take(std::uint64_t bytes, MemoryUse use) {
  if (bytes == 0) return {};
  for (;;) {
    Block block = try_take(bytes, use);
    if (block.data() != nullptr) return block;
    if (!make_room(bytes, use)) throw DeviceMemoryError(refusal(bytes, use));
  }
}

/// An empty block if there is no room.
MemoryBudget::Block MemoryBudget::try_take(std::uint64_t bytes, MemoryUse use) {
  if (leaves_headroom(use) && free_bytes_() < bytes + headroom_) return {};
  Block block;  // what it counts is uncounted by its end, however that comes
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t used = all_used();
    if (used > limit() || bytes > limit() - used) return {};
    used_[static_cast<std::size_t>(use)] += bytes;
    block.budget_ = this;
    block.resource_ = resource_;
    block.bytes_ = bytes;
    block.use_ = use;
  }
  block.data_ = allocate(*block.resource_, bytes);
  if (block.data_ == nullptr) return {};
  return block;
}

/// Whether memory for this use is not taken from what the driver may need.
bool MemoryBudget::leaves_headroom(MemoryUse use) const {
  return headroom_ > 0 && (is_optional(use) || use == MemoryUse::kFilters);
}

/// Null if there is none.
void* MemoryBudget::allocate(codecs::cuda::MemoryResource& resource, std::uint64_t bytes) const {
  try {
    return resource.allocate_async(bytes, codecs::cuda::kMemoryAlignment, nullptr);
  } catch (const DeviceMemoryError&) {
    return nullptr;
  } catch (const std::bad_alloc&) {  // what pools of others throw
    return nullptr;
  }
}

/// Asks owners until one has given something back; false if none has anything to give.
bool MemoryBudget::make_room(std::uint64_t bytes, MemoryUse use) {
  std::vector<std::shared_ptr<MemoryOwner>> owners;
  {
    const std::lock_guard lock(mutex_);
    owners = owners_;
  }
  for (const auto& owner : owners) {
    if (is_optional(use) && cost_of(owner->use()) > cost_of(use)) return false;
    if (ask(*owner, bytes)) return true;
  }
  return false;
}

/// Whether the owner has freed memory. It may give back what has none: then it is asked again.
bool MemoryBudget::ask(MemoryOwner& owner, std::uint64_t bytes) {
  for (;;) {
    const std::uint64_t before = state().used_by(owner.use());
    if (!owner.give_back(bytes)) return false;
    const std::uint64_t after = state().used_by(owner.use());
    if (after >= before) continue;
    given_back_ += before - after;
    return true;
  }
}

bool MemoryBudget::make_headroom() {
  bool made = false;
  for (std::uint64_t free = free_bytes_(); free < headroom_; free = free_bytes_()) {
    if (!make_room(headroom_ - free, MemoryUse::kBatches)) break;
    made = true;
  }
  return made;
}

void MemoryBudget::uncount(std::uint64_t bytes, MemoryUse use) {
  const std::lock_guard lock(mutex_);
  used_[static_cast<std::size_t>(use)] -= bytes;
}

/// Needs the lock.
std::uint64_t MemoryBudget::all_used() const { return sum_of(used_); }

/// Needs the lock.
std::uint64_t MemoryBudget::limit() const { return limits_.empty() ? kNoLimit : *limits_.begin(); }

/// Counts a failure, and says what it was.
std::string MemoryBudget::refusal(std::uint64_t bytes, MemoryUse use) {
  const std::uint64_t free = free_bytes_();
  ++failures_;
  const std::lock_guard lock(mutex_);
  std::string text = "there is no room for " + megabytes(bytes) + " of GPU memory for " +
                     std::string(name_of(use)) + ": " + megabytes(free) + " are free, ";
  for (std::size_t i = 0; i < kMemoryUses; ++i) {
    text += std::string(name_of(static_cast<MemoryUse>(i))) + " have " + megabytes(used_[i]) + ", ";
  }
  return text + (limits_.empty() ? "and there is no limit" : "of at most " + megabytes(limit())) +
         " (use the cpu back end, a larger limit or a GPU with more free memory)";
}

std::uint64_t MemoryBudget::available(std::uint64_t most) const {
  const std::uint64_t free = free_bytes_();
  const std::lock_guard lock(mutex_);
  most = std::min(most, limit());
  return std::min(free, most - std::min(most, all_used()));
}

std::uint64_t MemoryBudget::make_available(std::uint64_t bytes, MemoryUse use) {
  std::uint64_t free = available();
  while (free < bytes && make_room(bytes - free, use)) free = available();
  return free;
}

MemoryState MemoryBudget::state() const {
  const std::lock_guard lock(mutex_);
  return {used_, limit(), given_back(), failures()};
}

codecs::cuda::MemoryResource& MemoryBudget::take_from(codecs::cuda::MemoryResource& resource) {
  const std::lock_guard lock(mutex_);
  return *std::exchange(resource_, &resource);
}

MemoryBudget::Owner::Owner(MemoryBudget& budget, MemoryUse use, GiveBack give_back)
    : budget_(budget), owner_(std::make_shared<MemoryOwner>(use, std::move(give_back))) {
  const std::lock_guard lock(budget_.mutex_);
  const auto place = std::ranges::upper_bound(
      budget_.owners_, cost_of(use), {}, [](const auto& owner) { return cost_of(owner->use()); });
  budget_.owners_.insert(place, owner_);
}

MemoryBudget::Owner::~Owner() {
  {
    const std::lock_guard lock(budget_.mutex_);
    std::erase(budget_.owners_, owner_);
  }
  owner_->leave();
}

MemoryBudget::Limit::Limit(MemoryBudget& budget, std::uint64_t bytes)
    : budget_(budget), bytes_(bytes) {
  const std::lock_guard lock(budget_.mutex_);
  budget_.limits_.insert(bytes_);
}

MemoryBudget::Limit::~Limit() {
  const std::lock_guard lock(budget_.mutex_);
  budget_.limits_.erase(budget_.limits_.find(bytes_));
}

}  // namespace gannet::query
