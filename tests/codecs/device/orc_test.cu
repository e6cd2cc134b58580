// rle-v1 and rle-v2 on the device: staged in shared memory or not, columns come back.
#include "codecs/device/detail/own_launch.cuh"
#include "tests/support/codecs/orc_device.cuh"

namespace gannet::test {
namespace {

/// Every chunk staged that can be, by two launches however few chunks there are.
template <class Codec, class T>
void launch_staged(codecs::ListView column, std::uint32_t chunk_values, T* out,
                   cudaStream_t stream) {
  const std::uint32_t blocks = codecs::ceil_div(codecs::chunk_count(column.count, chunk_values), 4);
  constexpr std::uint32_t kMax = Codec::Column::kStageWords;
  codecs::strips_kernel<Codec, T, true>
      <<<blocks, 4 * codecs::kLanes, 0, stream>>>(column, 0, kMax, out);
  codecs::strips_kernel<Codec, T, false>
      <<<blocks, 4 * codecs::kLanes, 0, stream>>>(column, kMax + 1, 0xffffffffu, out);
}

/// As the codec launches it.
template <class Codec, class T>
void launch_codec(codecs::ListView column, std::uint32_t chunk_values, T* out,
                  cudaStream_t stream) {
  codecs::cuda::launch_own<Codec>(column, chunk_values, out, nullptr, stream);
}

template <class Codec>
struct Ways {
  template <class T>
  static std::vector<StripWay<T>> of() {
    return {{"as it is launched", launch_codec<Codec, T>}, {"staged", launch_staged<Codec, T>}};
  }
};

/// More than a few chunks, some of them too large to be staged.
template <class Codec>
void check_many_chunks() {
  auto numbers = numbers_in("short runs", 2000000);
  const auto wide = numbers_in("literals", 1000000);
  numbers.insert(numbers.end(), wide.begin(), wide.end());
  check_ways<Codec>({{"a strip a lane", launch_codec<Codec, std::uint32_t>}},
                    values_of<std::uint32_t>(numbers), "", "many chunks");
}

using CudaOrc = CudaStrips;

TEST_F(CudaOrc, RleV1ComesBackInEveryWay) { check_types<codecs::RleV1, Ways>(); }
TEST_F(CudaOrc, RleV2ComesBackInEveryWay) { check_types<codecs::RleV2, Ways>(); }

TEST_F(CudaOrc, ManyChunksOfAllSizesComeBack) {
  check_many_chunks<codecs::RleV1>();
  check_many_chunks<codecs::RleV2>();
}

TEST_F(CudaOrc, DamagedRleV1StaysInside) { check_damaged<codecs::RleV1, Ways>(); }
TEST_F(CudaOrc, DamagedRleV2StaysInside) { check_damaged<codecs::RleV2, Ways>(); }

}  // namespace
}  // namespace gannet::test
