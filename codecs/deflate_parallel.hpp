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
//   4. The list is written out, 32 symbols at a time and of those up to kBatch bytes at a time, in
//      rows of a byte a lane. A prefix sum gives every symbol its place; every byte finds its
//      symbol by counting bits, and is a literal, or equal to an earlier byte. Where that one
//      belongs to the same batch, it is followed to its own origin. So no byte waits for another to
//      be written.
#pragma once

#include <cstddef>

#include "gannet/codecs/deflate_serial.hpp"

namespace gannet::codecs::deflate {

/// How a window is cut.
struct Shape {
  std::uint32_t segment_words;  ///< of the stream, that a lane scans
  std::uint32_t list;           ///< symbols that fit the list
  std::uint32_t enough;         ///< lanes that must agree
  std::uint32_t rounds;         ///< most times that lanes scan again
};

inline constexpr Shape kUsualShape{7, 1024, 28, 4};

/// Bytes that are written at once.
inline constexpr std::uint32_t kBatch = 6 * kLanes;

/// What the lanes share while they decode a window.
template <Shape shape>
struct Window {
  /// Words of the window: 31 bits may precede the first segment, 47 may follow the last, and a lane
  /// reads one word ahead.
  static constexpr std::uint32_t kWords = kLanes * shape.segment_words + 4;
  union {
    std::uint32_t words[kWords];
    std::uint32_t origins[kBatch];  ///< of the bytes of a batch, when the words are used up
  };
  Symbol list[shape.list];
};

/// Shared memory of a warp, or any memory on the host. 16-byte aligned.
template <Shape shape>
struct Space {
  Tables tables;
  union {
    HeadSpace head;
    Window<shape> window;
  };
};

template <class Lanes, Shape shape>
class ParallelInflate {
 public:
  /// The stream stands in words[0 .. count); out[0 .. size) gets the bytes. Nothing else is read or
  /// written, whatever the words say.
  GANNET_HD ParallelInflate(Lanes lanes, const std::uint32_t* words, std::uint32_t count,
                            std::uint8_t* out, std::uint32_t size, Space<shape>& space)
      : lanes_(lanes), words_(words), count_(count), out_(out), size_(size), space_(space) {}

  /// Whether the words start with a stream that has exactly `size` bytes.
  GANNET_HD bool run() {
    WordInput input(words_, count_);
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
      if (last) return done_ == size_;
    }
  }

 private:
  using Number = typename Lanes::template Var<std::uint32_t>;

  /// What a lane knows of its segment. Positions are bits from the start of the window.
  struct Segment {
    std::uint32_t start;    ///< where its first symbol starts
    std::uint32_t stop;     ///< no symbol of it starts here or behind
    std::uint32_t end;      ///< where the first symbol behind it starts
    std::uint32_t symbols;  ///< how many it has
    std::uint32_t fate;     ///< kValue: usual; kEnd: it has the end of the block; kSpecial: no code
  };
  using Segments = typename Lanes::template Var<Segment>;

  GANNET_HD std::uint32_t limit() const { return 32 * count_; }

