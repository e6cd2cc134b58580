// gannet bench decode: decode throughput per list length.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "tools/commands/bench/bench.hpp"
#include "tools/measure/device/decode_timing.hpp"
#include "tools/measure/lists.hpp"
#include "tools/measure/report.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kBenchDecodeHelp{
    "gannet bench decode [OPTIONS]",
    "Measures how many integers a second each codec decodes, by list length: synthetic lists, the\n"
    "lists of an index, or those of the terms of a query log. On the CPU one list on one thread "
    "and\n"
    "a batch of lists on all threads; on the GPU one list a launch, the same replayed as a CUDA\n"
    "graph, and a batch of lists in one launch. Prints bits per integer, billions of integers a\n"
    "second, and the share of what the memory can do, measured in the same run. Every output is\n"
    "checked.",
    "  gannet bench decode --quick\n"
    "  gannet bench decode --codec gpu-bp128,gpu-dfor --max-log 25 --plot decode.png\n"
    "  gannet bench decode --index idx --content docids,freqs\n"
    "  gannet bench decode --index idx --topics queries.tsv --json"};

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

void declare_decode_options(OptionSet& options) {
  options.add("codec", text("all"), "codecs, separated by commas, or all");
  options.add("lengths", text(), "2^MIN..2^MAX: short for --min-log MIN --max-log MAX");
  options.add("min-log", number<int>(10), "shortest lists: 2^N");
  options.add("max-log", number<int>(),
              "longest lists: 2^N (default 22 on the CPU, 27 on the GPU)");
  options.add("distribution", text("both"), "of synthetic lists: uniform, clustered or both");
  options.add("universe", text("2^29"), "synthetic ids are below this");
  options.add("seed", number<std::uint64_t>(1), "of synthetic lists");
  options.add("index", text(), "measure the lists of this index instead");
  options.add("topics", text(), "with --index: the lists of these topics' terms");
  options.add("content", text(),
              "what decoding gives: gaps, docids (prefix sums included), freqs (with --index)");
  options.add("backend", text("auto"), "auto (the CPU, and the GPU if there is one), cpu or cuda");
  options.add("threads", number<unsigned>(0), "of the CPU; 0: all cores");
  options.add("batch", number<std::uint64_t>(0),
              "lists in a batch; 0: as many as make 2^28 values (--quick 2^27, CPU 2^21)");
  options.add("repeats", number<int>(25), "measurements, of which the median counts");
  options.add("plot", text(), "draw throughput over length (.png, .svg or .pdf)");
  options.add("output", text(), "write the JSON to this file, beside the tables on stdout");
  add_overwrite_option(options);
  options.flag("quick", "every other length, uniform lists, 7 repeats, smaller batches");
}

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
  std::string names = index ? "gaps,docids,freqs" : "gaps,docids";
  if (options.has("content")) names = options.get<std::string>("content");
  std::vector<Output> outputs;
  for (const std::string& name : split_commas(names)) {
    outputs.push_back(output_named(name));
    if (outputs.back() == Output::kFreqs && !index) {
      throw UsageError("--content freqs: synthetic lists have no frequencies; give an --index");
    }
  }
  if (outputs.empty()) throw UsageError("--content: nothing is named");
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

void choose_backend(const std::string& name, DecodePlan& plan) {
  if (name != "auto" && name != "cpu" && name != "cuda") {
    throw UsageError(fmt::format("--backend: '{}' is none of auto, cpu, cuda", name));
  }
  std::string why;
  const bool available = name != "cpu" && codecs::cuda::available(&why);
  if (name == "cuda" && !available) throw NoDeviceError(fmt::format("--backend cuda: {}", why));
  plan.gpu = available;
  plan.cpu = name != "cuda";
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
  check_range("--repeats", options.get<int>("repeats"), 1, 1000);
  choose_backend(options.get<std::string>("backend"), plan);
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
  declare_decode_options(options);
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
