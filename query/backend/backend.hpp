// The interface between the searcher and the processors that run plans.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "codecs/base/simd_level.hpp"
#include "index/index.hpp"
#include "query/backend/column_work.hpp"
#include "query/plan/plan.hpp"
#include "query/results/matches.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

struct PartialResult;  // query/backend/partial_result.hpp
struct GatherOptions;  // query/backend/gather_options.hpp
class ShardExchange;   // query/backend/gather_options.hpp

/// How a batch is run.
struct SearchOptions {
  /// Once a stop is requested, the call ends with CancelledError, within some ms.
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError, within some ms.
  Deadline deadline = kNoDeadline;
  /// Score every match, prune nothing by bounds of ranges: slower, and what the other results are
  /// compared with.
  bool exhaustive = false;
};

/// Runs plans on one index. Any number of threads may call it at the same time; results depend on
/// nothing but index and plan.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// Runs a batch: result i belongs to plan i. Fills in the report's counters. If it throws, also
  /// CancelledError or DeadlineError, it leaves nothing behind, and the next call works.
  virtual Results run(std::span<const Plan> plans, const SearchOptions& options,
                      Report& report) const = 0;

  /// run(), but for the way into flat arrays: for back ends that are made of others, which lay out
  /// what all of them found, and see to the deadline: the options have none. `results`: one a plan,
  /// empty. By default run() taken apart.
  virtual void gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
                      std::span<PartialResult> results) const;
  /// Where back ends of this kind for `shards` shards of an index tell one another in gather() what
  /// they find, so that all have less to search; null if they have nothing to tell.
  virtual std::unique_ptr<ShardExchange> make_exchange(std::size_t shards) const;

  /// What columns say of all documents that match a plan, whatever it wants of them, one a segment;
  /// nothing if the back end cannot find it out by itself: then run() with Want::kDocids says what
  /// matches. Throws what run() throws.
  virtual std::optional<std::vector<SegmentFindings>> look_at_columns(
      const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
    static_cast<void>(plan);
    static_cast<void>(work);
    static_cast<void>(options);
    return std::nullopt;
  }

  /// As run(), but what the first plans match, which want docids and are as many as there are
  /// `matches`, goes there, and their results have no documents. Matches of the index that are
  /// there keep their memory, not what they say. Nothing is done, and nothing returned, if the back
  /// end makes no bitmaps: then run() says what matches.
  virtual std::optional<Results> run_to_bitmaps(std::span<const Plan> plans,
                                                std::span<Matches> matches,
                                                const SearchOptions& options,
                                                Report& report) const {
    static_cast<void>(plans);
    static_cast<void>(matches);
    static_cast<void>(options);
    static_cast<void>(report);
    return std::nullopt;
  }
};

struct CpuOptions {
  /// Threads that work on batches, all callers together, no more than one a core; 0: one a core.
  unsigned threads = 0;
  /// Memory for bounds of lists, in bits per posting of the index, for each of the last four
  /// scorers and their parameters; 0: none, every search is exhaustive. More lists with bounds make
  /// searches faster. They are made when they are first needed.
  double bounds_bits = 2.5;
  /// Memory for bitmaps of filters that are kept for later searches, in bytes: a bit per document
  /// for each filter. 0: none is kept. Those that searches need just now come on top.
  std::uint64_t filter_bytes = std::uint64_t{256} << 20;
  /// The best vector instructions to use; the processor's best if absent or beyond it. For tests.
  std::optional<codecs::SimdLevel> simd = std::nullopt;
};

/// The CPU back end. Exact: with SearchOptions::exhaustive it is the oracle that everything else is
/// tested against. Keeps the index. Throws UsageError for options out of range.
std::unique_ptr<Backend> make_cpu_backend(std::shared_ptr<const index::Index> index,
                                          const CpuOptions& options);

/// How several devices share the work.
enum class Spread {
  kAuto,    ///< copies if the index fits on each device, else shards if it has enough segments
  kCopies,  ///< each device has the whole index, and searches a part of each batch
  kShards,  ///< each device has some segments, and searches them for all of each batch
};

/// "auto", "copies" or "shards". Throws UsageError for any other name.
Spread spread_of(std::string_view name);

struct CudaOptions {
  int device = 0;
  /// Several devices; `device` means nothing then. The other options are of each of them, but for
  /// host_threads, which they share. Results are those of one device, to the bit.
  std::vector<int> devices = {};
  Spread spread = Spread::kAuto;
  /// Device memory that this process may take for searching, all back ends of the device together,
  /// in bytes; of several the least holds as long as its back end lives. 0: what is free. What
  /// follows are shares of it. What cannot be had, be it that another process has it, is never an
  /// error of a search: caches and idle buffers are given back, the cheapest first, batches are cut
  /// into smaller ones, and what finds no room then runs on the host (Report::memory, host_plans).
  std::uint64_t device_bytes = 0;
  /// Device memory for the copy of the index: lists, what rules out work in them, and lengths of
  /// documents; 0: what is free. Of an index that is larger, the lists that are used the most are
  /// in device memory, and the others are read from page-locked memory of the host, as large as all
  /// lists. A copy that another back end of the process has made already is used as it is.
  std::uint64_t index_bytes = 0;
  /// Device memory for batches in flight, all callers together; 0: chosen from what is free. They
  /// take less while there is less.
  std::uint64_t pool_bytes = 0;
  /// Calls that run on the device at the same time, 1 to 64; others wait for one to end.
  unsigned concurrent_calls = 2;
  /// Host threads that unpack results and run what is too complex for the GPU, no more than one a
  /// core; 0: one a core.
  unsigned host_threads = 0;
  /// Device memory for bounds of lists, in bits per posting of the index, for each of the last four
  /// scorers and their parameters; 0: none, every search is exhaustive. Lists that find no room
  /// have none, and are searched more slowly. They are made when they are first needed.
  double bounds_bits = 2.5;
  /// Device memory for bitmaps of filters that are kept for later searches, in bytes: 9 bits for 8
  /// documents for each filter. Those that searches need just now come on top, a quarter of what is
  /// free at most: batches of more different filters are cut into parts.
  std::uint64_t filter_bytes = std::uint64_t{256} << 20;
  /// Searches with a filter after which bounds are made of what it lets pass, which takes as long
  /// as decoding the lists: for the last four filters that pass three quarters of the documents or
  /// fewer, as much memory each as bounds_bits says. 0: never. Results are the same.
  std::uint64_t filter_searches = 4096;
  /// Device memory for columns of fields that filters, facets and sorting read, in bytes; 0: an
  /// eighth of what is free when the back end is made. A column is copied when it is first needed;
  /// the host reads those that find no room.
  std::uint64_t column_bytes = 0;
  /// The host counts and sorts by columns where an index has fewer documents than this.
  std::uint64_t column_documents = std::uint64_t{1} << 18;
};

/// Whether a device has room for its own copy of all of the index. Throws CudaError.
bool fits_on_device(const index::Index& index, int device, const CudaOptions& options);

/// The CUDA back end of one device, CudaOptions::device. Keeps the index. Its copy in the memory of
/// a device is made once and shared by all back ends of the process that use the same segment on
/// the same device. Throws NoDeviceError if there is no GPU or this build has no CUDA code,
/// DeviceMemoryError if what rules out work in the index does not fit, UsageError for options out
/// of range.
std::unique_ptr<Backend> make_cuda_backend(std::shared_ptr<const index::Index> index,
                                           const CudaOptions& options);

/// Whether make_cuda_backend could work here; if not, `why` says what is missing.
bool cuda_available(std::string* why = nullptr);

}  // namespace gannet::query
