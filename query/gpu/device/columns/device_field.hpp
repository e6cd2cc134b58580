// A field of a segment in device memory.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <stop_token>

#include "codecs/base/cuda/memory.hpp"
#include "index/fields/field_column.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// The codes of each column block are stored as whole bytes, as differences from the block's
/// smallest code, whatever the codecs on disk: unpacking bits in a kernel (gpu-for: 30 us for a
/// filter over 25 M codes of 7 bits) takes longer than reading bytes from memory. Immutable.
class DeviceField {
 public:
  /// Whether the device can hold a field: its codes have 32 bits, and are not too many.
  static bool fits(const index::FieldColumn& column);

  /// Bytes of device memory that the field will take. Only if fits().
  static std::uint64_t bytes_for(const index::FieldColumn& column);

  /// Allocates memory, decodes the column with the threads of the arena, and copies it to the
  /// current device. Synchronous. Throws DeviceMemoryError (before anything is decoded),
  /// FormatError for a damaged column, CancelledError.
  DeviceField(const index::FieldColumn& column, tbb::task_arena& arena,
              const std::stop_token& stop);

  const index::FieldColumn& column() const { return column_; }
  const FieldView& view() const { return view_; }
  /// Bytes of device memory.
  std::uint64_t bytes() const {
    return codes_.bytes() + blocks_.bytes() + present_.bytes() + starts_.bytes();
  }

 private:
  void put_codes(tbb::task_arena& arena, const std::stop_token& stop);
  void put_present();

  const index::FieldColumn& column_;
  BudgetArray<std::uint8_t> codes_;
  BudgetArray<std::uint32_t> starts_;
  BudgetArray<CodeBlock> blocks_;
  BudgetArray<std::uint64_t> present_;
  FieldView view_{};
};

}  // namespace gannet::query::cuda
