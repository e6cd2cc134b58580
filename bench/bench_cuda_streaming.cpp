// Columns larger than the device, streamed over the bus segment by segment, encoded and raw; every
// stream's sum is compared with the host's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/frame/data.hpp"
#include "bench/frame/program.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/choose.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/stream_column.hpp"
#include "corpora/synthetic/random.hpp"
#include "index/columns/column_file.hpp"
#include "index/columns/column_source.hpp"
#include "tools/measure/device/column_timing.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;

using codecs::Codec;
using codecs::ValueType;
using Words = std::vector<std::uint32_t>;

constexpr ValueType kType = ValueType::kU32;
constexpr std::string_view kRaw = "raw";

struct Data {
  std::string name;
  std::function<std::uint32_t(std::uint64_t)> value;
};

std::vector<Data> all_data() {
  const auto bits = [](std::uint32_t width) {
    return [width](std::uint64_t i) {
      return static_cast<std::uint32_t>(corpora::mix64(i) >> (64 - width));
    };
  };
  return {
      {"uniform, 8 bits", bits(8)},
      {"uniform, 16 bits", bits(16)},
      {"sorted ids, mean gap 4",
       [](std::uint64_t i) { return static_cast<std::uint32_t>(4 * i + corpora::mix64(i) % 4); }},
      {"runs of 32",
       [](std::uint64_t i) { return static_cast<std::uint32_t>(corpora::mix64(i / 32) >> 44); }}};
}

/// f(i) for all i below `count`, on all processors.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& f) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (std::size_t i = t; i < count; i += threads) f(i);
    });
  }
}

/// A column in segments, and the sum of its values.
struct Column {
  std::vector<Words> segments;
  std::uint64_t values = 0;
  std::uint64_t sum = 0;
};

Column made(const Data& data, std::size_t segments, std::uint64_t segment_values) {
  Column column{std::vector<Words>(segments), segments * segment_values, 0};
  std::vector<std::uint64_t> sums(segments, 0);
  in_parallel(segments, [&](std::size_t s) {
    Words& words = column.segments[s];
    words.resize(segment_values);
    for (std::uint64_t i = 0; i < segment_values; ++i) {
      words[i] = data.value(s * segment_values + i);
      sums[s] += words[i];
    }
  });
  for (const std::uint64_t sum : sums) column.sum += sum;
  return column;
}

std::vector<Words> encoded(const Column& column, const Codec& codec) {
  std::vector<Words> words(column.segments.size());
  in_parallel(words.size(), [&](std::size_t s) {
    codec.encode(kType, std::as_bytes(std::span(column.segments[s])), {}, words[s]);
  });
  return words;
}

