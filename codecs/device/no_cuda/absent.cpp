// Stands in for the CUDA code in builds without a CUDA compiler.
#include "codecs/device/decode.hpp"
#include "codecs/device/device.hpp"
#include "codecs/device/measure.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

constexpr const char* kAbsent =
    "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)";

[[noreturn]] void fail() { throw NoDeviceError(kAbsent); }

}  // namespace

bool available(std::string* why) {
  if (why != nullptr) *why = kAbsent;
  return false;
}

std::string device_name() { fail(); }

struct DeviceLists::Impl {};
DeviceLists::DeviceLists(const EncodedLists&) { fail(); }
DeviceLists::~DeviceLists() = default;
DeviceLists::DeviceLists(DeviceLists&&) noexcept = default;
DeviceLists& DeviceLists::operator=(DeviceLists&&) noexcept = default;
std::uint64_t DeviceLists::values() const { fail(); }
std::uint64_t DeviceLists::bytes() const { fail(); }
std::uint64_t DeviceLists::output_offset(std::size_t) const { fail(); }
std::uint64_t DeviceLists::output_size() const { fail(); }
void DeviceLists::decode_async(std::uint32_t*, Stream) const { fail(); }

DecodeTiming time_decode(const EncodedLists&, const std::uint32_t*, int) { fail(); }
double MemoryCeilings::mixed(double, double) const { fail(); }
MemoryCeilings measure_ceilings() { fail(); }

}  // namespace gannet::codecs::cuda
