#include "index/positions/encoded_positions.hpp"

#include <limits>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/positions/position_code.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

using codecs::kTile;

/// Offsets of tiles, in the file, are numbers of 32 bits.
constexpr std::uint64_t kMaxTileBytes = std::numeric_limits<std::uint32_t>::max();
/// Between two looks at the stop token.
constexpr std::uint64_t kPositionsPerLook = std::uint64_t{1} << 16;

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
    check_positions();
    encoded_.bytes.resize((size_ + 7) / 8 + codecs::kPositionPadding);
    const bool has_tiles = !is_short_list(static_cast<std::uint32_t>(docids_.size()));
    std::uint64_t bit = 0;
    for (std::size_t i = 0; i < docids_.size(); ++i) {
      const std::uint32_t freq = freqs_[i];
      const std::uint32_t span = positions_.spans[docids_[i]];
      look_at_stop(freq);
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

  /// Adds up how many bits the codes take, before memory is taken for them.
  void count_bits() {
    std::uint64_t tile = 0;
    StopCheck check_stop;
    for (std::size_t i = 0; i < docids_.size(); ++i) {
      check_stop();
      if (docids_[i] >= positions_.spans.size()) fail_positions(term_, "a document has no span");
      const std::uint32_t span = positions_.spans[docids_[i]];
      if (span > codecs::kMaxSpan) fail_positions(term_, "a document has too large a span");
      if (freqs_[i] > span) fail_positions(term_, "a document has more positions than places");
      tile += codecs::position_bits(freqs_[i], span);
      if (!ends_tile(i)) continue;
      if ((tile + 7) / 8 > kMaxTileBytes) fail_tile();
      size_ += (tile + 7) / 8 * 8;
      tile = 0;
    }
  }

  [[noreturn]] void fail_tile() const {
    fail_positions(term_,
                   "the positions of " + std::to_string(kTile) +
                       " documents take more than 4 GB, which no file of them can hold; build "
                       "without positions (--no-positions; in Python positions=False)");
  }

  void check_positions() {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < docids_.size(); ++i) {
      const std::uint32_t freq = freqs_[i];
      look_at_stop(freq);
      if (freq > positions_.values.size() - at)
        fail_positions(term_, "it has not one position an occurrence");
      check(positions_.values.subspan(at, freq), positions_.spans[docids_[i]]);
      at += freq;
    }
    if (at != positions_.values.size())
      fail_positions(term_, "it has not one position an occurrence");
  }

  /// Once in so many positions.
  void look_at_stop(std::uint32_t positions) {
    if ((since_look_ += positions) < kPositionsPerLook) return;
    since_look_ = 0;
    throw_if_stopped();
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
  std::uint64_t since_look_ = 0;
  EncodedPositions encoded_;
};

}  // namespace

EncodedPositions encode_list_positions(const std::string& term, std::span<const Docid> docids,
                                       std::span<const std::uint32_t> freqs,
                                       const ListPositions& positions) {
  return Encoder(term, docids, freqs, positions).encode();
}

}  // namespace gannet::index
