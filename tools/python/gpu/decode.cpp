// Decoding columns in device memory, one or a batch of one codec and type, and the bindings of
// both.
#include <algorithm>

#include "codecs/base/cuda/device.hpp"
#include "codecs/device/batch.hpp"
#include "tools/python/gpu/column.hpp"

namespace gannet::python {

namespace cuda = codecs::cuda;
using codecs::ColumnStatus;

namespace {

/// What is wanted of a column: values [first, first + count), to `out`, device memory.
struct Wanted {
  const DeviceColumn* column;
  std::uint64_t first;
  std::uint64_t count;
  std::uint64_t out;

  bool is_part() const { return first != 0 || count != column->count(); }
  std::uint64_t bytes() const { return count * codecs::size_of(column->type()); }
};

/// What the device would find wrong, or fail at.
void check_wanted(const Wanted& wanted, int device) {
  const int other = wanted.column->memory().place().device;
  if (other != device) {
    throw UsageError("the column is on device " + std::to_string(other) +
                     ", its values are to go to device " + std::to_string(device));
  }
  if (wanted.out % codecs::kColumnUnit != 0) {
    throw UsageError(
        "what is decoded must go to an address that is a multiple of 16 bytes, as a new "
        "array's is (a part of another need not be)");
  }
  const std::uint64_t total = wanted.column->count();
  if (wanted.first <= total && wanted.count <= total - wanted.first) return;
  throw UsageError("the column has " + std::to_string(total) + " values, and " +
                   std::to_string(wanted.first) + " + " + std::to_string(wanted.count) +
                   " are asked for");
}

/// Columns that were put on a stream to be decoded, and what came of each.
class DecodedBatch {
 public:
  DecodedBatch(const std::vector<Wanted>& wanted, const Place& place) : place_(place) {
    cuda::BatchPlan plan{wanted.front().column->codec().id, wanted.front().column->type()};
    plan.trusted = true;
    for (const Wanted& one : wanted) {
      plan.most_values = std::max(plan.most_values, one.count);
      plan.trusted = plan.trusted && one.column->is_whole();
    }
    const std::vector<cuda::BatchItem> items = items_of(wanted);
    const nb::gil_scoped_release unlocked;
    batch_.emplace(items, place_.stream());
    batch_->decode_async(plan);
  }

  /// Waits. A sentence for every column with a fault, nothing for the others.
  std::vector<std::optional<std::string>> statuses() const {
    std::vector<ColumnStatus> all;
    {
      const nb::gil_scoped_release unlocked;
      const cuda::DeviceGuard guard(place_.device);
      all = batch_->wait();
    }
    std::vector<std::optional<std::string>> texts;
    for (const ColumnStatus status : all) {
      if (status == ColumnStatus::kOk) {
        texts.emplace_back();
      } else {
        texts.emplace_back(codecs::text_of(status));
      }
    }
    return texts;
  }

 private:
  static std::vector<cuda::BatchItem> items_of(const std::vector<Wanted>& wanted) {
    std::vector<cuda::BatchItem> items;
    for (const Wanted& one : wanted) {
      cuda::BatchItem item{one.column->memory().data(), one.column->memory().size(),
                           reinterpret_cast<void*>(one.out), one.bytes()};
      if (one.is_part()) item.range = {one.first, one.count};
      items.push_back(item);
    }
    return items;
  }

