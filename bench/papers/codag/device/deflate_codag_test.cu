// CODAG's forms of inflating on the device.
#include "bench/papers/codag/deflate_codag.hpp"
#include "tests/support/codecs/deflate_device.cuh"

namespace gannet::test {
namespace {

using codecs::papers::Buffer;
using codecs::papers::DecodeBy;

template <DecodeBy by, Buffer buffer>
struct Codag {
  using Space = codecs::papers::CodagSpace;
  static __device__ bool inflate(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                                 std::uint32_t size, Space& space) {
    return codecs::papers::codag_inflate<by, buffer>(WarpLanes{}, words, count, out, size, space);
  }
};

using Forms = ::testing::Types<Codag<DecodeBy::kAllLanes, Buffer::kShared>,
                               Codag<DecodeBy::kAllLanes, Buffer::kRegisters>,
                               Codag<DecodeBy::kLane0, Buffer::kShared>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Codag, CudaDeflate, Forms);

}  // namespace
}  // namespace gannet::test
