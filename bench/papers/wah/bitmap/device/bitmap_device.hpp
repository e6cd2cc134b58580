// A bitmap index in device memory, with the rank entries (bitmap_rank.hpp) by
// which queries find the atom of any group. The header includes no CUDA header: it compiles with
// plain g++. In a build without CUDA every function throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"

namespace gannet::wah::cuda {

/// Device memory of a DeviceBitmap, in bytes.
struct BitmapBytes {
  std::uint64_t atoms = 0;
  std::uint64_t ranks = 0;  ///< rank entries: 8 bytes for every 32 groups of a vector
};

/// The vectors of a bitmap index in device memory. Immutable and thread-safe: queries of several
/// threads may use it at the same time. `Word` (std::uint32_t or std::uint64_t) is the type of the
/// atoms.
template <class Word>
class DeviceBitmap {
 public:
  /// Copies a valid view (validate_bitmap()) to the current device and computes the rank entries
  /// there (synchronous), which needs temporary device memory besides. Throws UsageError if a
  /// vector has more than 2^30 atoms, and DeviceMemoryError if the device has not enough memory.
  explicit DeviceBitmap(const BitmapView<Word>& view);
  ~DeviceBitmap();
  DeviceBitmap(DeviceBitmap&&) noexcept;
  DeviceBitmap& operator=(DeviceBitmap&&) noexcept;

  std::uint64_t rows() const;
  std::uint32_t vectors() const;
  /// Groups of each vector. A group has 31 rows with 32-bit atoms, 63 rows with 64-bit atoms.
  std::uint64_t groups() const;
  BitmapBytes bytes() const;

  struct Impl;
  /// Only for the query classes of this folder.
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::wah::cuda
