// A segment of an index and its copy on a device.
#pragma once

#include <memory>

#include "index/index.hpp"
#include "query/device/device_index.hpp"

namespace gannet::query::cuda {

struct DeviceSegment {
  std::shared_ptr<const index::Segment> segment;
  std::shared_ptr<const DeviceIndex> copy;
  index::Docid docid_base;
};

}  // namespace gannet::query::cuda
