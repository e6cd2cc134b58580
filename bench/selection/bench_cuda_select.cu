// Selecting every query's best k of its finalists: the query kernels' way
// (query/gpu/device/kernels/ select.cu) beside CUB's. Every output is compared with the host's.
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/program.hpp"
#include "bench/frame/verify.hpp"
#include "bench/selection/cub_selection.cuh"
#include "bench/selection/finalists.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/plan/launch.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;
namespace device = query::cuda;
using Keys = std::vector<std::uint64_t>;

std::vector<int> begins_of(const Finalists& from) {
  std::vector<int> begins(from.queries);
  for (std::uint32_t q = 0; q < from.queries; ++q) begins[q] = static_cast<int>(q * from.room);
  return begins;
}

std::vector<int> ends_of(const Finalists& from) {
  std::vector<int> ends = begins_of(from);
  for (std::uint32_t q = 0; q < from.queries; ++q) ends[q] += static_cast<int>(from.counts[q]);
  return ends;
}

template <class T>
cuda::DeviceArray<T> on_device(const std::vector<T>& values) {
  return cuda::upload(std::span<const T>(values));
}

/// One batch of finalists, and what all ways of selecting from it share.
class Batch {
 public:
  Batch(const Finalists& finalists, int repeats)
      : host_(finalists),
        repeats_(repeats),
        keys_(on_device(finalists.keys)),
        counts_(on_device(finalists.counts)),
        begins_(on_device(begins_of(finalists))),
        ends_(on_device(ends_of(finalists))) {}

  /// Median seconds of our way, sorting included; throws unless it selects `expected`.
  double time_ours(std::uint32_t k, const Keys& expected) const {
    const auto queries = on_device(select_queries(k));
    cuda::DeviceArray<std::uint64_t> selected(std::size_t{host_.queries} * k);
    cuda::DeviceArray<std::uint64_t> sorted(selected.size());
    cuda::DeviceArray<std::uint32_t> selected_counts(host_.queries);
    cuda::DeviceArray<std::int64_t> ends(host_.queries);
    const device::SelectView view{queries.data(),
                                  host_.queries,
                                  keys_.data(),
                                  counts_.data(),
                                  selected.data(),
                                  k,
                                  selected_counts.data(),
                                  nullptr,
                                  nullptr,
                                  0};
    const bool sorts = k > device::tuning::kBlockSorted;
    cuda::DeviceArray<std::byte> scratch(sorts ? device::sort_scratch_bytes(host_.queries, k) : 0);
    std::uint64_t* const result = sorts ? sorted.data() : selected.data();
    poison(result, sorted.bytes());
    const cuda::OwnedStream stream;
    const double seconds = measure::time_each(stream, repeats_, [&](int) {
      device::launch_selection(view, stream);
      if (!sorts) return;
      device::launch_sort(view, sorted.data(), ends.data(), scratch.data(), scratch.bytes(),
                          stream);
    });
    check_rows("Gannet", result, k, k, true, expected);
    return seconds;
  }

  /// The same for one of CUB's.
  double time_cub(const CubWay& way, std::uint32_t k, const Keys& expected) const {
    const DeviceFinalists from{keys_.data(),        begins_.data(), ends_.data(),
                               host_.counts.data(), host_.queries,  host_.room};
    cuda::DeviceArray<std::uint64_t> out(host_.keys.size());
    const cuda::OwnedStream stream;
    std::size_t bytes = 0;
    cuda::check(way.run(from, k, out.data(), nullptr, bytes, stream), way.name);
    cuda::DeviceArray<std::byte> scratch(std::max<std::size_t>(bytes, 1));
    poison(out.data(), out.bytes());
    const double seconds = measure::time_each(stream, repeats_, [&](int) {
      std::size_t given = scratch.bytes();
      cuda::check(way.run(from, k, out.data(), scratch.data(), given, stream), way.name);
    });
    check_rows(way.name, out.data(), host_.room, k, way.sorts, expected);
    return seconds;
  }

