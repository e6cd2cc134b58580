#include <cuda_runtime.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <type_traits>
#include <vector>

#include "bench/papers/cascaded/cascaded_layers.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/cascaded/cascaded.hpp"

namespace gannet::codecs::papers {
namespace {

using cuda::check;
using cuda::check_launch;
using cuda::DeviceArray;
using cuda::upload;

constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kChunksPerBlock = kThreads / kLanes;

/// Where the chunks' values of a sequence begin in the array of all of them; one entry more than
/// chunks.
using Bases = std::vector<std::uint32_t>;

/// One layer: what `lower` values become when it is undone.
struct Layer {
  bool runs;            ///< run lengths, otherwise deltas
  std::uint32_t index;  ///< among the layers of its kind
  DeviceArray<std::uint32_t> upper;
  DeviceArray<std::uint32_t> lower;
  std::uint32_t upper_total;
  std::uint32_t lower_total;
};

/// The chunk of this warp; false if there is none.
__device__ bool chunk_of_warp(std::uint32_t chunks, std::uint32_t& chunk) {
  chunk = blockIdx.x * kChunksPerBlock + threadIdx.x / kLanes;
  return chunk < chunks;
}

/// Unpacks the values that remain after the last layer.
template <class U>
__global__ void unpack_values_kernel(ListView column, std::uint32_t chunks,
                                     const std::uint32_t* bases, U* out) {
  std::uint32_t chunk = 0;
  if (!chunk_of_warp(chunks, chunk)) return;
  const CascadedChunk<U> words = cascaded_chunk<U>(column, chunk);
  const auto stream = words.rles > 0 ? words.values(words.level(words.rles - 1)) : words.values({});
  out += bases[chunk];
  for (std::uint32_t i = WarpLanes::id(); i < stream.count; i += kLanes) {
    out[i] = static_cast<U>(stream.at(i));
  }
}

/// Unpacks the run lengths of layer `layer`.
template <class U>
__global__ void unpack_lengths_kernel(ListView column, std::uint32_t chunks, std::uint32_t layer,
                                      const std::uint32_t* bases, std::uint32_t* out) {
  std::uint32_t chunk = 0;
  if (!chunk_of_warp(chunks, chunk)) return;
  const auto level = cascaded_chunk<U>(column, chunk).level(layer);
  out += bases[chunk];
  for (std::uint32_t i = WarpLanes::id(); i < level.runs; i += kLanes) {
    out[i] = level.lengths.at(i);
  }
}

/// From sums over the whole column to the values of each chunk.
template <class U>
__global__ void add_first_kernel(ListView column, std::uint32_t chunks, std::uint32_t layer,
                                 const std::uint32_t* upper, const std::uint32_t* lower,
                                 const U* sums, U* out) {
  std::uint32_t chunk = 0;
  if (!chunk_of_warp(chunks, chunk)) return;
  const std::uint32_t begin = lower[chunk];
  const std::uint32_t size = upper[chunk + 1] - upper[chunk];
  const U before = begin > 0 ? sums[begin - 1] : U{0};
  const auto first = static_cast<U>(cascaded_chunk<U>(column, chunk).first(layer));
  out += upper[chunk];
  for (std::uint32_t i = WarpLanes::id(); i < size; i += kLanes) {
    out[i] = i == 0 ? first : static_cast<U>(first + sums[begin + i - 1] - before);
  }
}

/// Notes at which positions runs begin.
__global__ void scatter_kernel(const std::uint32_t* starts, std::uint32_t runs,
                               std::uint32_t* marks) {
  const std::uint32_t run = blockIdx.x * kThreads + threadIdx.x;
  if (run < runs) marks[starts[run]] = 1;
}

template <class U>
__global__ void gather_kernel(const U* values, const std::uint32_t* runs, std::uint32_t count,
                              U* out) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = values[runs[i] - 1];
}

/// Bytes that CUB's scans of `count` values of 1 to 8 bytes need.
std::size_t scan_bytes(std::uint32_t count) {
  std::size_t most = 1;
  const auto ask = [&]<class U>(U* values) {
    std::size_t bytes = 0;
    check(cub::DeviceScan::InclusiveSum(nullptr, bytes, values, values, count), "InclusiveSum");
    most = std::max(most, bytes);
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, count), "ExclusiveSum");
    most = std::max(most, bytes);
  };
  ask(static_cast<std::uint8_t*>(nullptr));
  ask(static_cast<std::uint16_t*>(nullptr));
  ask(static_cast<std::uint32_t*>(nullptr));
  ask(static_cast<std::uint64_t*>(nullptr));
  return most;
}

