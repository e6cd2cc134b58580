// Stands in for stream_column.cu in builds without a CUDA compiler.
#include "codecs/device/stream_column.hpp"
#include "codecs/error.hpp"

namespace gannet::codecs::cuda {
namespace {

[[noreturn]] void fail() {
  throw NoDeviceError(
      "this build of gannet has no CUDA code (configure with a CUDA compiler on PATH)");
}

}  // namespace

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

}  // namespace gannet::codecs::cuda