/// The names of --codec; all: raw and every codec with a device decoder.
std::vector<std::string> names_of(const std::string& text) {
  std::vector<std::string> names;
  if (text == "all") {
    names.emplace_back(kRaw);
    for (const Codec* codec : codecs::auto_candidates(kType)) names.emplace_back(codec->name);
    return names;
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    names.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

/// Bytes a second of large copies from page-locked memory.
double bus_rate(std::size_t bytes, int repeats) {
  const cuda::PinnedArray<std::byte> host(bytes);
  cuda::DeviceArray<std::byte> device(bytes);
  const cuda::OwnedStream stream;
  const double seconds = measure::time_each(stream, repeats, [&](int) {
    cuda::check(cudaMemcpyAsync(device.data(), host.data(), bytes, cudaMemcpyHostToDevice, stream),
                "cudaMemcpyAsync");
  });
  return static_cast<double>(bytes) / seconds;
}

struct Options {
  std::size_t segments = 8;
  int log_segment = 24;
  double gigabytes = 160;
  double seconds = 2;
  std::string codecs = "all";
  std::string data;
  std::string folder;
  std::size_t slots = 4;
  int repeats = 5;
};

class Streaming {
 public:
  Streaming(Report& report, const Options& options)
      : options_(options), bus_(bus_rate(std::size_t{256} << 20, options.repeats)) {
    report.fact("bus, GB/s", bus_ * 1e-9);
    report.fact("slots", static_cast<double>(options.slots));
    table_ = &report.table(
        {"streaming",
         "A column streamed from page-locked memory, decoded and summed up; GB/s are of the values "
         "(4 bytes each). Prediction: the bus at the codec's ratio, or its decoder if that is "
         "slower",
         {"data", "codec", "bits/int", "decoder GB/s", "predicted GB/s", "GB/s", "of predicted",
          "over raw", "streamed GB", "device MB"},
         {}});
    files_ = &report.table({"streaming-file",
                            "The same from a column file in the page cache, codec auto: read, "
                            "checked and copied in bounded memory",
                            {"data", "bits/int", "readers", "GB/s", "file GB/s"},
                            {}});
  }

  void run(const Data& data) {
    const Column column = made(data, options_.segments, segment_values());
    for (const std::string& name : names_of(options_.codecs)) {
      if (name == kRaw) {
        stream_raw(data, column);
      } else {
        stream_encoded(data, column, codecs::codec_named(name, kType));
      }
    }
    if (!options_.folder.empty()) stream_file(data, column);
  }

 private:
  std::uint64_t segment_values() const { return std::uint64_t{1} << options_.log_segment; }

  /// How often the column is streamed, one behind the other, to be as long as asked for, but not
  /// to take too long at `predicted` GB/s.
  std::size_t times(const Column& column, double predicted) const {
    const double once = 4e-9 * static_cast<double>(column.values);
    const double wanted = std::min(options_.gigabytes, options_.seconds * predicted);
    return std::max<std::size_t>(1, static_cast<std::size_t>(wanted / once));
  }

  /// GB/s of values; throws unless the sum is right.
  double rate(const cuda::SegmentSource& source, std::uint64_t sum, std::size_t slots,
              cuda::StreamReport& report) const {
    cuda::StreamSum total;
    cuda::StreamOptions options;
    options.slots = slots;
    report = cuda::stream_column(
        source, [&](const cuda::StreamedValues& values) { total(values); }, options);
    if (total.result() != sum) throw std::runtime_error("a stream's sum is wrong");
    return 4e-9 * static_cast<double>(report.values) / report.seconds;
  }

  void add_row(const Data& data, std::string_view codec, double bits, double decoder,
               double predicted, double reached, const cuda::StreamReport& report) {
    if (codec == kRaw) raw_ = reached;
    fmt::print(stderr, "{}, {}: {:.1f} GB/s of {:.1f}\n", data.name, codec, reached, predicted);
    table_->add({data.name, std::string(codec), bits, decoder, predicted, reached,
                 reached / predicted, raw_ > 0 ? reached / raw_ : 0.0,
                 4e-9 * static_cast<double>(report.values),
                 1e-6 * static_cast<double>(report.device_bytes)});
  }

  void stream_raw(const Data& data, const Column& column) {
    cuda::PinnedColumn pinned(kType);
    for (const Words& words : column.segments) pinned.add_raw(std::as_bytes(std::span(words)));
    const std::size_t again = times(column, bus_ * 1e-9);
    pinned.repeat(again);
    cuda::StreamReport report;
    const double reached = rate(pinned, column.sum * again, options_.slots, report);
    add_row(data, kRaw, 32, 0, bus_ * 1e-9, reached, report);
  }

  void stream_encoded(const Data& data, const Column& column, const Codec& codec) {
    const std::vector<Words> words = encoded(column, codec);
    cuda::PinnedColumn pinned(kType);
    for (const Words& segment : words) {
      codec.validate(kType, segment, static_cast<std::uint32_t>(segment_values()));
      pinned.add(codec.id, segment, static_cast<std::uint32_t>(segment_values()));
    }
    const auto timing = measure::time_column_decode(
        codec.id, kType, words[0], std::as_bytes(std::span(column.segments[0])), options_.repeats);
    if (!timing.verified) throw std::runtime_error(fmt::format("{} decodes wrongly", codec.name));
    const double ratio =
        4.0 * static_cast<double>(column.values) / static_cast<double>(pinned.bytes());
    const double decoder = 4e-9 * static_cast<double>(segment_values()) / timing.seconds;
    const double predicted = std::min(bus_ * 1e-9 * ratio, decoder);
    const std::size_t again = times(column, predicted);
    pinned.repeat(again);
    cuda::StreamReport report;
    const double reached = rate(pinned, column.sum * again, options_.slots, report);
    add_row(data, codec.name, 32 / ratio, decoder, predicted, reached, report);
  }

  void stream_file(const Data& data, const Column& column) {
    const std::filesystem::path path = std::filesystem::path(options_.folder) / "streaming.column";
    index::ColumnOptions file_options;
    file_options.threads = std::max(1u, std::thread::hardware_concurrency());
    file_options.segment_values = static_cast<std::uint32_t>(segment_values());
    index::ColumnWriter writer(path, kType, file_options);
    for (const Words& words : column.segments) writer.append(std::as_bytes(std::span(words)));
    const index::ColumnSummary summary = writer.finish();
    writer.publish();
    const index::ColumnFile file(path);
    const index::ColumnFileSource source(file);
    for (const std::size_t readers : {1u, 2u, 4u}) {
      cuda::StreamReport report;
      rate(source, column.sum, 2 * readers, report);  // the first time fills the page cache
      const double reached = rate(source, column.sum, 2 * readers, report);
      files_->add({data.name,
                   32.0 * static_cast<double>(summary.words) / static_cast<double>(summary.values),
                   static_cast<double>(readers), reached,
                   1e-9 * static_cast<double>(report.bytes_copied) / report.seconds});
    }
    std::filesystem::remove(path);
  }

  Options options_;
  double bus_;
  double raw_ = 0;
  Table* table_ = nullptr;
  Table* files_ = nullptr;
};

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Options options;
  Program program(
      "bench_cuda_streaming",
      "Streams columns over the bus: encoded against raw, from memory and from a file.");
  program.repeats(5)
      .option("segments", options.segments, "distinct segments")
      .option("log-segment", options.log_segment, "a segment has 2^N values")
      .option("gigabytes", options.gigabytes,
              "of values in a stream: the segments come over and over")
      .option("seconds", options.seconds,
              "that a stream may be predicted to take: a slower one is shorter")
      .option("codec", options.codecs, "raw and codecs, separated by commas, or all")
      .option("data", options.data, "only the data whose name has this in it")
      .option("slots", options.slots, "segments under way at a time")
      .option("folder", options.folder, "also stream from a file that is made here");
  return program.main(argc, argv, [&] {
    options.repeats = program.repeats();
    program.device();
    Streaming streaming(program.report(), options);
    for (const Data& data : all_data()) {
      if (data.name.find(options.data) != std::string::npos) streaming.run(data);
    }
  });
}
