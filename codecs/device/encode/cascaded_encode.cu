// One warp per chunk, twice: the first pass finds the chunks' sizes, CUB adds them up to the
// chunks' starts, the second writes. Between the layers a chunk's values stay in shared memory.
#include <cuda_runtime.h>

#include <cub/device/device_scan.cuh>
#include <string>
#include <type_traits>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs::cuda {
namespace {

constexpr std::uint32_t kWarps = kCascadedPolicy.encode_warps;

/// Bytes of shared memory a chunk: its values, and where runs start, with one more start for the
/// end of the last run.
template <class U>
__host__ __device__ constexpr std::uint32_t chunk_bytes(std::uint32_t chunk) {
  return chunk * static_cast<std::uint32_t>(sizeof(U)) + (chunk + 8) * 2;
}

/// Smallest and largest of a stream's values.
template <class V>
struct Range {
  V least;
  V most;
};

template <class V>
__device__ Range<V> range_over_warp(Range<V> range) {
#pragma unroll
  for (unsigned step = kLanes / 2; step > 0; step /= 2) {
    const V least = __shfl_xor_sync(WarpLanes::kAll, range.least, step);
    const V most = __shfl_xor_sync(WarpLanes::kAll, range.most, step);
    range = {min(range.least, least), max(range.most, most)};
  }
  return range;
}

template <class V>
__device__ std::uint32_t width_of(V range) {
  if constexpr (sizeof(V) == 8) {
    return 64 - static_cast<std::uint32_t>(__clzll(static_cast<long long>(range)));
  } else {
    return 32 - static_cast<std::uint32_t>(__clz(static_cast<int>(range)));
  }
}

/// The values of a stream: offset_at(i) is value i less the stream's reference.
template <class V, class OffsetAt>
__device__ void pack(std::uint32_t* words, std::uint32_t count, std::uint32_t width,
                     OffsetAt offset_at) {
  const std::uint32_t size = stream_words(count, width);
  for (std::uint32_t w = WarpLanes::id(); w < size; w += kLanes) {
    const std::uint32_t bit = 32 * w;
    std::uint32_t word = 0;
    for (std::uint32_t i = bit / width; i < count && i * width < bit + 32; ++i) {
      const V offset = offset_at(i);
      const std::uint32_t at = i * width;
      word |= at < bit ? static_cast<std::uint32_t>(offset >> (bit - at))
                       : static_cast<std::uint32_t>(offset) << (at - bit);
    }
    words[w] = word;
  }
}

/// One warp's work on one chunk.
template <class U, bool kWrite>
class ChunkEncoder {
 public:
  /// Values and starts are shared memory of the warp; `words` is where the chunk goes.
  __device__ ChunkEncoder(const CascadedPlan& plan, bool with_sign, U* values,
                          std::uint16_t* starts, std::uint32_t* words)
      : plan_(plan), with_sign_(with_sign), values_(values), starts_(starts), words_(words) {}

  /// Encodes the chunk and returns its number of words.
  __device__ std::uint32_t encode(const U* input, std::uint32_t size) {
    for (std::uint32_t i = WarpLanes::id(); i < size; i += kLanes) values_[i] = input[i];
    __syncwarp();
    count_ = size;
    const std::uint32_t layers = plan_.rles > 0 ? plan_.rles : 1;
    end_ = layers + (plan_.deltas + 1) * kValueWords;
    std::uint32_t first_layer = 0;
    for (std::uint32_t round = 0; round < plan_.rounds(); ++round) {
      if (round < plan_.rles) {
        const std::uint32_t word = take_runs();
        if (round == 0) {
          first_layer = word;
        } else {
          put(round, word);
        }
      }
      if (round < plan_.deltas) take_deltas(layers + round * kValueWords);
    }
    const std::uint32_t width = put_values(layers + plan_.deltas * kValueWords);
    put(0, CascadedLayer::with_value_width(first_layer, width));
    return end_;
  }

