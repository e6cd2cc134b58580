// The fields of an index that are on one device.
#pragma once

#include <tbb/task_arena.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "query/gpu/device/columns/device_field.hpp"

namespace gannet::query::cuda {

/// Copies fields to the device when they are first used. If they take more than `bytes`, or if
/// other owners need the memory, the least recently used ones are freed; fields in use stay.
/// Thread-safe. The device must be current, and the caller must not be inside the arena that it
/// passes.
class DeviceFields {
 public:
  DeviceFields(MemoryBudget& budget, std::uint64_t bytes);

  /// The field on the device. Null if it cannot be there: its codes are too wide, it is damaged
  /// (the host reports that), or there is no memory for it at the moment. Waits, without a lock,
  /// for a field that another thread is copying. Throws CancelledError, CudaError.
  std::shared_ptr<const DeviceField> of(const index::FieldColumn& column, tbb::task_arena& arena,
                                        const std::stop_token& stop);

  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const DeviceField> field;  ///< null: it cannot be on the device
    std::uint64_t used = 0;                    ///< when it was last used
  };
  using Fields = std::vector<std::shared_ptr<const DeviceField>>;

  Entry* find(const index::FieldColumn& column);
  void unclaim(const index::FieldColumn& column);
  bool reserve(std::uint64_t bytes);
  Fields throw_away(std::uint64_t bytes);
  bool give_back(std::uint64_t bytes);
  std::shared_ptr<const DeviceField> make(const index::FieldColumn& column, tbb::task_arena& arena,
                                          const std::stop_token& stop);
  std::shared_ptr<const DeviceField> keep(const index::FieldColumn& column,
                                          std::shared_ptr<const DeviceField> field);

  std::uint64_t room_;
  mutable std::mutex mutex_;  ///< of what follows
  std::condition_variable_any made_;
  std::unordered_map<const index::FieldColumn*, Entry> entries_;
  std::unordered_set<const index::FieldColumn*> claimed_;  ///< fields that some thread is copying
  std::uint64_t bytes_ = 0;                                ///< of these fields too
  std::uint64_t now_ = 0;
  MemoryBudget::Owner owner_;  ///< last, since it refers to the members above
};

}  // namespace gannet::query::cuda
