#include <cuda_runtime.h>

#include <string>
#include <tuple>
#include <vector>

#include "gannet/codecs/cuda/encode.hpp"
#include "gannet/codecs/cuda/encode_list.cuh"
#include "gannet/codecs/cuda/look_back.cuh"
#include "gannet/codecs/cuda/memory.hpp"

namespace gannet::codecs::cuda {
namespace {

__device__ __forceinline__ std::uint64_t joined(Sizes sizes) {
  return sizes.stream[0] | static_cast<std::uint64_t>(sizes.stream[1]) << 31;
}

__device__ __forceinline__ Sizes split(std::uint64_t joined) {
  return {static_cast<std::uint32_t>(joined & 0x7fffffffu),
          static_cast<std::uint32_t>(joined >> 31)};
}

/// What the warps of a thread block tell one another.
template <std::uint32_t kWarps>
struct Exchange {
  std::uint32_t number;
  std::uint64_t own[kWarps];
  std::uint64_t before;
};

/// The sizes of all units before this warp's, given those of every unit, or if they are `known`
/// from the launch before. Called by all warps of the block.
template <bool known, std::uint32_t kWarps>
__device__ __forceinline__ Sizes sizes_before(Exchange<kWarps>& exchange, LookBack look_back,
                                              Sizes own) {
  const std::uint32_t warp = threadIdx.x / kLanes;
  if (WarpLanes::id() == 0) exchange.own[warp] = joined(own);
  __syncthreads();
  if (warp == 0) {
    std::uint64_t total = 0;
    for (const std::uint64_t each : exchange.own) total += each;
    const std::uint64_t before = known ? look_back.known_before(exchange.number)
                                       : look_back.sum_before(exchange.number, total);
    if (WarpLanes::id() == 0) exchange.before = before;
  }
  __syncthreads();
  std::uint64_t before = exchange.before;
  for (std::uint32_t w = 0; w < kWarps; ++w) before += w < warp ? exchange.own[w] : 0;
  return split(before);
}

/// What a launch does: all at once, where a unit's place follows from the units before it; or first
/// the sizes, then the words, where it follows from all units.
enum class Pass { kAll, kSizes, kWords };

/// A warp a unit. Its words are counted, those of all units before it come from the blocks before
/// (by look-back, or from the launch before), and then its words are written.
template <class Encoding, Pass pass>
__global__ void __launch_bounds__(Encoding::kWarps* kLanes)
    encode_kernel(Source source, bool gaps, LookBack look_back, std::uint32_t* words,
                  std::uint32_t* written) {
  constexpr std::uint32_t kWarps = Encoding::kWarps;
  __shared__ uint4 scratch[kWarps][Encoding::kScratchWords / 4];
  __shared__ Exchange<kWarps> exchange;
  if (threadIdx.x == 0) {
    exchange.number = pass == Pass::kWords ? blockIdx.x : look_back.take_number();
  }
  __syncthreads();
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t number = exchange.number * kWarps + warp;
  const std::uint32_t units = ceil_div(source.count, kUnit);
  auto* memory = reinterpret_cast<std::uint32_t*>(scratch[warp]);

  Unit unit{};
  typename Encoding::Plan plan;
  Sizes own{};
  if (number < units) {
    unit = load_unit(source, number);
    if (gaps) to_differences(unit, 1);
    plan = Encoding::plan(unit, memory);
    own = Encoding::sizes(plan);
  }
  const Sizes before = sizes_before<pass == Pass::kWords>(exchange, look_back, own);
  if constexpr (pass == Pass::kSizes) return;
  const Sizes total = pass == Pass::kWords ? split(look_back.known_before(gridDim.x)) : Sizes{};
  if (number < units) Encoding::pack(unit, plan, {words, before, total}, memory);
  if (number + 1 == units || (units == 0 && number == 0)) {
    const std::uint32_t end = Encoding::finish(unit, split(joined(before) + joined(own)), words);
    if (WarpLanes::id() == 0) *written = end;
  }
}

struct Work {
  Source source;
  bool gaps;
  LookBack look_back;
  std::uint32_t* words;
  std::uint32_t* written;
};

template <class Encoding, Pass pass>
void launch_pass(const Work& work, std::uint32_t blocks, cudaStream_t stream) {
  encode_kernel<Encoding, pass><<<blocks, Encoding::kWarps * kLanes, 0, stream>>>(
      work.source, work.gaps && Encoding::Codec::gaps, work.look_back, work.words, work.written);
  check_launch("encode_kernel");
}

template <class Encoding>
void launch(const Work& work, std::uint32_t blocks, cudaStream_t stream) {
  if constexpr (Encoding::kNeedsTotal) {
    launch_pass<Encoding, Pass::kSizes>(work, blocks, stream);
    launch_pass<Encoding, Pass::kWords>(work, blocks, stream);
  } else {
    launch_pass<Encoding, Pass::kAll>(work, blocks, stream);
  }
}

/// A codec's encoder; `launch` is null if it has none.
struct Entry {
  void (*launch)(const Work&, std::uint32_t blocks, cudaStream_t) = nullptr;
  std::uint64_t (*max_words)(std::uint64_t) = nullptr;
  std::uint64_t block_values = 0;  ///< values that a thread block encodes
};

template <class... Encoding>
Entry find(CodecId id, std::tuple<Encoding...>*) {
  Entry entry;
  ((Encoding::Codec::id == id ? void(entry = {launch<Encoding>, Encoding::max_words,
                                              std::uint64_t{Encoding::kWarps} * kUnit})
                              : void()),
   ...);
  return entry;
}

Entry find(CodecId id) { return find(id, static_cast<DeviceEncodings*>(nullptr)); }

Entry need(CodecId id, std::uint64_t count) {
  const Entry entry = find(id);
  const std::string name = "codec " + std::to_string(static_cast<std::uint32_t>(id));
  if (entry.launch == nullptr) {
    throw UsageError(name + " has no encoder on the device (encode on the host)");
  }
  check_encodable(name, count);
  return entry;
}

/// Thread blocks for `count` values; one for none, which writes what an empty list has.
std::uint32_t blocks_for(const Entry& entry, std::uint64_t count) {
  const std::uint64_t blocks = (count + entry.block_values - 1) / entry.block_values;
  return blocks == 0 ? 1 : static_cast<std::uint32_t>(blocks);
}

}  // namespace

bool encodes_on_device(CodecId codec) { return find(codec).launch != nullptr; }

std::uint64_t max_encoded_words(CodecId codec, std::uint64_t count) {
  return need(codec, count).max_words(count);
}

struct DeviceEncoder::Impl {
  Entry entry;
  Content content;
  std::uint64_t capacity;
  DeviceArray<std::uint64_t> workspace;  // the ticket, then a status for each thread block
};

DeviceEncoder::DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity)
    : impl_(new Impl{need(codec, capacity), content, capacity, {}}) {
  impl_->workspace = DeviceArray<std::uint64_t>(1 + blocks_for(impl_->entry, capacity));
}

