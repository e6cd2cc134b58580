// Decoding whole columns of bits by the chunk codecs wah and wah64 on the GPU, from bits that do
// not compress to long runs: bytes read and written a second, against what copying the output
// reaches. Every decoded column is compared with the original.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/program.hpp"
#include "bench/papers/wah/wah_data.hpp"
#include "codecs/wah/wah_column.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

using codecs::kLanes;
using codecs::ListView;
using codecs::cuda::check;
using codecs::cuda::DeviceArray;
using codecs::cuda::OwnedStream;
using codecs::cuda::upload;

constexpr std::uint32_t kWarps = 4;

/// One warp per chunk, as the library decodes columns of any chunk codec.
template <class Codec, class T>
__global__ void __launch_bounds__(kWarps* kLanes) decode_kernel(ListView column, T* out) {
  __shared__ uint4 scratch[kWarps][Codec::template scratch_words<T> / 4];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kWarps + warp;
  if (chunk >= codecs::chunk_count(column.count, Codec::kChunkValues)) return;
  Codec::template decode_chunk<T>(codecs::WarpLanes{}, column, chunk,
                                  reinterpret_cast<std::uint32_t*>(scratch[warp]),
                                  out + std::uint64_t{chunk} * Codec::kChunkValues);
}

/// Words with runs of ones of mean length `run`, `density` of all bits ones; 4 MB of them, over and
/// over again.
template <class T>
std::vector<T> random_bits(std::size_t words, double run, double density, std::uint64_t seed) {
  Mixer random(seed);
  std::vector<T> values(words);
  const std::size_t period = std::min<std::size_t>(words, (4u << 20) / sizeof(T));
  const std::uint64_t bits = std::uint64_t{period} * 8 * sizeof(T);
  const auto length = [&](double mean) {
    return mean <= 1 ? 1.0 : 1 + std::floor(std::log(1 - random.unit()) / std::log(1 - 1 / mean));
  };
  for (std::uint64_t bit = 0; bit < bits;) {
    bit += static_cast<std::uint64_t>(length(run * (1 - density) / density));
    const auto ones = static_cast<std::uint64_t>(length(run));
    for (const std::uint64_t end = std::min(bits, bit + ones); bit < end; ++bit) {
      values[bit / (8 * sizeof(T))] |= T{1} << (bit % (8 * sizeof(T)));
    }
  }
  for (std::size_t i = period; i < words; ++i) values[i] = values[i - period];
  return values;
}

struct Shape {
  const char* name;
  double run;
  double density;
};
constexpr Shape kShapes[] = {{"half ones, noise", 1, 0.5},
                             {"1 % ones, noise", 1, 0.01},
                             {"0.1 % ones, noise", 1, 0.001},
                             {"runs of 100, 10 % ones", 100, 0.1},
                             {"runs of 5,000, 10 % ones", 5000, 0.1}};

template <class T>
void run_shapes(std::size_t bytes, int repeats, Table& table) {
  using Codec = codecs::WahColumn<T>;
  const OwnedStream stream;
  for (const Shape& shape : kShapes) {
    const auto values = random_bits<T>(bytes / sizeof(T), shape.run, shape.density, 3);
    const auto count = static_cast<std::uint32_t>(values.size());
    std::vector<std::uint32_t> words;
    Codec::template encode<T>(values, {}, words);
    Codec::template validate<T>(words, count);
    const auto encoded = upload(std::span<const std::uint32_t>(words), 4);
    DeviceArray<T> out(count);
    const std::uint32_t blocks =
        codecs::ceil_div(codecs::chunk_count(count, Codec::kChunkValues), kWarps);
    const double seconds = measure::time_each(stream, repeats, [&](int) {
      decode_kernel<Codec, T>
          <<<blocks, kWarps * kLanes, 0, stream>>>({encoded.data(), count}, out.data());
      codecs::cuda::check_launch("decode_kernel");
    });
    std::vector<T> decoded(count);
    check(cudaMemcpy(decoded.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    if (decoded != values) throw std::runtime_error(std::string(shape.name) + ": wrong values");
    const double read = static_cast<double>(words.size()) * 4;
    const double written = static_cast<double>(out.bytes());
    table.add({std::string(Codec::name), shape.name, written / read, seconds * 1e6,
               written / seconds * 1e-9, (read + written) / seconds * 1e-9});
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  std::size_t megabytes = 256;
  Program program("bench_cuda_wah_column", "Decoding columns of bits, wah and wah64, on the GPU.");
  program.repeats(20).option("megabytes", megabytes, "of decoded bits");
  return program.main(argc, argv, [&] {
    program.device();
    Table& table = program.report().table(
        {"wah-columns",
         "Decoding a column",
         {"codec", "bits", "ratio", "us", "GB/s out", "GB/s read and written"},
         {}});
    run_shapes<std::uint32_t>(megabytes << 20, program.repeats(), table);
    run_shapes<std::uint64_t>(megabytes << 20, program.repeats(), table);
  });
}
