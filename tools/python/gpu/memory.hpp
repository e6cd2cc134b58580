// Device memory that Python holds, in the order of a stream.
#pragma once

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/core/value_type.hpp"
#include "tools/python/common.hpp"
#include "tools/python/gpu/runtime.hpp"

namespace gannet::python {

/// Where work is put: a device, a stream of it, and the object that the user named the stream by,
/// which keeps it alive.
struct Place {
  int device;
  std::uint64_t stream_number;
  nb::object stream_object;

  Stream stream() const { return stream_numbered(stream_number); }
};

/// Memory of CUDA's pool: made on a stream, and given back there when the work that was noted here
/// has ended. Used with the interpreter lock held.
class DeviceMemory {
 public:
  /// Throws NoDeviceError, DeviceMemoryError, and UsageError for a stream of another device.
  DeviceMemory(std::size_t bytes, Place place);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::byte* data() const { return buffer_.as<std::byte>(); }
  std::size_t size() const { return buffer_.size(); }
  const Place& place() const { return place_; }

  /// Notes that what `stream` has to do now, which waits for what was written before, writes the
  /// memory.
  void written(Stream stream) {
    ready_ = Mark(stream);
    is_written_elsewhere_ = stream != place_.stream();
  }
  /// Lets work on `stream` from now on wait for what was written.
  void hold_until_written(Stream stream) const { ready_.hold(stream); }
  void wait_until_written() const { ready_.wait(); }
  /// Notes that what `stream` has to do now reads the memory.
  void read(Stream stream);

 private:
  Place place_;  // ends last: memory is given back on its stream
  codecs::cuda::DeviceBuffer buffer_;
  Mark ready_;
  bool is_written_elsewhere_ = false;  ///< by another stream, last
  std::map<Stream, Mark> readers_;     ///< of other streams
};

/// An array of another library, taken from a capsule of DLPack: what and where it is. Keeps it.
class DeviceView {
 public:
  /// Throws UsageError for what is no such capsule or, if it is to be written, one that is
  /// read-only.
  DeviceView(nb::object capsule, bool writable);

  std::uint64_t address() const;
  int device_type() const { return array_.device_type(); }
  int device() const { return array_.device_id(); }
  /// DLPack's (code, bits, lanes).
  nb::tuple dtype() const;
  std::vector<std::int64_t> shape() const;
  /// In values.
  std::vector<std::int64_t> strides() const;

 private:
  nb::ndarray<> array_;
};

}  // namespace gannet::python
