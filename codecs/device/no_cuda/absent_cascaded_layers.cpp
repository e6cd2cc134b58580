// Stands in for cascaded_layers.cu in builds without a CUDA compiler.
#include "codecs/device/cascaded_layers.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

struct CascadedLayers::Impl {};
CascadedLayers::CascadedLayers(ValueType, std::span<const std::uint32_t>, std::uint32_t) { fail(); }
CascadedLayers::~CascadedLayers() = default;
CascadedLayers::CascadedLayers(CascadedLayers&&) noexcept = default;
CascadedLayers& CascadedLayers::operator=(CascadedLayers&&) noexcept = default;
void CascadedLayers::decode_async(void*, Stream) const { fail(); }

}  // namespace gannet::codecs::cuda
