// gannet encode: a raw column of integers becomes a column file.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/columns/column_file.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/data.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 22;
/// Each thread holds a segment of values; more than these only where they are asked for.
constexpr unsigned kMaxThreads = 8;

constexpr HelpText kEncodeHelp{
    "gannet encode --type T [--codec C] --input RAW --output FILE [OPTIONS]",
    R"(
Encodes a column of integers: a file of little-endian values one behind the other (or its .gz
or .zst) becomes a column file, checksummed and cut into segments that are encoded by
themselves. Types: i8, u8, i16, u16, i32, u32, i64, u64. Codec auto takes the smallest, segment
by segment, among those that the GPU decodes. 'gannet decode' turns the file back, 'gannet
inspect' says what it holds, 'gannet bench codecs' compares codecs on your data.)",
    R"(
  gannet encode --type i32 --input prices.i32 --output prices.column
  gannet encode --type u64 --codec cascaded --parameters rles=2,deltas=1 \
                --input times.u64 --output times.column
  seq 1 9 | gannet encode --type u8 --codec none --input - --output digits.column)"};

index::ColumnOptions column_options(const OptionSet& options) {
  index::ColumnOptions column;
  column.codec = options.get<std::string>("codec");
  column.parameters = codecs::Parameters(options.get<std::string>("parameters"));
  column.candidates = split_commas(options.get<std::string>("candidates"));
  const unsigned threads = options.get<unsigned>("threads");
  column.threads =
      threads > 0 ? threads : std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  column.segment_values = options.get<std::uint32_t>("segment");
  return column;
}

index::ColumnSummary encode(const OptionSet& options, codecs::ValueType type) {
  const auto& path = options.get<std::string>("input");
  const InterruptGuard guard;
  RawInput input(path, guard.token());
  index::ColumnOptions column = column_options(options);
  column.stop = guard.token();
  index::ColumnWriter writer(options.get<std::string>("output"), type, std::move(column));
  Progress progress(options.has("quiet"));
  std::vector<std::byte> block(kBlockBytes);
  for (std::size_t got = kBlockBytes; got == kBlockBytes;) {
    got = input.read(block);
    writer.append(std::span(block).first(got));
    progress.update("encoding", input.done(), input.total(), ProgressUnit::kBytes);
  }
  try {
    index::ColumnSummary summary = writer.finish();
    writer.publish(existing_output(options));
    return summary;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path == "-" ? "stdin" : path, error.what()));
  }
}

double bits(const index::ColumnSummary& summary) {
  return summary.values == 0
             ? 0
             : 32.0 * static_cast<double>(summary.words) / static_cast<double>(summary.values);
}

Json encoded_json(const std::string& output, codecs::ValueType type,
                  const index::ColumnSummary& summary) {
  Json codecs = Json::object();
  for (const auto& [codec, values] : summary.codec_values) codecs[codec] = values;
  return {
      {"output", output},
      {"type", codecs::name_of(type)},
      {"values", summary.values},
      {"segments", summary.segments},
      {"bytes", summary.file_bytes},
      {"bits_per_value", bits(summary)},
      {"codecs", std::move(codecs)},
  };
}

void print_encoded(const std::string& output, codecs::ValueType type,
                   const index::ColumnSummary& summary) {
  print("{}: {} of type {}, {}", output, counted(summary.values, "value"), codecs::name_of(type),
        human_bytes(static_cast<double>(summary.file_bytes)));
  if (summary.values > 0) print(", {:.3f} bits a value", bits(summary));
  for (const auto& [codec, values] : summary.codec_values) {
    const bool all = values == summary.values;
    print(", {}", all ? codec : fmt::format("{} for {}", codec, with_commas(values)));
  }
  print("\n");
}

}  // namespace

int cmd_encode(Args args) {
  OptionSet options(kEncodeHelp);
  options.add(options::kEncodeOptions);
  if (!options.parse(args)) return kOk;
  const auto& output = options.get<std::string>("output");
  if (output_name(output) == "-") {
    throw UsageError("--output: a column file is renamed when it is complete; give it a name");
  }
  const codecs::ValueType type = codecs::value_type_named(options.get<std::string>("type"));
  check_file_output(output, options.has("overwrite"));
  const index::ColumnSummary summary = encode(options, type);
  if (options.json()) {
    print_result("encode", encoded_json(output, type, summary));
  } else if (!options.has("quiet")) {
    print_encoded(output, type, summary);
  }
  return kOk;
}

}  // namespace gannet::tools
