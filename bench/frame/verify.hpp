// Checking what the device wrote. Includes no CUDA header.
#pragma once

#include <cstddef>
#include <string>

namespace gannet::bench {

/// Fills device memory with bytes that decoding must overwrite. Synchronous.
void poison(void* memory, std::size_t bytes);

/// Throws std::runtime_error, naming `what`, unless the bytes of two places in device memory are
/// equal. Waits for all of the device.
void expect_equal(const void* got, const void* expected, std::size_t bytes,
                  const std::string& what);

}  // namespace gannet::bench
