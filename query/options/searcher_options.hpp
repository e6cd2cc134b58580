// Options of a searcher, with the choice of its back end.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "query/options/cpu_options.hpp"
#include "query/options/cuda_options.hpp"

namespace gannet::query {

/// The back end that searches. kAuto: CUDA if its back end can be made, else CPU (searcher.hpp).
/// Batches of counts and docids that the CPU is expected to finish sooner run there nonetheless
/// (backend/choosing_backend.hpp): Report::backend and Report::reason say so.
enum class BackendChoice { kAuto, kCpu, kCuda };

/// The names of the BackendChoice values, in their order.
inline constexpr std::array<std::string_view, 3> kBackendNames{"auto", "cpu", "cuda"};

/// Options of the constructor of Searcher.
struct SearcherOptions {
  BackendChoice backend = BackendChoice::kAuto;
  CpuOptions cpu = {};
  CudaOptions cuda = {};
  /// Host memory for columns that stay decoded between column queries, in bytes; a column takes 1
  /// to 8 bytes per code. The least recently used columns are dropped first. A column without room
  /// is decoded for each query. 0: no column stays decoded.
  std::uint64_t column_bytes = std::uint64_t{256} << 20;
};

}  // namespace gannet::query
