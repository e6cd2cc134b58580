// What the bindings want of the CUDA runtime beside the library: streams by their numbers, and work
// on one stream that waits for another's. In a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "codecs/base/cuda/stream.hpp"

struct CUevent_st;

namespace gannet::python {

using codecs::cuda::Stream;

/// Throws NoDeviceError, which says what is missing, unless a GPU can be used.
void require_device();

/// The stream with the number that DLPack and others give it: 1 is CUDA's legacy default stream, 2
/// the calling thread's default stream, others are handles.
inline Stream stream_numbered(std::uint64_t number) { return reinterpret_cast<Stream>(number); }

/// The device that memory at `address` is on. Throws UsageError if it is not device memory.
int device_of_memory(const void* address);

/// Throws UsageError unless work on memory of `device`, the current one, may be put on `stream`.
void check_stream(Stream stream, int device);

/// Copies between any two kinds of memory, in the stream's order. May wait for the stream if one of
/// them is pageable host memory.
void copy_async(void* to, const void* from, std::size_t bytes, Stream stream);

/// Waits for the work that is on the stream.
void synchronize(Stream stream);

/// A point in a stream's work, which other streams may wait for. Does not need its stream to live.
class Mark {
 public:
  Mark() = default;
  /// Behind the work that is on `stream`, of the current device, now.
  explicit Mark(Stream stream);
  ~Mark();
  Mark(Mark&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Mark& operator=(Mark&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  /// Work that is put on `stream` from now on begins when the point is reached; the host does not
  /// wait.
  void hold(Stream stream) const;
  /// The host waits.
  void wait() const;

 private:
  CUevent_st* event_ = nullptr;  ///< null: long reached
};

}  // namespace gannet::python
