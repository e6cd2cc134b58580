// Decoding codec `cascaded` layer by layer, every layer in kernels of its own through device
// memory: the "cascading" model of decompression, for comparison with the codec's one kernel.
// Includes no CUDA header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "codecs/core/value_type.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::papers {

/// A column and all the device memory that decoding it layer by layer takes: several times the size
/// of its values.
class CascadedLayers {
 public:
  /// Copies the words of a validated column of at least one value to the current device and makes
  /// its work space (synchronous). Throws DeviceMemoryError if they do not fit.
  CascadedLayers(ValueType type, std::span<const std::uint32_t> words, std::uint32_t count);
  ~CascadedLayers();
  CascadedLayers(CascadedLayers&&) noexcept;
  CascadedLayers& operator=(CascadedLayers&&) noexcept;

  /// Decodes the column to `out` (device memory for all values, aligned to 16 bytes) on `stream`;
  /// no allocation, no wait. Kernels: one to unpack each stream; for each delta layer a scan (CUB)
  /// and an addition; for each run-length layer a scan of the lengths, a scatter of the runs'
  /// numbers, a scan of those and a gather. Only one decode at a time: it uses the object's work
  /// space.
  void decode_async(void* out, cuda::Stream stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::papers
