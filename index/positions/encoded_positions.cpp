#include "index/positions/encoded_positions.hpp"

#include <algorithm>

#include "codecs/base/error.hpp"
#include "codecs/positions/position_code.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

using codecs::kTile;

[[noreturn]] void fail_positions(const std::string& term, const std::string& what) {
  throw UsageError("term '" + printable(term) + "': " + what);
}

class Encoder {
 public:
  Encoder(const std::string& term, std::span<const Docid> docids,
          std::span<const std::uint32_t> freqs, const ListPositions& positions)
      : term_(term), docids_(docids), freqs_(freqs), positions_(positions) {}

  EncodedPositions encode() {
    encoded_.there = true;
    count_bits();
    encoded_.bytes.resize((size_ + 7) / 8 + codecs::kPositionPadding);
    const bool has_tiles = !is_short_list(static_cast<std::uint32_t>(docids_.size()));
    std::uint64_t bit = 0;
    for (std::size_t i = 0; i < docids_.size(); ++i) {
      const std::uint32_t freq = freqs_[i];
      const std::uint32_t span = positions_.spans[docids_[i]];
      codecs::encode_positions(positions_.values.data() + at_, freq, span, encoded_.bytes.data(),
                               bit);
      bit += codecs::position_bits(freq, span);
      at_ += freq;
      if (!has_tiles || !ends_tile(i)) continue;
      bit = (bit + 7) / 8 * 8;
      encoded_.tile_ends.push_back(bit / 8);
    }
    encoded_.bits = has_tiles ? 0 : bit;
    encoded_.bytes.resize((bit + 7) / 8);
    return std::move(encoded_);
  }

 private:
  bool ends_tile(std::size_t i) const { return i % kTile == kTile - 1 || i + 1 == docids_.size(); }

  /// Checks the positions, and adds up at least as many bits as they take.
  void count_bits() {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < docids_.size(); ++i) {
      if (docids_[i] >= positions_.spans.size()) fail_positions(term_, "a document has no span");
      const std::uint32_t span = positions_.spans[docids_[i]];
      const std::uint32_t freq = freqs_[i];
      if (span > codecs::kMaxSpan) fail_positions(term_, "a document has too large a span");
      if (freq > positions_.values.size() - at)
        fail_positions(term_, "it has not one position an occurrence");
      check(positions_.values.subspan(at, freq), span);
      at += freq;
      size_ += codecs::position_bits(freq, span) + (ends_tile(i) ? 7 : 0);
    }
    if (at != positions_.values.size())
      fail_positions(term_, "it has not one position an occurrence");
  }

  void check(std::span<const std::uint32_t> positions, std::uint32_t span) const {
    for (std::size_t i = 1; i < positions.size(); ++i) {
      if (positions[i] <= positions[i - 1])
        fail_positions(term_, "its positions are not strictly ascending");
    }
    if (positions.back() >= span)
      fail_positions(term_, "a position is not below the span of its document");
  }

  const std::string& term_;
  std::span<const Docid> docids_;
  std::span<const std::uint32_t> freqs_;
  const ListPositions& positions_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
  EncodedPositions encoded_;
};

}  // namespace

EncodedPositions encode_list_positions(const std::string& term, std::span<const Docid> docids,
                                       std::span<const std::uint32_t> freqs,
                                       const ListPositions& positions) {
  return Encoder(term, docids, freqs, positions).encode();
}

}  // namespace gannet::index
