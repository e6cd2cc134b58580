// Stands in for the CUDA back end in builds without a CUDA compiler.
#include "codecs/error.hpp"
#include "query/backend.hpp"

namespace gannet::query {
namespace {

constexpr const char* kWhy =
    "this build has no CUDA code; build Gannet where nvcc is on PATH, or use the cpu back end";

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the other builds keep it
std::unique_ptr<Backend> make_cuda_backend(std::shared_ptr<const index::Index>,
                                           const CudaOptions&) {
  throw NoDeviceError(kWhy);
}

bool fits_on_device(const index::Index&, int, const CudaOptions&) { throw NoDeviceError(kWhy); }

bool cuda_available(std::string* why) {
  if (why != nullptr) *why = kWhy;
  return false;
}

}  // namespace gannet::query
