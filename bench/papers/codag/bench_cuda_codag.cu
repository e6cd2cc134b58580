// Rebuilds CODAG's figures 7 (throughput by data set and encoding) and 8 (its ablations: buffers,
// single-lane decoding, a prefetching warp) for rle-v1 and rle-v2, on columns with the types and
// run structures of its tables IV and V, and compares its way with ours.
//
// Every output is compared with the original on the device. Throughput is bytes of output a second.
#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>

#include "bench/frame/report.hpp"
#include "bench/papers/codag/codag_data.hpp"
#include "bench/papers/codag/codag_kernels.cuh"
#include "codecs/device/device.hpp"
#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace po = boost::program_options;
using codecs::RleV1;
using codecs::RleV2;
using codecs::cuda::DeviceArray;
using codecs::cuda::upload;
using Words = std::vector<std::uint32_t>;

struct Settings {
  std::size_t bytes = 0;
  int repeats = 0;
  std::vector<std::string> inputs;
};

template <class T>
__global__ void count_differences(const T* a, const T* b, std::uint32_t count,
                                  unsigned long long* differences) {
  unsigned long long found = 0;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    found += a[i] != b[i] ? 1 : 0;
  }
  if (found > 0) atomicAdd(differences, found);
}

template <class T>
void expect_equal(const DeviceArray<T>& a, const DeviceArray<T>& b, const std::string& what) {
  const unsigned long long none = 0;
  auto differences = upload(std::span(&none, 1));
  count_differences<<<1024, 256>>>(a.data(), b.data(), static_cast<std::uint32_t>(a.size()),
                                   differences.data());
  unsigned long long found = 0;
  codecs::cuda::check(cudaMemcpy(&found, differences.data(), sizeof found, cudaMemcpyDeviceToHost),
                      what.c_str());
  if (found != 0)
    throw std::runtime_error(what + ": " + std::to_string(found) + " values are wrong");
}

/// Encodes by several threads: a column of parts, whose chunks do not know one another.
template <class Codec, class T>
Words encoded_in_parallel(std::span<const T> values, std::uint32_t chunk_values) {
  constexpr std::size_t kHeader = Codec::Column::kHeaderWords;
  const std::size_t threads = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  const std::size_t chunks = (values.size() + chunk_values - 1) / chunk_values;
  const std::size_t part = (chunks + threads - 1) / threads * chunk_values;
  std::vector<Words> parts((values.size() + part - 1) / part);
  in_parallel(parts.size(), [&](std::size_t i) {
    const auto some = values.subspan(i * part, std::min(part, values.size() - i * part));
    Codec::template encode<T>(some, codecs::Parameters("chunk=" + std::to_string(chunk_values)),
                              parts[i]);
  });
  Words words{parts[0][0], parts[0][1]};
  std::size_t end = kHeader + chunks + 1;
  for (const Words& some : parts) {
    const std::size_t first = some[kHeader];
    for (std::size_t i = kHeader; i + 1 < first; ++i) {
      words.push_back(static_cast<std::uint32_t>(some[i] - first + end));
    }
    end += some.size() - first;
  }
  words.push_back(static_cast<std::uint32_t>(end));
  for (const Words& some : parts) {
    words.insert(words.end(), some.begin() + some[kHeader], some.end());
  }
  return words;
}

/// One column on the device, decoded in every way that is asked for.
template <class Codec, class T>
class Bench {
 public:
  using U = std::make_unsigned_t<T>;

  Bench(const Settings& settings, std::span<const T> values, const DeviceArray<U>& expected)
      : settings_(settings), values_(values), expected_(expected), out_(values.size()) {}

  /// Encodes with chunks of so many values.
  void encode(std::uint32_t chunk_values) {
    const Words words = encoded_in_parallel<Codec, T>(values_, chunk_values);
    Codec::template validate<T>(words, static_cast<std::uint32_t>(values_.size()));
    words_ = upload(std::span<const std::uint32_t>(words), 4);
    chunk_values_ = chunk_values;
    ratio_ = static_cast<double>(words.size() * 4) / static_cast<double>(values_.size_bytes());
  }

  /// Encoded bytes by raw ones.
  double ratio() const { return ratio_; }

  /// GB/s of output.
  double run(Launch<U> launch, const std::string& what) {
    const codecs::ListView column{words_.data(), static_cast<std::uint32_t>(values_.size())};
    codecs::cuda::check(cudaMemset(out_.data(), 0x5a, out_.bytes()), "cudaMemset");
    const double seconds = measure::time_each(nullptr, settings_.repeats, [&](int) {
      launch(column, chunk_values_, out_.data(), nullptr);
    });
    codecs::cuda::check(cudaDeviceSynchronize(), what.c_str());
    expect_equal(expected_, out_, what);
    const double speed = static_cast<double>(values_.size_bytes()) / seconds / 1e9;
    std::cerr << what << ": " << speed << " GB/s\n";
    return speed;
  }

