// Decoding one list: on one CPU thread, and on the GPU where there is one.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "bench/frame/benchmark_main.hpp"
#include "bench/frame/lists.hpp"
#include "codecs/base/cuda/device.hpp"
#include "corpora/synthetic/random.hpp"
#include "tools/measure/device/ceilings.hpp"
#include "tools/measure/device/decode_timing.hpp"

namespace gannet::bench {
namespace {

void set_counters(benchmark::State& state, const codecs::EncodedLists& lists) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lists.values()));
  state.counters["bits/int"] = lists.bits_per_value();
}

void decode_cpu(benchmark::State& state, const Case& the_case) {
  const codecs::EncodedLists lists = encoded(the_case);
  const bool docids = the_case.content == codecs::Content::kDocids;
  const auto decode = docids ? the_case.codec->decode_docids : the_case.codec->decode;
  std::vector<std::uint32_t> out(the_case.length);
  for (auto _ : state) {
    decode(lists.view(0), out.data());
    benchmark::ClobberMemory();
  }
  if (out != values_of(the_case)) state.SkipWithError("decoding gave wrong values");
  set_counters(state, lists);
}

/// One iteration is a whole measurement: the median of 25 launches between device events.
void decode_gpu(benchmark::State& state, const Case& the_case) {
  const codecs::EncodedLists lists = encoded(the_case);
  for (auto _ : state) {
    const auto timing = measure::time_decode(lists, values_of(the_case).data());
    if (!timing.verified) state.SkipWithError("decoding gave wrong values");
    state.SetIterationTime(timing.launch_seconds);
    state.counters["graph_G/s"] = static_cast<double>(lists.values()) / timing.graph_seconds * 1e-9;
  }
  set_counters(state, lists);
}

/// Values of exactly `width` bits, unsorted: what decoding costs by width.
std::vector<std::uint32_t> values_of_width(std::uint32_t count, std::uint32_t width) {
  corpora::Random random(width);
  std::vector<std::uint32_t> values(count);
  for (auto& value : values) value = static_cast<std::uint32_t>(random.next() >> (64 - width));
  return values;
}

/// Decoding 2^27 values of one width and writing them out, and the share of a copy's and of a mixed
/// read and write stream's throughput, measured in the same run.
void decode_width_gpu(benchmark::State& state, const codecs::ListCodec& codec,
                      std::uint32_t width) {
  static const measure::MemoryCeilings ceilings = measure::measure_ceilings();
  const std::vector<std::uint32_t> values = values_of_width(1u << 27, width);
  codecs::EncodedLists lists(codec, codecs::Content::kValues);
  lists.add(values);
  for (auto _ : state) {
    const auto timing = measure::time_decode(lists, values.data());
    if (!timing.verified) state.SkipWithError("decoding gave wrong values");
    state.SetIterationTime(timing.launch_seconds);
    const double read = 4.0 * static_cast<double>(lists.words.size());
    const double write = 4.0 * static_cast<double>(values.size());
    state.counters["of_copy"] =
        (read + write) / timing.launch_seconds / ceilings.copy_bytes_per_second;
    state.counters["of_mixed"] =
        (read + write) / timing.launch_seconds / ceilings.mixed(read, write);
  }
  set_counters(state, lists);
}

void register_widths() {
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    for (const std::uint32_t width : {1u, 4u, 8u, 12u, 16u, 24u, 32u}) {
      const std::string name =
          "gpu/" + std::string(codec.name) + "/width/" + std::to_string(width) + "/134217728";
      benchmark::RegisterBenchmark(
          name.c_str(),
          [&codec, width](benchmark::State& state) { decode_width_gpu(state, codec, width); })
          ->UseManualTime()
          ->Iterations(1);
    }
  }
}

void register_all() {
  for (const Case& the_case : all_cases(10, 22, 2)) {
    benchmark::RegisterBenchmark(("cpu/" + the_case.name()).c_str(), decode_cpu, the_case);
  }
  if (!codecs::cuda::available()) return;
  for (const Case& the_case : all_cases(16, 26, 2)) {
    benchmark::RegisterBenchmark(("gpu/" + the_case.name()).c_str(), decode_gpu, the_case)
        ->UseManualTime()
        ->Iterations(1);
  }
  register_widths();
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  return gannet::bench::run_benchmarks(argc, argv, gannet::bench::register_all);
}
