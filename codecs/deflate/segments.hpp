// Windows of a deflate stream, decoded to a list of symbols by 32 lanes, a segment each: steps 1 to
// 3 of parallel.hpp.
#pragma once

#include <cstdint>

#include "codecs/deflate/space.hpp"

namespace gannet::codecs::deflate {

/// The symbols of one window, in the list of the shared memory.
struct WindowSymbols {
  std::uint32_t total;   ///< how many
  std::uint32_t bits;    ///< that they take in the stream
  std::uint32_t ending;  ///< kValue: others follow; kEnd: the block ends; kSpecial: no code follows
};

/// Decodes a block's symbols, window after window. All lanes call all functions.
template <class Lanes, Shape shape>
class SegmentDecoder {
 public:
  /// The stream stands in words[0 .. count).
  GANNET_HD SegmentDecoder(Lanes lanes, const std::uint32_t* words, std::uint32_t count,
                           Space<shape>& space)
      : lanes_(lanes), words_(words), count_(count), space_(space) {}

  /// Decodes the window that starts at bit `position`, which is below 32 * count.
  GANNET_HD WindowSymbols decode(std::uint32_t position) {
    const std::uint32_t first_word = position / 32;
    const std::uint32_t origin = position % 32;
    const Cut cut = cut_window(origin, 32 * count_ - 32 * first_word);
    fill(first_word, cut);
    Segments segments;
    const std::uint32_t agreed = agree(cut, segments);
    std::uint32_t total = 0;
    const std::uint32_t lanes = fitting(segments, agreed, total);
    emit(segments, lanes);
    lanes_.sync();
    Number ends;
    Number endings;
    lanes_.each([&](std::uint32_t lane) {
      ends[lane] = segments[lane].end;
      endings[lane] = segments[lane].ending;
    });
    const std::uint32_t bits = lanes_.broadcast(ends, lanes - 1) - origin;
    const std::uint32_t ending = lanes_.broadcast(endings, lanes - 1);
    return {total, bits, ending};
  }

  /// Cuts the next window so that it has as many symbols as the list can take, or a bit fewer, if
  /// it is like `window`, which has some.
  GANNET_HD void expect(const WindowSymbols& window) {
    most_ = window.bits * (shape.list - shape.list / 8) / (kLanes * window.total);
  }

 private:
  using Number = typename Lanes::template Var<std::uint32_t>;

  /// What a lane knows of its segment. Positions are bits from the start of the window.
  struct Segment {
    std::uint32_t start;    ///< where its first symbol starts
    std::uint32_t stop;     ///< no symbol of it starts here or behind
    std::uint32_t end;      ///< where the first symbol behind it starts
    std::uint32_t symbols;  ///< how many it has
    std::uint32_t ending;   ///< kValue: usual; kEnd: it has the end of the block; kSpecial: no code
  };
  using Segments = typename Lanes::template Var<Segment>;

  /// How a window is cut. All in bits from its first word.
  struct Cut {
    std::uint32_t origin;   ///< where its first symbol starts
    std::uint32_t segment;  ///< length of a segment
    std::uint32_t limit;    ///< end of the stream's words, maybe far behind the window
  };

  GANNET_HD Cut cut_window(std::uint32_t origin, std::uint32_t limit) const {
    constexpr std::uint32_t kMin = 64;  // so that lanes may agree at all
    constexpr std::uint32_t kMax = 32 * shape.segment_words;
    const std::uint32_t share = (limit - origin) / kLanes + 1;  // at the stream's end
    std::uint32_t segment = most_ < share ? most_ : share;
    segment = segment < kMin ? kMin : segment;
    return {origin, segment < kMax ? segment : kMax, limit};
  }

