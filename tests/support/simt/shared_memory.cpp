#include "tests/support/simt/shared_memory.hpp"

#include <algorithm>
#include <cstring>

#include "tests/support/simt/block/sanitizer.hpp"
#include "tests/support/simt/running.hpp"
#include "tests/support/simt/symbols.hpp"

#if defined(GANNET_SIMT_ASAN)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address))
#endif

namespace gannet::simt {
namespace {

std::vector<std::byte* (*)()>& dynamic_arrays() {
  static std::vector<std::byte* (*)()> arrays;
  return arrays;
}

}  // namespace

DynamicShared::DynamicShared(std::byte* (*array)()) { dynamic_arrays().push_back(array); }

SharedMemory::SharedMemory(const void* kernel, std::size_t dynamic_bytes)
    : parts_(shared_variables(kernel)) {
  for (const auto array : dynamic_arrays()) {
    parts_.emplace_back(array(), dynamic_bytes);
    ASAN_POISON_MEMORY_REGION(array() + dynamic_bytes, kMaxSharedBytes - dynamic_bytes);
  }
}

SharedMemory::~SharedMemory() {
  for (const auto array : dynamic_arrays()) {
    ASAN_UNPOISON_MEMORY_REGION(array(), kMaxSharedBytes);
  }
}

void SharedMemory::fill(std::uint32_t pattern) {
  for (const std::span<std::byte> part : parts_) {
    for (std::size_t at = 0; at < part.size(); at += sizeof pattern) {
      std::memcpy(part.data() + at, &pattern, std::min(sizeof pattern, part.size() - at));
    }
  }
}

bool is_shared(const void* address) {
  static const thread_local std::span<std::byte> variables = thread_variables();
  const auto* const byte = static_cast<const std::byte*>(address);
  return byte >= variables.data() && byte < variables.data() + variables.size();
}

}  // namespace gannet::simt
