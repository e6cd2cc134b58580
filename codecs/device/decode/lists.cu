#include <cuda_runtime.h>

#include <tuple>

#include "codecs/all.hpp"
#include "codecs/device/decode.hpp"
#include "codecs/device/detail/write_out.cuh"
#include "codecs/device/device.hpp"
#include "codecs/device/memory.hpp"

namespace gannet::codecs::cuda {
namespace {

/// One list as the kernel sees it. Its groups are decoded by a warp each.
struct ListRow {
  const std::uint32_t* words;
  const std::uint32_t* skips;  // last docid of each tile, or null
  std::uint64_t output;        // first value's place
  std::uint32_t first_group;
  std::uint32_t count;
};

/// The groups of many lists, in the order of the lists. kGaps: they start from the docid before
/// them.
template <std::uint32_t kTiles, bool kGaps>
struct BatchSource {
  const ListRow* lists;
  const std::uint32_t* list_of_group;  // null: there is one list, `only`
  ListRow only;
  std::uint32_t groups;

  __device__ Group group(std::uint32_t i) const {
    const ListRow row = list_of_group == nullptr ? only : lists[list_of_group[i]];
    const std::uint32_t first = (i - row.first_group) * kTiles;
    const std::uint32_t last = min(first + kTiles, tile_count(row.count));
    const std::uint32_t previous = kGaps && first > 0 ? row.skips[first - 1] : kBeforeFirst;
    return {{row.words, row.count}, first, last, previous, row.output};
  }
};

/// The lists of a batch, whatever the codec's groups.
struct Batch {
  const ListRow* lists;
  const std::uint32_t* list_of_group;
  ListRow only;
  std::uint32_t groups;
  std::uint32_t tile_words;  ///< on average
};

/// Groups of `tiles` tiles that the lists have in all. Throws UsageError if no launch has so many.
std::uint32_t count_groups(const EncodedLists& lists, std::uint32_t tiles) {
  std::uint64_t groups = 0;
  for (const std::uint32_t count : lists.counts) groups += ceil_div(tile_count(count), tiles);
  blocks_for_warps(groups, kWritePolicy.warps);
  return static_cast<std::uint32_t>(groups);
}

/// How a codec decodes a batch.
struct Decoder {
  std::uint32_t group_tiles = 1;
  void (*launch)(const Batch&, std::uint32_t* out, cudaStream_t) = nullptr;
};

template <class Codec, Content kContent>
void launch(const Batch& batch, std::uint32_t* out, cudaStream_t stream) {
  constexpr bool kGaps = kContent == Content::kDocids && Codec::traits.gaps;
  using Source = BatchSource<kWriteTiles<Codec>, kGaps>;
  launch_write<Codec, kContent>(Source{batch.lists, batch.list_of_group, batch.only, batch.groups},
                                batch.tile_words, false, out, stream);
}

template <class... Codec>
Decoder find_decoder(CodecId id, Content content, std::tuple<Codec...>*) {
  Decoder found;
  ((Codec::id == id ? void(found = {kWriteTiles<Codec>, content == Content::kDocids
                                                            ? launch<Codec, Content::kDocids>
                                                            : launch<Codec, Content::kValues>})
                    : void()),
   ...);
  return found;
}

}  // namespace

struct DeviceLists::Impl {
  int device = current_device();
  DeviceArray<std::uint32_t> words;
  DeviceArray<std::uint32_t> skips;
  DeviceArray<ListRow> rows;
  DeviceArray<std::uint32_t> list_of_group;
  ListRow only{};
  std::vector<std::uint64_t> offsets{0};
  std::uint32_t groups = 0;
  std::uint32_t tile_words = 0;
  std::uint64_t values = 0;
  Decoder decoder;
};

DeviceLists::DeviceLists(const EncodedLists& lists) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.decoder = find_decoder(lists.codec->id, lists.content, static_cast<TileCodecs*>(nullptr));
  impl.groups = count_groups(lists, impl.decoder.group_tiles);
  impl.words = upload(std::span(lists.words), kOverread);
  impl.skips = upload(std::span(lists.skips));
  impl.values = lists.values();
  std::vector<ListRow> rows;
  std::vector<std::uint32_t> list_of_group;
  list_of_group.reserve(impl.groups);
  std::uint64_t first_skip = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::uint32_t count = lists.counts[i];
    const auto first_group = static_cast<std::uint32_t>(list_of_group.size());
    const bool skips = lists.content == Content::kDocids;
    rows.push_back({impl.words.data() + lists.first_word[i],
                    skips ? impl.skips.data() + first_skip : nullptr, impl.offsets.back(),
                    first_group, count});
    first_skip += tile_count(count);
    list_of_group.insert(list_of_group.end(), ceil_div(tile_count(count), impl.decoder.group_tiles),
                         static_cast<std::uint32_t>(i));
    impl.offsets.push_back(impl.offsets.back() + (count + std::uint64_t{3}) / 4 * 4);
  }
  impl.tile_words = static_cast<std::uint32_t>(lists.words.size() / (impl.values / kTile + 1));
  if (rows.size() == 1) impl.only = rows[0];
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
  check_aligned(out, sizeof(uint4), "the place for decoded lists");
  const DeviceGuard guard(impl_->device);
  const bool one = impl_->rows.size() == 1;
  impl_->decoder.launch({impl_->rows.data(), one ? nullptr : impl_->list_of_group.data(),
                         impl_->only, impl_->groups, impl_->tile_words},
                        out, stream);
}

}  // namespace gannet::codecs::cuda
