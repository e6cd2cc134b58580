// The cascading model of decompression, for comparison: gpu-for, gpu-dfor and gpu-rfor data decoded
// by a kernel a layer, each of which reads its input from device memory and writes its output
// there, tuned to the memory: as many bytes in flight as the codecs' own kernel has. Nothing is
// fused: a layer is a launch. (SIGMOD 2022, sections 3 and 9.2. Codec `cascaded` has
// cascaded_layers.hpp.)
//
// Includes no CUDA header: it compiles with plain g++.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/device/decode.hpp"

namespace gannet::codecs::papers {

/// The least that a pass reads and writes, in bytes: what it could at best be as fast as.
struct CascadingPass {
  double read;
  double written;
};

/// An encoded column of 32-bit values in device memory, and all the memory that decoding it layer
/// by layer takes.
///   gpu-for   2 passes: unpack, add references
///   gpu-dfor  3: these two for the deltas, and a prefix sum
///   gpu-rfor  9: these two for the values and the lengths of the runs; then a prefix sum of the
///             lengths, zeros and a scatter of marks to where runs start, a prefix sum of the
///             marks, and a gather of the values. Section 9.2; Fang, He, Luo, VLDB 2010
class CascadingDecoder {
 public:
  /// `words` is a validated column of `count` >= 1 values in device memory, which stays there, with
  /// 4 readable words behind it. Synchronous. Throws UsageError for other codecs than these three,
  /// DeviceMemoryError if the work space does not fit.
  CascadingDecoder(CodecId codec, const std::uint32_t* words, std::uint32_t count);
  ~CascadingDecoder();
  CascadingDecoder(CascadingDecoder&&) noexcept;
  CascadingDecoder& operator=(CascadingDecoder&&) noexcept;

  /// The passes of a decode, one launch each, given the size of the column's words.
  std::vector<CascadingPass> passes(std::uint64_t encoded_bytes) const;

  /// Decodes the column to `out` (device memory of `count` words, 16-byte aligned) on `stream`: no
  /// allocation, no wait. One decode at a time: it uses the object's work space.
  void decode_async(std::uint32_t* out, cuda::Stream stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::papers
