// Stands in for pick.cu in builds without a CUDA compiler.
#include "codecs/device/pick.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

bool picks(const ColumnPlan&) { return false; }
void pick_async(const ColumnPlan&, const std::uint32_t*, const std::uint32_t*, std::uint32_t, void*,
                Stream) {
  fail();
}
void decode_selected_async(const ColumnPlan&, const std::uint32_t*, const std::uint32_t*, void*,
                           Stream) {
  fail();
}
void sum_selected_async(const ColumnPlan&, const std::uint32_t*, const std::uint32_t*, ScanResult*,
                        Stream) {
  fail();
}

}  // namespace gannet::codecs::cuda
