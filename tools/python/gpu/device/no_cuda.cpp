// Stands in for the CUDA code of this folder in builds without a CUDA compiler.
#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "tools/python/gpu/runtime.hpp"

namespace gannet::python {

void require_device() {
  std::string why;
  codecs::cuda::available(&why);
  throw NoDeviceError("no GPU can be used: " + why +
                      " (gannet.encode and gannet.decode work on the CPU)");
}

int device_of_memory(const void*) {
  require_device();
  return 0;
}
void check_stream(Stream, int) { require_device(); }
void copy_async(void*, const void*, std::size_t, Stream) { require_device(); }
void synchronize(Stream) { require_device(); }
Mark::Mark(Stream) { require_device(); }
Mark::~Mark() = default;
void Mark::hold(Stream) const {}
void Mark::wait() const {}

}  // namespace gannet::python
