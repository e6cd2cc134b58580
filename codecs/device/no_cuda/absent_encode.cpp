// Stands in for encode.cu in builds without a CUDA compiler.
#include "codecs/device/encode.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

bool encodes_on_device(CodecId) { return false; }
std::uint64_t max_encoded_words(CodecId, std::uint64_t) { fail(); }

struct DeviceEncoder::Impl {};
DeviceEncoder::DeviceEncoder(CodecId, Content, std::uint64_t) { fail(); }
DeviceEncoder::~DeviceEncoder() = default;
DeviceEncoder::DeviceEncoder(DeviceEncoder&&) noexcept = default;
DeviceEncoder& DeviceEncoder::operator=(DeviceEncoder&&) noexcept = default;
std::uint64_t DeviceEncoder::capacity() const { fail(); }
void DeviceEncoder::encode_async(const std::uint32_t*, std::uint64_t, std::uint32_t*,
                                 std::uint32_t*, Stream) {
  fail();
}

std::vector<std::uint32_t> encode(CodecId, Content, std::span<const std::uint32_t>) { fail(); }

}  // namespace gannet::codecs::cuda
