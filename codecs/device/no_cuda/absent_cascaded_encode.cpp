// Stands in for cascaded_encode.cu in builds without a CUDA compiler.
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

std::uint64_t cascaded_most_words(ValueType, std::uint64_t, const CascadedPlan&) { fail(); }
std::uint64_t cascaded_workspace_bytes(ValueType, std::uint32_t, const CascadedPlan&) { fail(); }
void cascaded_encode_async(ValueType, const void*, std::uint32_t, const CascadedPlan&, void*,
                           std::uint64_t, std::uint32_t*, Stream) {
  fail();
}
std::vector<std::uint32_t> cascaded_encode(ValueType, std::span<const std::byte>,
                                           const CascadedPlan&) {
  fail();
}

}  // namespace gannet::codecs::cuda
