#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/device/decode.hpp"
#include "codecs/device/detail/list_kernels.cuh"
#include "codecs/device/detail/write_out.cuh"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs::cuda {
namespace {

/// What is decoded, whatever the codec's groups: a batch if there are rows, else one list.
struct Batch {
  const GroupRow* rows;
  ListView list;
  const std::uint32_t* skips;
  std::uint32_t groups;
  std::uint32_t tile_words;  ///< on average
};

/// Groups of `tiles` tiles that the lists have in all. Throws UsageError if that is more than a
/// launch can have.
std::uint32_t count_groups(const EncodedLists& lists, std::uint32_t tiles) {
  std::uint64_t groups = 0;
  for (const std::uint32_t count : lists.counts) groups += ceil_div(tile_count(count), tiles);
  blocks_for_warps(groups, kWritePolicy.warps);
  return static_cast<std::uint32_t>(groups);
}

/// How a codec decodes a batch.
struct Decoder {
  std::uint32_t group_tiles = 1;
  Extent (*extent)(ListView list, std::uint32_t first, std::uint32_t last) = nullptr;
  void (*launch)(const Batch&, std::uint32_t* out, cudaStream_t) = nullptr;
};

/// Tiles of a batch's groups.
template <class Codec>
inline constexpr std::uint32_t kBatchTiles =
    kHasListsKernel<Codec> ? kGroupTiles : kWriteTiles<Codec>;

template <class Codec, Content kContent, class Source>
void launch_groups(const Source& source, std::uint32_t tile_words, std::uint32_t* out,
                   cudaStream_t stream) {
  if constexpr (kHasListsKernel<Codec>) {
    constexpr StageLayout layout = largest_layout<Codec>(Source::tiles, Copy::kByWarp);
    constexpr std::size_t kBytes = stage_units<Codec>(layout, 1) * sizeof(uint4);
    const std::uint32_t warps = write_warps<Codec>(tile_words, kBytes);
    launch_kernel({"lists_kernel", blocks_for_warps(source.groups, warps), warps * kLanes,
                   warps * kBytes, stream},
                  lists_kernel<Codec, kContent, Source>, source, layout, out);
  } else {
    launch_write<Codec, kContent>(source, tile_words, false, out, stream);
  }
}

template <class Codec, Content kContent>
void launch_list(const Batch& batch, std::uint32_t* out, cudaStream_t stream) {
  constexpr bool kGaps = kContent == Content::kDocids && Codec::traits.gaps;
  constexpr std::uint32_t kTiles = kWriteTiles<Codec>;
  const std::uint32_t tiles = tile_count(batch.list.count);
  if constexpr (kHasShortForm<Codec, kContent>) {
    if (tiles <= kShortPolicy.most_tiles) {
      launch_kernel({"short_list_kernel", blocks_for_warps(tiles, kShortPolicy.warps),
                     kShortPolicy.warps * kLanes, 0, stream},
                    short_list_kernel<Codec, kContent>, batch.list, batch.skips, out);
      return;
    }
  }
  const ListSource<kTiles, kGaps> source{batch.list, batch.skips, ceil_div(tiles, kTiles)};
  if constexpr (Codec::traits.prefix_sums) {
    // Not past registers: a long list of gpu-dfor is decoded 4 percent faster so.
    launch_write<Codec, kContent>(source, batch.tile_words, false, out, stream);
  } else {
    launch_groups<Codec, kContent>(source, batch.tile_words, out, stream);
  }
}

template <class Codec, Content kContent>
void launch(const Batch& batch, std::uint32_t* out, cudaStream_t stream) {
  if (batch.rows == nullptr) return launch_list<Codec, kContent>(batch, out, stream);
  const BatchSource<kBatchTiles<Codec>> source{batch.rows, batch.groups};
  launch_groups<Codec, kContent>(source, batch.tile_words, out, stream);
}

template <class Codec>
Decoder decoder_of(Content content) {
  return {kBatchTiles<Codec>, Codec::extent,
          content == Content::kDocids ? launch<Codec, Content::kDocids>
                                      : launch<Codec, Content::kValues>};
}

template <class... Codec>
Decoder find_decoder(CodecId id, Content content, std::tuple<Codec...>*) {
  Decoder found;
  ((Codec::id == id ? void(found = decoder_of<Codec>(content)) : void()), ...);
  return found;
}

/// Where each list's values start in the output, and where the last one's end.
std::vector<std::uint64_t> output_offsets(const EncodedLists& lists) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::uint32_t count : lists.counts) {
    offsets.push_back(offsets.back() + (count + std::uint64_t{3}) / 4 * 4);
  }
  if (offsets.back() > kMaxOutput) {
    throw UsageError("lists of " + std::to_string(lists.values()) +
                     " values are too many for one batch (at most 2^34; make several)");
  }
  return offsets;
}

