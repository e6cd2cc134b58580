// The three models of decompression on the same data: SIGMOD 2022, Figures 5, 7 and 8, sums fused
// with decoding, and the random access of section 8. Every decoded column is compared with its
// values on the device in the same run.
#include <cuda_runtime.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/frame/program.hpp"
#include "bench/frame/verify.hpp"
#include "bench/papers/models/cascading.hpp"
#include "bench/papers/models/gpu_simdbp128.hpp"
#include "bench/papers/models/gpu_simdbp128_decode.hpp"
#include "bench/papers/models/models_paper.cuh"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/encode.hpp"
#include "codecs/device/pick.hpp"
#include "codecs/device/scan.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;
using codecs::ValueType;
using cuda::check;
using cuda::check_launch;

// Data, made on the device.

enum class Kind { kUniform, kSorted, kNormal, kZipf };

/// A distribution of the paper and its one parameter.
struct Distribution {
  Kind kind;
  double parameter;  ///< bits; distinct values; mean; alpha
};

/// Largest value of the Zipf distribution.
constexpr double kZipfDomain = 1 << 24;

__device__ std::uint64_t mix(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/// In (0, 1].
__device__ double unit(std::uint64_t x) {
  return (static_cast<double>(mix(x) >> 11) + 1) * 0x1p-53;
}

__global__ void fill_kernel(Distribution of, std::uint64_t count, std::uint32_t* values) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const double p = of.parameter;
    double value = 0;
    if (of.kind == Kind::kUniform) {
      values[i] = static_cast<std::uint32_t>(mix(i) >> 32) >> (32 - static_cast<int>(p));
      continue;
    }
    if (of.kind == Kind::kSorted) {
      value = floor(static_cast<double>(i) * p / static_cast<double>(count));
    } else if (of.kind == Kind::kNormal) {
      const double radius = sqrt(-2 * log(unit(2 * i)));
      value = fmax(0.0, p + 20 * radius * cospi(2 * unit(2 * i + 1)));
    } else {
      // The inverse of the continuous distribution's cumulative function, cut at kZipfDomain.
      const double u = unit(i);
      value = p == 1 ? exp(u * log(kZipfDomain))
                     : pow(1 - u * (1 - pow(kZipfDomain, 1 - p)), 1 / (1 - p));
    }
    values[i] = static_cast<std::uint32_t>(value);
  }
}

/// Bits that are set with a probability.
__global__ void select_kernel(double selectivity, std::uint32_t words, std::uint32_t* bits) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words) return;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    result |= (unit(std::uint64_t{word} * 32 + i) <= selectivity ? 1u : 0u) << i;
  }
  bits[word] = result;
}

constexpr int kGrid = 4096;
constexpr int kThreads = 256;

/// An encoded column in device memory.
struct Column {
  std::string codec;
  cuda::ColumnPlan plan;
  cuda::DeviceArray<std::uint32_t> words;
  std::uint64_t size;  ///< in words
  double bits;         ///< per value
};

/// What all measurements share: the values, the output, the stream.
class Bench {
 public:
  Bench(Program& program, std::uint32_t count)
      : program_(program),
        report_(program.report()),
        count_(count),
        repeats_(program.repeats()),
        values_(count + 4),
        out_(count + 4) {}

  void figure5();
  void figure7();
  void figure8();
  void fused();
  void random_access();

 private:
  void fill(Distribution of) {
    fill_kernel<<<kGrid, kThreads, 0, stream_>>>(of, count_, values_.data());
    check_launch("fill_kernel");
    stream_.wait();
  }

  /// Encodes the values on the device where that can be done, else on the host.
  Column encode(const std::string& name) {
    const codecs::Codec& codec = codecs::codec_named(name, ValueType::kU32);
    if (name == "none") return plain();
    if (cuda::encodes_on_device(codec.id)) return encode_on_device(codec);
    std::vector<std::uint32_t> words;
    codec.encode(ValueType::kU32, std::as_bytes(on_host()), codecs::Parameters{}, words);
    const auto plan = cuda::plan_of(codec.id, ValueType::kU32, words, count_);
    const std::uint64_t size = words.size();
    return {name, plan, cuda::upload(std::span<const std::uint32_t>(words), 4), size,
            bits_of(size)};
  }

