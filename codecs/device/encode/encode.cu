#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/device/encode.hpp"
#include "codecs/device/encode/encode_list.cuh"
#include "codecs/device/encode/look_back.cuh"

namespace gannet::codecs::cuda {
namespace {

__device__ __forceinline__ std::uint64_t joined(Sizes sizes) {
  return sizes.stream[0] | static_cast<std::uint64_t>(sizes.stream[1]) << 31;
}

__device__ __forceinline__ Sizes split(std::uint64_t joined) {
  return {static_cast<std::uint32_t>(joined & 0x7fffffffu),
          static_cast<std::uint32_t>(joined >> 31)};
}

/// A list that is encoded.
struct Work {
  Source source;
  bool gaps;
  Streams streams;
  Sizes* lengths;         ///< of the streams, when all is written
  std::uint64_t* status;  ///< of the thread blocks (look_back.cuh)
  std::uint32_t* written;
};

/// One warp per unit, in one pass over the values. Its words are put together while the blocks
/// before are still at theirs; where they go is known by look-back.
template <class Encoding>
__global__ void __launch_bounds__(Encoding::policy.warps* kLanes, Encoding::policy.blocks)
    encode_kernel(Work work) {
  constexpr std::uint32_t kWarps = Encoding::policy.warps;
  __shared__ uint4 scratch[kWarps][Encoding::kScratchWords / 4];
  __shared__ std::uint64_t sizes[kWarps];
  __shared__ typename LookBack<kWarps>::Shared shared;
  const LookBack<kWarps> look_back(work.status);
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t number = blockIdx.x * kWarps + warp;
  const std::uint32_t units = ceil_div(work.source.count, kUnit);
  auto* memory = reinterpret_cast<std::uint32_t*>(scratch[warp]);

  Unit unit{};
  typename Encoding::Plan plan;
  Sizes own{};
  if (number < units) {
    unit = load_unit(work.source, number, work.gaps);
    if (work.gaps) to_differences(unit, 1);
    plan = Encoding::plan(unit, memory);
    own = Encoding::sizes(plan);
  }
  if (WarpLanes::id() == 0) sizes[warp] = joined(own);
  __syncthreads();
  std::uint64_t block_sizes = 0;
  std::uint64_t before = 0;
#pragma unroll
  for (std::uint32_t w = 0; w < kWarps; ++w) {
    if (w == warp) before = block_sizes;
    block_sizes += sizes[w];
  }
  if (threadIdx.x == 0) look_back.publish_own(block_sizes);
  if (number < units) Encoding::pack(unit, plan, memory);
  before += look_back.sum_before(block_sizes, shared);
  if (number < units) Encoding::store(unit, plan, {work.streams, split(before)}, memory);
  if (number + 1 == units || (units == 0 && number == 0)) {
    const Sizes ends = Encoding::finish(unit, split(before + joined(own)), work.streams);
    if (WarpLanes::id() == 0) {
      *work.lengths = ends;
      *work.written = ends.stream[0] + ends.stream[1];
    }
  }
}

/// Moves the second stream behind the first.
__global__ void __launch_bounds__(kMovePolicy.threads)
    move_kernel(Streams streams, const Sizes* lengths) {
  std::uint32_t* target = streams.words + lengths->stream[0];
  const std::uint32_t size = lengths->stream[1];
  for (std::uint32_t i = blockIdx.x * kMovePolicy.threads + threadIdx.x; i < size;
       i += gridDim.x * kMovePolicy.threads) {
    target[i] = streams.aside[i];
  }
}

template <class Encoding>
void launch(const Work& work, std::uint32_t blocks, cudaStream_t stream) {
  launch_kernel({"encode_kernel", blocks, Encoding::policy.warps * kLanes, 0, stream},
                encode_kernel<Encoding>, work);
  if (work.streams.aside == nullptr) return;
  // Its size is known on the device alone: as many blocks as the longest would keep busy.
  const std::uint64_t most = Encoding::aside_words(work.source.count);
  const auto move_blocks = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(most / kMovePolicy.threads + 1, kMovePolicy.blocks));
  launch_kernel({"move_kernel", move_blocks, kMovePolicy.threads, 0, stream}, move_kernel,
                work.streams, work.lengths);
}

/// A codec's encoder; `launch` is null if it has none.
struct Entry {
  void (*launch)(const Work&, std::uint32_t blocks, cudaStream_t) = nullptr;
  std::uint64_t (*max_words)(std::uint64_t) = nullptr;
  std::uint64_t (*aside_words)(std::uint64_t) = nullptr;
  std::uint64_t block_values = 0;  ///< values that a thread block encodes
  bool gaps = false;               ///< docids are coded as gaps
};

template <class... Encoding>
Entry find(CodecId id, std::tuple<Encoding...>*) {
  Entry entry;
  ((Encoding::Codec::id == id
        ? void(entry = {launch<Encoding>, Encoding::max_words, Encoding::aside_words,
                        std::uint64_t{Encoding::policy.warps} * kUnit,
                        Encoding::Codec::traits.gaps})
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
  int device;
  Entry entry;
  Content content;
  std::uint64_t capacity;
  DeviceBuffer status{};   ///< a std::uint64_t a thread block
  DeviceBuffer aside{};    ///< words
  DeviceBuffer lengths{};  ///< Sizes

  void take_workspace(Stream stream, MemoryResource& resource) {
    const std::uint32_t blocks = blocks_for(entry, capacity);
    status = {blocks * sizeof(std::uint64_t), stream, resource};
    aside = {entry.aside_words(capacity) * sizeof(std::uint32_t), stream, resource};
    lengths = {sizeof(Sizes), stream, resource};
  }
  bool gaps() const { return content == Content::kDocids && entry.gaps; }
};

DeviceEncoder::DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity,
                             MemoryResource& resource)
    : impl_(new Impl{current_device(), need(codec, capacity), content, capacity}) {
  impl_->take_workspace(cudaStreamLegacy, resource);
  finish_copies();  // any stream may use it
}

DeviceEncoder::DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity, Stream stream,
                             MemoryResource& resource)
    : impl_(new Impl{current_device(), need(codec, capacity), content, capacity}) {
  impl_->take_workspace(stream, resource);
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
  check_aligned(values, sizeof(uint4), "the values to be encoded");
  check_aligned(words, sizeof(std::uint32_t), "the place for encoded words");
  const DeviceGuard guard(impl_->device);
  check_device_of(values, impl_->device, "what is to be encoded", "its encoder");
  const std::uint32_t blocks = blocks_for(impl_->entry, count);
  check(cudaMemsetAsync(impl_->status.data(), 0, blocks * sizeof(std::uint64_t), stream),
        "cudaMemsetAsync");
  const Work work{{values, static_cast<std::uint32_t>(count)}, impl_->gaps(),
                  {words, impl_->aside.as<std::uint32_t>()},   impl_->lengths.as<Sizes>(),
                  impl_->status.as<std::uint64_t>(),           written};
  impl_->entry.launch(work, blocks, stream);
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