DeviceEncoder::~DeviceEncoder() = default;
DeviceEncoder::DeviceEncoder(DeviceEncoder&&) noexcept = default;
DeviceEncoder& DeviceEncoder::operator=(DeviceEncoder&&) noexcept = default;

std::uint64_t DeviceEncoder::capacity() const { return impl_->capacity; }

void DeviceEncoder::encode_async(const std::uint32_t* values, std::uint64_t count,
                                 std::uint32_t* words, std::uint32_t* written, Stream stream) {
  if (count > impl_->capacity) {
    throw UsageError("a list of " + std::to_string(count) + " values for an encoder of lists of " +
                     std::to_string(impl_->capacity));
  }
  const std::uint32_t blocks = blocks_for(impl_->entry, count);
  std::uint64_t* workspace = impl_->workspace.data();
  check(cudaMemsetAsync(workspace, 0, (1 + blocks) * sizeof(std::uint64_t), stream),
        "cudaMemsetAsync");
  const LookBack look_back{reinterpret_cast<std::uint32_t*>(workspace), workspace + 1};
  impl_->entry.launch({{values, static_cast<std::uint32_t>(count)},
                       impl_->content == Content::kDocids,
                       look_back,
                       words,
                       written},
                      blocks, stream);
}

std::vector<std::uint32_t> encode(CodecId codec, Content content,
                                  std::span<const std::uint32_t> values) {
  DeviceEncoder encoder(codec, content, values.size());
  const DeviceArray<std::uint32_t> source = upload(values);
  DeviceArray<std::uint32_t> words(max_encoded_words(codec, values.size()));
  PinnedArray<std::uint32_t> written(1);
  const OwnedStream stream;
  encoder.encode_async(source.data(), values.size(), words.data(), written.data(), stream);
  stream.wait();
  std::vector<std::uint32_t> result(written[0]);
  check(cudaMemcpy(result.data(), words.data(), result.size() * sizeof(std::uint32_t),
                   cudaMemcpyDeviceToHost),
        "cudaMemcpy from the device");
  return result;
}

}  // namespace gannet::codecs::cuda