  /// The values, copied to the host.
  std::span<const std::uint32_t> on_host() {
    if (host_.size() == 0) host_ = cuda::PinnedArray<std::uint32_t>(count_);
    check(cudaMemcpy(host_.data(), values_.data(), host_.bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return {host_.data(), count_};
  }

  /// The values as they are.
  Column plain() {
    cuda::DeviceArray<std::uint32_t> words(count_ + 4);
    check(cudaMemcpy(words.data(), values_.data(), words.bytes(), cudaMemcpyDeviceToDevice),
          "cudaMemcpy");
    cuda::finish_copies();
    const codecs::CodecId id = codecs::codec_named("none", ValueType::kU32).id;
    return {"none",
            {id, ValueType::kU32, count_, codecs::kTile, codecs::kTile},
            std::move(words),
            count_,
            32};
  }

  Column encode_on_device(const codecs::Codec& codec) {
    cuda::DeviceEncoder encoder(codec.id, codecs::Content::kValues, count_);
    cuda::DeviceArray<std::uint32_t> room(cuda::max_encoded_words(codec.id, count_));
    cuda::PinnedArray<std::uint32_t> written(1);
    encoder.encode_async(values_.data(), count_, room.data(), written.data(), stream_);
    stream_.wait();
    const std::uint64_t size = written[0];
    cuda::DeviceArray<std::uint32_t> words(size + 4);
    check(cudaMemcpy(words.data(), room.data(), size * 4, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    cuda::finish_copies();
    cuda::ColumnPlan plan{codec.id, ValueType::kU32, count_, codecs::kTile};
    plan.tile_words = static_cast<std::uint32_t>((size - 1) / codecs::tile_count(count_) + 1);
    return {std::string(codec.name), plan, std::move(words), size, bits_of(size)};
  }

  double bits_of(std::uint64_t words) const {
    return 32.0 * static_cast<double>(words) / static_cast<double>(count_);
  }

  /// Milliseconds that `work` takes, which writes the values to out_: verified.
  template <class Work>
  double time_decode(const std::string& what, Work work) {
    poison(out_.data(), out_.bytes());
    const double seconds = measure::time_each(stream_, repeats_, [&](int) { work(); });
    expect_equal(out_.data(), values_.data(), 4ull * count_, what);
    return seconds * 1e3;
  }

  /// Tile-based: one kernel.
  double time_tiles(const Column& column) {
    return time_decode(column.codec, [&] {
      cuda::decode_column_async(column.plan, column.words.data(), out_.data(), stream_);
    });
  }

  /// Cascading: a kernel a layer.
  double time_layers(const Column& column) {
    const codecs::papers::CascadingDecoder decoder(column.plan.codec, column.words.data(), count_);
    return time_decode(column.codec + " by layers",
                       [&] { decoder.decode_async(out_.data(), stream_); });
  }

  /// What the layers would take if every pass were as fast as the memory: milliseconds.
  double layers_at_the_ceilings(const Column& column) {
    const codecs::papers::CascadingDecoder decoder(column.plan.codec, column.words.data(), count_);
    double seconds = 0;
    for (const auto& pass : decoder.passes(4 * column.size)) {
      seconds += (pass.read + pass.written) / program_.device().mixed(pass.read, pass.written);
    }
    return seconds * 1e3;
  }

  template <Step kStep, std::uint32_t D>
  double time_paper(const Column& column) {
    const std::uint32_t blocks = codecs::ceil_div(codecs::tile_count(count_), D);
    return time_decode("the paper's kernel", [&] {
      paper_kernel<kStep, D>
          <<<blocks, 128, 0, stream_>>>({column.words.data(), count_}, out_.data());
      check_launch("paper_kernel");
    });
  }

  /// gpu-simdbp128, the vertical layout of section 4.3: milliseconds, and bits per value.
  std::pair<double, double> time_vertical() {
    using Vertical = codecs::papers::GpuSimdBp128;
    std::vector<std::uint32_t> encoded;
    Vertical::encode(on_host(), encoded);
    const auto words = cuda::upload(std::span<const std::uint32_t>(encoded), 4);
    const double time = time_decode(std::string(Vertical::name), [&] {
      codecs::papers::decode_simdbp128_async(words.data(), encoded.size(), count_, out_.data(),
                                             stream_);
    });
    return {time, bits_of(encoded.size())};
  }

  Figure& figure(const std::string& name, const std::string& title, const std::string& x,
                 const std::string& y, bool log_x = false) {
    Figure made;
    made.name = name;
    made.title = title;
    made.x = x;
    made.y = y;
    made.log_x = log_x;
    return report_.figure(std::move(made));
  }

  /// Tile-based decoding of several codecs against one parameter: times and sizes.
  void compare(Figure& times, Figure& sizes, double at, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const Column column = encode(name);
      times.add(name, at, time_tiles(column));
      sizes.add(name, at, column.bits);
    }
  }

  Program& program_;
  Report& report_;
  std::uint32_t count_;
  int repeats_;
  cuda::OwnedStream stream_;
  cuda::DeviceArray<std::uint32_t> values_;
  cuda::DeviceArray<std::uint32_t> out_;
  cuda::PinnedArray<std::uint32_t> host_;
};

void Bench::figure5() {
  Figure& curves =
      figure("sigmod22-fig5", "Figure 5: blocks of 128 a thread block (D), uniform 16 bits", "D",
             "ms", true);
  Table& steps = report_.table(
      {"sigmod22-steps", "Section 4.2: one optimisation after the other", {"kernel", "ms"}, {}});
  fill({Kind::kUniform, 16});
  const Column column = encode("gpu-for");
  steps.add({"Algorithm 1", time_paper<Step::kBase, 1>(column)});
  steps.add({"1: shared memory", time_paper<Step::kShared, 1>(column)});
  steps.add({"2: D = 4", time_paper<Step::kShared, 4>(column)});
  steps.add({"3: offsets once", time_paper<Step::kOffsets, 4>(column)});
  steps.add({"ours", time_tiles(column)});
  const auto sweep = [&]<std::uint32_t D>() {
    curves.add("without optimisation 3", D, time_paper<Step::kShared, D>(column));
    curves.add("with all", D, time_paper<Step::kOffsets, D>(column));
    curves.add("ours (D = 4 a warp)", D, time_tiles(column));
  };
  sweep.template operator()<1>();
  sweep.template operator()<2>();
  sweep.template operator()<4>();
  sweep.template operator()<8>();
  sweep.template operator()<16>();
  sweep.template operator()<32>();
}

void Bench::figure7() {
  Figure& times =
      figure("sigmod22-fig7a", "Figure 7a: decompression time by bit width", "bits", "ms");
  Figure& sizes =
      figure("sigmod22-fig7b", "Figure 7b: size by bit width", "bits", "bits an integer");
  Table& layers = report_.table(
      {"sigmod22-layers",
       "A kernel a layer, against what its traffic takes at the memory's ceilings, and one kernel",
       {"codec", "bits", "by layers, ms", "at the ceilings, ms", "of the ceilings",
        "one kernel, ms", "ratio"},
       {}});
  for (int bits = 2; bits <= 30; bits += 2) {
    fill({Kind::kUniform, static_cast<double>(bits)});
    compare(times, sizes, bits, {"none", "nsf"});
    for (const char* name : {"gpu-for", "gpu-dfor", "gpu-rfor"}) {
      const Column column = encode(name);
      const double tiles = time_tiles(column);
      const double by_layers = time_layers(column);
      const double limit = layers_at_the_ceilings(column);
      times.add(name, bits, tiles);
      times.add(std::string(name) + " by layers", bits, by_layers);
      layers.add({name, static_cast<double>(bits), by_layers, limit, limit / by_layers, tiles,
                  by_layers / tiles});
      sizes.add(name, bits, column.bits);
    }
    const auto [vertical, size] = time_vertical();
    times.add("gpu-simdbp128", bits, vertical);
    sizes.add("gpu-simdbp128", bits, size);
  }
}

void Bench::figure8() {
  const auto one =
      [&](const std::string& letters, const std::string& title, const std::string& axis, bool log,
          Kind kind, const std::vector<double>& parameters, const std::vector<std::string>& names) {
        Figure& sizes = figure("sigmod22-fig8" + letters.substr(0, 1),
                               "Figure 8" + letters.substr(0, 1) + ": size, " + title, axis,
                               "bits an integer", log);
        Figure& times = figure("sigmod22-fig8" + letters.substr(1),
                               "Figure 8" + letters.substr(1) + ": decompression time, " + title,
                               axis, "ms", log);
        for (const double parameter : parameters) {
          fill({kind, parameter});
          compare(times, sizes, parameter, names);
        }
      };
  const auto powers = [](int from, int to, int step) {
    std::vector<double> result;
    for (int i = from; i <= to; i += step) result.push_back(std::exp2(i));
    return result;
  };
  one("ab", "D1, sorted", "distinct values", true, Kind::kSorted, powers(2, 28, 2),
      {"none", "nsf", "rle", "gpu-for", "gpu-dfor", "gpu-rfor"});
  one("cd", "D2, normal with deviation 20", "mean", true, Kind::kNormal, powers(6, 30, 4),
      {"none", "nsf", "gpu-for", "gpu-dfor"});
  one("ef", "D3, Zipf in [1, 2^24]", "alpha", false, Kind::kZipf, {1, 2, 3, 4, 5},
      {"none", "nsf", "nsv", "gpu-for", "gpu-dfor"});
}

void Bench::fused() {
  Figure& times = figure("fused-sum", "Sum fused with decoding, nothing written", "bits", "ms");
  Figure& rates = figure("fused-sum-rate", "The same: encoded bytes read", "bits", "GB/s");
  Figure& ranges =
      figure("fused-range", "Count and sum of the values in a range (half of them)", "bits", "ms");
  const cuda::ColumnScanner scanner;
  cuda::DeviceArray<cuda::ScanResult> result(1);
  const auto fetch = [&] {
    cuda::ScanResult got;
    check(cudaMemcpyAsync(&got, result.data(), sizeof got, cudaMemcpyDeviceToHost, stream_),
          "cudaMemcpyAsync");
    stream_.wait();
    return got;
  };
  for (const int bits : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 30, 32}) {
    fill({Kind::kUniform, static_cast<double>(bits)});
    const auto range = cuda::ScanRange::of<std::uint32_t>(0, codecs::low_mask(bits) / 2);
    cuda::ScanResult sum;
    cuda::ScanResult part;
    for (const char* name : {"none", "gpu-bp128", "gpu-for", "gpu-dfor", "gpu-rfor"}) {
      const Column column = encode(name);
      const double seconds = measure::time_each(stream_, repeats_, [&](int) {
        scanner.sum_async(column.plan, column.words.data(), result.data(), stream_);
      });
      // The first codec is none: the plain values.
      if (std::string(name) == "none") sum = fetch();
      if (fetch() != sum || sum.count != count_) throw std::runtime_error("a sum is wrong");
      times.add(name, bits, seconds * 1e3);
      rates.add(name, bits, static_cast<double>(column.size) * 4e-9 / seconds);
      const double ranged = measure::time_each(stream_, repeats_, [&](int) {
        scanner.range_async(column.plan, column.words.data(), range, result.data(), stream_);
      });
      if (std::string(name) == "none") part = fetch();
      if (fetch() != part) throw std::runtime_error("a range is wrong");
      ranges.add(name, bits, ranged * 1e3);
    }
  }
}

void Bench::random_access() {
  Figure& curves = figure("sigmod22-random-access",
                          "Section 8: sum of the values that a bit vector selects (16 bits)",
                          "selectivity", "ms", true);
  fill({Kind::kUniform, 16});
  const std::uint32_t words = codecs::ceil_div(count_, 32);
  cuda::DeviceArray<std::uint32_t> bits(words);
  cuda::DeviceArray<cuda::ScanResult> result(1);
  std::vector<Column> columns;
  for (const char* name : {"none", "gpu-for", "gpu-dfor", "gpu-rfor"}) {
    columns.push_back(encode(name));
  }
  for (const double selectivity : {1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0}) {
    select_kernel<<<codecs::ceil_div(words, kThreads), kThreads, 0, stream_>>>(selectivity, words,
                                                                               bits.data());
    check_launch("select_kernel");
    cuda::ScanResult expected;
    for (const Column& column : columns) {
      const double seconds = measure::time_each(stream_, repeats_, [&](int) {
        check(cudaMemsetAsync(result.data(), 0, result.bytes(), stream_), "cudaMemsetAsync");
        cuda::sum_selected_async(column.plan, column.words.data(), bits.data(), result.data(),
                                 stream_);
      });
      cuda::ScanResult got;
      check(cudaMemcpyAsync(&got, result.data(), sizeof got, cudaMemcpyDeviceToHost, stream_),
            "cudaMemcpyAsync");
      stream_.wait();
      if (column.codec == "none") expected = got;
      if (got != expected) throw std::runtime_error("a selection is wrong");
      curves.add(column.codec, selectivity, seconds * 1e3);
    }
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet;
  std::uint32_t values = 250'000'000;
  bench::Program program("bench_cuda_models",
                         "Rebuilds Figures 5, 7 and 8 and section 8 of the SIGMOD 2022 paper, and "
                         "measures fused sums.");
  program.repeats(20).parts({"5", "7", "8", "fused", "random"});
  program.option("values", values, "values of a column");
  return program.main(argc, argv, [&] {
    if (values == 0 || values > codecs::kMaxListLength) {
      throw UsageError("--values must be from 1 to " + std::to_string(codecs::kMaxListLength));
    }
    program.device();
    program.report().fact("values", static_cast<double>(values));
    bench::Bench bench(program, values);
    if (program.wants("5")) bench.figure5();
    if (program.wants("7")) bench.figure7();
    if (program.wants("8")) bench.figure8();
    if (program.wants("fused")) bench.fused();
    if (program.wants("random")) bench.random_access();
  });
}
