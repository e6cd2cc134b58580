// What the Google Benchmark programs have in common.
#pragma once

#include <benchmark/benchmark.h>

namespace gannet::bench {

/// The main function of a program: `register_all()` registers the benchmarks, once the options are
/// known to be right. Returns the exit code.
template <class F>
int run_benchmarks(int argc, char** argv, F register_all) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace gannet::bench