  /// Copies the window that starts at word `first`; zeros follow the last word.
  GANNET_HD void fill(std::uint32_t first, const Cut& cut) {
    const std::uint32_t words = (cut.origin + kLanes * cut.segment + 47) / 32 + 2;
    lanes_.sync();
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < words; i += kLanes) {
        space_.window.words[i] = first + i < count_ ? words_[first + i] : 0;
      }
    });
    lanes_.sync();
  }

  /// Scans until enough lanes agree. Returns how many do: all that these lanes know is right.
  GANNET_HD std::uint32_t agree(const Cut& cut, Segments& segments) {
    lanes_.each([&](std::uint32_t lane) {
      const std::uint32_t start = cut.origin + lane * cut.segment;
      const std::uint32_t stop = start + cut.segment;
      Segment& own = segments[lane];
      own.start = start < cut.limit ? start : cut.limit;
      own.stop = stop < cut.limit ? stop : cut.limit;
      scan(own);
    });
    for (std::uint32_t round = 0;; ++round) {
      Number before;
      Number ends;
      Number endings;
      lanes_.each([&](std::uint32_t lane) {
        before[lane] = lane == 0 ? 0 : lane - 1;
        ends[lane] = segments[lane].end;
        endings[lane] = segments[lane].ending;
      });
      const Number starts = lanes_.gather(ends, before);
      const Number befores = lanes_.gather(endings, before);
      Number wrong;
      Number ended;
      lanes_.each([&](std::uint32_t lane) {
        const bool right = befores[lane] == kValue && starts[lane] == segments[lane].start;
        wrong[lane] = lane > 0 && !right ? 1 : 0;
        ended[lane] = endings[lane] != kValue ? 1 : 0;
      });
      const std::uint32_t agreed = trailing_ones(~lanes_.ballot(wrong));
      const std::uint32_t ends_here = trailing_ones(~lanes_.ballot(ended));
      if (ends_here < agreed) return ends_here + 1;
      if (agreed >= shape.enough || round == shape.rounds) return agreed;
      lanes_.each([&](std::uint32_t lane) {
        if (wrong[lane] == 0 || befores[lane] != kValue) return;
        segments[lane].start = starts[lane];
        scan(segments[lane]);
      });
    }
  }

  GANNET_HD static std::uint32_t trailing_ones(std::uint32_t bits) {
    return popcount(bits & ~(bits + 1));
  }

  /// Decodes a segment from its start on, code by code. step(entry, bits, distance) is told the
  /// entry of each code and the bits that start with it, and whether it is a distance.
  template <class Step>
  GANNET_HD void walk(Segment& segment, Step step) const {
    const std::uint32_t* words = space_.window.words;
    std::uint32_t position = segment.start;
    bool distance = false;  // whether a distance comes next
    segment.ending = kValue;
    while (position < segment.stop || distance) {
      const std::uint32_t* word = words + position / 32;
      const std::uint32_t bits = funnel(word[0], word[1], position);
      const std::uint32_t mask = distance ? low_mask(kDistanceRoot) : low_mask(kLiteralRoot);
      const Entry* table = space_.tables.root + (distance ? 1u << kLiteralRoot : 0);
      std::uint32_t entry = table[bits & mask];
      if (kind_of(entry) >= kEnd) {
        if (is_long(entry)) {
          const std::uint32_t root_bits = distance ? kDistanceRoot : kLiteralRoot;
          entry = long_entry(space_.tables, entry, root_bits, bits);
        }
        if (kind_of(entry) >= kEnd) {
          segment.ending = kind_of(entry);
          position += bits_of(entry);
          break;
        }
      }
      position += bits_of(entry);
      step(entry, bits, distance);
      distance = kind_of(entry) == kLength;
    }
    segment.end = position;
  }

  GANNET_HD void scan(Segment& segment) const {
    std::uint32_t symbols = 0;
    walk(segment, [&](std::uint32_t entry, std::uint32_t, bool) {
      symbols += kind_of(entry) == kLength ? 0 : 1;
    });
    segment.symbols = symbols;
  }

  /// How many of the first `agreed` lanes have symbols that fit the list together, and how many
  /// symbols that are. A segment alone always fits: no code is shorter than a bit.
  GANNET_HD std::uint32_t fitting(Segments& segments, std::uint32_t agreed, std::uint32_t& total) {
    static_assert(shape.list >= 32 * shape.segment_words);
    lanes_.each([&](std::uint32_t lane) { places_[lane] = segments[lane].symbols; });
    lanes_.exclusive_scan(places_);
    Number fits;
    Number behind;
    lanes_.each([&](std::uint32_t lane) {
      behind[lane] = places_[lane] + segments[lane].symbols;
      fits[lane] = lane < agreed && behind[lane] <= shape.list ? 1 : 0;
    });
    const std::uint32_t lanes = trailing_ones(lanes_.ballot(fits));
    total = lanes_.broadcast(behind, lanes - 1);
    return lanes;
  }

  /// Writes the symbols of the first `lanes` lanes to the list.
  GANNET_HD void emit(Segments& segments, std::uint32_t lanes) {
    lanes_.each([&](std::uint32_t lane) {
      if (lane >= lanes) return;
      Symbol* to = space_.window.list + places_[lane];
      std::uint32_t length = 0;
      walk(segments[lane], [&](std::uint32_t entry, std::uint32_t bits, bool distance) {
        const std::uint32_t value = value_of(entry);
        const std::uint32_t base_extra = space_.base_extra.of[(distance ? 32 : 0) + value % 32];
        const std::uint32_t extra = base_extra >> 16;
        const std::uint32_t number =
            (base_extra & 0xffff) + (bits >> ((bits_of(entry) - extra) % 32) & low_mask(extra));
        if (kind_of(entry) == kLength) {
          length = number;
        } else {
          *to++ = distance ? match_symbol(length, number) : value;
        }
      });
    });
  }

  Lanes lanes_;
  const std::uint32_t* words_;
  std::uint32_t count_;
  Space<shape>& space_;
  std::uint32_t most_ = 32 * shape.segment_words;  ///< bits of a segment of the next window
  Number places_;                                  ///< of the lanes' first symbols in the list
};

}  // namespace gannet::codecs::deflate
