#include <cuda_runtime.h>

#include <algorithm>
#include <optional>
#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/device/column_encoder.hpp"
#include "codecs/device/encode.hpp"

namespace gannet::codecs::cuda {
namespace {

constexpr std::uint32_t kUnitWords = kColumnUnit / sizeof(std::uint32_t);
constexpr std::uint32_t kHeaderUnits = sizeof(ColumnHeader) / kColumnUnit;

/// Units before the words of a column of one part, or of none.
std::uint32_t first_unit(std::uint64_t count) { return kHeaderUnits + (count > 0 ? 1 : 0); }

/// One thread: the header and the table of a column whose words are there, and the zeros behind
/// them. `words` is where their number is; `header` has everything but the bytes.
__global__ void describe_kernel(std::uint32_t* column, ColumnHeader header,
                                const std::uint32_t* words, std::uint64_t* bytes) {
  std::uint64_t end = kHeaderUnits;
  if (header.parts > 0) {
    const std::uint32_t first = kHeaderUnits + 1;
    const std::uint32_t size = *words;
    end = first + (std::uint64_t{size} + kUnitWords - 1) / kUnitWords + 1;
    *reinterpret_cast<ColumnPart*>(column + kHeaderUnits * kUnitWords) = {first, size, 0};
    for (std::uint64_t i = std::uint64_t{first} * kUnitWords + size; i < end * kUnitWords; ++i) {
      column[i] = 0;
    }
  }
  header.bytes = end * kColumnUnit;
  *reinterpret_cast<ColumnHeader*>(column) = header;
  *bytes = header.bytes;
}

}  // namespace

bool encodes_columns_on_device(CodecId codec, ValueType type) {
  return codec == Cascaded::id || (size_of(type) == 4 && encodes_on_device(codec));
}

struct DeviceColumnEncoder::Impl {
  CodecId codec;
  ValueType type;
  std::uint64_t capacity;
  CascadedPlan plan;
  int device;
  DeviceBuffer written{};                  ///< a std::uint32_t
  std::optional<DeviceEncoder> encoder{};  ///< of tile codecs
  DeviceBuffer workspace{};                ///< of cascaded

  std::uint64_t max_words(std::uint64_t count) const {
    return codec == Cascaded::id ? cascaded_max_words(type, count, plan)
                                 : max_encoded_words(codec, count);
  }

  /// Encodes to `words`; returns where their number will be, in device memory.
  const std::uint32_t* encode(const void* values, std::uint64_t count, std::uint32_t* words,
                              Stream stream) {
    const auto size = static_cast<std::uint32_t>(count);
    if (codec == Cascaded::id) {
      cascaded_encode_async(type, values, size, plan, workspace.data(), workspace.size(), words,
                            stream);
      return words + kCascadedHead + chunk_count(size, plan.chunk);
    }
    encoder->encode_async(static_cast<const std::uint32_t*>(values), count, words,
                          written.as<std::uint32_t>(), stream);
    return written.as<std::uint32_t>();
  }

  /// What is not the tile encoder's.
  void take_workspace(Stream stream, MemoryResource& resource) {
    written = {sizeof(std::uint32_t), stream, resource};
    if (codec != Cascaded::id) return;
    workspace = {cascaded_workspace_bytes(type, static_cast<std::uint32_t>(capacity), plan), stream,
                 resource};
  }
};

namespace {

void check_column(CodecId codec, ValueType type, std::uint64_t capacity) {
  if (!encodes_columns_on_device(codec, type)) {
    throw UsageError("codec " + std::to_string(static_cast<std::uint32_t>(codec)) +
                     " does not encode " + std::string(name_of(type)) +
                     " on the device (encode on the host)");
  }
  check_encodable("a column that is encoded on the device", capacity);
}

}  // namespace

DeviceColumnEncoder::DeviceColumnEncoder(CodecId codec, ValueType type, std::uint64_t capacity,
                                         const CascadedPlan& plan, MemoryResource& resource) {
  check_column(codec, type, capacity);
  impl_.reset(new Impl{codec, type, capacity, plan, current_device()});
  impl_->take_workspace(cudaStreamLegacy, resource);
  finish_copies();  // any stream may use it
  if (codec != Cascaded::id) impl_->encoder.emplace(codec, Content::kValues, capacity, resource);
}

DeviceColumnEncoder::DeviceColumnEncoder(CodecId codec, ValueType type, std::uint64_t capacity,
                                         const CascadedPlan& plan, Stream stream,
                                         MemoryResource& resource) {
  check_column(codec, type, capacity);
  impl_.reset(new Impl{codec, type, capacity, plan, current_device()});
  impl_->take_workspace(stream, resource);
  if (codec != Cascaded::id) {
    impl_->encoder.emplace(codec, Content::kValues, capacity, stream, resource);
  }
}

DeviceColumnEncoder::~DeviceColumnEncoder() = default;
DeviceColumnEncoder::DeviceColumnEncoder(DeviceColumnEncoder&&) noexcept = default;
DeviceColumnEncoder& DeviceColumnEncoder::operator=(DeviceColumnEncoder&&) noexcept = default;

std::uint64_t DeviceColumnEncoder::max_bytes(std::uint64_t count) const {
  const std::uint64_t units = (impl_->max_words(count) + kUnitWords - 1) / kUnitWords + 1;
  return (first_unit(count) + units) * kColumnUnit;
}

void DeviceColumnEncoder::encode_async(const void* values, std::uint64_t count, void* column,
                                       std::uint64_t* bytes, Stream stream) {
  if (count > impl_->capacity) {
    throw UsageError("a column of " + std::to_string(count) +
                     " values for an encoder of columns of " + std::to_string(impl_->capacity));
  }
  check_aligned(values, kColumnUnit, "the values to be encoded");
  check_aligned(column, kColumnUnit, "the place for an encoded column");
  check_aligned(bytes, sizeof *bytes, "the place for a column's bytes");
  const DeviceGuard guard(impl_->device);
  check_device_of(values, impl_->device, "what is to be encoded", "its encoder");
  auto* memory = static_cast<std::uint32_t*>(column);
  ColumnHeader header{};
  header.magic = kColumnMagic;
  header.version = kColumnVersion;
  header.codec = static_cast<std::uint32_t>(impl_->codec);
  header.type = static_cast<std::uint32_t>(impl_->type);
  header.parts = count > 0 ? 1 : 0;
  header.count = count;
  header.part_values = kPartValues >= count ? kPartValues : kMaxListLength;
  const std::uint32_t* words = nullptr;
  if (count > 0)
    words = impl_->encode(values, count, memory + first_unit(count) * kUnitWords, stream);
  launch_kernel({"describe_kernel", 1, 1, 0, stream}, describe_kernel, memory, header, words,
                bytes);
}

}  // namespace gannet::codecs::cuda
