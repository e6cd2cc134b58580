#include "query/device/columns/device_field.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "codecs/columns/gpu_for.hpp"
#include "codecs/core/cancellation.hpp"
#include "codecs/device/encode.hpp"
#include "codecs/lists/raw_tiles.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::GpuFor;
using codecs::RawTiles;
using codecs::cuda::check;
using codecs::cuda::DeviceArray;
using codecs::cuda::PinnedArray;

/// Readable words behind encoded ones.
constexpr std::size_t kPadding = 4;
constexpr std::uint32_t kGroupTiles = kGroupCodes / codecs::kTile;

std::vector<std::uint32_t> decode(const index::FieldColumn& column, tbb::task_arena& arena,
                                  const std::stop_token& stop) {
  std::vector<std::uint32_t> codes(column.codes());
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, column.blocks().size(), [&](std::size_t b) {
      throw_if_stopped(stop);
      column.decode(b, codes.data() + column.blocks()[b].first);
    });
  });
  return codes;
}

/// Words as gpu-for encodes the values, in device memory.
struct Encoded {
  DeviceArray<std::uint32_t> words;
  std::uint32_t count;  ///< of words
};

Encoded encode(const DeviceArray<std::uint32_t>& values, std::uint32_t count) {
  Encoded made{DeviceArray<std::uint32_t>(codecs::cuda::max_encoded_words(GpuFor::id, count)), 0};
  codecs::cuda::DeviceEncoder encoder(GpuFor::id, codecs::Content::kValues, count);
  PinnedArray<std::uint32_t> written(1);
  const codecs::cuda::OwnedStream stream;
  encoder.encode_async(values.data(), count, made.words.data(), written.data(), stream);
  stream.wait();
  made.count = written[0];
  return made;
}

/// Most words that a group takes, by the places of the blocks.
std::uint32_t most_words(const Encoded& encoded, std::uint32_t count) {
  const std::uint32_t tiles = codecs::tile_count(count);
  std::vector<std::uint32_t> head(GpuFor::kHeaderWords + tiles + 1);
  check(cudaMemcpy(head.data(), encoded.words.data(), head.size() * sizeof(std::uint32_t),
                   cudaMemcpyDeviceToHost),
        "cudaMemcpy to the host");
  std::uint32_t most = 0;
  for (std::uint32_t first = 0; first < tiles; first += kGroupTiles) {
    const codecs::Extent extent =
        GpuFor::extent({head.data(), count}, first, std::min(first + kGroupTiles, tiles));
    most = std::max(most, extent.end - extent.begin);
  }
  return most;
}

/// The first `count` words in memory of their own.
DeviceArray<std::uint32_t> cut(const DeviceArray<std::uint32_t>& words, std::uint32_t count) {
  DeviceArray<std::uint32_t> made(count + kPadding);
  check(cudaMemcpy(made.data(), words.data(), count * sizeof(std::uint32_t),
                   cudaMemcpyDeviceToDevice),
        "cudaMemcpy on the device");
  check(cudaMemset(made.data() + count, 0, kPadding * sizeof(std::uint32_t)), "cudaMemset");
  codecs::cuda::finish_copies();
  return made;
}

}  // namespace

bool DeviceField::fits(const index::FieldColumn& column) {
  return column.texts() != nullptr || (column.code_limit() <= std::uint64_t{1} << 32 &&
                                       column.codes() <= codecs::kMaxListLength);
}

DeviceField::DeviceField(const index::FieldColumn& column, tbb::task_arena& arena,
                         const std::stop_token& stop)
    : column_(column) {
  view_.documents = column.documents();
  put_present();
  if (column.texts() != nullptr) return;  // of texts nobody asks more than whether they are there
  put_codes(arena, stop);
  put_blocks();
  if (!column.multi()) return;
  starts_ = codecs::cuda::upload(column.starts());
  view_.starts = starts_.data();
}

void DeviceField::put_codes(tbb::task_arena& arena, const std::stop_token& stop) {
  const std::vector<std::uint32_t> codes = decode(column_, arena, stop);
  const auto count = static_cast<std::uint32_t>(codes.size());
  codes_ = codecs::cuda::upload(std::span(codes), kPadding);
  view_.codes = {RawTiles::id, kGroupCodes, {codes_.data(), count}, nullptr};
  if (count == 0) return;
  const Encoded encoded = encode(codes_, count);
  // What saves less than an eighth of the memory costs more time than it saves.
  if (encoded.count > count - count / 8) return;
  const std::uint32_t most = most_words(encoded, count);
  codes_ = {};  // before the next piece of memory is taken
  codes_ = cut(encoded.words, encoded.count);
  view_.codes = {GpuFor::id, most, {codes_.data(), count}, nullptr};
}

void DeviceField::put_blocks() {
  std::vector<CodeBlock> blocks;
  for (const index::FieldBlock& block : column_.blocks()) {
    const bool none = block.least > block.greatest;
    blocks.push_back({none ? 1 : static_cast<std::uint32_t>(block.least),
                      none ? 0 : static_cast<std::uint32_t>(block.greatest)});
  }
  blocks_ = codecs::cuda::upload(std::span<const CodeBlock>(blocks));
  view_.codes.blocks = blocks_.data();
}

void DeviceField::put_present() {
  const auto present = column_.present();
  if (present.empty()) return;
  present_ = codecs::cuda::upload(present, bitmap_room(column_.documents()) - present.size());
  view_.present = present_.data();
}

}  // namespace gannet::query::cuda