/// Values of each chunk, after each layer: how the sequences get shorter.
class Sequences {
 public:
  Sequences(ListView column, const CascadedPlan& plan)
      : column_(column), plan_(plan), chunks_(chunk_count(column.count, plan.chunk)) {}

  template <class U>
  std::vector<Layer> layers() const {
    std::vector<Layer> layers;
    Bases upper = bases_of([&](std::uint32_t c) { return words<U>(c).size; });
    const auto add = [&](bool runs, std::uint32_t index, Bases lower) {
      layers.push_back({runs, index, upload(std::span<const std::uint32_t>(upper)),
                        upload(std::span<const std::uint32_t>(lower)), upper.back(), lower.back()});
      upper = std::move(lower);
    };
    for (std::uint32_t round = 0; round < plan_.rounds(); ++round) {
      if (round < plan_.rles) {
        add(true, round, bases_of([&](std::uint32_t c) { return words<U>(c).level(round).runs; }));
      }
      if (round < plan_.deltas) {
        add(false, round,
            bases_of([&](std::uint32_t c) { return cascaded_deltas(upper[c + 1] - upper[c], 1); }));
      }
    }
    return layers;
  }

  template <class U>
  Bases last() const {
    return bases_of([&](std::uint32_t c) {
      const CascadedChunk<U> chunk = words<U>(c);
      return chunk.rles > 0 ? chunk.values(chunk.level(chunk.rles - 1)).count
                            : chunk.values({}).count;
    });
  }

 private:
  template <class U>
  CascadedChunk<U> words(std::uint32_t chunk) const {
    return cascaded_chunk<U>(column_, chunk);
  }

  template <class Size>
  Bases bases_of(const Size& size) const {
    Bases bases{0};
    for (std::uint32_t c = 0; c < chunks_; ++c) bases.push_back(bases.back() + size(c));
    return bases;
  }

  ListView column_;
  CascadedPlan plan_;
  std::uint32_t chunks_;
};

}  // namespace

struct CascadedLayers::Impl {
  ValueType type;
  std::uint32_t count;
  std::uint32_t chunks;
  DeviceArray<std::uint32_t> words;
  std::vector<Layer> layers;
  DeviceArray<std::uint32_t> last;       ///< bases of the values after the last layer
  DeviceArray<std::uint64_t> values[2];  ///< a layer's input and output, in turn
  DeviceArray<std::uint64_t> sums;
  DeviceArray<std::uint32_t> starts;    ///< of runs
  DeviceArray<std::uint32_t> runs;      ///< of positions
  DeviceArray<std::uint8_t> temporary;  ///< of CUB

  std::uint32_t chunk_blocks() const { return ceil_div(chunks, kChunksPerBlock); }

  template <class U>
  void decode(U* out, cudaStream_t stream) {
    const ListView column{words.data(), count};
    std::size_t left = layers.size();
    // The last step writes to `out`; the buffers take turns before it.
    const auto target = [&] { return left == 0 ? out : as<U>(values[left % 2]); };
    U* at = target();
    unpack_values_kernel<U>
        <<<chunk_blocks(), kThreads, 0, stream>>>(column, chunks, last.data(), at);
    check_launch("unpack_values_kernel");
    while (left > 0) {
      const Layer& layer = layers[--left];
      U* next = target();
      if (layer.runs) {
        undo_runs(layer, column, at, next, stream);
      } else {
        undo_deltas(layer, column, at, next, stream);
      }
      at = next;
    }
  }

