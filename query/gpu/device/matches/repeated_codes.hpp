// Which documents of a segment share their value with others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "query/gpu/device/columns/device_field.hpp"

namespace gannet::query::cuda {

/// The documents of a column with one value per document whose code others have, too. Codes of the
/// others are different anyway: only these must be looked at to tell how many codes differ.
/// Immutable.
class RepeatedCodes {
 public:
  /// Whether so many codes may be there once that knowing them saves more than it takes.
  static bool pays(const index::FieldColumn& column);

  /// Counts all codes in a table, which is freed at the end. Synchronous. Throws DeviceMemoryError.
  explicit RepeatedCodes(const DeviceField& field);

  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t documents() const { return documents_; }

 private:
  BudgetArray<std::uint64_t> words_;
  std::uint64_t documents_ = 0;
};

/// Those of fields that are on the device, as long as they are there. Thread-safe.
class RepeatedCodesCache {
 public:
  /// Null if it does not pay, or there was no memory when it was first asked for. Callers may make
  /// it at the same time. The device must be current.
  std::shared_ptr<const RepeatedCodes> of(const std::shared_ptr<const DeviceField>& field);

 private:
  struct Entry {
    std::weak_ptr<const DeviceField> field;  ///< another one may get its address
    std::shared_ptr<const RepeatedCodes> codes;
  };
  void forget_gone();

  std::mutex mutex_;
  std::map<const DeviceField*, Entry> entries_;
};

}  // namespace gannet::query::cuda
