// Stands in for the CUDA code of this folder in builds without a CUDA compiler.
#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "tools/measure/device/ceilings.hpp"
#include "tools/measure/device/column_timing.hpp"
#include "tools/measure/device/decode_timing.hpp"

namespace gannet::measure {
namespace {

[[noreturn]] void fail() {
  std::string why;
  codecs::cuda::available(&why);
  throw NoDeviceError(why);
}

}  // namespace

std::size_t free_device_memory() { fail(); }
DecodeTiming time_decode(const codecs::EncodedLists&, const std::uint32_t*, int) { fail(); }
double time_two_loads(std::uint32_t, std::uint64_t, int) { fail(); }
ColumnTiming time_column_decode(codecs::CodecId, codecs::ValueType, std::span<const std::uint32_t>,
                                std::span<const std::byte>, int) {
  fail();
}
double MemoryCeilings::mixed(double, double) const { fail(); }
MemoryCeilings measure_ceilings() { fail(); }

}  // namespace gannet::measure
