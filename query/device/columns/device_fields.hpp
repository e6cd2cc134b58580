// The fields of an index on one device, as far as there is room.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <unordered_map>

#include "query/device/columns/device_field.hpp"

namespace gannet::query::cuda {

/// Copies fields to the device when they are first asked for. Beyond `bytes`, those that were not
/// used for the longest time are thrown away; who uses one keeps it. Any number of threads may use
/// it, with the device current and outside of the arena that they give.
class DeviceFields {
 public:
  explicit DeviceFields(std::uint64_t bytes) : room_(bytes) {}

  /// Null for a field that cannot be on the device: its codes are too wide, it is damaged, which
  /// the host can tell better, or there is no room for it just now. Throws CancelledError,
  /// CudaError.
  std::shared_ptr<const DeviceField> of(const index::FieldColumn& column, tbb::task_arena& arena,
                                        const std::stop_token& stop);

  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const DeviceField> field;  ///< null: it cannot be here
    std::uint64_t used = 0;                    ///< when it was last asked for
  };

  Entry* find(const index::FieldColumn& column);
  bool make_room(std::uint64_t bytes);
  std::shared_ptr<const DeviceField> make(const index::FieldColumn& column, tbb::task_arena& arena,
                                          const std::stop_token& stop);
  std::shared_ptr<const DeviceField> keep(const index::FieldColumn& column,
                                          std::shared_ptr<const DeviceField> field);

  std::uint64_t room_;
  std::mutex making_;  ///< one field is made at a time
  mutable std::mutex mutex_;
  std::unordered_map<const index::FieldColumn*, Entry> entries_;
  std::uint64_t bytes_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace gannet::query::cuda
