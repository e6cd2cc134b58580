// Stands in for columns.cu in builds without a CUDA compiler.
#include "codecs/device/columns.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

bool decodes_on_device(CodecId, ValueType) { return false; }
ColumnPlan plan_of(CodecId, ValueType, std::span<const std::uint32_t>, std::uint32_t) { fail(); }
void decode_column_async(const ColumnPlan&, const std::uint32_t*, void*, Stream) { fail(); }

struct DeviceColumn::Impl {};
DeviceColumn::DeviceColumn(CodecId, ValueType, std::span<const std::uint32_t>, std::uint32_t) {
  fail();
}
DeviceColumn::~DeviceColumn() = default;
DeviceColumn::DeviceColumn(DeviceColumn&&) noexcept = default;
DeviceColumn& DeviceColumn::operator=(DeviceColumn&&) noexcept = default;
const ColumnPlan& DeviceColumn::plan() const { fail(); }
std::uint64_t DeviceColumn::bytes() const { fail(); }
const std::uint32_t* DeviceColumn::words() const { fail(); }
void DeviceColumn::decode_async(void*, Stream) const { fail(); }

}  // namespace gannet::codecs::cuda
