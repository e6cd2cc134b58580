#include "tools/python/gpu/column.hpp"

#include <cstring>

#include "codecs/base/cuda/device.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/choose.hpp"
#include "codecs/device/batch.hpp"
#include "codecs/device/column_encoder.hpp"

namespace gannet::python {

namespace cuda = codecs::cuda;
using codecs::Codec;
using codecs::ValueType;

namespace {

/// "cascaded, gpu-for": those with an encoder on the device for values of `type`.
std::string encoder_names(ValueType type) {
  std::string names;
  for (const Codec& codec : codecs::all_codecs()) {
    if (!codec.takes(type) || !cuda::encodes_columns_on_device(codec.id, type)) continue;
    names += (names.empty() ? "" : ", ") + std::string(codec.name);
  }
  return names;
}

const Codec& encoder_named(const std::string& name, ValueType type) {
  if (name == codecs::kAuto) {
    throw UsageError("auto is chosen on the host, which does not see the values; on the device " +
                     std::string(codecs::name_of(type)) + " is encoded by " + encoder_names(type));
  }
  const Codec& codec = codecs::codec_named(name, type);
  if (cuda::encodes_columns_on_device(codec.id, type)) return codec;
  throw UsageError("codec " + name + " has no encoder of " + std::string(codecs::name_of(type)) +
                   " on the device; there are " + encoder_names(type) +
                   " (or gannet.encode on the host, and gannet.gpu.upload)");
}

/// The plan that the parameters say; of a codec without parameters they must be none.
codecs::CascadedPlan plan_of(const Codec& codec, ValueType type, codecs::Parameters parameters) {
  if (codec.id != codecs::Cascaded::id) {
    parameters.finish(codec.name);
    return {};
  }
  return codecs::with_value_type(type, [&]<class T>() {
    using Plan = codecs::CascadedPlan;
    Plan plan;
    plan.rles = parameters.take("rles", 0, 0, Plan::kMaxLayers);
    plan.deltas = parameters.take("deltas", 0, 0, Plan::kMaxLayers);
    plan.bitpack = parameters.take("bitpack", 1, 0, 1);
    plan.chunk =
        parameters.take("chunk", Plan::usual_chunk<T>, Plan::kMinChunk, Plan::most_chunk<T>);
    parameters.finish(codec.name);
    codecs::Cascaded::check_plan<T>(plan);
    return plan;
  });
}

/// Throws FormatError unless the column's bytes are right. Waits for the device.
void check_on_device(const Codec& codec, ValueType type, const DeviceMemory& memory,
                     std::uint64_t bytes) {
  const Stream stream = memory.place().stream();
  const std::vector<cuda::BatchItem> items{{memory.data(), bytes, nullptr, 0}};
  const cuda::DeviceBatch batch(items, stream);
  cuda::validate_batch_async(codec.id, type, batch.view(), batch.statuses(), stream);
  const codecs::ColumnStatus status = batch.wait().front();
  if (status == codecs::ColumnStatus::kOk) return;
  throw FormatError(std::string("encoded column: ") + codecs::text_of(status));
}

}  // namespace

DeviceColumn DeviceColumn::encode(std::uint64_t values, std::uint64_t count,
                                  const std::string& type_name, const std::string& codec,
                                  const std::string& parameters, Place place) {
  require_device();
  DeviceColumn column;
  column.type_ = codecs::value_type_named(type_name);
  column.codec_ = &encoder_named(codec, column.type_);
  column.count_ = count;
  column.is_whole_ = true;
  const codecs::CascadedPlan plan =
      plan_of(*column.codec_, column.type_, codecs::Parameters(parameters));
  const cuda::DeviceGuard guard(place.device);
  const Stream stream = place.stream();
  check_stream(stream, place.device);
  cuda::DeviceColumnEncoder encoder(column.codec_->id, column.type_, count, plan, stream);
  column.memory_ = std::make_shared<DeviceMemory>(encoder.max_bytes(count), std::move(place));
  // The size is in the column's header, too.
  const cuda::DeviceBuffer size(sizeof(std::uint64_t), stream);
  {
    const nb::gil_scoped_release unlocked;
    encoder.encode_async(reinterpret_cast<const void*>(values), count, column.memory_->data(),
                         size.as<std::uint64_t>(), stream);
  }
  column.memory_->written(stream);
  return column;
}

DeviceColumn DeviceColumn::upload(std::span<const std::byte> bytes, bool check, Place place) {
  require_device();
  if (bytes.size() % 4 != 0) {
    throw FormatError("an encoded column is whole words, and " + std::to_string(bytes.size()) +
                      " bytes are not");
  }
  // Where it lies it may not be aligned; the device looks at the rest.
  codecs::ColumnHeader header{};
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof header));
  const codecs::ColumnStatus status =
      codecs::header_status(reinterpret_cast<const std::byte*>(&header), bytes.size());
  if (status != codecs::ColumnStatus::kOk) {
    throw FormatError(std::string("encoded column: ") + codecs::text_of(status));
  }
  DeviceColumn column;
  column.codec_ = &codecs::codec_with(codecs::CodecId{header.codec});
  column.type_ = static_cast<ValueType>(header.type);
  column.count_ = header.count;
  column.bytes_ = header.bytes;
  if (!column.codec_->takes(column.type_)) {
    throw FormatError("encoded column: " + std::string(column.codec_->name) +
                      " does not code values of type " +
                      std::string(codecs::name_of(column.type_)));
  }
  if (!cuda::decodes_batches(column.codec_->id, column.type_)) {
    throw UsageError("codec " + std::string(column.codec_->name) + " has no decoder of " +
                     std::string(codecs::name_of(column.type_)) +
                     " on the device (use gannet.decode)");
  }
  const cuda::DeviceGuard guard(place.device);
  column.memory_ = std::make_shared<DeviceMemory>(header.bytes, std::move(place));
  const Stream stream = column.memory_->place().stream();
  {
    const nb::gil_scoped_release unlocked;
    copy_async(column.memory_->data(), bytes.data(), header.bytes, stream);
    if (check) {
      check_on_device(*column.codec_, column.type_, *column.memory_, header.bytes);
    } else {
      synchronize(stream);  // page-locked memory is read after the call that copies it
    }
  }
  column.is_whole_ = check;
  column.memory_->written(stream);
  return column;
}

std::uint64_t DeviceColumn::bytes() {
  if (!bytes_) {
    codecs::ColumnHeader header{};
    {
      const nb::gil_scoped_release unlocked;
      const cuda::DeviceGuard guard(memory_->place().device);
      const Stream stream = memory_->place().stream();
      copy_async(&header, memory_->data(), sizeof header, stream);
      synchronize(stream);
    }
    bytes_ = header.bytes;  // under the interpreter lock, which threads that ask share
  }
  return *bytes_;
}

DeviceColumn DeviceColumn::compact() {
  const std::uint64_t size = bytes();
  if (size == memory_->size()) return *this;
  const cuda::DeviceGuard guard(memory_->place().device);
  DeviceColumn smaller = *this;
  smaller.memory_ = std::make_shared<DeviceMemory>(size, memory_->place());
  const Stream stream = memory_->place().stream();
  copy_async(smaller.memory_->data(), memory_->data(), size, stream);
  smaller.memory_->written(stream);
  return smaller;
}

}  // namespace gannet::python
