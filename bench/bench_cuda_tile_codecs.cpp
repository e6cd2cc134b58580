// Decoding on the device by the column codecs of tiles, over widths of values and lengths of runs:
// written out, and summed up without being written. Every output is verified.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/frame/report.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/device.hpp"
#include "codecs/device/scan.hpp"
#include "corpora/synthetic/random.hpp"
#include "tools/measure/device/ceilings.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;
namespace po = boost::program_options;
using codecs::ValueType;
using Words = std::vector<std::uint32_t>;

/// Fills a column in parts, on all processors; fill(first, part) makes the values from `first` on.
Words filled(std::uint64_t count,
             const std::function<void(std::uint64_t, std::span<std::uint32_t>)>& fill) {
  Words values(count);
  const std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> workers;
  for (std::uint64_t t = 0; t < threads; ++t) {
    const std::uint64_t first = count * t / threads;
    const std::uint64_t end = count * (t + 1) / threads;
    workers.emplace_back(
        [&, first, end] { fill(first, std::span(values).subspan(first, end - first)); });
  }
  return values;
}

/// Values uniform in [0, 2^bits).
Words uniform(std::uint64_t count, std::uint32_t bits) {
  return filled(count, [bits](std::uint64_t first, std::span<std::uint32_t> part) {
    for (std::uint32_t& value : part) {
      value = static_cast<std::uint32_t>(corpora::mix64(first++) >> (64 - bits));
    }
  });
}

/// Runs of values of 16 bits: each ends with the probability 1 / mean.
Words runs(std::uint64_t count, double mean) {
  const auto limit = static_cast<std::uint64_t>(0x1p63 / mean) * 2;
  return filled(count, [limit](std::uint64_t first, std::span<std::uint32_t> part) {
    std::uint64_t run = first;
    for (std::uint32_t& value : part) {
      value = static_cast<std::uint32_t>(corpora::mix64(run) >> 48);
      if (corpora::mix64(~first) < limit) run = first + 1;
      ++first;
    }
  });
}

struct Data {
  std::string name;
  std::function<Words(std::uint64_t)> make;
  bool has_runs;
};

std::vector<Data> all_data() {
  std::vector<Data> all;
  for (const std::uint32_t bits : {2u, 8u, 16u, 28u}) {
    all.push_back({fmt::format("uniform, {} bits", bits),
                   [bits](std::uint64_t count) { return uniform(count, bits); }, false});
  }
  for (const double mean : {1.5, 4.0, 16.0, 256.0}) {
    all.push_back({fmt::format("runs of {}", mean),
                   [mean](std::uint64_t count) { return runs(count, mean); }, true});
  }
  return all;
}

/// Median seconds of decoding the column to device memory. Throws unless it gives `values`.
double time_decode(const cuda::DeviceColumn& column, const Words& values, int repeats) {
  cuda::DeviceArray<std::uint32_t> out(values.size());
  cuda::check(cudaMemset(out.data(), 0xa5, out.bytes()), "cudaMemset");
  cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const cuda::OwnedStream stream;
  const double seconds =
      measure::time_each(stream, repeats, [&](int) { column.decode_async(out.data(), stream); });
  Words decoded(values.size());
  cuda::check(cudaMemcpy(decoded.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
              "cudaMemcpy from the device");
  if (decoded != values) throw std::runtime_error("a column decodes to other values");
  return seconds;
}

/// Median seconds of summing the column up. Throws unless the sum is that of `values`.
double time_sum(const cuda::DeviceColumn& column, const Words& values, int repeats) {
  const cuda::ColumnScanner scanner;
  cuda::DeviceArray<cuda::ScanResult> result(1);
  const cuda::OwnedStream stream;
  const double seconds = measure::time_each(stream, repeats, [&](int) {
    scanner.sum_async(column.plan(), column.words(), result.data(), stream);
  });
  cuda::ScanResult found;
  cuda::check(cudaMemcpy(&found, result.data(), sizeof(found), cudaMemcpyDeviceToHost),
              "cudaMemcpy from the device");
  if (found.sum != std::accumulate(values.begin(), values.end(), std::uint64_t{0})) {
    throw std::runtime_error("a column has another sum");
  }
  return seconds;
}

/// The tile codecs that are made for columns; of data with runs, those that know runs.
std::vector<const codecs::Codec*> codecs_for(const Data& data) {
  std::vector<const codecs::Codec*> chosen;
  for (const std::string_view name : {"nsf", "nsv", "gpu-for", "gpu-rfor"}) {
    if (data.has_runs && name != "gpu-rfor") continue;
    chosen.push_back(&codecs::codec_named(name, ValueType::kU32));
  }
  return chosen;
}

void measure(Report& report, std::uint64_t count, int repeats) {
  const measure::MemoryCeilings ceilings = measure::measure_ceilings();
  report.fact("device", cuda::device_name());
  report.fact("values", static_cast<double>(count));
  report.fact("copy ceiling, GB/s", ceilings.copy_bytes_per_second * 1e-9);
  Table& table = report.table(
      {"tiles",
       "Decoding and writing out, and decoding and summing up without writing; the ceiling is that "
       "of a kernel which reads the words and writes the values. Small columns are summed up from "
       "the L2 cache",
       {"codec", "data", "bits/int", "write us", "write G values/s", "of the ceiling", "sum us",
        "sum G values/s"},
       {}});
  for (const Data& data : all_data()) {
    const Words values = data.make(count);
    std::vector<std::future<Words>> encoded;
    const auto codecs = codecs_for(data);
    for (const codecs::Codec* codec : codecs) {
      encoded.push_back(std::async(std::launch::async, [codec, &values] {
        Words words;
        codec->encode(ValueType::kU32, std::as_bytes(std::span(values)), {}, words);
        return words;
      }));
    }
    for (std::size_t c = 0; c < codecs.size(); ++c) {
      const Words words = encoded[c].get();
      const cuda::DeviceColumn column(codecs[c]->id, ValueType::kU32, words,
                                      static_cast<std::uint32_t>(count));
      const double write = time_decode(column, values, repeats);
      const double sum = time_sum(column, values, repeats);
      const auto n = static_cast<double>(count);
      const double read_bytes = 4 * static_cast<double>(words.size());
      table.add({std::string(codecs[c]->name), data.name, 8 * read_bytes / n, write * 1e6,
                 n / write * 1e-9, (read_bytes + 4 * n) / write / ceilings.mixed(read_bytes, 4 * n),
                 sum * 1e6, n / sum * 1e-9});
    }
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  std::uint32_t log = 27;
  int repeats = 25;
  gannet::bench::Report report(
      "bench_cuda_tile_codecs",
      "Decodes columns of the tile codecs on the device, written out and summed up.");
  report.options().add_options()("log", gannet::bench::po::value(&log)->default_value(log),
                                 "columns of 2^log values (at most 2^29)")(
      "repeats", gannet::bench::po::value(&repeats)->default_value(repeats),
      "decodes of which the median is taken");
  if (!report.parse(argc, argv)) return report.status();
  try {
    gannet::bench::measure(report, std::uint64_t{1} << std::min(log, 29u), repeats);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_cuda_tile_codecs: {}\n", error.what());
    return 1;
  }
  return report.finish();
}
