#include "tools/python/gpu/memory.hpp"

#include <exception>
#include <memory>
#include <optional>

#include "codecs/base/cuda/device.hpp"

namespace gannet::python {

namespace cuda = codecs::cuda;

DeviceMemory::DeviceMemory(std::size_t bytes, Place place) : place_(std::move(place)) {
  const nb::gil_scoped_release unlocked;  // the first call of a process takes long
  require_device();
  const cuda::DeviceGuard guard(place_.device);
  check_stream(place_.stream(), place_.device);
  buffer_ = cuda::DeviceBuffer(bytes, place_.stream());
}

DeviceMemory::~DeviceMemory() {
  if (readers_.empty() && !is_written_elsewhere_) return;
  try {
    const cuda::DeviceGuard guard(place_.device);
    if (is_written_elsewhere_) ready_.hold(place_.stream());
    for (const auto& [stream, mark] : readers_) mark.hold(place_.stream());
  } catch (const std::exception&) {
    // The process ends, or the device has failed: nobody reads or writes any more.
  }
}

void DeviceMemory::read(Stream stream) {
  if (stream != place_.stream()) readers_[stream] = Mark(stream);
}

namespace {

nb::ndarray<> imported(const nb::object& capsule, bool writable) {
  nb::ndarray<> array;
  if (writable && nb::try_cast(capsule, array, false)) return array;
  nb::ndarray<nb::ro> readable;
  if (!nb::try_cast(capsule, readable, false)) {
    throw UsageError("the array's __dlpack__ gave no capsule of DLPack");
  }
  if (writable) throw UsageError("the array cannot be written: it is read-only");
  return nb::ndarray<>(readable);
}

}  // namespace

DeviceView::DeviceView(nb::object capsule, bool writable) : array_(imported(capsule, writable)) {}

std::uint64_t DeviceView::address() const {
  return reinterpret_cast<std::uint64_t>(static_cast<const void*>(array_.data()));
}

nb::tuple DeviceView::dtype() const {
  const nb::dlpack::dtype type = array_.dtype();
  return nb::make_tuple(type.code, type.bits, type.lanes);
}

std::vector<std::int64_t> DeviceView::shape() const {
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < array_.ndim(); ++i) {
    shape.push_back(static_cast<std::int64_t>(array_.shape(i)));
  }
  return shape;
}

std::vector<std::int64_t> DeviceView::strides() const {
  std::vector<std::int64_t> strides;
  for (std::size_t i = 0; i < array_.ndim(); ++i) strides.push_back(array_.stride(i));
  return strides;
}

namespace {

nb::dlpack::dtype dlpack_type(codecs::ValueType type) {
  return codecs::with_value_type(type, []<class T>() { return nb::dtype<T>(); });
}

/// A capsule for values of `memory`, which it keeps. The consumer's stream, unless there is none,
/// waits for the values.
nb::object capsule_of(nb::handle memory, std::uint64_t offset, std::size_t count,
                      const std::string& type, std::optional<std::uint64_t> stream,
                      nb::object max_version) {
  const auto& held = nb::cast<const DeviceMemory&>(memory);
  const codecs::ValueType value_type = codecs::value_type_named(type);
  if (offset > held.size() || count > (held.size() - offset) / codecs::size_of(value_type)) {
    throw UsageError("the values are not in this memory");
  }
  if (stream) {
    const cuda::DeviceGuard guard(held.place().device);
    held.hold_until_written(stream_numbered(*stream));
  }
  const nb::ndarray<nb::array_api> array(held.data() + offset, 1, &count, memory, nullptr,
                                         dlpack_type(value_type), nb::device::cuda::value,
                                         held.place().device);
  return nb::cast(array).attr("__dlpack__")(nb::arg("max_version") = max_version);
}

nb::any to_host(const DeviceMemory& memory, std::uint64_t offset, std::size_t bytes) {
  if (offset > memory.size() || bytes > memory.size() - offset) {
    throw UsageError("the bytes are not in this memory");
  }
  const auto words = std::make_shared<std::vector<std::uint64_t>>((bytes + 7) / 8);
  {
    const nb::gil_scoped_release unlocked;
    const cuda::DeviceGuard guard(memory.place().device);
    const Stream stream = memory.place().stream();
    memory.hold_until_written(stream);
    copy_async(words->data(), memory.data() + offset, bytes, stream);
    synchronize(stream);
  }
  return array_of(reinterpret_cast<const std::uint8_t*>(words->data()), bytes, words);
}

/// Makes a device current for a block of Python: some producers give capsules of no other.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) : device_(device) {}
  void enter() { guard_ = std::make_unique<cuda::DeviceGuard>(device_); }
  void leave(const nb::args&) { guard_.reset(); }

 private:
  int device_;
  std::unique_ptr<cuda::DeviceGuard> guard_;
};

nb::tuple availability() {
  std::string why;
  const bool available = cuda::available(&why);
  return nb::make_tuple(available, why);
}

}  // namespace

void bind_device_memory(nb::module_& module) {
  nb::class_<DeviceMemory>(module, "DeviceMemory")
      .def(
          "__init__",
          [](DeviceMemory* self, std::size_t bytes, int device, std::uint64_t stream,
             nb::object stream_object) {
            new (self) DeviceMemory(bytes, {device, stream, std::move(stream_object)});
          },
          nb::arg("bytes"), nb::arg("device"), nb::arg("stream"), nb::arg("stream_object").none())
      .def_prop_ro("address",
                   [](const DeviceMemory& self) {
                     return reinterpret_cast<std::uint64_t>(static_cast<void*>(self.data()));
                   })
      .def_prop_ro("device", [](const DeviceMemory& self) { return self.place().device; })
      .def_prop_ro("stream", [](const DeviceMemory& self) { return self.place().stream_number; })
      .def("to_host", to_host, nb::arg("offset"), nb::arg("bytes"));
  nb::class_<CurrentDevice>(module, "CurrentDevice")
      .def(nb::init<int>(), nb::arg("device"))
      .def("__enter__", &CurrentDevice::enter)
      .def("__exit__", &CurrentDevice::leave,
           nb::sig("def __exit__(self, *raised: object) -> None"));
  nb::class_<DeviceView>(module, "DeviceView")
      .def(nb::init<nb::object, bool>(), nb::arg("capsule"), nb::arg("writable"))
      .def_prop_ro("address", &DeviceView::address)
      .def_prop_ro("device_type", &DeviceView::device_type)
      .def_prop_ro("device", &DeviceView::device)
      .def_prop_ro("dtype", &DeviceView::dtype)
      .def_prop_ro("shape", &DeviceView::shape)
      .def_prop_ro("strides", &DeviceView::strides);
  module.def("device_capsule", capsule_of, nb::arg("memory"), nb::arg("offset"), nb::arg("count"),
             nb::arg("type"), nb::arg("stream").none(), nb::arg("max_version").none());
  module.def("device_availability", availability);
  module.def("require_device", require_device);
  module.def(
      "device_of_memory",
      [](std::uint64_t address) {
        require_device();
        return device_of_memory(reinterpret_cast<const void*>(address));
      },
      nb::arg("address"));
  module.def(
      "device_stream_wait",
      [](int device, std::uint64_t stream, std::uint64_t before) {
        require_device();
        const cuda::DeviceGuard guard(device);
        Mark(stream_numbered(before)).hold(stream_numbered(stream));
      },
      nb::arg("device"), nb::arg("stream"), nb::arg("before"));
}

}  // namespace gannet::python
