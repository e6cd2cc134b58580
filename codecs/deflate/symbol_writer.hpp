// The bytes of a list of symbols, written by 32 lanes in batches: step 4 of parallel.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/deflate/space.hpp"

namespace gannet::codecs::deflate {

/// Writes out[0 .. size) and nothing else. All lanes call all functions.
template <class Lanes, Shape shape>
class SymbolWriter {
 public:
  GANNET_HD SymbolWriter(Lanes lanes, std::uint8_t* out, std::uint32_t size, Space<shape>& space)
      : lanes_(lanes), out_(out), size_(size), space_(space) {}

  /// Bytes that are still to be written, and where they go.
  GANNET_HD std::uint32_t left() const { return size_ - done_; }
  GANNET_HD std::uint8_t* target() const { return out_ + done_; }
  /// Notes that the caller has written `bytes` of them.
  GANNET_HD void skip(std::uint32_t bytes) { done_ += bytes; }

  /// Writes out the list's `total` symbols; false if they do not fit or look back too far.
  GANNET_HD bool write(std::uint32_t total) {
    Batch batch{};
    while (batch.first < total) {
      const Symbol symbol = space_.window.list[batch.first];
      if (length_of(symbol) >= kLongMatch + batch.skip) {
        if (!copy_match(symbol, batch.skip)) return false;
        ++batch.first;
        batch.skip = 0;
        continue;
      }
      if (!place(total, batch)) return false;
      write_batch(batch);
      done_ += batch.size;
      batch.first += batch.finished;
      // The next symbol, if it was looked at, has started unless its offset is the end.
      batch.skip = batch.finished == kBatchSymbols || batch.first == total
                       ? 0
                       : batch.size - space().offsets[batch.finished];
      lanes_.sync();
    }
    return true;
  }

 private:
  using Number = typename Lanes::template Var<std::uint32_t>;

  /// The symbols of a batch, and how much of it there is.
  struct Batch {
    std::uint32_t first;     ///< symbol in the list
    std::uint32_t skip;      ///< bytes of the first symbol that are written already
    std::uint32_t size;      ///< bytes
    std::uint32_t finished;  ///< symbols whose last byte is in it
    bool overlaps;           ///< whether a match overlaps itself
    bool chains;             ///< whether a byte of its rows may come from another one
  };

  /// Writes what is missing of a match of which `skip` bytes are written; false if it does not fit
  /// or looks back too far.
  GANNET_HD bool copy_match(Symbol symbol, std::uint32_t skip) {
    const std::uint32_t distance = distance_of(symbol);
    const std::uint32_t length = length_of(symbol) - skip;
    if (distance > done_ - skip || length > size_ - done_) return false;
    Output<std::uint8_t, Lanes>(lanes_, out_ + done_, length).memcpy(distance, length);
    lanes_.sync();
    done_ += length;
    return true;
  }

  GANNET_HD BatchSpace& space() const { return space_.window.batch; }