 private:
  using V = Wide<U>;
  static constexpr std::uint32_t kValueWords = sizeof(U) == 8 ? 2 : 1;

  __device__ void put(std::uint32_t at, std::uint32_t word) {
    if (kWrite && WarpLanes::id() == 0) words_[at] = word;
  }

  __device__ void put_value(std::uint32_t at, U value) {
    put(at, static_cast<std::uint32_t>(value));
    if constexpr (sizeof(U) == 8) put(at + 1, static_cast<std::uint32_t>(value >> 32));
  }

  /// Moves the values of the runs to the front and notes where runs start.
  __device__ std::uint32_t find_runs() {
    const std::uint32_t lane = WarpLanes::id();
    std::uint32_t runs = 0;
    U last{};  // the value before the next 32
    for (std::uint32_t base = 0; base < count_; base += kLanes) {
      const std::uint32_t i = base + lane;
      const U value = i < count_ ? values_[i] : U{0};
      U before = static_cast<U>(__shfl_up_sync(WarpLanes::kAll, V{value}, 1));
      if (lane == 0) before = last;
      const bool starts = i < count_ && (i == 0 || value != before);
      const std::uint32_t all = __ballot_sync(WarpLanes::kAll, starts);
      const std::uint32_t run = runs + popcount(all & ((1u << lane) - 1));
      last = static_cast<U>(__shfl_sync(WarpLanes::kAll, V{value}, kLanes - 1));
      __syncwarp();
      if (starts) {
        values_[run] = value;
        starts_[run] = static_cast<std::uint16_t>(i);
      }
      runs += popcount(all);
    }
    if (lane == 0) starts_[runs] = static_cast<std::uint16_t>(count_);
    __syncwarp();
    return runs;
  }

  /// CascadedEncoder::take_runs() of the host.
  __device__ std::uint32_t take_runs() {
    if (count_ == 0) return 0;
    const std::uint32_t runs = find_runs();
    std::uint32_t shortest = 1;
    std::uint32_t width = CascadedLayer::kPlainLengthWidth;
    if (plan_.bitpack != 0) {
      Range<std::uint32_t> range{0xffffffffu, 0};
      for (std::uint32_t i = WarpLanes::id(); i < runs; i += kLanes) {
        range = {min(range.least, length(i)), max(range.most, length(i))};
      }
      range = range_over_warp(range);
      shortest = min(range.least, CascadedLayer::kMaxShortest);
      width = width_of(range.most - shortest);
    }
    if (kWrite && width > 0) {
      pack<std::uint32_t>(words_ + end_, runs, width,
                          [&](std::uint32_t i) { return length(i) - shortest; });
    }
    end_ += stream_words(runs, width);
    count_ = runs;
    __syncwarp();
    return CascadedLayer::make(runs, width, shortest);
  }

  __device__ std::uint32_t length(std::uint32_t run) const {
    return static_cast<std::uint32_t>(starts_[run + 1]) - starts_[run];
  }

  /// CascadedEncoder::take_deltas() of the host; the first value goes to word `at`.
  __device__ void take_deltas(std::uint32_t at) {
    put_value(at, count_ > 0 ? values_[0] : U{0});
    for (std::uint32_t base = 0; base + 1 < count_; base += kLanes) {
      const std::uint32_t i = base + WarpLanes::id();
      U delta{};
      if (i + 1 < count_) delta = static_cast<U>(values_[i + 1] - values_[i]);
      __syncwarp();
      if (i + 1 < count_) values_[i] = delta;
      __syncwarp();
    }
    if (count_ > 0) --count_;
    __syncwarp();
  }

