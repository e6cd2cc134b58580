// Stands in for cascading.cu in builds without a CUDA compiler.
#include "codecs/device/cascading.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

struct CascadingDecoder::Impl {};
CascadingDecoder::CascadingDecoder(CodecId, const std::uint32_t*, std::uint32_t) { fail(); }
CascadingDecoder::~CascadingDecoder() = default;
CascadingDecoder::CascadingDecoder(CascadingDecoder&&) noexcept = default;
CascadingDecoder& CascadingDecoder::operator=(CascadingDecoder&&) noexcept = default;
std::uint32_t CascadingDecoder::passes() const { fail(); }
void CascadingDecoder::decode_async(std::uint32_t*, Stream) const { fail(); }

}  // namespace gannet::codecs::cuda
