// How a searcher is set, and its back end chosen.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "query/options/cpu_options.hpp"
#include "query/options/cuda_options.hpp"

namespace gannet::query {

/// Which processor searches.
enum class BackendChoice { kAuto, kCpu, kCuda };

/// Their names, by value.
inline constexpr std::array<std::string_view, 3> kBackendNames{"auto", "cpu", "cuda"};

/// What a searcher is made with.
struct SearcherOptions {
  BackendChoice backend = BackendChoice::kAuto;
  CpuOptions cpu = {};
  CudaOptions cuda = {};
  /// Memory of the host for columns that stay decoded for later queries by columns, in bytes: 1 to
  /// 8 bytes a code. Those that were not used for the longest time go first; what finds no room is
  /// decoded for each query. 0: all are.
  std::uint64_t column_bytes = std::uint64_t{256} << 20;
};

}  // namespace gannet::query