 private:
  const Settings& settings_;
  std::span<const T> values_;
  const DeviceArray<U>& expected_;
  DeviceArray<U> out_;
  DeviceArray<std::uint32_t> words_;
  std::uint32_t chunk_values_ = 0;
  double ratio_ = 0;
};

/// The tables of a run.
struct Tables {
  Table& figure7;
  Table& figure8;
  Table& chunks;
};

/// Bytes of output in CODAG's chunks.
constexpr std::uint32_t kPaperChunk = 128 << 10;

template <class Codec, class T>
void measure_paper(Bench<Codec, T>& bench, const std::string& set, Tables& tables) {
  using U = std::make_unsigned_t<T>;
  const std::string codec(Codec::name);
  const auto what = [&](const char* way) { return set + ", " + codec + ", " + way; };
  constexpr auto kAll = DecodeBy::kAllLanes;
  constexpr auto kLane0 = DecodeBy::kLane0;
  bench.encode(kPaperChunk / sizeof(T));
  const double ratio = bench.ratio();
  const double shared =
      bench.run(launch_serial<Codec, U, Buffer::kShared, kAll>, what("shared memory"));
  const double registers =
      bench.run(launch_serial<Codec, U, Buffer::kRegisters, kAll>, what("registers"));
  const double memory = bench.run(launch_serial<Codec, U, Buffer::kMemory, kAll>, what("memory"));
  const double lane0 =
      bench.run(launch_serial<Codec, U, Buffer::kShared, kLane0>, what("lane 0 decodes"));
  const double prefetch = bench.run(launch_prefetch<Codec, U, kAll>, what("prefetching warp"));
  const double prefetch_lane0 =
      bench.run(launch_prefetch<Codec, U, kLane0>, what("prefetching warp, lane 0"));
  bench.encode(2048);
  const double strips = bench.run(launch_ours<Codec, U>, what("strips"));
  const double codag = std::max(shared, registers);
  tables.figure7.add({set, codec, ratio, bench.ratio(), codag, strips, strips / codag});
  tables.figure8.add({set, codec, shared, registers, memory, lane0, prefetch, prefetch_lane0,
                      shared / lane0, shared / prefetch});
}

template <class Codec, class T>
void measure_chunks(Bench<Codec, T>& bench, const std::string& set, Tables& tables) {
  using U = std::make_unsigned_t<T>;
  for (const std::uint32_t chunk : {2048u, 4096u, 8192u, 16384u, 32768u}) {
    bench.encode(chunk);
    const std::string what =
        set + ", " + std::string(Codec::name) + ", chunks of " + std::to_string(chunk);
    const double shared =
        bench.run(launch_serial<Codec, U, Buffer::kShared, DecodeBy::kAllLanes>, what);
    tables.chunks.add({set, std::string(Codec::name), double(chunk), bench.ratio(), shared,
                       bench.run(launch_unstaged<Codec, U>, what + ", not staged"),
                       bench.run(launch_ours<Codec, U>, what + ", ours")});
  }
}

template <class T>
void measure(const Settings& settings, const std::string& set, const std::vector<T>& values,
             bool chunks, Tables& tables) {
  using U = std::make_unsigned_t<T>;
  const auto expected =
      upload(std::span<const U>(reinterpret_cast<const U*>(values.data()), values.size()));
  const auto with = [&]<class Codec>(Codec) {
    Bench<Codec, T> bench(settings, values, expected);
    measure_paper(bench, set, tables);
    if (chunks) measure_chunks(bench, set, tables);
  };
  with(RleV1{});
  with(RleV2{});
}

/// What shows where a decoder stands.
void measure_structures(const Settings& settings, Tables& tables) {
  const std::size_t n = settings.bytes / sizeof(std::uint32_t);
  const auto value = [](Mixer& mixer) { return mixer.below(1 << 20); };
  const auto short_run = [](Mixer& mixer) { return 1 + mixer.below(7); };
  measure(settings, "runs of 1-7", in_runs<std::uint32_t>(n, 1, short_run, value), true, tables);
  measure(settings, "runs of 256",
          in_runs<std::uint32_t>(
              n, 2, [](Mixer&) { return std::size_t{256}; }, value),
          true, tables);
  measure(settings, "literals",
          in_runs<std::uint32_t>(
              n, 3, [](Mixer&) { return std::size_t{1}; }, value),
          false, tables);
  const auto mixed = [](Mixer& mixer) {
    return mixer.below(8) == 0 ? 1 + mixer.below(400) : 1 + mixer.below(7);
  };
  measure(settings, "mixed runs", in_runs<std::uint32_t>(n, 4, mixed, value), false, tables);
  measure(settings, "ascending, steps of 4", ascending_column(n, 4), true, tables);
}

