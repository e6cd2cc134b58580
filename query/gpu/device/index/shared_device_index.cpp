#include "query/gpu/device/index/shared_device_index.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "codecs/base/cuda/device.hpp"

namespace gannet::query::cuda {
namespace {

/// A copy and its segment. While the copy lives, no other segment has that address.
struct Copy {
  Copy(std::shared_ptr<const index::Segment> copied, const DeviceRoom& room)
      : segment(std::move(copied)), index(*segment, room) {}
  std::shared_ptr<const index::Segment> segment;
  DeviceIndex index;
};

using CopyKey = std::pair<const index::Segment*, int>;

struct Copies {
  std::mutex mutex;  ///< not held while a copy is made
  std::condition_variable done;
  std::map<CopyKey, std::weak_ptr<const Copy>> made;
  std::set<CopyKey> in_the_making;
};

Copies& copies() {
  static Copies all;
  return all;
}

/// The copy, if there is one; null if the caller must make it and then call publish(). Waits for a
/// copy that another thread is making.
std::shared_ptr<const Copy> find_or_claim(const CopyKey& key) {
  Copies& all = copies();
  std::unique_lock lock(all.mutex);
  std::erase_if(all.made, [](const auto& entry) { return entry.second.expired(); });
  for (;;) {
    if (const auto found = all.made.find(key); found != all.made.end()) {
      if (auto copy = found->second.lock()) return copy;
    }
    if (all.in_the_making.insert(key).second) return nullptr;
    all.done.wait(lock, [&] { return !all.in_the_making.contains(key); });
  }
}

/// `copy`: null if making it failed.
void publish(const CopyKey& key, const std::shared_ptr<const Copy>& copy) {
  Copies& all = copies();
  {
    const std::lock_guard lock(all.mutex);
    all.in_the_making.erase(key);
    if (copy != nullptr) all.made[key] = copy;
  }
  all.done.notify_all();
}

}  // namespace

std::shared_ptr<const DeviceIndex> shared_device_index(
    const std::shared_ptr<const index::Segment>& segment, int device, const DeviceRoom& room) {
  const CopyKey key{segment.get(), device};
  std::shared_ptr<const Copy> copy = find_or_claim(key);
  if (copy != nullptr) return {copy, &copy->index};
  try {
    const codecs::cuda::DeviceGuard guard(device);
    copy = std::make_shared<const Copy>(segment, room);
  } catch (...) {
    publish(key, nullptr);
    throw;
  }
  publish(key, copy);
  return {copy, &copy->index};
}

}  // namespace gannet::query::cuda
