#include "index/fields/build/bitmap_sink.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"
#include "codecs/wah/wah_vectors.hpp"
#include "index/files/checksum.hpp"

namespace gannet::index {

void BitmapSink::add(std::uint64_t code, bool is_value) {
  if (codes_ % kFieldBlock == 0) bounds_.emplace_back();
  ++codes_;
  if (is_value) bounds_.back().add(code);
  block_.push_back(static_cast<std::uint32_t>(code));
  if (codes_ % kFieldBlock == 0) write_block();
}

void BitmapSink::write_block() {
  if (block_.empty()) return;
  std::vector<std::uint32_t> different = block_;
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() > kMaxBitmapCodes) {
    throw UsageError(
        "block " + std::to_string(rows_.size()) + " has " + std::to_string(different.size()) +
        " different values; a bitmap index (wah) holds at most " + std::to_string(kMaxBitmapCodes) +
        " in each 65,536: leave the codec to auto, or choose another");
  }
  for (std::uint32_t& code : block_) {
    code =
        static_cast<std::uint32_t>(std::ranges::lower_bound(different, code) - different.begin());
  }
  const auto vectors = static_cast<std::uint32_t>(different.size());
  const auto bitmaps = codecs::wah_encode_vectors<std::uint32_t>(block_, vectors);
  std::vector<std::uint32_t> words{vectors};
  words.insert(words.end(), different.begin(), different.end());
  for (const std::uint64_t start : bitmaps.first)
    words.push_back(static_cast<std::uint32_t>(start));
  words.insert(words.end(), bitmaps.atoms.begin(), bitmaps.atoms.end());
  file_.append_values(std::span<const std::uint32_t>(words));
  rows_.push_back({words_, words.size(), xxh3(std::as_bytes(std::span(words)))});
  words_ += words.size();
  block_.clear();
}

}  // namespace gannet::index
