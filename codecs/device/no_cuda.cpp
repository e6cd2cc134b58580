// Stands in for the CUDA code of this folder in builds without a CUDA compiler.
#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "codecs/device/batch.hpp"
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/device/column_encoder.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/decode.hpp"
#include "codecs/device/encode.hpp"
#include "codecs/device/pick.hpp"
#include "codecs/device/scan.hpp"
#include "codecs/device/stream_column.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  std::string why;
  available(&why);
  throw NoDeviceError(why);
}

}  // namespace

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

bool decodes_on_device(CodecId, ValueType) { return false; }
ColumnPlan plan_of(CodecId, ValueType, std::span<const std::uint32_t>, std::uint32_t) { fail(); }
void decode_column_async(const ColumnPlan&, const std::uint32_t*, void*, Stream, std::uint32_t*) {
  fail();
}

struct DeviceColumn::Impl {};
DeviceColumn::DeviceColumn(CodecId, ValueType, std::span<const std::uint32_t>, std::uint32_t,
                           MemoryResource&) {
  fail();
}
DeviceColumn::~DeviceColumn() = default;
DeviceColumn::DeviceColumn(DeviceColumn&&) noexcept = default;
DeviceColumn& DeviceColumn::operator=(DeviceColumn&&) noexcept = default;
const ColumnPlan& DeviceColumn::plan() const { fail(); }
std::uint64_t DeviceColumn::bytes() const { fail(); }
const std::uint32_t* DeviceColumn::words() const { fail(); }
void DeviceColumn::decode_async(void*, Stream, std::uint32_t*) const { fail(); }

bool encodes_on_device(CodecId) { return false; }
std::uint64_t max_encoded_words(CodecId, std::uint64_t) { fail(); }

struct DeviceEncoder::Impl {};
DeviceEncoder::DeviceEncoder(CodecId, Content, std::uint64_t, MemoryResource&) { fail(); }
DeviceEncoder::DeviceEncoder(CodecId, Content, std::uint64_t, Stream, MemoryResource&) { fail(); }
DeviceEncoder::~DeviceEncoder() = default;
DeviceEncoder::DeviceEncoder(DeviceEncoder&&) noexcept = default;
DeviceEncoder& DeviceEncoder::operator=(DeviceEncoder&&) noexcept = default;
std::uint64_t DeviceEncoder::capacity() const { fail(); }
void DeviceEncoder::encode_async(const std::uint32_t*, std::uint64_t, std::uint32_t*,
                                 std::uint32_t*, Stream) {
  fail();
}

std::vector<std::uint32_t> encode(CodecId, Content, std::span<const std::uint32_t>) { fail(); }

std::uint64_t cascaded_max_words(ValueType, std::uint64_t, const CascadedPlan&) { fail(); }
std::uint64_t cascaded_workspace_bytes(ValueType, std::uint32_t, const CascadedPlan&) { fail(); }
void cascaded_encode_async(ValueType, const void*, std::uint32_t, const CascadedPlan&, void*,
                           std::uint64_t, std::uint32_t*, Stream) {
  fail();
}
std::vector<std::uint32_t> cascaded_encode(ValueType, std::span<const std::byte>,
                                           const CascadedPlan&) {
  fail();
}

bool picks(const ColumnPlan&) { return false; }
void pick_async(const ColumnPlan&, const std::uint32_t*, const std::uint32_t*, std::uint32_t, void*,
                Stream, std::uint32_t*) {
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

bool scans_inline(const ColumnPlan&) { return false; }

struct ColumnScanner::Impl {};
ColumnScanner::ColumnScanner(MemoryResource&) { fail(); }
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

StreamReport stream_column(const SegmentSource&, const std::function<void(const StreamedValues&)>&,
                           const StreamOptions&) {
  fail();
}

struct PinnedColumn::Impl {};
PinnedColumn::PinnedColumn(ValueType) { fail(); }
PinnedColumn::~PinnedColumn() = default;
void PinnedColumn::add(CodecId, std::span<const std::uint32_t>, std::uint32_t) { fail(); }
void PinnedColumn::add_raw(std::span<const std::byte>) { fail(); }
void PinnedColumn::repeat(std::size_t) { fail(); }
std::uint64_t PinnedColumn::bytes() const { fail(); }
ValueType PinnedColumn::type() const { fail(); }
std::size_t PinnedColumn::size() const { fail(); }
StreamSegment PinnedColumn::segment(std::size_t) const { fail(); }
const std::uint32_t* PinnedColumn::pinned(std::size_t) const { fail(); }
void PinnedColumn::read(std::size_t, std::span<std::uint32_t>) const { fail(); }

struct StreamSum::Impl {};
StreamSum::StreamSum() { fail(); }
StreamSum::~StreamSum() = default;
void StreamSum::operator()(const StreamedValues&) { fail(); }
std::uint64_t StreamSum::result() const { fail(); }

struct StreamCount::Impl {};
StreamCount::StreamCount(std::uint64_t, std::uint64_t) { fail(); }
StreamCount::~StreamCount() = default;
void StreamCount::operator()(const StreamedValues&) { fail(); }
std::uint64_t StreamCount::result() const { fail(); }

struct StreamCopy::Impl {};
StreamCopy::StreamCopy(std::size_t, std::size_t) { fail(); }
StreamCopy::~StreamCopy() = default;
void StreamCopy::operator()(const StreamedValues&) { fail(); }
std::span<const std::byte> StreamCopy::values(const StreamedValues&) const { fail(); }

bool decodes_batches(CodecId, ValueType) { return false; }
void decode_batch_async(const BatchPlan&, const BatchView&, ColumnStatus*, Stream) { fail(); }
void validate_batch_async(CodecId, ValueType, const BatchView&, ColumnStatus*, Stream) { fail(); }
void get_sizes_async(const BatchView&, std::uint64_t*, ColumnStatus*, Stream) { fail(); }
DeviceBatch::DeviceBatch(std::span<const BatchItem>, Stream, MemoryResource&) : size_(0) { fail(); }
BatchView DeviceBatch::view() const { fail(); }
ColumnStatus* DeviceBatch::statuses() const { fail(); }
void DeviceBatch::decode_async(const BatchPlan&) const { fail(); }
std::vector<ColumnStatus> DeviceBatch::wait() const { fail(); }
void DeviceBatch::wait_and_check() const { fail(); }

bool encodes_columns_on_device(CodecId, ValueType) { return false; }
struct DeviceColumnEncoder::Impl {};
DeviceColumnEncoder::DeviceColumnEncoder(CodecId, ValueType, std::uint64_t, const CascadedPlan&,
                                         MemoryResource&) {
  fail();
}
DeviceColumnEncoder::DeviceColumnEncoder(CodecId, ValueType, std::uint64_t, const CascadedPlan&,
                                         Stream, MemoryResource&) {
  fail();
}
DeviceColumnEncoder::~DeviceColumnEncoder() = default;
DeviceColumnEncoder::DeviceColumnEncoder(DeviceColumnEncoder&&) noexcept = default;
DeviceColumnEncoder& DeviceColumnEncoder::operator=(DeviceColumnEncoder&&) noexcept = default;
std::uint64_t DeviceColumnEncoder::max_bytes(std::uint64_t) const { fail(); }
void DeviceColumnEncoder::encode_async(const void*, std::uint64_t, void*, std::uint64_t*, Stream) {
  fail();
}

}  // namespace gannet::codecs::cuda
