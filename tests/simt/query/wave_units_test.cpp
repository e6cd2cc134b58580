// A first wave's superblocks as units of one segment each.
#include "query/gpu/device/kernels/pruned/wave_units.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "query/gpu/plan/pruned/segment_views.hpp"
#include "tests/support/random.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::query::cuda {
namespace {

constexpr std::uint32_t kThreads = 64;

__global__ void units_kernel(const __grid_constant__ PrunedView view,
                             const std::uint32_t* superblocks, std::uint32_t count,
                             std::uint32_t* ranks, std::uint32_t* entries, std::uint32_t* written) {
  __shared__ WaveUnits::Memory memory;
  const std::uint32_t all = WaveUnits(view, memory, superblocks, ranks, count).write(entries);
  if (threadIdx.x == 0) *written = all;
}

/// Up to kMaxBatchSegments, some of them empty.
SegmentViews random_segments(test::Random& random) {
  SegmentViews segments;
  const std::uint32_t count = 1 + random() % kMaxBatchSegments;
  for (std::uint32_t s = 0; s < count; ++s) {
    IndexView index{};
    index.documents = random() % 4 == 0 ? 0 : 1 + random() % 50000;
    segments.add(index, 0);
  }
  IndexView last{};
  last.documents = 1;
  if (segments.superblocks() == 0 && segments.takes(last)) segments.add(last, 0);
  return segments;
}

std::uint32_t segment_of(const SegmentViews& segments, std::uint32_t superblock) {
  std::uint32_t found = 0;
  while (superblock - segments[found].first_superblock >= segments[found].superblocks) ++found;
  return found;
}

TEST(WaveUnits, HoldEachSuperblockOnceAndOneSegmentEach) {
  test::Random random(5);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const SegmentViews segments = random_segments(random);
    if (segments.superblocks() == 0) continue;
    PrunedView view{};
    segments.fill(view);
    view.first_superblocks = 1u << random() % 3;
    view.wave_size = 40;
    std::vector<std::uint32_t> wave(segments.superblocks());
    for (std::uint32_t i = 0; i < wave.size(); ++i) wave[i] = i;
    std::ranges::shuffle(wave, random);
    wave.resize(std::min<std::size_t>(wave.size(), random() % (2 * view.wave_size + 1)));
    std::vector<std::uint32_t> ranks(wave.size(), kNone);
    std::vector<std::uint32_t> entries(2 * view.wave_size + kMaxBatchSegments * kUnitSuperblocks,
                                       7);
    std::uint32_t written = 0;
    simt::launch({.grid = 1, .block = kThreads, .seed = round}, units_kernel, view, wave.data(),
                 static_cast<std::uint32_t>(wave.size()), ranks.data(), entries.data(), &written);
    ASSERT_LE(written, view.first_room() + (segments.size() == 1 ? kUnitSuperblocks : 0));
    std::map<std::uint32_t, std::vector<std::uint32_t>> expected, found;
    for (const std::uint32_t each : wave) expected[segment_of(segments, each)].push_back(each);
    std::map<std::uint32_t, std::uint32_t> units;
    for (std::uint32_t unit = 0; unit < written; unit += view.first_superblocks) {
      ASSERT_NE(entries[unit], kNone) << "a unit begins with a superblock";
      const std::uint32_t segment = segment_of(segments, entries[unit]);
      const std::uint32_t number = units[segment]++;
      // First units come before second ones.
      for (const auto& [other, count] : units)
        EXPECT_LE(count, number + (other <= segment ? 1 : 0));
      for (std::uint32_t i = unit; i < unit + view.first_superblocks; ++i) {
        if (entries[i] != kNone) found[segment].push_back(entries[i]);
      }
    }
    EXPECT_EQ(found, expected) << "in their order, round " << round;
  }
}

}  // namespace
}  // namespace gannet::query::cuda