  /// Packs the values that remain, their reference to word `at`; returns their width.
  __device__ std::uint32_t put_values(std::uint32_t at) {
    U reference{};
    std::uint32_t width = plan_.bitpack != 0 || count_ == 0 ? 0 : 8 * sizeof(U);
    if (plan_.bitpack != 0 && count_ > 0) {
      const U flip = with_sign_ ? static_cast<U>(U{1} << (8 * sizeof(U) - 1)) : U{0};
      Range<V> range{static_cast<V>(~V{0}), 0};
      for (std::uint32_t i = WarpLanes::id(); i < count_; i += kLanes) {
        const V value = static_cast<U>(values_[i] + flip);
        range = {min(range.least, value), max(range.most, value)};
      }
      range = range_over_warp(range);
      reference = static_cast<U>(range.least - flip);
      width = width_of<V>(range.most - range.least);
    }
    put_value(at, reference);
    if (kWrite && width > 0) {
      pack<V>(words_ + end_, count_, width,
              [&](std::uint32_t i) { return V{static_cast<U>(values_[i] - reference)}; });
    }
    end_ += stream_words(count_, width);
    return width;
  }

  CascadedPlan plan_;
  bool with_sign_;
  U* values_;
  std::uint16_t* starts_;
  std::uint32_t* words_;
  std::uint32_t count_ = 0;  ///< values that remain
  std::uint32_t end_ = 0;    ///< words so far
};

/// One warp per chunk. First pass: sizes[1 + chunk]. Second pass: the chunk, at
/// words[sizes[chunk]].
template <class U, bool kWrite>
__global__ void __launch_bounds__(kWarps* kLanes)
    encode_kernel(const U* values, std::uint32_t count, CascadedPlan plan, bool with_sign,
                  std::uint32_t* starts, std::uint32_t* words) {
  extern __shared__ uint4 chunk_memory[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kWarps + warp;
  if (chunk >= chunk_count(count, plan.chunk)) return;
  auto* memory = reinterpret_cast<std::uint8_t*>(chunk_memory) + warp * chunk_bytes<U>(plan.chunk);
  ChunkEncoder<U, kWrite> encoder(plan, with_sign, reinterpret_cast<U*>(memory),
                                  reinterpret_cast<std::uint16_t*>(memory + plan.chunk * sizeof(U)),
                                  kWrite ? words + starts[chunk] : nullptr);
  const std::uint32_t size = encoder.encode(values + std::uint64_t{chunk} * plan.chunk,
                                            chunk_size(count, plan.chunk, chunk));
  if (!kWrite && WarpLanes::id() == 0) starts[1 + chunk] = size;
}

/// The words before the chunk starts, and what the sizes are added up from.
__global__ void head_kernel(CascadedPlan plan, std::uint32_t chunks, std::uint32_t* sizes,
                            std::uint32_t* words) {
  words[0] = plan.word();
  words[1] = plan.chunk;
  sizes[0] = kCascadedHead + chunks + 1;
}

constexpr std::uint64_t kAlign = 256;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

std::uint64_t scan_bytes(std::uint32_t chunks) {
  std::size_t bytes = 0;
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, chunks + 1), "InclusiveSum");
  return bytes;
}

template <class T>
void launch(const void* input, std::uint32_t count, const CascadedPlan& plan, void* workspace,
            std::uint32_t* words, cudaStream_t stream) {
  using U = std::make_unsigned_t<T>;
  const std::uint32_t chunks = chunk_count(count, plan.chunk);
  auto* sizes = static_cast<std::uint32_t*>(workspace);
  auto* temporary = static_cast<std::uint8_t*>(workspace) + aligned((chunks + 1) * 4ull);
  const auto* values = static_cast<const U*>(input);
  const bool with_sign = plan.signed_values<T>();
  const std::uint32_t blocks = ceil_div(chunks, kWarps);
  const std::uint32_t shared = kWarps * chunk_bytes<U>(plan.chunk);
  std::uint32_t* starts = words + kCascadedHead;
  launch_kernel({"head_kernel", 1, 1, 0, stream}, head_kernel, plan, chunks, sizes, words);
  launch_kernel({"encode_kernel", blocks, kWarps * kLanes, shared, stream}, encode_kernel<U, false>,
                values, count, plan, with_sign, sizes, nullptr);
  std::size_t bytes = scan_bytes(chunks);
  check(cub::DeviceScan::InclusiveSum(temporary, bytes, sizes, starts, chunks + 1, stream),
        "InclusiveSum");
  launch_kernel({"encode_kernel", blocks, kWarps * kLanes, shared, stream}, encode_kernel<U, true>,
                values, count, plan, with_sign, starts, words);
}

}  // namespace

