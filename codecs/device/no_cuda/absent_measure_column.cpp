// Stands in for measure_column.cu in builds without a CUDA compiler.
#include "codecs/device/measure_column.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {

ColumnTiming time_column_decode(CodecId, ValueType, std::span<const std::uint32_t>,
                                std::span<const std::byte>, int) {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace gannet::codecs::cuda
