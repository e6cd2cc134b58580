#include <cuda_runtime.h>

#include <tuple>

#include "gannet/codecs/all.hpp"
#include "gannet/codecs/cuda/decode.hpp"
#include "gannet/codecs/cuda/memory.hpp"
#include "gannet/codecs/cuda/stage.cuh"
#include "gannet/codecs/docids.hpp"

namespace gannet::codecs::cuda {
namespace {

constexpr std::uint32_t kWarpsPerBlock = 4;

/// One list as the kernel sees it. Its groups of kGroupTiles tiles are decoded by a warp each.
struct ListRow {
  const std::uint32_t* words;
  const std::uint32_t* skips;  // last docid of each tile, or null
  std::uint64_t output;        // first value's place
  std::uint32_t first_group;
  std::uint32_t count;
};

struct Batch {
  const ListRow* lists;
  const std::uint32_t* list_of_group;
  std::uint32_t groups;
};

__device__ __forceinline__ void store(const Quad& quad, std::uint32_t size, std::uint32_t* out) {
  const std::uint32_t first = 4 * WarpLanes::id();
  if (first + 4 <= size) {
    __stcs(reinterpret_cast<uint4*>(out + first),
           make_uint4(quad.value[0], quad.value[1], quad.value[2], quad.value[3]));
    return;
  }
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (first + i < size) out[first + i] = quad.value[i];
  }
}

/// Tiles of plain values, with the same calls as DocidTiles.
template <class Codec>
struct ValueTiles {
  using Cursor = typename Codec::Cursor;
  __device__ static Cursor seek(WarpLanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return Codec::seek(lanes, list, tile);
  }
  __device__ static void next(WarpLanes lanes, ListView list, Payload payload, std::uint32_t tile,
                              Cursor& cursor, WarpLanes::Var<Quad>& out) {
    Codec::next(lanes, list, payload, tile, cursor, out);
  }
};

/// A warp a group: its payload is staged in shared memory, then its tiles are decoded from there
/// and streamed out.
template <class Codec, template <class> class Tiles>
__global__ void __launch_bounds__(kWarpsPerBlock* kLanes)
    decode_kernel(Batch batch, std::uint32_t* out) {
  __shared__ uint4 staging[kWarpsPerBlock][staged_words(kGroupTiles * Codec::tile_words) / 4];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t group = blockIdx.x * kWarpsPerBlock + warp;
  if (group >= batch.groups) return;

  const ListRow row = batch.lists[batch.list_of_group[group]];
  const ListView list{row.words, row.count};
  const std::uint32_t first = (group - row.first_group) * kGroupTiles;
  const std::uint32_t last = min(first + kGroupTiles, tile_count(row.count));
  const Payload payload = stage(row.words, Codec::extent(list, first, last), staging[warp]);
  const std::uint32_t previous =
      row.skips != nullptr && first > 0 ? row.skips[first - 1] : kBeforeFirst;

  const WarpLanes lanes;
  auto cursor = Tiles<Codec>::seek(lanes, list, first, previous);
  WarpLanes::Var<Quad> quad;
  for (std::uint32_t tile = first; tile < last; ++tile) {
    Tiles<Codec>::next(lanes, list, payload, tile, cursor, quad);
    store(quad.value, tile_size(row.count, tile), out + row.output + std::uint64_t{tile} * kTile);
  }
}

using Launch = void (*)(Batch, std::uint32_t*, cudaStream_t);

template <class Codec, template <class> class Tiles>
void launch(Batch batch, std::uint32_t* out, cudaStream_t stream) {
  const std::uint32_t blocks = ceil_div(batch.groups, kWarpsPerBlock);
  decode_kernel<Codec, Tiles><<<blocks, kWarpsPerBlock * kLanes, 0, stream>>>(batch, out);
  check_launch("decode_kernel");
}

template <class... Codec>
Launch find_launch(CodecId id, Content content, std::tuple<Codec...>*) {
  Launch found = nullptr;
  ((Codec::id == id ? void(found = content == Content::kDocids ? launch<Codec, DocidTiles>
                                                               : launch<Codec, ValueTiles>)
                    : void()),
   ...);
  return found;
}

}  // namespace

struct DeviceLists::Impl {
  DeviceArray<std::uint32_t> words;
  DeviceArray<std::uint32_t> skips;
  DeviceArray<ListRow> rows;
  DeviceArray<std::uint32_t> list_of_group;
  std::vector<std::uint64_t> offsets{0};
  std::uint32_t groups = 0;
  std::uint64_t values = 0;
  Launch launch = nullptr;
};

DeviceLists::DeviceLists(const EncodedLists& lists) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.launch = find_launch(lists.codec->id, lists.content, static_cast<AllCodecs*>(nullptr));
  impl.words = upload(std::span(lists.words), 4);
  impl.skips = upload(std::span(lists.skips));
  impl.values = lists.values();
  std::vector<ListRow> rows;
  std::vector<std::uint32_t> list_of_group;
  std::uint64_t first_skip = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::uint32_t count = lists.counts[i];
    const auto first_group = static_cast<std::uint32_t>(list_of_group.size());
    const bool skips = lists.content == Content::kDocids;
    rows.push_back({impl.words.data() + lists.first_word[i],
                    skips ? impl.skips.data() + first_skip : nullptr, impl.offsets.back(),
                    first_group, count});
    first_skip += tile_count(count);
    list_of_group.insert(list_of_group.end(), ceil_div(tile_count(count), kGroupTiles),
                         static_cast<std::uint32_t>(i));
    impl.offsets.push_back(impl.offsets.back() + (count + std::uint64_t{3}) / 4 * 4);
  }
  impl.groups = static_cast<std::uint32_t>(list_of_group.size());
  impl.rows = upload(std::span<const ListRow>(rows));
  impl.list_of_group = upload(std::span<const std::uint32_t>(list_of_group));
}

DeviceLists::~DeviceLists() = default;
DeviceLists::DeviceLists(DeviceLists&&) noexcept = default;
DeviceLists& DeviceLists::operator=(DeviceLists&&) noexcept = default;

std::uint64_t DeviceLists::values() const { return impl_->values; }

std::uint64_t DeviceLists::bytes() const {
  // One skip entry is read for each group but a list's first.
  const std::uint64_t skips = impl_->skips.size() > 0 ? impl_->groups : 0;
  return impl_->words.bytes() + skips * sizeof(std::uint32_t);
}

std::uint64_t DeviceLists::output_offset(std::size_t i) const { return impl_->offsets[i]; }
std::uint64_t DeviceLists::output_size() const { return impl_->offsets.back(); }

void DeviceLists::decode_async(std::uint32_t* out, Stream stream) const {
  if (impl_->groups == 0) return;
  impl_->launch({impl_->rows.data(), impl_->list_of_group.data(), impl_->groups}, out, stream);
}

}  // namespace gannet::codecs::cuda
