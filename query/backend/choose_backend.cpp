#include "query/backend/choose_backend.hpp"

#include "codecs/base/error.hpp"

namespace gannet::query {

Choice choose_automatically(const MakeBackend& make_cuda, const MakeBackend& make_cpu) {
  std::string why;
  try {
    return {make_cuda(), "there is a GPU and the index fits"};
  } catch (const CudaError& error) {
    why = error.what();
  }
  return {make_cpu(), "no GPU is used: " + why};
}

}  // namespace gannet::query
