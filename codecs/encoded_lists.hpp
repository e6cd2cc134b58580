// A batch of encoded lists in host memory. The device's decoders of batches and the benchmarks take
// their lists in this form.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/registry.hpp"

namespace gannet::codecs {

/// The kind of values in a list, which decides how the list is encoded and decoded.
enum class Content {
  kValues,  ///< any values (term frequencies, gaps): encoded unchanged
  kDocids,  ///< strictly ascending docids: a codec with traits.gaps encodes them as gaps, and
            ///< decoding adds the gaps up
};

/// Lists of one codec, encoded one behind the other. List i has counts[i] values, and its words are
/// words[first_word[i] .. first_word[i + 1]). Not thread-safe while add() runs.
struct EncodedLists {
  EncodedLists(const ListCodec& list_codec, Content list_content)
      : codec(&list_codec), content(list_content) {}

  const ListCodec* codec = nullptr;
  Content content = {};
  std::vector<std::uint32_t> words = {};
  std::vector<std::uint64_t> first_word{0};
  std::vector<std::uint32_t> counts = {};
  /// With kDocids: the last docid of each tile of each list, list after list (the skip data of an
  /// index). With kValues: empty.
  std::vector<std::uint32_t> skips = {};

  /// Encodes and appends a list, which may be empty. Docids must ascend strictly; the order is not
  /// checked. Invalidates views. Throws UsageError if the list has more than kMaxListLength values,
  /// CancelledError soon after the token of the thread's StopScope requests a stop. After an
  /// exception, discard the batch: it may end with a part of the list.
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

  /// Number of lists.
  std::size_t size() const { return counts.size(); }
  /// Number of values of all lists; adds up `counts`.
  std::uint64_t values() const {
    std::uint64_t total = 0;
    for (const std::uint32_t count : counts) total += count;
    return total;
  }
  /// List i (< size()), not owned.
  ListView view(std::size_t i) const { return {words.data() + first_word[i], counts[i]}; }
  /// Bits of encoded words per value: endpoints and headers count, skip data do not. 0 if the lists
  /// have no values.
  double bits_per_value() const {
    return values() == 0 ? 0
                         : 32.0 * static_cast<double>(words.size()) / static_cast<double>(values());
  }
};

}  // namespace gannet::codecs
