// What the paper stores beside the compressed vectors, so that decompression can begin later than
// with stage 1. Includes no CUDA header.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing", section 4.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"

namespace gannet::wah::papers {

/// Which metadata is made.
struct BitmapMetadata {
  bool stage2_as_32 = false;
  bool stage2_as_64 = false;
  bool stage4_as_32 = false;
  bool decompressed = false;

  /// What the paper's plans need, all of it.
  static constexpr BitmapMetadata all() { return {true, true, true, true}; }
};

/// Bytes of device memory.
struct MetadataBytes {
  std::uint64_t stage2_as_32 = 0;
  std::uint64_t stage2_as_64 = 0;
  std::uint64_t stage4_as_32 = 0;
  std::uint64_t decompressed = 0;
};

/// A device bitmap's metadata. Immutable once made; queries of several threads may use it at a
/// time.
template <class Word>
class StagedMetadata {
 public:
  /// Makes the metadata on the bitmap's device, by the paper's stages (synchronous). Throws
  /// DeviceMemoryError if something does not fit.
  explicit StagedMetadata(const cuda::DeviceBitmap<Word>& bitmap, BitmapMetadata metadata = {});
  ~StagedMetadata();
  StagedMetadata(StagedMetadata&&) noexcept;
  StagedMetadata& operator=(StagedMetadata&&) noexcept;

  /// What each kind takes (0 where it was not asked for).
  MetadataBytes bytes() const;

  struct Impl;
  /// For StagedQuery.
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::wah::papers
