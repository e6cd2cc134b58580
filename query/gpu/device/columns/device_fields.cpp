#include "query/gpu/device/columns/device_fields.hpp"

#include <iterator>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet::query::cuda {

DeviceFields::DeviceFields(MemoryBudget& budget, std::uint64_t bytes)
    : room_(bytes), owner_(budget, MemoryUse::kColumns, [this](std::uint64_t wanted) {
        return give_back(wanted);
      }) {}

std::shared_ptr<const DeviceField> DeviceFields::of(const index::FieldColumn& column,
                                                    tbb::task_arena& arena,
                                                    const std::stop_token& stop) {
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (const Entry* const entry = find(column)) return entry->field;
      if (claimed_.insert(&column).second) break;
      const auto unclaimed = [&] { return !claimed_.contains(&column); };
      if (!made_.wait(lock, stop, unclaimed)) throw CancelledError("cancelled");
    }
  }
  try {
    auto field = make(column, arena, stop);
    unclaim(column);
    return field;
  } catch (...) {
    unclaim(column);
    throw;
  }
}

void DeviceFields::unclaim(const index::FieldColumn& column) {
  {
    const std::lock_guard lock(mutex_);
    claimed_.erase(&column);
  }
  made_.notify_all();
}

/// The field, or null if it cannot be copied: never, which is remembered, or for lack of memory,
/// which may change.
std::shared_ptr<const DeviceField> DeviceFields::make(const index::FieldColumn& column,
                                                      tbb::task_arena& arena,
                                                      const std::stop_token& stop) {
  const std::uint64_t bytes = DeviceField::fits(column) ? DeviceField::bytes_for(column) : 0;
  if (!DeviceField::fits(column) || bytes > room_) return keep(column, nullptr);
  if (!reserve(bytes)) return nullptr;
  const auto unreserve = [&] {
    const std::lock_guard lock(mutex_);
    bytes_ -= bytes;
  };
  try {
    return keep(column, std::make_shared<const DeviceField>(column, arena, stop));
  } catch (const FormatError&) {
    unreserve();
    return keep(column, nullptr);
  } catch (const DeviceMemoryError&) {
    unreserve();
    return nullptr;
  } catch (...) {
    unreserve();
    throw;
  }
}

std::shared_ptr<const DeviceField> DeviceFields::keep(const index::FieldColumn& column,
                                                      std::shared_ptr<const DeviceField> field) {
  const std::lock_guard lock(mutex_);
  entries_[&column] = {field, ++now_};
  return field;
}

/// The caller holds the lock.
DeviceFields::Entry* DeviceFields::find(const index::FieldColumn& column) {
  const auto found = entries_.find(&column);
  if (found == entries_.end()) return nullptr;
  found->second.used = ++now_;
  return &found->second;
}

/// Makes room for a field. False if the fields in use take too much.
bool DeviceFields::reserve(std::uint64_t bytes) {
  Fields gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes > room_) gone = throw_away(bytes_ + bytes - room_);
  if (bytes_ + bytes > room_) return false;
  bytes_ += bytes;
  return true;
}

/// Takes out fields that are not in use, the least recently used ones first, until `bytes` bytes
/// are left. The caller holds the lock.
DeviceFields::Fields DeviceFields::throw_away(std::uint64_t bytes) {
  Fields gone;
  for (std::uint64_t freed = 0; freed < bytes;) {
    auto oldest = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      const auto& field = entry->second.field;
      if (field == nullptr || field.use_count() > 1) continue;
      if (oldest == entries_.end() || entry->second.used < oldest->second.used) oldest = entry;
    }
    if (oldest == entries_.end()) break;
    gone.push_back(oldest->second.field);  // before anything changes: it may find no memory
    freed += gone.back()->bytes();
    bytes_ -= gone.back()->bytes();
    entries_.erase(oldest);
  }
  return gone;
}

bool DeviceFields::give_back(std::uint64_t bytes) {
  Fields gone;
  const std::lock_guard lock(mutex_);
  gone = throw_away(bytes);
  return !gone.empty();
}

std::uint64_t DeviceFields::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace gannet::query::cuda