/// Columns with the types, run lengths and symbols of the paper's data sets.
void measure_paper_sets(const Settings& settings, Tables& tables) {
  const std::size_t bytes = settings.bytes;
  const auto any = [](Mixer& mixer) { return mixer() >> 24; };
  measure(settings, "MC0-like u64, runs of 30",
          in_runs<std::uint64_t>(bytes / 8, 11, mean_length(29.7), any), false, tables);
  measure(settings, "MC3-like fp32, runs of 40",
          in_runs<std::uint32_t>(bytes / 4, 12, mean_length(40.5),
                                 [](Mixer& mixer) {
                                   const float rate = 2 + 0.125f * float(mixer.below(40));
                                   return __builtin_bit_cast(std::uint32_t, rate);
                                 }),
          false, tables);
  measure(settings, "TPC-like i8, few values",
          in_runs<std::int8_t>(bytes, 13, mean_length(1.3),
                               [](Mixer& mixer) { return 1 + power_law(mixer, 3); }),
          false, tables);
  measure(settings, "TPT-like u8, words", text_of(bytes, 14, {"CSH\n", "CRD\n", "NOC\n"}), false,
          tables);
  measure(settings, "CD2-like u32, runs of 21",
          in_runs<std::uint32_t>(bytes / 4, 15, mean_length(20.9),
                                 [](Mixer& mixer) { return power_law(mixer, 20); }),
          false, tables);
  measure(settings, "TC2-like u64, runs of 34",
          in_runs<std::uint64_t>(bytes / 8, 16, mean_length(34.3),
                                 [](Mixer& mixer) { return power_law(mixer, 27); }),
          false, tables);
  measure(settings, "HRG-like u8, letters", text_of(bytes, 17, {"A", "C", "G", "T"}), false,
          tables);
}

std::vector<std::int32_t> read_column(const std::string& path, std::size_t bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::vector<std::int32_t> values(static_cast<std::size_t>(file.tellg()) / 4);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * 4));
  // Repeated, so that it is larger than the caches.
  const std::size_t once = values.size();
  values.resize(std::max(once, bytes / 4));
  for (std::size_t i = once; i < values.size(); ++i) values[i] = values[i - once];
  return values;
}

int run(Report& report, const Settings& settings) {
  report.fact("device", codecs::cuda::device_name());
  report.fact("bytes a column", static_cast<double>(settings.bytes));
  Tables tables{
      report.table({"codag-fig7",
                    "Figure 7: throughput, GB/s of output. CODAG: the better of its two buffers, "
                    "chunks of 128 KiB; ours: a strip a lane, chunks of 2048 values",
                    {"data", "codec", "CODAG size/raw", "our size/raw", "CODAG", "ours", "ratio"},
                    {}}),
      report.table({"codag-fig8",
                    "Figure 8 and section V-E: the variants, GB/s, chunks of 128 KiB",
                    {"data", "codec", "shared", "registers", "unbuffered", "lane 0", "prefetch",
                     "prefetch, lane 0", "all / lane 0", "without / with prefetch"},
                    {}}),
      report.table(
          {"codag-chunks",
           "Values a chunk: GB/s of output",
           {"data", "codec", "values", "size/raw", "CODAG, shared", "ours, not staged", "ours"},
           {}})};
  if (settings.inputs.empty()) {
    measure_structures(settings, tables);
    measure_paper_sets(settings, tables);
  }
  for (const std::string& path : settings.inputs) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    measure(settings, name, read_column(path, settings.bytes), false, tables);
  }
  return report.finish();
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Settings settings;
  std::size_t mib = 0;
  Report report("bench_cuda_codag", "Rebuilds CODAG's figures 7 and 8 for rle-v1 and rle-v2.");
  report.options().add_options()  //
      ("mib", po::value(&mib)->default_value(256), "MiB of every column")(
          "repeats", po::value(&settings.repeats)->default_value(9), "of which the median counts")(
          "input", po::value(&settings.inputs)->multitoken(),
          "raw little-endian i32 files instead of the synthetic columns");
  if (!report.parse(argc, argv)) return report.status();
  settings.bytes = mib << 20;
  try {
    return run(report, settings);
  } catch (const std::exception& error) {
    std::cerr << "bench_cuda_codag: " << error.what() << '\n';
    return 1;
  }
}
