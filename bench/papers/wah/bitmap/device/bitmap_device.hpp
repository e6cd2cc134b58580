// A bitmap index in device memory, with the ranks by which its queries find atoms. Includes no CUDA
// header: it compiles with plain g++, and in a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"

namespace gannet::wah::cuda {

/// Bytes of device memory.
struct BitmapBytes {
  std::uint64_t atoms = 0;
  std::uint64_t ranks = 0;  ///< RankEntry (bitmap_rank.hpp), by which queries find atoms
};

/// The vectors of an index on the current device. Immutable once made; queries of several threads
/// may use it at a time. `Word` (std::uint32_t or std::uint64_t) is the type of the atoms.
template <class Word>
class DeviceBitmap {
 public:
  /// Copies a view whose vectors are known to be sound (validate_bitmap) and makes the ranks on the
  /// device (synchronous). Throws UsageError if a vector has more than 2^30 atoms,
  /// DeviceMemoryError if something does not fit.
  explicit DeviceBitmap(const BitmapView<Word>& view);
  ~DeviceBitmap();
  DeviceBitmap(DeviceBitmap&&) noexcept;
  DeviceBitmap& operator=(DeviceBitmap&&) noexcept;

  std::uint64_t rows() const;
  std::uint32_t vectors() const;
  /// Groups of every vector.
  std::uint64_t groups() const;
  BitmapBytes bytes() const;

  struct Impl;
  /// For the query classes of this folder.
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::wah::cuda
