// gannet decode: a column file, or a range of its values, becomes raw values again.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stop_token>
#include <string>

#include "codecs/base/error.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/stream_column.hpp"
#include "index/columns/column_file.hpp"
#include "index/columns/column_source.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/backend_option.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/data.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kDecodeHelp{"gannet decode --input FILE --output RAW [OPTIONS]",
                               R"(
Decodes a column file to raw little-endian values. With --first and --count only these values:
other segments are not read, and of a segment only the tiles or chunks that hold them are
decoded. Every segment is checked before it is decoded.)",
                               R"(
  gannet decode --input prices.column --output prices.i32
  gannet decode --input prices.column --first 1000000 --count 5 --output - | od -A d -t d4
  gannet decode --input prices.column --output - --backend cpu | cmp - prices.i32)"};

struct Range {
  std::uint64_t first, count;
};

Range range_of(const OptionSet& options, const index::ColumnFile& file) {
  const auto first = options.get<std::uint64_t>("first");
  if (first > file.count()) {
    throw UsageError(
        fmt::format("--first: {} has {}", file.name(), counted(file.count(), "value")));
  }
  const std::uint64_t left = file.count() - first;
  const auto count = options.has("count") ? options.get<std::uint64_t>("count") : left;
  if (count > left) {
    throw UsageError(fmt::format("--count: {} has {} from value {} on", file.name(),
                                 counted(left, "value"), first));
  }
  return {first, count};
}

/// Whether the GPU is to decode all of the range's segments; with --backend auto only if it can.
bool on_gpu(const OptionSet& options, const index::ColumnFile& file) {
  if (!use_gpu(options)) return false;
  if (options.get<std::string>("backend") == "cuda") return true;
  for (std::size_t i = 0; i < file.segments().size(); ++i) {
    if (!codecs::cuda::decodes_on_device(file.codec(i).id, file.type())) return false;
  }
  return true;
}

/// Streams the segments that hold the range through the GPU; what lies in the range is written as
/// segments come back.
template <class Write>
void decode_on_gpu(const index::ColumnFile& file, Range range, const Write& write,
                   const std::stop_token& stop) {
  const std::size_t begin = file.segment_of(range.first);
  const std::size_t end = file.segment_of(range.first + range.count - 1) + 1;
  const index::ColumnFileSource source(file, begin, end, stop);
  const std::size_t size = codecs::size_of(file.type());
  std::size_t longest = 0;
  for (std::size_t i = begin; i < end; ++i) {
    longest = std::max<std::size_t>(longest, file.segments()[i].count);
  }
  codecs::cuda::StreamOptions options;
  codecs::cuda::StreamCopy copy(options.slots, longest * size);
  options.finished = [&](const codecs::cuda::StreamedValues& values) {
    const std::uint64_t start = file.first_value(begin + values.segment);
    const std::uint64_t from = std::max(range.first, start);
    const std::uint64_t to = std::min(range.first + range.count, start + values.count);
    write(copy.values(values).subspan((from - start) * size, (to - from) * size));
  };
  codecs::cuda::stream_column(
      source, [&](const codecs::cuda::StreamedValues& values) { copy(values); }, options);
}

void decode(const OptionSet& options, const index::ColumnFile& file, Range range, bool gpu) {
  const InterruptGuard guard;
  RawOutput output(output_name(options.get<std::string>("output")), existing_output(options));
  Progress progress(options.has("quiet"));
  std::uint64_t done = 0;
  const auto write = [&](std::span<const std::byte> values) {
    output.write(values);
    done += values.size();
    progress.update("decoding", done, range.count * codecs::size_of(file.type()),
                    ProgressUnit::kBytes);
  };
  if (gpu && range.count > 0) {
    decode_on_gpu(file, range, write, guard.token());
  } else {
    file.decode(range.first, range.count, write, guard.token());
  }
  output.finish();
}

}  // namespace

int cmd_decode(Args args) {
  OptionSet options(kDecodeHelp);
  options.add(options::kDecodeOptions);
  if (!options.parse(args)) return kOk;
  const std::string output = output_name(options.get<std::string>("output"));
  if (options.get<std::string>("input") == "-") {
    throw UsageError("--input: a column file is read from its end on; give a file, not stdin");
  }
  check_raw_output(output, options.has("overwrite"));
  const index::ColumnFile file{std::filesystem::path(options.get<std::string>("input"))};
  const Range range = range_of(options, file);
  const bool gpu = on_gpu(options, file);
  decode(options, file, range, gpu);
  std::FILE* const messages = output == "-" ? stderr : stdout;
  const std::string backend = gpu ? "cuda" : "cpu";
  if (options.json()) {
    const Json json{
        {"output", output},     {"type", codecs::name_of(file.type())},
        {"first", range.first}, {"values", range.count},
        {"backend", backend},
    };
    print_result("decode", json, messages);
  } else if (!options.has("quiet") && output != "-") {
    print("{}: {} of type {}, decoded by {}\n", output, counted(range.count, "value"),
          codecs::name_of(file.type()), backend);
  }
  return kOk;
}

}  // namespace gannet::tools
