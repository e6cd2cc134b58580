// Decoding on the device by the column codecs of tiles, over widths of values and lengths of runs:
// written out, summed up without being written, and summed up by kernels with TileLoader as users
// write them. Every output is verified.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/data.hpp"
#include "bench/frame/loader_sums.hpp"
#include "bench/frame/program.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/scan.hpp"
#include "corpora/synthetic/random.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;
using codecs::ValueType;
using Words = std::vector<std::uint32_t>;

struct Data {
  std::string name;
  std::function<Words(std::uint64_t)> make;
  bool has_runs;
};

std::vector<Data> all_data() {
  std::vector<Data> all;
  for (const std::uint32_t bits : {2u, 8u, 16u, 28u}) {
    all.push_back({fmt::format("uniform, {} bits", bits),
                   [bits](std::uint64_t count) { return uniform_values(count, bits); }, false});
  }
  for (const double mean : {1.5, 4.0, 16.0, 256.0}) {
    all.push_back({fmt::format("runs of {}", mean),
                   [mean](std::uint64_t count) { return run_values(count, mean); }, true});
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

/// Median seconds of summing up `columns` by a kernel with a TileLoader for each. Throws unless the
/// sum is that of `values`, which every column has.
double time_loader(std::span<const cuda::DeviceColumn> columns, const Words& values, int repeats) {
  cuda::DeviceArray<unsigned long long> result(1);
  const cuda::OwnedStream stream;
  const double seconds = measure::time_each(
      stream, repeats, [&](int) { sum_with_loader_async(columns, result.data(), stream); });
  unsigned long long found = 0;
  cuda::check(cudaMemcpy(&found, result.data(), sizeof found, cudaMemcpyDeviceToHost),
              "cudaMemcpy from the device");
  const auto sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  if (found != columns.size() * sum) throw std::runtime_error("a TileLoader loads other values");
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

void run(Program& program, std::uint64_t count) {
  Report& report = program.report();
  const measure::MemoryCeilings& ceilings = program.device();
  report.fact("values", static_cast<double>(count));
  Table& table = report.table(
      {"tiles",
       "Decoding and writing out, and decoding and summing up without writing; the ceiling is that "
       "of a kernel which reads the words and writes the values. Small columns are summed up from "
       "the L2 cache",
       {"codec", "data", "bits/int", "write us", "write G values/s", "of the ceiling", "sum us",
        "sum G values/s"},
       {}});
  Table& loader = report.table(
      {"loader",
       "Summing up by kernels of one's own with TileLoader, over one column and over four of a row",
       {"codec", "data", "bits/int", "one column us", "G values/s", "four columns us",
        "four G values/s"},
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
      const double write = time_decode(column, values, program.repeats());
      const double sum = time_sum(column, values, program.repeats());
      const auto n = static_cast<double>(count);
      const double read_bytes = 4 * static_cast<double>(words.size());
      table.add({std::string(codecs[c]->name), data.name, 8 * read_bytes / n, write * 1e6,
                 n / write * 1e-9, (read_bytes + 4 * n) / write / ceilings.mixed(read_bytes, 4 * n),
                 sum * 1e6, n / sum * 1e-9});
      std::vector<cuda::DeviceColumn> four;
      for (int i = 0; i < 4; ++i) {
        four.emplace_back(codecs[c]->id, ValueType::kU32, words, static_cast<std::uint32_t>(count));
      }
      const double one = time_loader(std::span(four).first(1), values, program.repeats());
      const double all = time_loader(four, values, program.repeats());
      loader.add({std::string(codecs[c]->name), data.name, 8 * read_bytes / n, one * 1e6,
                  n / one * 1e-9, all * 1e6, 4 * n / all * 1e-9});
    }
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  std::uint32_t log = 27;
  gannet::bench::Program program(
      "bench_cuda_tile_codecs",
      "Decodes columns of the tile codecs on the device, written out and summed up.");
  program.repeats(25).option("log", log, "columns of 2^log values (at most 2^29)");
  return program.main(argc, argv,
                      [&] { gannet::bench::run(program, std::uint64_t{1} << std::min(log, 29u)); });
}
