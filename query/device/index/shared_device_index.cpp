#include "query/device/index/shared_device_index.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "codecs/device/device.hpp"

namespace gannet::query::cuda {
namespace {

/// A copy and what it is a copy of: while the copy lives, no other segment has the same address.
struct Copy {
  std::shared_ptr<const index::Segment> segment;
  DeviceIndex index;
};

struct Copies {
  std::mutex mutex;
  std::map<std::pair<const index::Segment*, int>, std::weak_ptr<const Copy>> made;
};

Copies& copies() {
  static Copies all;
  return all;
}

}  // namespace

std::shared_ptr<const DeviceIndex> shared_device_index(
    const std::shared_ptr<const index::Segment>& segment, int device, const DeviceRoom& room) {
  Copies& all = copies();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.made, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const Copy>& known = all.made[{segment.get(), device}];
  std::shared_ptr<const Copy> copy = known.lock();
  if (!copy) {
    const codecs::cuda::DeviceGuard guard(device);
    copy = std::make_shared<const Copy>(Copy{segment, DeviceIndex(*segment, room)});
    known = copy;
  }
  return {copy, &copy->index};
}

}  // namespace gannet::query::cuda
