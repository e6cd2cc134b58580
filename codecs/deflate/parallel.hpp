// Inflating with 32 lanes that decode different symbols: the form of the device.
//
// Huffman codes synchronise themselves: a decoder that starts at a wrong bit soon falls into step
// with the true symbols. (The idea for Huffman codes: Weissenberger and Schmidt, "Massively
// Parallel Huffman Decoding on GPUs", ICPP 2018; here with deflate's matches and their extra bits.)
// So a window of the stream is cut into 32 segments, and all lanes decode theirs at once:
//   1. Every lane scans its segment from its first bit on, and finds where the first symbol of the
//      next segment starts. That is a guess, but for lane 0.
//   2. A lane whose start is not where the lane before it ended scans again from there, until
//      enough lanes agree; those up to the first that does not are right. At least lane 0 is.
//   3. They decode once more, and write their symbols to a list in shared memory.
//   4. The list is written out in batches of up to kBatch bytes, in rows of a byte a lane. A prefix
//      sum gives every symbol its place; every byte finds its symbol by counting marks, and is a
//      literal, or equal to an earlier byte. Where that one belongs to the same batch, it is
//      followed to its own origin. So no byte waits for another to be written. Long matches are
//      copied by themselves, between batches.
//
//     bits        origin                                                          taken
//     window      |  segment 0  |  segment 1  |  segment 2  |   ...   |  segment 31 |
//     1. scan     |a--b---c---d--e            :             :         :             :
//                 :             |?--?--e--f---g-            :         :             :
//                 :             :             |?---?---g---h-i        :             :
//     2. agree    lane 0 ended at e, lane 1 had started elsewhere: it scans again from e, and ends
//                 at g as before. Lane 2 had not started there: again from g, and so on
//     3. emit     list  a b c d | e f | g h i | ...         each lane where those before it end
//     4. write    list  'T' 'h' 'e' (3 back 9) 'x' ...      a batch of up to kBatch bytes
//                 bytes  T   h   e   .  .  .    x           . has the origin of the byte 9 before
//
// Steps 1 to 3 are segments.hpp, step 4 is symbol_writer.hpp; what lanes share is space.hpp.
//
// Decoding is a matter of latency (the GPU holds few warps for each MB), so steps have as few
// branches as possible, and rows are handled four at a time.
#pragma once

#include <cstdint>

#include "codecs/deflate/segments.hpp"
#include "codecs/deflate/serial.hpp"
#include "codecs/deflate/space.hpp"
#include "codecs/deflate/symbol_writer.hpp"

namespace gannet::codecs::deflate {

template <class Lanes, Shape shape>
class ParallelInflate {
 public:
  /// The stream stands in words[0 .. count); out[0 .. size) gets the bytes. Nothing else is read or
  /// written, whatever the words say.
  GANNET_HD ParallelInflate(Lanes lanes, const std::uint32_t* words, std::uint32_t count,
                            std::uint8_t* out, std::uint32_t size, Space<shape>& space)
      : lanes_(lanes),
        words_(words),
        count_(count),
        space_(space),
        segments_(lanes, words, count, space),
        writer_(lanes, out, size, space) {}

  /// Whether the words start with a stream that has exactly `size` bytes.
  GANNET_HD bool run() {
    WordInput input(words_, count_);
    space_.base_extra.set(lanes_);
    for (;;) {
      const bool last = input.fetch_bits(1) != 0;
      const std::uint32_t type = input.fetch_bits(2);
      bool good = false;
      if (type == 0) {
        good = stored(input);
      } else if (type == 1) {
        good = fixed_tables(lanes_, space_.head, space_.tables) && symbols(input);
      } else if (type == 2) {
        good = dynamic_tables(lanes_, input, limit(), space_.head, space_.tables) && symbols(input);
      }
      if (!good || input.bit_position() > limit()) return false;
      if (last) return writer_.left() == 0;
    }
  }

 private:
  GANNET_HD std::uint32_t limit() const { return 32 * count_; }

  GANNET_HD bool stored(WordInput& input) {
    std::uint32_t length = 0;
    if (!stored_length(input, length)) return false;
    const std::uint32_t first = input.bit_position() / 8;
    if (first > 4 * count_ || length > 4 * count_ - first || length > writer_.left()) return false;
    copy(first, length, writer_.target());
    lanes_.sync();
    writer_.skip(length);
    input.skip_bits(8 * length);
    return true;
  }

  /// Copies bytes [first, first + length) of the stream's words to `to`, a word of it a lane.
  GANNET_HD void copy(std::uint32_t first, std::uint32_t length, std::uint8_t* to) const {
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(to) % 4);
    const std::uint32_t before = skew == 0 ? 0 : 4 - skew;
    const std::uint32_t head = before < length ? before : length;
    const std::uint32_t words = (length - head) / 4;
    const std::uint32_t tail = head + 4 * words;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words_) + first;
    const std::uint32_t* from = words_ + (first + head) / 4;
    const std::uint32_t shift = (first + head) % 4 * 8;
    auto* aligned = reinterpret_cast<std::uint32_t*>(to + head);
    lanes_.each([&](std::uint32_t lane) {
      if (lane < head) to[lane] = bytes[lane];
      for (std::uint32_t i = lane; i < words; i += kLanes) {
        aligned[i] = shift == 0 ? from[i] : funnel(from[i], from[i + 1], shift);
      }
      if (tail + lane < length) to[tail + lane] = bytes[tail + lane];
    });
  }

  /// The symbols of a block, up to its end.
  GANNET_HD bool symbols(WordInput& input) {
    for (;;) {
      if (input.bit_position() >= limit()) return false;
      const WindowSymbols window = segments_.decode(input.bit_position());
      if (!writer_.write(window.total)) return false;
      input.skip_bits(window.bits);
      if (input.bit_position() > limit()) return false;
      if (window.ending != kValue) return window.ending == kEnd;
      segments_.expect(window);
    }
  }

  Lanes lanes_;
  const std::uint32_t* words_;
  std::uint32_t count_;
  Space<shape>& space_;
  SegmentDecoder<Lanes, shape> segments_;
  SymbolWriter<Lanes, shape> writer_;
};

}  // namespace gannet::codecs::deflate