 private:
  /// As the kernel reads them: where a query's finalists are, and how many are wanted.
  std::vector<device::SelectQuery> select_queries(std::uint32_t k) const {
    std::vector<device::SelectQuery> queries(host_.queries);
    for (std::uint32_t q = 0; q < host_.queries; ++q) {
      queries[q] = {std::uint64_t{q} * host_.room, host_.room, k};
    }
    return queries;
  }

  /// Throws unless the query's keys that stand from out[q * stride] on are those of `expected`.
  void check_rows(const char* name, const std::uint64_t* out, std::uint32_t stride, std::uint32_t k,
                  bool in_order, const Keys& expected) const {
    Keys rows(expected.size());
    cuda::check(
        cudaMemcpy2D(rows.data(), k * sizeof(std::uint64_t), out, stride * sizeof(std::uint64_t),
                     k * sizeof(std::uint64_t), host_.queries, cudaMemcpyDeviceToHost),
        "cudaMemcpy2D from the device");
    for (std::uint32_t q = 0; q < host_.queries; ++q) {
      const auto first = rows.begin() + static_cast<std::ptrdiff_t>(std::size_t{q} * k);
      const auto last = first + std::min(k, host_.counts[q]);
      if (!in_order) std::sort(first, last, std::greater<>());
      if (std::equal(first, last, expected.begin() + (first - rows.begin()))) continue;
      throw std::runtime_error(std::string(name) + ": the best " + std::to_string(k) + " of the " +
                               std::to_string(host_.counts[q]) + " finalists of query " +
                               std::to_string(q) + " are not the host's");
    }
  }

  const Finalists& host_;
  int repeats_;
  cuda::DeviceArray<std::uint64_t> keys_;
  cuda::DeviceArray<std::uint32_t> counts_;
  cuda::DeviceArray<int> begins_;
  cuda::DeviceArray<int> ends_;
};

void measure_row(Table& table, const Batch& batch, const Finalists& finalists, const char* scores,
                 std::uint32_t k) {
  const Keys expected = best_of(finalists, k);
  const double ours = batch.time_ours(k, expected);
  std::vector<Cell> row{scores, static_cast<double>(finalists.queries),
                        static_cast<double>(finalists.room), static_cast<double>(k), ours * 1e6};
  double fastest = 1e9;
  for (const CubWay& way : kCubWays) {
    const double seconds = batch.time_cub(way, k, expected);
    row.emplace_back(seconds * 1e6);
    fastest = std::min(fastest, seconds);
  }
  row.emplace_back(fastest / ours);
  table.add(std::move(row));
}

std::vector<std::string> column_names() {
  std::vector<std::string> names{"scores", "queries", "room a query", "k", "Gannet us"};
  for (const CubWay& way : kCubWays) names.push_back(std::string(way.name) + " us");
  names.emplace_back("fastest of CUB / Gannet");
  return names;
}

void run(Program& program, std::uint32_t log) {
  program.device();
  program.report().fact("CUB", static_cast<double>(CUB_VERSION));
  Table& table = program.report().table(
      {"select",
       "The best k of each query's finalists (half the room to all of it is full), in order; CUB's "
       "top k gives them in no order. Small batches are read from the L2 cache, as they are after "
       "scoring",
       column_names(),
       {}});
  const std::uint64_t most = std::uint64_t{1} << log;
  for (const Scores scores : {Scores::kSpread, Scores::kAlike}) {
    for (const std::uint32_t queries : {1u, 32u, 1024u}) {
      for (const std::uint32_t room : {256u, 4096u, 65'536u, device::tuning::kMaxFinalists}) {
        if (std::uint64_t{queries} * room > most) continue;
        const Finalists finalists = make_finalists(queries, room, scores);
        const Batch batch(finalists, program.repeats());
        for (const std::uint32_t k : {10u, 1000u, 10'000u}) {
          if (k > room / 2) continue;
          measure_row(table, batch, finalists, scores == Scores::kSpread ? "spread" : "alike", k);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  std::uint32_t log = 26;
  gannet::bench::Program program(
      "bench_cuda_select",
      "Selects the best k of every query's finalists on the device, beside CUB's functions.");
  program.repeats(25).option("log", log, "batches with room for 2^log keys at most (20 to 30)");
  return program.main(argc, argv, [&] { gannet::bench::run(program, std::clamp(log, 20u, 30u)); });
}
