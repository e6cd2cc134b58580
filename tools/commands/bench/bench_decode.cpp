// gannet bench decode: decode throughput per list length.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/sources/fields.hpp"
#include "tools/commands/bench/bench.hpp"
#include "tools/measure/device/decode_timing.hpp"
#include "tools/measure/lists.hpp"
#include "tools/measure/report.hpp"
#include "tools/options/backend_option.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/measuring.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kBenchDecodeHelp{"gannet bench decode [OPTIONS]",
                                    R"(
Measures how many integers a second each codec decodes, by list length: synthetic lists, the
lists of an index, or those of the terms of a query log. On the CPU one list on one thread and
a batch of lists on all threads; on the GPU one list a launch, the same replayed as a CUDA
graph, and a batch of lists in one launch. Prints bits per integer, billions of integers a
second, and the share of what the memory can do, measured in the same run. Every output is
checked.)",
                                    R"(
  gannet bench decode --quick
  gannet bench decode --codec gpu-bp128,gpu-dfor --max-log 25 --plot decode.png
  gannet bench decode --index idx --content docids,freqs
  gannet bench decode --index idx --topics queries.tsv --json)"};

/// Longest lists where none is asked for: 2^22 on the CPU, 2^27 on the GPU.
constexpr int kCpuMaxLog = 22;
constexpr int kGpuMaxLog = 27;
/// Values in a batch of short lists where no number of lists is asked for. The start and the end of
/// a launch take as long as 2^22 values.
constexpr std::uint64_t kCpuBatchValues = 1u << 21;
constexpr std::uint64_t kGpuBatchValues = 1u << 28;
constexpr std::uint64_t kGpuQuickValues = 1u << 27;
/// What a value takes of the device's memory: its word, what is encoded, and the table of groups.
constexpr std::uint64_t kDeviceBytesPerValue = 9;

/// "2^29" or "536870912".
std::uint64_t parse_power(std::string_view option, const std::string& text) {
  constexpr unsigned kMaxLog = 32;
  if (text.starts_with("2^")) {
    const auto log = corpora::parse_number<unsigned>(std::string_view(text).substr(2));
    if (log && *log <= kMaxLog) return std::uint64_t{1} << *log;
  } else {
    const auto number = corpora::parse_number<std::uint64_t>(text);
    if (number && *number >= 1 && *number <= std::uint64_t{1} << kMaxLog) return *number;
  }
  throw UsageError(fmt::format("{}: '{}' is not a number from 1 to 2^32", option, text));
}

struct Lengths {
  int min_log, max_log;
};

Lengths lengths_of(const OptionSet& options, bool gpu) {
  Lengths lengths{options.get<int>("min-log"), gpu ? kGpuMaxLog : kCpuMaxLog};
  if (options.has("max-log")) lengths.max_log = options.get<int>("max-log");
  if (options.has("lengths")) {
    const std::string text = options.get<std::string>("lengths");
    const std::size_t dots = text.find("..");
    const auto log_of = [](const std::string& part) {
      const std::uint64_t length = parse_power("--lengths", part);
      const int log = static_cast<int>(std::bit_width(length)) - 1;
      if (std::has_single_bit(length)) return log;
      throw UsageError(fmt::format(
          "--lengths: {} is no power of two, and only those are measured; write 2^{} or 2^{}",
          length, log, log + 1));
    };
    lengths.min_log = log_of(text.substr(0, dots));
    lengths.max_log = dots == std::string::npos ? lengths.min_log : log_of(text.substr(dots + 2));
  }
  check_range("--min-log", lengths.min_log, 0, 29);
  check_range("--max-log", lengths.max_log, lengths.min_log, 29);
  return lengths;
}

std::vector<const codecs::ListCodec*> codecs_of(const OptionSet& options) {
  std::vector<const codecs::ListCodec*> chosen;
  const std::string names = options.get<std::string>("codec");
  if (names == "all") {
    for (const codecs::ListCodec& codec : codecs::all_list_codecs()) chosen.push_back(&codec);
  } else {
    for (const std::string& name : split_commas(names)) {
      chosen.push_back(&codecs::list_codec_named(name));
    }
  }
  if (chosen.empty()) throw UsageError("--codec: no codec is named");
  return chosen;
}

std::vector<Output> outputs_of(const OptionSet& options) {
  const bool index = options.has("index");
  if (!options.has("content")) {
    std::vector<Output> outputs{Output::kGaps, Output::kDocids};
    if (index) outputs.push_back(Output::kFreqs);
    return outputs;
  }
  std::vector<Output> outputs = options.choices<Output>("content");
  if (!index && std::ranges::count(outputs, Output::kFreqs) != 0) {
    throw UsageError("--content freqs: synthetic lists have no frequencies; give an --index");
  }
  return outputs;
}