  Place place_;  // ends last: the batch's memory is given back on its stream
  std::optional<cuda::DeviceBatch> batch_;
};

/// Whether a fault may be found only when the values are decoded, or a range cannot be had
/// (ColumnStatus::kChunkTooLarge). Chunks of cascaded always fit.
bool may_fail_late(const Wanted& wanted) {
  const codecs::Codec& codec = wanted.column->codec();
  if (!wanted.column->is_whole() || codec.name == "deflate") return true;
  return wanted.is_part() && !codec.tiles && codec.name != "cascaded";
}

/// Memory of ours that is written, each piece once.
using Written = std::vector<DeviceMemory*>;

/// Decodes columns of one codec and type on one device. `written` is what of the outputs is memory
/// of ours.
std::shared_ptr<DecodedBatch> decode(const std::vector<Wanted>& wanted, Place place,
                                     const Written& written) {
  require_device();
  for (const Wanted& one : wanted) check_wanted(one, place.device);
  const cuda::DeviceGuard guard(place.device);
  const Stream stream = place.stream();
  check_stream(stream, place.device);
  for (const Wanted& one : wanted) one.column->memory().hold_until_written(stream);
  for (const DeviceMemory* memory : written) memory->hold_until_written(stream);
  const auto batch = std::make_shared<DecodedBatch>(wanted, place);
  for (const Wanted& one : wanted) one.column->memory().read(stream);
  for (DeviceMemory* memory : written) memory->written(stream);
  return batch;
}

/// As Python says it: (column, first, count, address of the output).
using WantedTuple = std::tuple<const DeviceColumn*, std::uint64_t, std::uint64_t, std::uint64_t>;

Wanted wanted_of(const WantedTuple& given) {
  return {std::get<0>(given), std::get<1>(given), std::get<2>(given), std::get<3>(given)};
}

/// One column. Waits, and throws FormatError or UsageError, only if may_fail_late().
void decode_one(const WantedTuple& given, int device, std::uint64_t stream, nb::object object,
                const Written& written) {
  const Wanted wanted = wanted_of(given);
  const auto batch = decode({wanted}, {device, stream, std::move(object)}, written);
  if (!may_fail_late(wanted)) return;
  const std::optional<std::string> status = batch->statuses().front();
  if (status) throw FormatError("encoded column: " + *status);
}

std::shared_ptr<DecodedBatch> decode_batch(const std::vector<WantedTuple>& given, int device,
                                           std::uint64_t stream, nb::object object,
                                           const Written& written) {
  std::vector<Wanted> wanted;
  for (const WantedTuple& one : given) wanted.push_back(wanted_of(one));
  return decode(wanted, {device, stream, std::move(object)}, written);
}

nb::any to_bytes(DeviceColumn& column) {
  const std::uint64_t size = column.bytes();
  const auto words = std::make_shared<std::vector<std::uint32_t>>(size / 4);
  {
    const nb::gil_scoped_release unlocked;
    const cuda::DeviceGuard guard(column.memory().place().device);
    const Stream stream = column.memory().place().stream();
    copy_async(words->data(), column.memory().data(), size, stream);
    synchronize(stream);
  }
  return array_of(reinterpret_cast<const std::uint8_t*>(words->data()), size, words);
}

DeviceColumn upload(const Bytes& bytes, bool check, int device, std::uint64_t stream,
                    nb::object object) {
  return DeviceColumn::upload({reinterpret_cast<const std::byte*>(bytes.data()), bytes.shape(0)},
                              check, {device, stream, std::move(object)});
}

DeviceColumn encode_on_device(std::uint64_t address, std::uint64_t count, const std::string& type,
                              const std::string& codec, const std::string& parameters, int device,
                              std::uint64_t stream, nb::object object) {
  return DeviceColumn::encode(address, count, type, codec, parameters,
                              {device, stream, std::move(object)});
}

}  // namespace

void bind_device_columns(nb::module_& module) {
  nb::class_<DeviceColumn>(module, "DeviceColumn")
      .def_prop_ro("count", &DeviceColumn::count)
      .def_prop_ro(
          "type",
          [](const DeviceColumn& self) { return std::string(codecs::name_of(self.type())); })
      .def_prop_ro("codec", [](const DeviceColumn& self) { return std::string(self.codec().name); })
      .def_prop_ro("device", [](const DeviceColumn& self) { return self.memory().place().device; })
      .def_prop_ro("room", [](const DeviceColumn& self) { return self.memory().size(); })
      .def("bytes", &DeviceColumn::bytes)
      .def("compact", &DeviceColumn::compact)
      .def("to_bytes", to_bytes);
  nb::class_<DecodedBatch>(module, "DecodedBatch").def("statuses", &DecodedBatch::statuses);
  module.def("device_encode", encode_on_device, nb::arg("address"), nb::arg("count"),
             nb::arg("type"), nb::arg("codec"), nb::arg("parameters"), nb::arg("device"),
             nb::arg("stream"), nb::arg("stream_object").none());
  module.def("device_upload", upload, nb::arg("data"), nb::arg("check"), nb::arg("device"),
             nb::arg("stream"), nb::arg("stream_object").none());
  module.def("device_decode", decode_one, nb::arg("wanted"), nb::arg("device"), nb::arg("stream"),
             nb::arg("stream_object").none(), nb::arg("written"));
  module.def("device_decode_batch", decode_batch, nb::arg("wanted"), nb::arg("device"),
             nb::arg("stream"), nb::arg("stream_object").none(), nb::arg("written"));
}

}  // namespace gannet::python
