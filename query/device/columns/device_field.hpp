// A field of a segment in device memory, encoded.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <stop_token>

#include "codecs/device/memory.hpp"
#include "index/fields/field_column.hpp"
#include "query/device/columns/views.hpp"

namespace gannet::query::cuda {

/// Whatever codecs its blocks have on disk, a field's codes have one here: gpu-for, whose tiles
/// every warp decodes by itself, or none where that saves nothing. Immutable.
class DeviceField {
 public:
  /// Whether fields of this kind can be here: codes of 32 bits, not too many of them.
  static bool fits(const index::FieldColumn& column);

  /// Decodes the column with the threads of the arena and encodes it on the current device. Throws
  /// FormatError for a damaged column, DeviceMemoryError, CancelledError. Synchronous.
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
  void put_blocks();
  void put_present();

  const index::FieldColumn& column_;
  codecs::cuda::DeviceArray<std::uint32_t> codes_, starts_;
  codecs::cuda::DeviceArray<CodeBlock> blocks_;
  codecs::cuda::DeviceArray<std::uint64_t> present_;
  FieldView view_{};
};

}  // namespace gannet::query::cuda
