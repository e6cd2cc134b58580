#include "query/device/columns/device_fields.hpp"

#include <utility>

#include "codecs/error.hpp"

namespace gannet::query::cuda {

std::shared_ptr<const DeviceField> DeviceFields::of(const index::FieldColumn& column,
                                                    tbb::task_arena& arena,
                                                    const std::stop_token& stop) {
  const auto known = [&]() -> std::pair<bool, std::shared_ptr<const DeviceField>> {
    const std::lock_guard lock(mutex_);
    Entry* const entry = find(column);
    if (entry == nullptr) return {false, nullptr};
    return {true, entry->field};
  };
  if (auto [found, field] = known(); found) return field;
  const std::lock_guard making(making_);
  if (auto [found, field] = known(); found) return field;
  return make(column, arena, stop);
}

/// The field, or null for one that cannot be made here: for ever, which is kept, or for want of
/// room that others may leave.
std::shared_ptr<const DeviceField> DeviceFields::make(const index::FieldColumn& column,
                                                      tbb::task_arena& arena,
                                                      const std::stop_token& stop) {
  if (!DeviceField::fits(column) || DeviceField::bytes_for(column) > room_) {
    return keep(column, nullptr);
  }
  {
    const std::lock_guard lock(mutex_);
    if (!make_room(DeviceField::bytes_for(column))) return nullptr;
  }
  try {
    return keep(column, std::make_shared<const DeviceField>(column, arena, stop));
  } catch (const FormatError&) {
    return keep(column, nullptr);
  } catch (const DeviceMemoryError&) {
    return nullptr;
  }
}

std::shared_ptr<const DeviceField> DeviceFields::keep(const index::FieldColumn& column,
                                                      std::shared_ptr<const DeviceField> field) {
  const std::lock_guard lock(mutex_);
  if (field != nullptr) bytes_ += field->bytes();
  entries_[&column] = {field, ++now_};
  return field;
}

DeviceFields::Entry* DeviceFields::find(const index::FieldColumn& column) {
  const auto found = entries_.find(&column);
  if (found == entries_.end()) return nullptr;
  found->second.used = ++now_;
  return &found->second;
}

/// Throws away what nobody uses, the longest unused first, until so many bytes are free.
bool DeviceFields::make_room(std::uint64_t bytes) {
  while (bytes_ + bytes > room_) {
    auto oldest = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      const auto& field = entry->second.field;
      if (field == nullptr || field.use_count() > 1) continue;
      if (oldest == entries_.end() || entry->second.used < oldest->second.used) oldest = entry;
    }
    if (oldest == entries_.end()) return false;
    bytes_ -= oldest->second.field->bytes();
    entries_.erase(oldest);
  }
  return true;
}

std::uint64_t DeviceFields::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace gannet::query::cuda