/// The rows of a batch whose words are at `words` in device memory.
std::vector<GroupRow> group_rows(const EncodedLists& lists, const Decoder& decoder,
                                 const std::vector<std::uint64_t>& offsets,
                                 const std::uint32_t* words, std::uint32_t groups) {
  const bool docids = lists.content == Content::kDocids;
  std::vector<GroupRow> rows;
  rows.reserve(groups);
  std::uint64_t first_skip = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const ListView list = lists.view(i);
    const std::uint32_t tiles = tile_count(list.count);
    for (std::uint32_t first = 0; first < tiles; first += decoder.group_tiles) {
      const std::uint32_t last = std::min(first + decoder.group_tiles, tiles);
      rows.push_back({words + lists.first_word[i], list.count, first,
                      decoder.extent(list, first, last),
                      docids && first > 0 ? lists.skips[first_skip + first - 1] : kBeforeFirst,
                      static_cast<std::uint32_t>(offsets[i] / 4)});
    }
    first_skip += tiles;
  }
  return rows;
}

}  // namespace

struct DeviceLists::Impl {
  int device = current_device();
  DeviceArray<std::uint32_t> words;
  DeviceArray<std::uint32_t> skips;  ///< of a single list
  DeviceArray<GroupRow> rows;        ///< of several
  std::vector<std::uint64_t> offsets;
  std::uint64_t values = 0;
  Batch batch{};
  Decoder decoder;
};

DeviceLists::DeviceLists(const EncodedLists& lists) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.decoder = find_decoder(lists.codec->id, lists.content, static_cast<TileCodecs*>(nullptr));
  if (impl.decoder.launch == nullptr) {
    throw UsageError("codec " + std::string(lists.codec->name) +
                     ": its lists cannot be decoded on a GPU, which takes codecs of TileCodecs");
  }
  impl.offsets = output_offsets(lists);
  impl.values = lists.values();
  Batch& batch = impl.batch;
  batch.groups = count_groups(lists, impl.decoder.group_tiles);
  batch.tile_words = static_cast<std::uint32_t>(lists.words.size() / (impl.values / kTile + 1));
  impl.words = upload(std::span(lists.words), kOverread);
  if (lists.size() == 1) {
    impl.skips = upload(std::span(lists.skips));
    batch.list = {impl.words.data(), lists.counts[0]};
    batch.skips = impl.skips.data();
  } else {
    impl.rows = upload(std::span<const GroupRow>(
        group_rows(lists, impl.decoder, impl.offsets, impl.words.data(), batch.groups)));
    batch.rows = impl.rows.data();
  }
}

DeviceLists::~DeviceLists() = default;
DeviceLists::DeviceLists(DeviceLists&&) noexcept = default;
DeviceLists& DeviceLists::operator=(DeviceLists&&) noexcept = default;

std::uint64_t DeviceLists::values() const { return impl_->values; }

std::uint64_t DeviceLists::bytes() const {
  // One skip entry is read for each group but a list's first.
  const std::uint64_t skips = impl_->skips.size() > 0 ? impl_->batch.groups : 0;
  return impl_->words.bytes() + impl_->rows.bytes() + skips * sizeof(std::uint32_t);
}

std::uint64_t DeviceLists::output_offset(std::size_t i) const { return impl_->offsets[i]; }
std::uint64_t DeviceLists::output_size() const { return impl_->offsets.back(); }

void DeviceLists::decode_async(std::uint32_t* out, Stream stream) const {
  if (impl_->batch.groups == 0) return;
  check_aligned(out, sizeof(uint4), "the place for decoded lists");
  const DeviceGuard guard(impl_->device);
  impl_->decoder.launch(impl_->batch, out, stream);
}

}  // namespace gannet::codecs::cuda
