// The parallel form of inflating on the device, with windows of several shapes.
#include "codecs/deflate/deflate.hpp"
#include "tests/support/codecs/deflate_device.cuh"

namespace gannet::test {
namespace {

using codecs::deflate::Shape;

template <Shape shape>
struct Parallel {
  using Space = codecs::deflate::Space<shape>;
  static __device__ bool inflate(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                                 std::uint32_t size, Space& space) {
    return codecs::deflate::ParallelInflate<WarpLanes, shape>(WarpLanes{}, words, count, out, size,
                                                              space)
        .run();
  }
};

using Forms = ::testing::Types<Parallel<codecs::deflate::kUsualShape>, Parallel<Shape{1, 32, 1, 0}>,
                               Parallel<Shape{2, 70, 32, 32}>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Parallel, CudaDeflate, Forms);

}  // namespace
}  // namespace gannet::test