std::uint64_t cascaded_max_words(ValueType type, std::uint64_t count, const CascadedPlan& plan) {
  check_encodable(Cascaded::name, count);
  with_value_type(type, [&]<class T>() { Cascaded::check_plan<T>(plan); });
  const std::uint64_t chunks = (count + plan.chunk - 1) / plan.chunk;
  const std::uint64_t value_words = size_of(type) == 8 ? 2 : 1;
  const std::uint64_t layers = plan.rles > 0 ? plan.rles : 1;
  const std::uint64_t head = layers + (plan.deltas + 1) * value_words;
  const std::uint64_t lengths =
      plan.rles * stream_words(plan.chunk, CascadedLayer::kPlainLengthWidth);
  const std::uint64_t values = stream_words(plan.chunk, 8 * size_of(type));
  return kCascadedHead + 1 + chunks * (1 + head + lengths + values);
}

std::uint64_t cascaded_workspace_bytes(ValueType type, std::uint32_t count,
                                       const CascadedPlan& plan) {
  check_encodable(Cascaded::name, count);
  with_value_type(type, [&]<class T>() { Cascaded::check_plan<T>(plan); });
  const std::uint32_t chunks = chunk_count(count, plan.chunk);
  return aligned((chunks + 1) * 4ull) + aligned(scan_bytes(chunks));
}

void cascaded_encode_async(ValueType type, const void* values, std::uint32_t count,
                           const CascadedPlan& plan, void* workspace, std::uint64_t workspace_bytes,
                           std::uint32_t* words, Stream stream) {
  const std::uint64_t needed = cascaded_workspace_bytes(type, count, plan);
  if (workspace_bytes < needed) {
    throw UsageError("cascaded: encoding needs a workspace of " + std::to_string(needed) +
                     " bytes, not " + std::to_string(workspace_bytes));
  }
  check_aligned(values, size_of(type), "the values to be encoded");
  check_aligned(workspace, kAlign, "the workspace of an encoder");
  check_aligned(words, sizeof(std::uint32_t), "the place for encoded words");
  const DeviceGuard guard(device_of(words));
  with_value_type(type,
                  [&]<class T>() { launch<T>(values, count, plan, workspace, words, stream); });
}

std::vector<std::uint32_t> cascaded_encode(ValueType type, std::span<const std::byte> values,
                                           const CascadedPlan& plan) {
  const std::uint64_t most = cascaded_max_words(type, values.size() / size_of(type), plan);
  const auto count = static_cast<std::uint32_t>(values.size() / size_of(type));
  const DeviceArray<std::byte> input = upload(values, 1);
  DeviceArray<std::byte> workspace(cascaded_workspace_bytes(type, count, plan));
  DeviceArray<std::uint32_t> words(most);
  const OwnedStream stream;
  cascaded_encode_async(type, input.data(), count, plan, workspace.data(), workspace.bytes(),
                        words.data(), stream);
  stream.wait();
  std::uint32_t size = 0;
  check(cudaMemcpy(&size, words.data() + kCascadedHead + chunk_count(count, plan.chunk),
                   sizeof size, cudaMemcpyDeviceToHost),
        "cudaMemcpy from the device");
  std::vector<std::uint32_t> result(size);
  check(
      cudaMemcpy(result.data(), words.data(), size * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
      "cudaMemcpy from the device");
  return result;
}

}  // namespace gannet::codecs::cuda