  /// Sets the offsets and marks of the symbols from batch.first on. False if they do not fit or
  /// look back too far.
  GANNET_HD bool place(std::uint32_t total, Batch& batch) {
    Number symbols[4];
    Number before;
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < kBatch / 4; i += kLanes) space().marks[i] = 0;
      before[lane] = 0;
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t i = batch.first + 4 * lane + k;
        symbols[k][lane] = i < total ? space_.window.list[i] : kEndSymbol;
        before[lane] += i < total ? length_of(symbols[k][lane]) : 0;
      }
    });
    lanes_.sync();
    const std::uint32_t bytes = lanes_.exclusive_scan(before) - batch.skip;
    batch.size = before_long(symbols, before, bytes < kBatch ? bytes : kBatch, batch.skip);
    Number bad;
    Number finished;
    Number overlaps;
    Number chains;
    auto* marks = reinterpret_cast<std::uint8_t*>(space().marks);
    lanes_.each([&](std::uint32_t lane) {
      bad[lane] = finished[lane] = overlaps[lane] = chains[lane] = 0;
      std::uint32_t offset = before[lane] - batch.skip;
      for (std::uint32_t k = 0; k < 4; ++k) {
        const Symbol symbol = symbols[k][lane];
        if (symbol == kEndSymbol) continue;
        const std::uint32_t distance = distance_of(symbol);
        const std::uint32_t length = length_of(symbol);
        space().offsets[4 * lane + k] = static_cast<std::int16_t>(offset);
        space().sources[4 * lane + k] = source_of(symbol);
        if (offset < kBatch) marks[offset] = 1;
        if (distance > done_ + offset) bad[lane] = 1;
        offset += length;
        if (distance != 0 && distance < length) overlaps[lane] = 1;
        if (distance - 1 < kBatch - 1) chains[lane] = 1;
        if (static_cast<std::int32_t>(offset - batch.size) <= 0) ++finished[lane];
      }
    });
    batch.finished = lanes_.sum(finished);
    batch.overlaps = lanes_.ballot(overlaps) != 0;
    batch.chains = lanes_.ballot(chains) != 0;
    const bool good = lanes_.ballot(bad) == 0 && batch.size <= size_ - done_;
    lanes_.sync();
    return good;
  }

  /// `size`, or the place of the first long match before it, which is copied by itself.
  GANNET_HD std::uint32_t before_long(const Number (&symbols)[4], const Number& before,
                                      std::uint32_t size, std::uint32_t skip) const {
    Number places;
    Number some;
    lanes_.each([&](std::uint32_t lane) {
      std::uint32_t offset = before[lane] - skip;
      places[lane] = size;
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t length =
            symbols[k][lane] == kEndSymbol ? 0 : length_of(symbols[k][lane]);
        if (length >= kLongMatch && offset < places[lane]) places[lane] = offset;
        offset += length;
      }
      some[lane] = places[lane] < size ? 1 : 0;
    });
    const std::uint32_t lanes_with = lanes_.ballot(some);
    if (lanes_with == 0) return size;
    return lanes_.broadcast(places, popcount((lanes_with - 1) & ~lanes_with));
  }

  // Where a byte of a batch comes from: where it stands, counted from kMaxDistance bytes before the
  // batch; or kLiteral, with its value in bits 16-23. Bits 0-15 of a literal mean nothing.
  static constexpr std::uint32_t kLiteral = 1u << 31;

  GANNET_HD static bool is_inside(std::uint32_t origin) {
    return origin - kMaxDistance < kLiteral - kMaxDistance;
  }

  /// What added to the place of a byte of `symbol` gives its origin.
  GANNET_HD static std::uint32_t source_of(Symbol symbol) {
    const std::uint32_t distance = distance_of(symbol);
    return distance == 0 ? kLiteral | symbol << 16 : kMaxDistance - distance;
  }

  /// Writes a batch's bytes; all are known before the first is written.
  GANNET_HD void write_batch(const Batch& batch) {
    Number origins[kQuads * kQuad];
    std::uint32_t started = batch.skip > 0 ? 1 : 0;  // symbols that start before a row
    for (std::uint32_t quad = 0; quad < kQuads; ++quad) {
      if (quad * kQuad * kLanes < batch.size) {
        started = find_origins(batch, quad * kQuad, started, origins + quad * kQuad);
      }
    }
    if (batch.chains) lanes_.sync();
    std::uint8_t* out = out_ + done_;
    for (std::uint32_t quad = 0; quad < kQuads; ++quad) {
      if (quad * kQuad * kLanes < batch.size) fetch(batch.chains, out, origins + quad * kQuad);
    }
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t row = 0; row < kQuads * kQuad; ++row) {
        const std::uint32_t i = row * kLanes + lane;
        if (i < batch.size) out[i] = static_cast<std::uint8_t>(origins[row][lane]);
      }
    });
    lanes_.sync();
  }

  /// The origins of the bytes of four rows, from row `first` on. `started` symbols start before
  /// them; returns how many start before the next. Bytes behind the batch's end get those of its
  /// last symbol.
  GANNET_HD std::uint32_t find_origins(const Batch& batch, std::uint32_t first,
                                       std::uint32_t started, Number* origins) const {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(space().marks) + first * kLanes;
    Number owners[kQuad];
    for (std::uint32_t row = 0; row < kQuad; ++row) {
      Number mark;
      lanes_.each([&](std::uint32_t lane) { mark[lane] = bytes[row * kLanes + lane]; });
      const std::uint32_t marks = lanes_.ballot(mark);
      lanes_.each([&](std::uint32_t lane) {
        owners[row][lane] = started + popcount(marks & low_mask(lane + 1)) - 1;
      });
      started += popcount(marks);
    }
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t row = 0; row < kQuad; ++row) {
        const std::uint32_t at = (first + row) * kLanes + lane;
        std::uint32_t origin = space().sources[owners[row][lane]] + at;
        if (batch.overlaps) origin = before_overlap(origin, at, owners[row][lane]);
        origins[row][lane] = origin;
        if (batch.chains) space().origins[at] = origin;
      }
    });
    return started;
  }

  /// The origin of byte `at`, `origin`, moved out of its own match if that overlaps itself: to the
  /// bytes before it, of which it is a repetition.
  GANNET_HD std::uint32_t before_overlap(std::uint32_t origin, std::uint32_t at,
                                         std::uint32_t owner) const {
    const auto offset = static_cast<std::int32_t>(space().offsets[owner]);
    const std::uint32_t place = at - static_cast<std::uint32_t>(offset);
    const std::uint32_t distance = at + kMaxDistance - origin;
    const bool literal = origin >= kLiteral;
    return literal || place < distance ? origin : origin - (place - place % distance);
  }

  /// Replaces the origins of four rows by the values of their bytes. `out` is where the batch goes.
  GANNET_HD void fetch(bool chains, const std::uint8_t* out, Number* origins) const {
    lanes_.each([&](std::uint32_t lane) {
      std::uint32_t from[kQuad];
      for (std::uint32_t row = 0; row < kQuad; ++row) from[row] = origins[row][lane];
      for (bool more = chains; more;) {
        more = false;
        for (std::uint32_t& origin : from) {
          if (is_inside(origin)) origin = space().origins[origin - kMaxDistance];
        }
        for (const std::uint32_t origin : from) more = more || is_inside(origin);
      }
      for (std::uint32_t row = 0; row < kQuad; ++row) {
        // Origins are counted from kMaxDistance bytes before the batch: often before the output.
        const auto offset =
            static_cast<std::ptrdiff_t>(from[row]) - static_cast<std::ptrdiff_t>(kMaxDistance);
        origins[row][lane] = from[row] >= kLiteral ? from[row] >> 16 : out[offset];
      }
    });
  }

  Lanes lanes_;
  std::uint8_t* out_;
  std::uint32_t size_;
  Space<shape>& space_;
  std::uint32_t done_ = 0;  ///< bytes written
};

}  // namespace gannet::codecs::deflate
