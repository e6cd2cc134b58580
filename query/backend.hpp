// The interface between the searcher and the processors that run plans.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/hits.hpp"
#include "query/query.hpp"

namespace gannet::query {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// Runs a batch: result i belongs to plan i. Not thread-safe. Fills in the report's counters.
  virtual std::vector<Result> run(std::span<const Plan> plans, Report& report) = 0;
};

struct CpuOptions {
  unsigned threads = 0;  ///< 0: all cores
};

/// The CPU back end; also the oracle of the GPU's tests. Exhaustive and exact.
std::unique_ptr<Backend> make_cpu_backend(const index::Index& index, const CpuOptions& options);

struct CudaOptions {
  int device = 0;
  std::uint64_t pool_bytes =
      0;  ///< device memory for batches in flight; 0: chosen from what is free
};

/// The CUDA back end. Copies the index to device memory and sizes its buffers, once.
/// Throws NoDeviceError if there is no GPU or this build has no CUDA code, DeviceMemoryError if the
/// index does not fit.
std::unique_ptr<Backend> make_cuda_backend(const index::Index& index, const CudaOptions& options);

/// Whether make_cuda_backend could work here; if not, `why` says what is missing.
bool cuda_available(std::string* why = nullptr);

}  // namespace gannet::query
