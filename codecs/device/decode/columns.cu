#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/detail/own_launch.cuh"
#include "codecs/device/detail/write_out.cuh"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs::cuda {
namespace {

template <class Codec, class T>
constexpr std::uint32_t kChunkScratch = (Codec::template scratch_words<T> + 3) / 4;

template <class Codec, class T>
constexpr std::uint32_t kChunkWarps =
    kChunkScratch<Codec, T> * 16 * kChunkPolicy.warps <= kUsualShared ? kChunkPolicy.warps : 1;

/// One warp per chunk.
template <class Codec, class T>
__global__ void __launch_bounds__(kChunkWarps<Codec, T>* kLanes)
    chunk_kernel(ListView column, std::uint32_t chunk_values, T* out, std::uint32_t* damaged) {
  constexpr std::uint32_t kUnits = kChunkScratch<Codec, T>;
  __shared__ uint4 scratch[kChunkWarps<Codec, T>][kUnits > 0 ? kUnits : 1];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kChunkWarps<Codec, T> + warp;
  if (chunk >= chunk_count(column.count, chunk_values)) return;
  const bool good = Codec::template decode_chunk<T>(WarpLanes{}, column, chunk,
                                                    reinterpret_cast<std::uint32_t*>(scratch[warp]),
                                                    out + std::uint64_t{chunk} * chunk_values);
  if (!good && damaged != nullptr && WarpLanes::id() == 0) *damaged = 1;
}

template <class Codec, class T>
void launch_chunks(const ColumnPlan& plan, const std::uint32_t* words, void* out,
                   std::uint32_t* damaged, cudaStream_t stream) {
  const ListView column{words, plan.count};
  auto* values = static_cast<T*>(out);
  if constexpr (kHasOwnLaunch<Codec>) {
    launch_own<Codec>(column, plan.chunk_values, values, damaged, stream);
  } else {
    constexpr std::uint32_t kWarps = kChunkWarps<Codec, T>;
    const std::uint32_t chunks = chunk_count(plan.count, plan.chunk_values);
    launch_kernel({"chunk_kernel", blocks_for_warps(chunks, kWarps), kWarps * kLanes, 0, stream},
                  chunk_kernel<Codec, T>, column, plan.chunk_values, values, damaged);
  }
}

template <class Codec, class T>
void launch_tiles(const ColumnPlan& plan, const std::uint32_t* words, void* out, std::uint32_t*,
                  cudaStream_t stream) {
  launch_write<Codec, Content::kValues>(
      ColumnSource<kWriteTiles<Codec>>(ListView{words, plan.count}), plan.tile_words, true,
      static_cast<T*>(out), stream);
}

using DecodeColumn = void (*)(const ColumnPlan&, const std::uint32_t* words, void* out,
                              std::uint32_t* damaged, cudaStream_t);
using ChunkValues = std::uint32_t (*)(const std::uint32_t*);

/// How a codec decodes values of a type on the device; null if it does not.
struct Entry {
  DecodeColumn launch = nullptr;
  ChunkValues chunk_values = nullptr;
};

std::uint32_t tile_values(const std::uint32_t*) { return kTile; }

template <class T, class... Codec>
void find_tiles([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry, std::tuple<Codec...>*) {
  if constexpr (sizeof(T) <= 4) {
    ((Codec::id == id ? void(entry = {launch_tiles<Codec, T>, tile_values}) : void()), ...);
  }
}

template <class Codec, class T>
void find_chunk([[maybe_unused]] CodecId id, [[maybe_unused]] ValueType type,
                [[maybe_unused]] Entry& entry) {
  using Signed = std::make_signed_t<T>;
  if constexpr (Codec::template takes<T> || Codec::template takes<Signed>) {
    const bool takes =
        type == value_type_of<T>() ? Codec::template takes<T> : Codec::template takes<Signed>;
    if (Codec::id == id && takes) {
      entry = {launch_chunks<Codec, T>, Codec::template chunk_values<T>};
    }
  }
}

template <class T, class... Codec>
void find_chunks([[maybe_unused]] CodecId id, [[maybe_unused]] ValueType type,
                 [[maybe_unused]] Entry& entry, std::tuple<Codec...>*) {
  (find_chunk<Codec, T>(id, type, entry), ...);
}

Entry find(CodecId id, ValueType type) {
  Entry entry;
  with_value_type(type, [&]<class Any>() {
    using T = std::make_unsigned_t<Any>;
    find_tiles<T>(id, entry, static_cast<TileCodecs*>(nullptr));
    find_chunks<T>(id, type, entry, static_cast<ChunkCodecs*>(nullptr));
  });
  return entry;
}

Entry need(CodecId id, ValueType type) {
  const Entry entry = find(id, type);
  if (entry.launch == nullptr) {
    throw UsageError("codec " + std::to_string(static_cast<std::uint32_t>(id)) +
                     " does not decode " + std::string(name_of(type)) +
                     " on the device (use the cpu back end)");
  }
  return entry;
}

}  // namespace

bool decodes_on_device(CodecId codec, ValueType type) {
  return find(codec, type).launch != nullptr;
}

ColumnPlan plan_of(CodecId codec, ValueType type, std::span<const std::uint32_t> words,
                   std::uint32_t count) {
  const Entry entry = need(codec, type);
  const std::uint64_t tiles = std::max(tile_count(count), 1u);
  return {codec, type, count, count == 0 ? 1 : entry.chunk_values(words.data()),
          static_cast<std::uint32_t>((words.size() + tiles - 1) / tiles)};
}

void decode_column_async(const ColumnPlan& plan, const std::uint32_t* words, void* out,
                         Stream stream, std::uint32_t* damaged) {
  const Entry entry = need(plan.codec, plan.type);
  if (plan.count == 0) return;
  check_aligned(words, kWordsAlignment, "the words of a column");
  check_aligned(out, kWordsAlignment, "the place for a column's values");
  const DeviceGuard guard(device_of(words));
  entry.launch(plan, words, out, damaged, stream);
}

struct DeviceColumn::Impl {
  int device;
  ColumnPlan plan;
  ResourceArray<std::uint32_t> words;
  std::uint64_t bytes;
};

DeviceColumn::DeviceColumn(CodecId codec, ValueType type, std::span<const std::uint32_t> words,
                           std::uint32_t count, MemoryResource& resource)
    : impl_(new Impl{current_device(),
                     plan_of(codec, type, words, count),
                     {words.size() + kOverread, resource},
                     words.size_bytes()}) {
  fill(impl_->words.data(), words, kOverread);
}

DeviceColumn::~DeviceColumn() = default;
DeviceColumn::DeviceColumn(DeviceColumn&&) noexcept = default;
DeviceColumn& DeviceColumn::operator=(DeviceColumn&&) noexcept = default;

const ColumnPlan& DeviceColumn::plan() const { return impl_->plan; }
std::uint64_t DeviceColumn::bytes() const { return impl_->bytes; }
const std::uint32_t* DeviceColumn::words() const { return impl_->words.data(); }

void DeviceColumn::decode_async(void* out, Stream stream, std::uint32_t* damaged) const {
  const Entry entry = need(impl_->plan.codec, impl_->plan.type);
  if (impl_->plan.count == 0) return;
  check_aligned(out, kWordsAlignment, "the place for a column's values");
  const DeviceGuard guard(impl_->device);
  entry.launch(impl_->plan, impl_->words.data(), out, damaged, stream);
}

}  // namespace gannet::codecs::cuda
