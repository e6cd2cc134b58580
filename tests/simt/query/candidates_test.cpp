// The top k that warps collect: radix selection, and buffers that cut themselves down.
#include "query/gpu/device/kernels/candidates.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "query/gpu/device/kernels/radix.cuh"
#include "tests/support/random.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::query::cuda {
namespace {

using test::Random;

struct Picked {
  std::uint32_t digit;
  std::uint32_t wanted;
  bool exact;
};

__global__ void pick_kernel(const std::uint32_t* counts, std::uint32_t wanted, Picked* picked,
                            std::uint32_t* left) {
  __shared__ std::uint32_t histogram[kDigits];
  for (std::uint32_t i = threadIdx.x; i < kDigits; i += codecs::kLanes) histogram[i] = counts[i];
  __syncwarp();
  bool exact = false;
  const std::uint32_t digit = pick_digit(histogram, wanted, exact);
  picked[threadIdx.x] = {digit, wanted, exact};
  __syncwarp();
  for (std::uint32_t i = threadIdx.x; i < kDigits; i += codecs::kLanes) left[i] = histogram[i];
}

/// Of a histogram whose digits are dense, sparse or one only.
std::vector<std::uint32_t> random_counts(Random& random) {
  std::vector<std::uint32_t> counts(kDigits);
  const std::uint32_t digits = 1u << random() % 9;
  for (std::uint32_t i = 0; i < digits; ++i) counts[random() % kDigits] += random() % 5;
  if (std::accumulate(counts.begin(), counts.end(), 0u) == 0) counts[random() % kDigits] = 1;
  return counts;
}

TEST(PickDigit, IsThatOfTheWantedKey) {
  Random random(31);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<std::uint32_t> counts = random_counts(random);
    const std::uint32_t keys = std::accumulate(counts.begin(), counts.end(), 0u);
    const std::uint32_t wanted = 1 + random() % keys;
    std::vector<Picked> picked(codecs::kLanes);
    std::vector<std::uint32_t> left(kDigits, 1);
    simt::launch({.grid = 1, .block = codecs::kLanes, .seed = seed}, pick_kernel, counts.data(),
                 wanted, picked.data(), left.data());
    std::uint32_t digit = kDigits - 1;
    std::uint32_t above = 0;
    while (above + counts[digit] < wanted) above += counts[digit--];
    for (const Picked& lane : picked) {
      EXPECT_EQ(lane.digit, digit);
      EXPECT_EQ(lane.wanted, wanted - above);
      EXPECT_EQ(lane.exact, wanted - above == counts[digit]);
    }
    EXPECT_EQ(left, std::vector<std::uint32_t>(kDigits, 0));
  }
}

/// A warp an item: offers its part of the keys, four a lane at a time, as scoring does.
__global__ void collect_kernel(const BatchView batch, const std::uint64_t* keys,
                               std::uint32_t count) {
  __shared__ std::uint32_t histograms[2][kDigits];
  const std::uint32_t in_block = threadIdx.x / codecs::kLanes;
  const std::uint32_t lane = threadIdx.x % codecs::kLanes;
  const std::uint32_t warp = blockIdx.x * 2 + in_block;
  std::uint32_t* const histogram = histograms[in_block];
  for (std::uint32_t i = lane; i < kDigits; i += codecs::kLanes) histogram[i] = 0;
  __syncwarp();
  if (warp >= batch.max_warps) return;
  Candidates candidates(batch, warp, 0, batch.queries[0]);
  constexpr std::uint32_t kAtOnce = 4 * codecs::kLanes;
  for (std::uint32_t first = warp * kAtOnce; first < count; first += batch.max_warps * kAtOnce) {
    candidates.refresh();
    candidates.make_room(kAtOnce, histogram);
    std::uint64_t mine[4];
    for (std::uint32_t j = 0; j < 4; ++j) {
      const std::uint32_t i = first + 4 * lane + j;
      mine[j] = i < count && candidates.admits(keys[i]) ? keys[i] : 0;
    }
    candidates.append(mine);
  }
  candidates.finish(batch.finalists, batch.finalist_counts, histogram);
}

/// The k best of what the items leave.
std::vector<std::uint64_t> collected(const std::vector<std::uint64_t>& keys, std::uint32_t k,
                                     std::uint32_t items, std::uint64_t seed) {
  BatchQuery query{};
  query.k = k;
  query.items = items;
  std::uint64_t threshold = 0;
  std::uint32_t finalist_count = 0;
  std::vector<std::uint64_t> finalists(std::size_t{items} * k);
  BatchView batch{};
  batch.capacity = k + 200;
  batch.max_warps = items;
  std::vector<std::uint64_t> buffers(std::size_t{items} * batch.capacity);
  batch.queries = &query;
  batch.thresholds = &threshold;
  batch.candidates = buffers.data();
  batch.finalists = finalists.data();
  batch.finalist_counts = &finalist_count;
  simt::launch({.grid = (items + 1) / 2, .block = 64, .seed = seed}, collect_kernel, batch,
               keys.data(), static_cast<std::uint32_t>(keys.size()));
  EXPECT_LE(finalist_count, finalists.size());
  finalists.resize(finalist_count);
  std::sort(finalists.begin(), finalists.end(), std::greater<>());
  finalists.resize(std::min<std::size_t>(k, finalists.size()));
  return finalists;
}

TEST(Candidates, KeepTheBestInEveryOrder) {
  Random random(32);
  for (const std::uint32_t k : {1u, 10u, 100u, 1000u}) {
    std::vector<std::uint64_t> keys(6000);
    for (std::uint64_t& key : keys) {
      // Scores of few distinct values, so that many keys share their upper half.
      key = std::uint64_t{0x40000000u + random() % 50} << 32 | random();
    }
    std::vector<std::uint64_t> best = keys;
    std::sort(best.begin(), best.end(), std::greater<>());
    best.resize(k);
    for (const std::uint32_t items : {1u, 2u, 5u}) {
      for (const std::uint64_t seed : {0, 1, 2}) {
        EXPECT_EQ(collected(keys, k, items, seed), best) << k << ' ' << items << ' ' << seed;
      }
    }
  }
}

TEST(Candidates, KeepAllThereAreOfFewerThanK) {
  const std::vector<std::uint64_t> keys{5, 9, 7};
  EXPECT_EQ(collected(keys, 10, 2, 1), (std::vector<std::uint64_t>{9, 7, 5}));
}

}  // namespace
}  // namespace gannet::query::cuda
