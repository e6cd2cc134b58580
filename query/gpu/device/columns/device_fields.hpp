// The fields of an index on one device, as far as there is room.
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

/// Copies fields to the device when they are first asked for. Beyond `bytes`, or when the device's
/// memory is wanted for something else, those that were not used for the longest time are thrown
/// away; who uses one keeps it. Any number of threads may use it, with the device current and
/// outside of the arena that they give.
class DeviceFields {
 public:
  DeviceFields(MemoryBudget& budget, std::uint64_t bytes);

  /// Null for a field that cannot be on the device: its codes are too wide, it is damaged, which
  /// the host can tell better, or there is no room for it just now. One that another thread copies
  /// is waited for, without a lock. Throws CancelledError, CudaError.
  std::shared_ptr<const DeviceField> of(const index::FieldColumn& column, tbb::task_arena& arena,
                                        const std::stop_token& stop);

  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const DeviceField> field;  ///< null: it cannot be here
    std::uint64_t used = 0;                    ///< when it was last asked for
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
  std::unordered_set<const index::FieldColumn*> claimed_;  ///< those that some thread makes
  std::uint64_t bytes_ = 0;                                ///< of those too
  std::uint64_t now_ = 0;
  MemoryBudget::Owner owner_;  ///< the last: nobody asks for memory before or after
};

}  // namespace gannet::query::cuda