 private:
  template <class U>
  static U* as(DeviceArray<std::uint64_t>& memory) {
    return reinterpret_cast<U*>(memory.data());
  }

  template <class U>
  void undo_deltas(const Layer& layer, ListView column, const U* deltas, U* out,
                   cudaStream_t stream) {
    std::size_t bytes = temporary.bytes();
    if (layer.lower_total > 0) {
      check(cub::DeviceScan::InclusiveSum(temporary.data(), bytes, deltas, as<U>(sums),
                                          layer.lower_total, stream),
            "InclusiveSum");
    }
    add_first_kernel<U><<<chunk_blocks(), kThreads, 0, stream>>>(
        column, chunks, layer.index, layer.upper.data(), layer.lower.data(), as<U>(sums), out);
    check_launch("add_first_kernel");
  }

  template <class U>
  void undo_runs(const Layer& layer, ListView column, const U* run_values, U* out,
                 cudaStream_t stream) {
    if (layer.upper_total == 0) return;
    std::size_t bytes = temporary.bytes();
    unpack_lengths_kernel<U><<<chunk_blocks(), kThreads, 0, stream>>>(
        column, chunks, layer.index, layer.lower.data(), starts.data());
    check_launch("unpack_lengths_kernel");
    check(cub::DeviceScan::ExclusiveSum(temporary.data(), bytes, starts.data(), starts.data(),
                                        layer.lower_total, stream),
          "ExclusiveSum");
    check(cudaMemsetAsync(runs.data(), 0, layer.upper_total * sizeof(std::uint32_t), stream),
          "cudaMemsetAsync");
    scatter_kernel<<<ceil_div(layer.lower_total, kThreads), kThreads, 0, stream>>>(
        starts.data(), layer.lower_total, runs.data());
    check_launch("scatter_kernel");
    bytes = temporary.bytes();
    check(cub::DeviceScan::InclusiveSum(temporary.data(), bytes, runs.data(), runs.data(),
                                        layer.upper_total, stream),
          "InclusiveSum");
    gather_kernel<U><<<ceil_div(layer.upper_total, kThreads), kThreads, 0, stream>>>(
        run_values, runs.data(), layer.upper_total, out);
    check_launch("gather_kernel");
  }
};

CascadedLayers::CascadedLayers(ValueType type, std::span<const std::uint32_t> words,
                               std::uint32_t count)
    : impl_(new Impl) {
  const CascadedPlan plan = CascadedPlan::of(words.data());
  const Sequences sequences({words.data(), count}, plan);
  Impl& impl = *impl_;
  impl.type = type;
  impl.count = count;
  impl.chunks = chunk_count(count, plan.chunk);
  impl.words = upload(words, 4);
  with_value_type(type, [&]<class T>() {
    using U = std::make_unsigned_t<T>;
    impl.layers = sequences.template layers<U>();
    impl.last = upload(std::span<const std::uint32_t>(sequences.template last<U>()));
  });
  const std::size_t size = std::size_t{count} * size_of(type) / 8 + 1;
  for (auto& values : impl.values) values = DeviceArray<std::uint64_t>(size);
  if (plan.deltas > 0) impl.sums = DeviceArray<std::uint64_t>(size);
  if (plan.rles > 0) {
    impl.starts = DeviceArray<std::uint32_t>(count);
    impl.runs = DeviceArray<std::uint32_t>(count);
  }
  impl.temporary = DeviceArray<std::uint8_t>(scan_bytes(count));
}

CascadedLayers::~CascadedLayers() = default;
CascadedLayers::CascadedLayers(CascadedLayers&&) noexcept = default;
CascadedLayers& CascadedLayers::operator=(CascadedLayers&&) noexcept = default;

void CascadedLayers::decode_async(void* out, cuda::Stream stream) const {
  with_value_type(impl_->type, [&]<class T>() {
    using U = std::make_unsigned_t<T>;
    impl_->decode(static_cast<U*>(out), stream);
  });
}

}  // namespace gannet::codecs::papers
