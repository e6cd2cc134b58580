// The launches of a pruned search, one after the other on the host, in poisoned memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "query/gpu/device/kernels/pruned/exchange.cuh"
#include "query/gpu/device/kernels/pruned/first_wave.cuh"
#include "query/gpu/device/kernels/pruned/second_wave.cuh"
#include "query/gpu/device/kernels/pruned/short_lists.cuh"
#include "query/gpu/device/kernels/pruned/start_windows.cuh"
#include "query/gpu/device/kernels/pruned/sums.cuh"
#include "query/gpu/device/kernels/pruned/waves.cuh"
#include "query/gpu/device/kernels/pruned/windows.cuh"
#include "query/gpu/plan/pruned/pruned_batch.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"

namespace gannet::query::cuda {

/// What pruned_run.cpp does with the device, but for the selection.
template <class Tiles, class Scorers>
class KernelRun {
 public:
  KernelRun(const PrunedBatch& batch, std::uint64_t seed) : batch_(batch), seed_(seed) {
    batch.segments->fill(view_);
    view_.scorer = batch.scorer;
    view_.k1 = batch.k1;
    view_.shared = batch.shared;
    view_.queries_count = batch.sizes.queries;
    view_.short_count = batch.sizes.shorts;
    view_.short_parts = 2;
    view_.max_terms = batch.sizes.max_terms;
    view_.wave_size = 3;
    view_.first_superblocks = 2;
    view_.later_superblocks = kUnitSuperblocks;
    view_.queries = batch.tables.queries;
    view_.parts = batch.tables.parts;
    view_.terms = batch.tables.terms;
    view_.rows = batch.tables.rows;
    view_.shorts = batch.tables.shorts;
    view_.nodes = batch.tables.nodes;
    make_room();
  }

  /// Each query's k best, best first.
  std::vector<std::vector<std::uint64_t>> search() {
    if (batch_.path == PrunedPath::kBounds) {
      search_by_bounds();
    } else {
      search_windows();
    }
    std::vector<std::vector<std::uint64_t>> best;
    for (std::size_t q = 0; q < batch_.sizes.queries; ++q) best.push_back(best_of(q));
    return best;
  }

  const PrunedCounters& counters() const { return counters_; }

 private:
  void search_by_bounds() {
    launch({codecs::ceil_div(view_.short_count * view_.short_parts, kShortThreads / kLanes),
            view_.most_chunks, 1},
           kShortThreads, 0, short_lists_kernel<Tiles, Scorers>, view_);
    launch({view_.queries_count, view_.chunks, 1}, kSumThreads, sizeof(ShortSums), sums_kernel,
           view_);
    launch({view_.queries_count, 1, 1}, kFirstWaveThreads, FirstWave::bytes(view_),
           first_wave_kernel, view_);
    const std::uint32_t bytes = UnitMemory<typename Tiles::Place>::bytes(view_.max_terms);
    launch({view_.queries_count, 1, 1}, 2 * kLanes, 2 * bytes, first_search_kernel<Tiles, Scorers>,
           view_, 2u);
    if (view_.shared.shards > 1) {
      launch({codecs::ceil_div(view_.queries_count, kExchangeThreads / kLanes), 1, 1},
             kExchangeThreads, 0, exchange_scores_kernel, view_, 1000u);
    }
    launch({codecs::ceil_div(view_.queries_count, kSecondWaveQueries), view_.stretches, 1},
           kSecondWaveThreads, 0, second_wave_kernel, view_);
    launch({3, 1, 1}, kWaveThreads, kWaveThreads / kLanes * bytes,
           second_search_kernel<Tiles, Scorers>, view_);
  }

  void search_windows() {
    launch({view_.queries_count, 1, 1}, kScoreBins, 0, start_windows_kernel, view_);
    launch({view_.queries_count, std::min(3u, view_.windows), 1}, kWindowThreads,
           WindowMemory::bytes(view_.max_terms), windows_kernel<Tiles, Scorers>, view_);
  }

  template <class... Parameters, class... Arguments>
  void launch(dim3 grid, std::uint32_t threads, std::size_t shared_bytes,
              void (*kernel)(Parameters...), Arguments... arguments) {
    if (grid.x == 0) return;
    simt::launch(
        {.grid = grid, .block = {threads, 1, 1}, .shared_bytes = shared_bytes, .seed = seed_},
        kernel, arguments...);
  }

  template <class T>
  T* array(std::vector<T>& values, std::size_t size) {
    constexpr int kPoison = 0xab;
    values.resize(size);
    if (size > 0) std::memset(static_cast<void*>(values.data()), kPoison, size * sizeof(T));
    return values.data();
  }

  void make_room() {
    const std::size_t queries = batch_.sizes.queries;
    const std::size_t superblocks = queries * view_.superblocks;
    const std::size_t entries = std::size_t{batch_.sizes.short_tiles} * codecs::kTile;
    view_.entry_ranges = reinterpret_cast<std::uint32_t*>(array(entry_ranges_, entries / 4));
    view_.entry_bounds = reinterpret_cast<std::uint16_t*>(array(entry_bounds_, entries / 4));
    view_.short_groups =
        array(short_groups_,
              std::size_t{batch_.sizes.short_tiles} * kGroupsPerTile + batch_.sizes.shorts);
    view_.chunk_tiles = array(chunk_tiles_, batch_.sizes.chunk_pointers);
    view_.maxima = reinterpret_cast<std::uint16_t*>(array(maxima_, superblocks / 8));
    view_.sums = array(sums_, 2 * superblocks);
    view_.first_items = array(first_items_, queries * view_.first_room());
    view_.bins = array(bins_, queries);
    view_.histogram = reinterpret_cast<std::uint32_t*>(array(histogram_, queries * kScoreBins / 4));
    view_.finalists = array(finalists_, batch_.sizes.finalists);
    view_.units = array(units_, superblocks + queries * view_.stretches * kUnitSuperblocks);
    view_.unit_count = array(unit_count_, 1);
    view_.first_counts = array(first_counts_, queries);
    view_.cuts = array(cuts_, queries);
    view_.thresholds = array(thresholds_, queries);
    view_.finalist_counts = array(finalist_counts_, queries);
    view_.counters = &counters_;
  }

  std::vector<std::uint64_t> best_of(std::size_t q) const {
    const PrunedQuery& query = batch_.tables.queries[q];
    const std::uint32_t count = finalist_counts_[q];
    EXPECT_LE(count, query.capacity);
    const auto first = finalists_.begin() + static_cast<std::ptrdiff_t>(query.first_finalist);
    std::vector<std::uint64_t> keys(first, first + std::min(count, query.capacity));
    std::ranges::sort(keys, std::greater<>());
    keys.resize(std::min<std::size_t>(keys.size(), query.k));
    return keys;
  }

  const PrunedBatch& batch_;
  const std::uint64_t seed_;
  PrunedView view_{};
  PrunedCounters counters_{};
  std::vector<uint4> entry_ranges_, maxima_, sums_, histogram_;
  std::vector<uint2> entry_bounds_;
  std::vector<std::uint32_t> short_groups_, chunk_tiles_, first_items_, units_, unit_count_,
      first_counts_, cuts_, thresholds_, finalist_counts_;
  std::vector<std::uint64_t> finalists_;
  std::vector<float2> bins_;
};

}  // namespace gannet::query::cuda
