// CODAG's ways to decode rle-v1 and rle-v2 on the device: all give back what was encoded.
#include "bench/papers/codag/codag_kernels.cuh"
#include "tests/support/codecs/orc_device.cuh"

namespace gannet::test {
namespace {

using bench::Buffer;
using codecs::papers::DecodeBy;

template <class Codec>
struct Ways {
  template <class T>
  static std::vector<StripWay<T>> of() {
    using bench::launch_serial;
    return {
        {"shared memory", launch_serial<Codec, T, Buffer::kShared, DecodeBy::kAllLanes>},
        {"shared memory, lane 0", launch_serial<Codec, T, Buffer::kShared, DecodeBy::kLane0>},
        {"registers", launch_serial<Codec, T, Buffer::kRegisters, DecodeBy::kAllLanes>},
        {"memory", launch_serial<Codec, T, Buffer::kMemory, DecodeBy::kAllLanes>},
        {"memory, lane 0", launch_serial<Codec, T, Buffer::kMemory, DecodeBy::kLane0>},
        {"ours, unstaged", bench::launch_unstaged<Codec, T>},
    };
  }
};

/// Those with two warps a chunk. They meet by flags in shared memory, of which racecheck does not
/// know: it reports hazards here.
template <class Codec, class T>
std::vector<StripWay<T>> prefetching_ways() {
  return {
      {"prefetching warp", bench::launch_prefetch<Codec, T, DecodeBy::kAllLanes>},
      {"prefetching warp, lane 0", bench::launch_prefetch<Codec, T, DecodeBy::kLane0>},
  };
}

template <class Codec, class T>
void check_prefetching() {
  const auto all = prefetching_ways<Codec, T>();
  for (const std::string& structure : kRunStructures) {
    for (const std::uint32_t count : {1u, 127u, 2049u, 9001u}) {
      check_ways<Codec>(all, values_of<T>(numbers_in(structure, count)), "", structure);
    }
  }
  check_ways<Codec>(all, values_of<T>(numbers_in("mixed", 70000)), "chunk=32768", "mixed");
}

using CudaCodagColumns = CudaStrips;

TEST_F(CudaCodagColumns, RleV1ComesBackInEveryWay) { check_types<codecs::RleV1, Ways>(); }
TEST_F(CudaCodagColumns, RleV2ComesBackInEveryWay) { check_types<codecs::RleV2, Ways>(); }

TEST_F(CudaCodagColumns, PrefetchingWarpsGiveTheSame) {
  check_prefetching<codecs::RleV1, std::uint32_t>();
  check_prefetching<codecs::RleV1, std::uint64_t>();
  check_prefetching<codecs::RleV2, std::uint8_t>();
  check_prefetching<codecs::RleV2, std::uint32_t>();
}

TEST_F(CudaCodagColumns, DamagedRleV1StaysInside) { check_damaged<codecs::RleV1, Ways>(); }
TEST_F(CudaCodagColumns, DamagedRleV2StaysInside) { check_damaged<codecs::RleV2, Ways>(); }

}  // namespace
}  // namespace gannet::test
