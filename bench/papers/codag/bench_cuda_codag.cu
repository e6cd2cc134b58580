// Rebuilds CODAG's figures 7 (throughput by data set and encoding) and 8 (its ablations: buffers,
// single-lane decoding, a prefetching warp) for rle-v1 and rle-v2, on columns with the types and
// run structures of its tables IV and V, and compares its way with ours.
//
// Every output is compared with the original on the device. Throughput is bytes of output a second.
// CODAG's forms read their own encoding, chunks that no strip cuts; what that saves is in the
// table.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>

#include "bench/frame/program.hpp"
#include "bench/frame/verify.hpp"
#include "bench/papers/codag/codag_data.hpp"
#include "bench/papers/codag/codag_kernels.cuh"
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

/// Encodes by several threads: a column of parts, whose chunks do not know one another.
template <class Codec, class T>
Words encoded_in_parallel(std::span<const T> values, std::uint32_t chunk_values) {
  constexpr std::size_t kHeader = Codec::Column::kHeaderWords;
  const std::size_t threads = std::min<std::size_t>(all_threads(), 16);
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

/// Encodes as CODAG does: a chunk is one stream of ORC, which is not cut into strips. Only the
/// forms that decode a chunk from end to end can read the words: they have the layout of a column
/// of strips, whose sizes are left at 0 (and are not counted by stream_bits()).
template <class Codec, class T>
Words encoded_whole(std::span<const T> values, std::uint32_t chunk_values) {
  using Column = typename Codec::Column;
  const std::size_t chunks = (values.size() + chunk_values - 1) / chunk_values;
  std::vector<std::vector<std::uint8_t>> streams(chunks);
  const std::size_t threads = std::min<std::size_t>(all_threads(), 16);
  in_parallel(threads, [&](std::size_t t) {
    for (std::size_t c = t; c < chunks; c += threads) {
      const std::size_t first = c * chunk_values;
      const auto some =
          values.subspan(first, std::min<std::size_t>(chunk_values, values.size() - first));
      const std::vector<std::int64_t> wide(some.begin(), some.end());
      Codec::encode_strip(wide, std::is_signed_v<T>, streams[c]);
    }
  });
  Words words{chunk_values, std::is_signed_v<T> ? 1u : 0u};
  words.resize(Column::kHeaderWords + chunks + 1);
  for (std::size_t c = 0; c < chunks; ++c) {
    words[Column::kHeaderWords + c] = static_cast<std::uint32_t>(words.size());
    const std::size_t first = words.size() + Column::kSizeWords;
    words.resize(first + (streams[c].size() + 3) / 4);
    std::memcpy(words.data() + first, streams[c].data(), streams[c].size());
  }
  words[Column::kHeaderWords + chunks] = static_cast<std::uint32_t>(words.size());
  return words;
}

/// Values a chunk with which there are at least as many chunks as the device can have warps at
/// once: the largest such, or the smallest that there are.
template <class T>
std::uint32_t filling_chunk(std::size_t values) {
  const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
  const int threads = codecs::cuda::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const std::size_t warps = std::size_t(processors) * std::size_t(threads) / codecs::kLanes;
  std::uint32_t chunk = (128 << 10) / sizeof(T);
  while (chunk > 2048 && values / chunk < warps) chunk /= 2;
  return chunk;
}

/// One column on the device, decoded in every way that is asked for.
template <class Codec, class T>
class Bench {
 public:
  using U = std::make_unsigned_t<T>;

  Bench(int repeats, std::span<const T> values, const DeviceArray<U>& expected)
      : repeats_(repeats), values_(values), expected_(expected), out_(values.size()) {}

  /// Encodes in strips, as our form needs it, with chunks of so many values.
  void encode(std::uint32_t chunk_values) {
    const Words words = encoded_in_parallel<Codec, T>(values_, chunk_values);
    Codec::template validate<T>(words, static_cast<std::uint32_t>(values_.size()));
    take(words, chunk_values, words.size());
  }

  /// Encodes as CODAG does.
  void encode_whole(std::uint32_t chunk_values) {
    const Words words = encoded_whole<Codec, T>(values_, chunk_values);
    const std::size_t chunks = (values_.size() + chunk_values - 1) / chunk_values;
    take(words, chunk_values, words.size() - chunks * Codec::Column::kSizeWords);
  }

  /// Bits a value, all metadata included.
  double bits() const { return bits_; }

  /// GB/s of output.
  double run(Launch<U> launch, const std::string& what) {
    const codecs::ListView column{words_.data(), static_cast<std::uint32_t>(values_.size())};
    poison(out_.data(), out_.bytes());
    const double seconds = measure::time_each(
        stream_, repeats_, [&](int) { launch(column, chunk_values_, out_.data(), stream_); });
    expect_equal(out_.data(), expected_.data(), values_.size_bytes(), what);
    const double speed = static_cast<double>(values_.size_bytes()) / seconds / 1e9;
    std::cerr << what << ": " << speed << " GB/s\n";
    return speed;
  }

 private:
  void take(const Words& words, std::uint32_t chunk_values, std::size_t size) {
    words_ = upload(std::span<const std::uint32_t>(words), 4);
    chunk_values_ = chunk_values;
    bits_ = 32.0 * static_cast<double>(size) / static_cast<double>(values_.size());
  }

  int repeats_;
  codecs::cuda::OwnedStream stream_;
  std::span<const T> values_;
  const DeviceArray<U>& expected_;
  DeviceArray<U> out_;
  DeviceArray<std::uint32_t> words_;
  std::uint32_t chunk_values_ = 0;
  double bits_ = 0;
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
void measure_paper(Bench<Codec, T>& bench, const std::string& set, std::size_t values,
                   Tables& tables) {
  using U = std::make_unsigned_t<T>;
  const std::string codec(Codec::name);
  const auto what = [&](const char* way) { return set + ", " + codec + ", " + way; };
  constexpr auto kAll = DecodeBy::kAllLanes;
  constexpr auto kLane0 = DecodeBy::kLane0;
  bench.encode_whole(kPaperChunk / sizeof(T));
  const double paper_bits = bench.bits();
  const double paper = std::max(
      bench.run(launch_serial<Codec, U, Buffer::kShared, kAll>, what("128 KiB, shared")),
      bench.run(launch_serial<Codec, U, Buffer::kRegisters, kAll>, what("128 KiB, registers")));
  const std::uint32_t chunk = filling_chunk<T>(values);
  bench.encode_whole(chunk);
  const double full_bits = bench.bits();
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
  const double full = std::max(shared, registers);
  const double chunks = std::ceil(static_cast<double>(values) / chunk);
  tables.figure7.add({set, codec, paper_bits, paper, chunks, full_bits, full, bench.bits(), strips,
                      strips / std::max(paper, full), bench.bits() / paper_bits});
  tables.figure8.add({set, codec, chunks, shared, registers, memory, lane0, prefetch,
                      prefetch_lane0, shared / lane0, shared / prefetch});
}

template <class Codec, class T>
void measure_chunks(Bench<Codec, T>& bench, const std::string& set, Tables& tables) {
  using U = std::make_unsigned_t<T>;
  for (const std::uint32_t chunk : {2048u, 4096u, 8192u, 16384u, 32768u}) {
    const std::string what =
        set + ", " + std::string(Codec::name) + ", chunks of " + std::to_string(chunk);
    bench.encode_whole(chunk);
    const double whole_bits = bench.bits();
    const double shared =
        bench.run(launch_serial<Codec, U, Buffer::kShared, DecodeBy::kAllLanes>, what);
    bench.encode(chunk);
    tables.chunks.add({set, std::string(Codec::name), double(chunk), whole_bits, shared,
                       bench.bits(), bench.run(launch_unstaged<Codec, U>, what + ", not staged"),
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
    Bench<Codec, T> bench(settings.repeats, values, expected);
    measure_paper(bench, set, values.size(), tables);
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

void run(Program& program, const Settings& settings) {
  program.device();
  Report& report = program.report();
  report.fact("bytes a column", static_cast<double>(settings.bytes));
  Tables tables{
      report.table(
          {"codag-fig7",
           "Figure 7: bits a value and GB/s of output. CODAG: the better of its two buffers, on "
           "chunks that are not cut into strips, of 128 KiB as in the paper and small enough to "
           "fill the device; ours: a strip a lane, chunks of 2048 values",
           {"data", "codec", "CODAG bits", "CODAG", "chunks that fill", "CODAG bits, filled",
            "CODAG, filled", "our bits", "ours", "ours / best CODAG", "our bits / CODAG's"},
           {}}),
      report.table(
          {"codag-fig8",
           "Figure 8 and section V-E: the variants, GB/s, with chunks that fill the device",
           {"data", "codec", "chunks", "shared", "registers", "unbuffered", "lane 0", "prefetch",
            "prefetch, lane 0", "all / lane 0", "without / with prefetch"},
           {}}),
      report.table({"codag-chunks",
                    "Values a chunk: bits a value, GB/s of output",
                    {"data", "codec", "values", "CODAG bits", "CODAG, shared", "our bits",
                     "ours, not staged", "ours"},
                    {}})};
  if (settings.inputs.empty()) {
    if (program.wants("structures")) measure_structures(settings, tables);
    if (program.wants("paper")) measure_paper_sets(settings, tables);
  }
  for (const std::string& path : settings.inputs) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    measure(settings, name, read_column(path, settings.bytes), false, tables);
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Settings settings;
  std::size_t mib = 256;
  Program program("bench_cuda_codag", "Rebuilds CODAG's figures 7 and 8 for rle-v1 and rle-v2.");
  program.repeats(9).parts({"structures", "paper"}).option("mib", mib, "MiB of every column");
  program.options()("input", po::value(&settings.inputs)->multitoken(),
                    "raw little-endian i32 files instead of the synthetic columns");
  return program.main(argc, argv, [&] {
    settings.bytes = mib << 20;
    settings.repeats = program.repeats();
    run(program, settings);
  });
}
