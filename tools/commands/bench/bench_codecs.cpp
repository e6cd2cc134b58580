// gannet bench codecs: size and speed of the codecs on columns of the user's.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "tools/commands/bench/bench.hpp"
#include "tools/measure/codecs.hpp"
#include "tools/measure/codecs_report.hpp"
#include "tools/measure/report.hpp"
#include "tools/options/backend_option.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/measuring.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

/// To how many values a short column is repeated where nothing is asked for.
constexpr std::uint64_t kCpuValues = 1u << 20;
constexpr std::uint64_t kGpuValues = 1u << 26;

constexpr HelpText kBenchCodecsHelp{"gannet bench codecs --input RAW... --type T [OPTIONS]",
                                    R"(
Measures codecs on columns of integers: files of little-endian values one behind the other (or
their .gz or .zst). Prints bits a value, all metadata included, and GB of raw values a second:
encoding and decoding on one thread of the CPU, decoding on the GPU where there is one, between
device events. Every output is checked.)",
                                    R"(
  gannet bench codecs --type i32 --input prices.i32
  gannet bench codecs --type i32 --input columns/*.i32.zst --codec auto,gpu-bp128,none
  gannet bench codecs --type u64 --input times.u64 --codec cascaded \
                      --parameters rles=1,deltas=1 --json)"};

std::vector<std::string> codecs_of(const std::string& text, codecs::ValueType type) {
  std::vector<std::string> names = split_commas(text);
  if (text == "all") names = split_commas(codecs::codec_names(type));
  if (names.empty()) {
    throw UsageError(fmt::format("--codec: there is none for values of type {}", name_of(type)));
  }
  for (const std::string& name : names) {
    if (name != "auto") codecs::codec_named(name, type);
  }
  return names;
}

CodecsPlan codecs_plan(const OptionSet& options) {
  CodecsPlan plan;
  plan.type = codecs::value_type_named(options.get<std::string>("type"));
  plan.codecs = codecs_of(options.get<std::string>("codec"), plan.type);
  plan.parameters = codecs::Parameters(options.get<std::string>("parameters"));
  if (plan.codecs.size() > 1 && !options.get<std::string>("parameters").empty()) {
    throw UsageError("--parameters: name the one codec that they are for (--codec)");
  }
  plan.gpu = use_gpu(options);
  plan.repeats = options.get<int>("repeats");
  plan.cpu_values = kCpuValues;
  plan.gpu_values = kGpuValues;
  if (options.has("values")) {
    plan.cpu_values =
        std::min<std::uint64_t>(options.get<std::uint64_t>("values"), codecs::kMaxListLength);
    plan.gpu_values = plan.cpu_values;
  }
  return plan;
}

}  // namespace

int cmd_bench_codecs(Args args) {
  OptionSet options(kBenchCodecsHelp);
  options.add(options::kBenchCodecsOptions);
  options.positional("input");
  if (!options.parse(args)) return kOk;
  check_bench_output(options);
  const CodecsPlan plan = codecs_plan(options);
  const auto& inputs = options.get<std::vector<std::string>>("input");
  Progress progress(options.json() || options.has("quiet"));
  std::vector<CodecResult> results;
  const std::uint32_t size = codecs::size_of(plan.type);
  for (const std::string& input : inputs) {
    const BenchColumn column{input,
                             read_raw(input, size, std::uint64_t{codecs::kMaxListLength} * size)};
    const auto measured = measure_codecs(plan, column, [&](std::string_view codec) {
      progress.update(fmt::format("{} {}", input, codec), results.size(),
                      inputs.size() * plan.codecs.size());
    });
    results.insert(results.end(), measured.begin(), measured.end());
  }
  progress.clear();
  const Json json = envelope("bench codecs", codecs_json(plan, results));
  if (options.has("output")) write_file(options.get<std::string>("output"), json_line(json) + '\n');
  if (options.json()) {
    print_json(json);
  } else {
    print_text(stdout, codecs_tables(plan, results));
  }
  return kOk;
}

}  // namespace gannet::tools
