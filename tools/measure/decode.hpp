// What `gannet bench decode` measures, apart from options and output.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/encoded_lists.hpp"
#include "tools/measure/device/ceilings.hpp"
#include "tools/measure/threads.hpp"

namespace gannet::tools {

using Lists = std::vector<std::vector<std::uint32_t>>;

/// What decoding gives.
enum class Output {
  kGaps,    ///< docid - previous - 1, without the prefix sum (as the CIKM'19 paper measures)
  kDocids,  ///< absolute docids, prefix sum included
  kFreqs,   ///< term frequency - 1
};
std::string_view to_string(Output output);
/// "gaps", "docids", "freqs". Throws UsageError for any other name.
Output output_named(std::string_view name);

/// Lists of about one length from one source.
struct ListGroup {
  std::string source;  ///< "uniform", "clustered", "index", "topics"
  std::string label;   ///< "2^16", "all"
  double mean_length = 0;
  std::uint64_t longest = 0;
  /// The lists: docids or, for kFreqs, frequencies - 1; about `values` values or one list.
  std::function<Lists(Output output, std::uint64_t values)> make;
};

/// In which ways a group is decoded.
enum class Way { kCpuOne, kCpuAll, kGpuLaunch, kGpuGraph, kGpuBatch };
inline constexpr std::size_t kWays = 5;
/// "cpu, one thread" and so on.
std::string_view to_string(Way way);
/// "cpu_one_thread" and so on, for JSON.
std::string_view key_of(Way way);
inline bool on_gpu(Way way) { return way >= Way::kGpuLaunch; }

struct Speed {
  double seconds = 0;
  std::uint64_t values = 0;
  std::uint64_t bytes_read = 0;
  double limit_share = 0;    ///< share of what the memory could do, measured in the same run
  double latency_bound = 0;  ///< seconds; of a single list on the GPU, replayed; else 0
  double giga_values() const { return static_cast<double>(values) / seconds * 1e-9; }
};

/// One codec over one group.
struct DecodeResult {
  std::string source, label;
  double mean_length = 0;
  Output output = Output::kGaps;
  std::string codec;
  double bits = 0;          ///< bits per integer over all distinct lists
  std::uint64_t batch = 0;  ///< lists in a batch
  std::array<std::optional<Speed>, kWays> speeds;
};

/// What the memory can do: bytes read plus bytes written a second.
struct Limits {
  double cpu_one = 0;  ///< a copy by one thread
  double cpu_all = 0;  ///< a copy by all threads
  measure::MemoryCeilings gpu;
  std::string gpu_name;  ///< empty if no GPU is used
};

struct DecodePlan {
  std::vector<const codecs::ListCodec*> codecs;
  std::vector<Output> outputs;
  std::vector<ListGroup> groups;
  bool cpu = true;
  bool gpu = false;
  std::uint64_t cpu_longest = 0;   ///< longer lists are measured on the GPU only
  std::uint64_t batch_lists = 0;   ///< 0: as many as make batch_values
  std::uint64_t batch_values = 0;  ///< values in a batch of short lists
  unsigned threads = 1;
  int repeats = 25;
};

struct DecodeReport {
  Limits limits;
  std::vector<DecodeResult> results;
};

/// Measures memory limits, then everything; `progress` is told what is being done. Every output is
/// compared with what was encoded. Throws Error if one differs.
DecodeReport run_decode(const DecodePlan& plan,
                        const std::function<void(std::string_view stage, std::uint64_t done,
                                                 std::uint64_t total)>& progress);

}  // namespace gannet::tools
