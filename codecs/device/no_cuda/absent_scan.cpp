// Stands in for scan.cu in builds without a CUDA compiler.
#include "codecs/device/scan.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

bool scans_inline(const ColumnPlan&) { return false; }

struct ColumnScanner::Impl {};
ColumnScanner::ColumnScanner() { fail(); }
ColumnScanner::~ColumnScanner() = default;
ColumnScanner::ColumnScanner(ColumnScanner&&) noexcept = default;
ColumnScanner& ColumnScanner::operator=(ColumnScanner&&) noexcept = default;
void ColumnScanner::sum_async(const ColumnPlan&, const std::uint32_t*, ScanResult*, Stream) const {
  fail();
}
void ColumnScanner::range_async(const ColumnPlan&, const std::uint32_t*, ScanRange, ScanResult*,
                                Stream) const {
  fail();
}
ScanResult ColumnScanner::sum(const DeviceColumn&) const { fail(); }
ScanResult ColumnScanner::range(const DeviceColumn&, ScanRange) const { fail(); }

}  // namespace gannet::codecs::cuda
