// A batch of encoded lists in host memory: what device-wide decoding and the benchmarks take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/registry.hpp"

namespace gannet::codecs {

/// What a list's values are, and so what decoding gives.
enum class Content {
  kValues,  ///< any values (term frequencies, gaps): decoded as they are
  kDocids,  ///< strictly ascending docids: decoded to docids, with the prefix sum where gaps are
            ///< coded
};

/// Lists of one codec, encoded one behind the other. List i has counts[i] values, its words are
/// words[first_word[i] .. first_word[i + 1]).
struct EncodedLists {
  EncodedLists(const ListCodec& list_codec, Content list_content)
      : codec(&list_codec), content(list_content) {}

  const ListCodec* codec = nullptr;
  Content content = {};
  std::vector<std::uint32_t> words = {};
  std::vector<std::uint64_t> first_word{0};
  std::vector<std::uint32_t> counts = {};
  /// kDocids: last docid of each tile of 128 values of each list (an index keeps these as skip
  /// data).
  std::vector<std::uint32_t> skips = {};

  /// Encodes and appends a list.
  void add(std::span<const std::uint32_t> values) {
    if (content == Content::kDocids) {
      codec->encode_docids(values, words);
      for (std::size_t end = kTile; end < values.size() + kTile; end += kTile) {
        skips.push_back(values[std::min<std::size_t>(end, values.size()) - 1]);
      }
    } else {
      codec->encode(values, words);
    }
    first_word.push_back(words.size());
    counts.push_back(static_cast<std::uint32_t>(values.size()));
  }

  std::size_t size() const { return counts.size(); }
  std::uint64_t values() const {
    std::uint64_t total = 0;
    for (const std::uint32_t count : counts) total += count;
    return total;
  }
  ListView view(std::size_t i) const { return {words.data() + first_word[i], counts[i]}; }
  /// Bits per value of the encoded words, endpoints and headers included, skip data apart.
  double bits_per_value() const {
    return values() == 0 ? 0
                         : 32.0 * static_cast<double>(words.size()) / static_cast<double>(values());
  }
};

}  // namespace gannet::codecs
