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

/// Whatever codecs its blocks have on disk, the codes of each block are numbers of as many bytes as
/// they need here, from the block's least code on: kernels that compare codes have more to do to
/// unpack bits (gpu-for: 30 us for a filter over 25 M codes of 7 bits) than memory takes to deliver
/// bytes. Immutable.
class DeviceField {
 public:
  /// Whether fields of this kind can be here: codes of 32 bits, not too many of them.
  static bool fits(const index::FieldColumn& column);

  /// Device memory that the field will take. Needs fits().
  static std::uint64_t bytes_for(const index::FieldColumn& column);

  /// Takes the memory, decodes the column with the threads of the arena and copies it to the
  /// current device. Throws FormatError for a damaged column, DeviceMemoryError, which costs
  /// little, CancelledError. Synchronous.
  DeviceField(const index::FieldColumn& column, tbb::task_arena& arena,
              const std::stop_token& stop);

  const index::FieldColumn& column() const { return column_; }
  const FieldView& view() const { return view_; }
  /// Of device memory.
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
