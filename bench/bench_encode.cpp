// Encoding one list, and checking an encoded one, on one CPU thread.
#include <benchmark/benchmark.h>

#include "bench/frame/benchmark_main.hpp"
#include "bench/frame/lists.hpp"

namespace gannet::bench {
namespace {

void encode(benchmark::State& state, const Case& the_case) {
  const bool docids = the_case.content == codecs::Content::kDocids;
  const auto encode = docids ? the_case.codec->encode_docids : the_case.codec->encode;
  const std::vector<std::uint32_t>& values = values_of(the_case);
  std::vector<std::uint32_t> words;
  for (auto _ : state) {
    words.clear();
    encode(values, words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}

void validate(benchmark::State& state, const Case& the_case) {
  const codecs::EncodedLists lists = encoded(the_case);
  for (auto _ : state) the_case.codec->validate(lists.words, the_case.length);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(the_case.length));
}

void register_all() {
  for (const Case& the_case : all_cases(12, 20, 4)) {
    benchmark::RegisterBenchmark(("encode/" + the_case.name()).c_str(), encode, the_case);
    benchmark::RegisterBenchmark(("validate/" + the_case.name()).c_str(), validate, the_case);
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  return gannet::bench::run_benchmarks(argc, argv, gannet::bench::register_all);
}