  GANNET_HD bool stored(WordInput& input) {
    std::uint32_t length = 0;
    if (!stored_length(input, length)) return false;
    const std::uint32_t first = input.bit_position() / 8;
    if (first > 4 * count_ || length > 4 * count_ - first || length > size_ - done_) return false;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words_) + first;
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < length; i += kLanes) out_[done_ + i] = bytes[i];
    });
    lanes_.sync();
    done_ += length;
    input.skip_bits(8 * length);
    return true;
  }

  /// The symbols of a block, up to its end.
  GANNET_HD bool symbols(WordInput& input) {
    for (;;) {
      const std::uint32_t first_word = input.bit_position() / 32;
      const std::uint32_t origin = input.bit_position() % 32;
      fill(first_word);
      Segments segments;
      const std::uint32_t agreed = agree(origin, segments);
      std::uint32_t total = 0;
      const std::uint32_t lanes = fitting(segments, agreed, total);
      emit(segments, lanes);
      lanes_.sync();
      if (!write(total)) return false;
      Number ends;
      Number fates;
      lanes_.each([&](std::uint32_t lane) {
        ends[lane] = segments[lane].end;
        fates[lane] = segments[lane].fate;
      });
      input.skip_bits(lanes_.broadcast(ends, lanes - 1) - origin);
      if (input.bit_position() > limit()) return false;
      const std::uint32_t fate = lanes_.broadcast(fates, lanes - 1);
      if (fate != kValue) return fate == kEnd;
    }
  }

  /// Copies the window that starts at word `first`; zeros follow the last word.
  GANNET_HD void fill(std::uint32_t first) {
    lanes_.sync();
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < Window<shape>::kWords; i += kLanes) {
        space_.window.words[i] = first + i < count_ ? words_[first + i] : 0;
      }
    });
    lanes_.sync();
  }

  /// Scans until enough lanes agree. Returns how many do: all that these lanes know is right.
  GANNET_HD std::uint32_t agree(std::uint32_t origin, Segments& segments) {
    lanes_.each([&](std::uint32_t lane) {
      Segment& own = segments[lane];
      own.start = origin + lane * 32 * shape.segment_words;
      own.stop = own.start + 32 * shape.segment_words;
      scan(own);
    });
    for (std::uint32_t round = 0;; ++round) {
      Number before;
      Number ends;
      Number fates;
      lanes_.each([&](std::uint32_t lane) {
        before[lane] = lane == 0 ? 0 : lane - 1;
        ends[lane] = segments[lane].end;
        fates[lane] = segments[lane].fate;
      });
      const Number starts = lanes_.gather(ends, before);
      const Number befores = lanes_.gather(fates, before);
      Number wrong;
      Number ended;
      lanes_.each([&](std::uint32_t lane) {
        const bool right = befores[lane] == kValue && starts[lane] == segments[lane].start;
        wrong[lane] = lane > 0 && !right ? 1 : 0;
        ended[lane] = fates[lane] != kValue ? 1 : 0;
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

  /// Decodes a segment from its start on. length(entry, bits) is called for the length of a match,
  /// whose value (not 0) is given back to match(length, entry, bits) with the entry of the
  /// distance; literal(byte) for a literal.
  template <class Literal, class Length, class Match>
  GANNET_HD void walk(Segment& segment, Literal literal, Length length_at, Match match) const {
    const std::uint32_t* words = space_.window.words;
    std::uint32_t position = segment.start;
    std::uint32_t low = words[position / 32];
    std::uint32_t high = words[position / 32 + 1];
    std::uint32_t length = 0;  // of the match whose distance comes next, or 0
    segment.fate = kValue;
    while (position < segment.stop || length != 0) {
      const std::uint32_t bits = funnel(low, high, position);
      const std::uint32_t index = length == 0
                                      ? bits & low_mask(kLiteralRoot)
                                      : (1u << kLiteralRoot) + (bits & low_mask(kDistanceRoot));
      std::uint32_t entry = space_.tables.root[index];
      if (entry == kLongEntry) {
        entry = length == 0 ? long_entry(space_.tables.literals, kLiteralRoot, bits)
                            : long_entry(space_.tables.distances, kDistanceRoot, bits);
      }
      const std::uint32_t next = position + bits_of(entry);
      const std::uint32_t kind = kind_of(entry);
      if (kind >= kEnd) {
        segment.fate = kind;
        position = next;
        break;
      }
      if (kind == kLength) {
        length = length_at(entry, bits);
      } else if (length == 0) {
        literal(value_of(entry));
      } else {
        match(length, entry, bits);
        length = 0;
      }
      if (((position ^ next) & 32) != 0) {
        low = high;
        high = words[next / 32 + 1];
      }
      position = next;
    }
    segment.end = position;
  }

  GANNET_HD void scan(Segment& segment) const {
    std::uint32_t symbols = 0;
    walk(
        segment, [&](std::uint32_t) { ++symbols; }, [](std::uint32_t, std::uint32_t) { return 1u; },
        [&](std::uint32_t, std::uint32_t, std::uint32_t) { ++symbols; });
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
      walk(
          segments[lane], [&](std::uint32_t byte) { *to++ = byte; },
          [](std::uint32_t entry, std::uint32_t bits) { return match_length(entry, bits); },
          [&](std::uint32_t length, std::uint32_t entry, std::uint32_t bits) {
            *to++ = match_symbol(length, match_distance(entry, bits));
          });
    });
  }

  /// Writes out the list's `total` symbols; false if they do not fit or look back too far.
  GANNET_HD bool write(std::uint32_t total) {
    for (std::uint32_t first = 0; first < total; first += kLanes) {
      Number symbols;
      Number offsets;
      lanes_.each([&](std::uint32_t lane) {
        const bool some = first + lane < total;
        symbols[lane] = some ? space_.window.list[first + lane] : 0;
        offsets[lane] = some ? length_of(symbols[lane]) : 0;
      });
      const std::uint32_t bytes = lanes_.exclusive_scan(offsets);
      Number bad;
      lanes_.each([&](std::uint32_t lane) {
        bad[lane] = distance_of(symbols[lane]) > done_ + offsets[lane] ? 1 : 0;
      });
      if (bytes > size_ - done_ || lanes_.ballot(bad) != 0) return false;
      const std::uint32_t present = total - first < kLanes ? total - first : kLanes;
      write_group(symbols, offsets, present, bytes);
      done_ += bytes;
    }
    return true;
  }

  // Where a byte of a batch comes from: kLiteral + its value, or where it stands, counted from
  // kMaxDistance bytes before the batch.
  static constexpr std::uint32_t kLiteral = 1u << 31;

  GANNET_HD static bool is_inside(std::uint32_t origin) {
    return origin >= kMaxDistance && origin < kLiteral;
  }

  /// Writes `present` symbols, which start `offsets` bytes behind the output's end and have `bytes`
  /// bytes together.
  GANNET_HD void write_group(const Number& symbols, const Number& offsets, std::uint32_t present,
                             std::uint32_t bytes) {
    std::uint32_t begun = 0;  // symbols that start before a row
    for (std::uint32_t at = 0; at < bytes; at += kBatch) {
      const std::uint32_t size = bytes - at < kBatch ? bytes - at : kBatch;
      Number origins[kBatch / kLanes];
      Number inside;
      lanes_.each([&](std::uint32_t lane) { inside[lane] = 0; });
      for (std::uint32_t row = 0; row < kBatch / kLanes; ++row) {
        if (row * kLanes >= size) continue;
        begun = find_origins(symbols, offsets, present, begun, at, row, origins[row]);
        lanes_.each([&](std::uint32_t lane) {
          space_.window.origins[row * kLanes + lane] = origins[row][lane];
          inside[lane] |= is_inside(origins[row][lane]) ? 1 : 0;
        });
      }
      const bool chains = lanes_.ballot(inside) != 0;
      if (chains) lanes_.sync();
      copy_batch(origins, chains, size, out_ + done_ + at);
      lanes_.sync();
    }
  }

  /// The origins of the bytes of row `row` of the batch that starts at byte `at` of the group.
  /// `begun` symbols start before the row; returns how many start before the next.
  GANNET_HD std::uint32_t find_origins(const Number& symbols, const Number& offsets,
                                       std::uint32_t present, std::uint32_t begun, std::uint32_t at,
                                       std::uint32_t row, Number& origins) const {
    const std::uint32_t first = at + row * kLanes;
    Number mark;
    lanes_.each([&](std::uint32_t lane) {
      const std::uint32_t place = offsets[lane] - first;
      mark[lane] = lane < present && place < kLanes ? 1u << place : 0;
    });
    const std::uint32_t marks = lanes_.any_bits(mark);
    Number owner;
    lanes_.each([&](std::uint32_t lane) {
      owner[lane] = (begun + popcount(marks & low_mask(lane + 1)) - 1) % kLanes;
    });
    const Number symbol = lanes_.gather(symbols, owner);
    const Number offset = lanes_.gather(offsets, owner);
    lanes_.each([&](std::uint32_t lane) {
      const std::uint32_t distance = distance_of(symbol[lane]);
      std::uint32_t origin = kLiteral + symbol[lane];
      if (distance != 0) {
        std::uint32_t back = distance;  // from this byte to one before the match
        const std::uint32_t place = first + lane - offset[lane];
        if (place >= distance) back = place - place % distance + distance;
        origin = kMaxDistance + row * kLanes + lane - back;
      }
      origins[lane] = origin;
    });
    return begun + popcount(marks);
  }

  /// Writes a batch's `size` bytes to `out`. All are known before the first is written.
  GANNET_HD void copy_batch(Number (&origins)[kBatch / kLanes], bool chains, std::uint32_t size,
                            std::uint8_t* out) {
    Number values[kBatch / kLanes];
    for (std::uint32_t row = 0; row < kBatch / kLanes; ++row) {
      if (row * kLanes >= size) continue;
      lanes_.each([&](std::uint32_t lane) {
        std::uint32_t origin = origins[row][lane];
        if (row * kLanes + lane >= size) origin = kLiteral;
        while (chains && is_inside(origin)) origin = space_.window.origins[origin - kMaxDistance];
        values[row][lane] = origin >= kLiteral
                                ? origin
                                : *(out - static_cast<std::ptrdiff_t>(kMaxDistance - origin));
      });
    }
    lanes_.sync();
    for (std::uint32_t row = 0; row < kBatch / kLanes; ++row) {
      if (row * kLanes >= size) continue;
      lanes_.each([&](std::uint32_t lane) {
        const std::uint32_t i = row * kLanes + lane;
        if (i < size) out[i] = static_cast<std::uint8_t>(values[row][lane]);
      });
    }
  }

  Lanes lanes_;
  const std::uint32_t* words_;
  std::uint32_t count_;
  std::uint8_t* out_;
  std::uint32_t size_;
  Space<shape>& space_;
  std::uint32_t done_ = 0;  ///< bytes written
  Number places_;           ///< of the lanes' first symbols in the list
};

}  // namespace gannet::codecs::deflate
