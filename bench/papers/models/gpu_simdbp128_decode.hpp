// Decoding gpu-simdbp128 on the device, by the library's write-out kernel.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/device/decode.hpp"

namespace gannet::codecs::papers {

/// Decodes a validated column of `count` values in device memory (`words`, with 4 readable words
/// behind it; `size` words long) to `out` (device memory of `count` words, 16-byte aligned) on
/// `stream`: no allocation, no wait.
void decode_simdbp128_async(const std::uint32_t* words, std::uint64_t size, std::uint32_t count,
                            std::uint32_t* out, cuda::Stream stream);

}  // namespace gannet::codecs::papers
