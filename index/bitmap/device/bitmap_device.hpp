// A bitmap index in device memory, with the metadata that its queries want. Includes no CUDA
// header: it compiles with plain g++, and in a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "index/bitmap/bitmap_index.hpp"
#include "index/bitmap/bitmap_plan.hpp"

namespace gannet::index::cuda {

/// What is made beside the compressed vectors when an index is copied to the device.
struct BitmapMetadata {
  bool stage2_as_32 = false;
  bool stage2_as_64 = false;
  bool stage4_as_32 = false;
  bool decompressed = false;
  bool ranks = true;  ///< RankEntry (bitmap_rank.hpp): what FusedQuery needs

  /// What the paper's plans need, all of it.
  static constexpr BitmapMetadata all() { return {true, true, true, true, true}; }
};

/// Bytes of device memory.
struct BitmapBytes {
  std::uint64_t atoms = 0;
  std::uint64_t stage2_as_32 = 0;
  std::uint64_t stage2_as_64 = 0;
  std::uint64_t stage4_as_32 = 0;
  std::uint64_t decompressed = 0;
  std::uint64_t ranks = 0;
};

/// The vectors of an index on the current device. Immutable once made; queries of several threads
/// may use it at a time. `Word` (std::uint32_t or std::uint64_t) is the type of the atoms.
template <class Word>
class DeviceBitmap {
 public:
  /// Copies a view whose vectors are known to be sound (validate_bitmap) and makes the metadata on
  /// the device, with the paper's own stages (synchronous). Throws UsageError if a vector has more
  /// than 2^30 atoms, DeviceMemoryError if something does not fit.
  explicit DeviceBitmap(const BitmapView<Word>& view, BitmapMetadata metadata = {});
  ~DeviceBitmap();
  DeviceBitmap(DeviceBitmap&&) noexcept;
  DeviceBitmap& operator=(DeviceBitmap&&) noexcept;

  std::uint64_t rows() const;
  std::uint32_t vectors() const;
  /// Groups of every vector.
  std::uint64_t groups() const;
  /// What each kind of metadata takes (0 where it was not asked for).
  BitmapBytes bytes() const;

  struct Impl;
  /// For the query classes of this folder.
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index::cuda