std::vector<ListGroup> synthetic_groups_of(const OptionSet& options, const Lengths& lengths) {
  const std::uint64_t universe = parse_power("--universe", options.get<std::string>("universe"));
  const auto seed = options.get<std::uint64_t>("seed");
  std::string models = options.get<std::string>("distribution");
  if (models == "both") models = options.has("quick") ? "uniform" : "uniform,clustered";
  std::vector<ListGroup> groups;
  for (const std::string& name : split_commas(models)) {
    const auto made = synthetic_groups(corpora::list_model(name), lengths.min_log, lengths.max_log,
                                       universe, seed);
    groups.insert(groups.end(), made.begin(), made.end());
  }
  if (groups.empty()) throw UsageError("--universe: it is smaller than the shortest list");
  return groups;
}

std::vector<ListGroup> groups_of(const OptionSet& options, const Lengths& lengths) {
  if (!options.has("index")) {
    if (options.has("topics")) throw UsageError("--topics needs an --index");
    return synthetic_groups_of(options, lengths);
  }
  const auto index =
      std::make_shared<const index::Index>(index::Index::open(options.get<std::string>("index")));
  if (!options.has("topics")) {
    return index_groups(index, lengths.min_log, lengths.max_log);
  }
  const auto topics = corpora::read_topics(options.get<std::string>("topics"));
  return topic_groups(index, topics, lengths.min_log, lengths.max_log);
}

/// Every other group of a source, the last one among them.
void thin_out(std::vector<ListGroup>& groups) {
  std::vector<ListGroup> kept;
  for (std::size_t i = groups.size(); i-- > 0;) {
    if ((groups.size() - 1 - i) % 2 == 0) kept.push_back(std::move(groups[i]));
  }
  std::reverse(kept.begin(), kept.end());
  groups = std::move(kept);
}

/// `wanted` values, or fewer if they would take more than half of the device's free memory.
std::uint64_t gpu_batch_values(std::uint64_t wanted) {
  const std::size_t room = measure::free_device_memory() / 2;
  while (wanted > 1 && wanted * kDeviceBytesPerValue > room) wanted /= 2;
  return wanted;
}

DecodePlan decode_plan(const OptionSet& options) {
  DecodePlan plan;
  const bool quick = options.has("quick");
  plan.gpu = use_gpu(options);
  plan.cpu = options.get<std::string>("backend") != "cuda";
  const Lengths lengths = lengths_of(options, plan.gpu);
  plan.codecs = codecs_of(options);
  plan.outputs = outputs_of(options);
  plan.groups = groups_of(options, lengths);
  if (quick) thin_out(plan.groups);
  const bool all_lengths = options.has("max-log") || options.has("lengths") || options.has("index");
  plan.cpu_longest = std::uint64_t{1} << (all_lengths || !plan.gpu ? 30 : kCpuMaxLog);
  plan.batch_lists = options.get<std::uint64_t>("batch");
  plan.batch_values =
      plan.gpu ? gpu_batch_values(quick ? kGpuQuickValues : kGpuBatchValues) : kCpuBatchValues;
  const unsigned threads = options.get<unsigned>("threads");
  plan.threads = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  plan.repeats = quick ? std::min(7, options.get<int>("repeats")) : options.get<int>("repeats");
  return plan;
}

}  // namespace

int cmd_bench_decode(Args args) {
  OptionSet options(kBenchDecodeHelp);
  options.add(options::kBenchDecodeOptions);
  options.index_if_named();
  if (!options.parse(args)) return kOk;
  check_bench_output(options);
  const DecodePlan plan = decode_plan(options);
  if (options.has("plot")) {
    check_plot_file(options.get<std::string>("plot"), options.has("overwrite"));
  }
  Progress progress(options.json());
  const DecodeReport report =
      run_decode(plan, [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
        progress.update(stage, done, total);
      });
  progress.clear();
  const Json json = envelope("bench decode", json_of(report, plan));
  if (options.has("output")) write_file(options.get<std::string>("output"), json_line(json) + '\n');
  if (options.json()) {
    print_json(json);
  } else {
    print_tables(report, plan);
  }
  if (options.has("plot")) plot(report, options.get<std::string>("plot"));
  return kOk;
}

}  // namespace gannet::tools
