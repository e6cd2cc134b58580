// Stands in for the CUDA back end in builds without a CUDA compiler.
#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "query/backend/backend.hpp"

namespace gannet::query {
namespace {

[[noreturn]] void fail() {
  std::string why;
  codecs::cuda::available(&why);
  throw NoDeviceError(why + "; or use the cpu back end");
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the other builds keep it
std::unique_ptr<Backend> make_cuda_backend(std::shared_ptr<const index::Index>,
                                           const CudaOptions&) {
  fail();
}

bool fits_on_device(const index::Index&, int, const CudaOptions&) { fail(); }

bool cuda_available(std::string* why) { return codecs::cuda::available(why); }

}  // namespace gannet::query
