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
// Decoding is a matter of latency (the GPU holds few warps for each MB), so steps have as few
// branches as possible, and rows are handled four at a time.
#pragma once

#include <cstddef>

#include "codecs/deflate/serial.hpp"

namespace gannet::codecs::deflate {

/// How a window is cut.
struct Shape {
  std::uint32_t segment_words;  ///< most words of the stream that a lane scans
  std::uint32_t list;           ///< symbols that fit the list
  std::uint32_t enough;         ///< lanes that must agree
  std::uint32_t rounds;         ///< most times that lanes scan again
};

inline constexpr Shape kUsualShape{15, 1248, 28, 3};

/// Bytes that are written at once, and symbols that are looked at for them.
inline constexpr std::uint32_t kQuad = 4;
inline constexpr std::uint32_t kQuads = 4;
inline constexpr std::uint32_t kBatch = kQuads * kQuad * kLanes;
inline constexpr std::uint32_t kBatchSymbols = 4 * kLanes;
static_assert(kBatch >= kMaxMatch, "every batch must finish a symbol");

/// Matches from this length on are copied by themselves, a word a lane.
inline constexpr std::uint32_t kLongMatch = 128;

/// What the lanes share while they write a batch.
struct BatchSpace {
  std::uint32_t origins[kBatch];         ///< of the bytes
  std::uint32_t marks[kBatch / 4];       ///< a byte each: whether a symbol starts there
  std::uint32_t sources[kBatchSymbols];  ///< of the symbols: an origin less its byte's place
  std::int16_t offsets[kBatchSymbols];   ///< of the symbols' first bytes
};

/// What the lanes share while they decode a window.
template <Shape shape>
struct Window {
  /// Words of the window: 31 bits may precede the first segment and 47 may follow the last; lanes
  /// read two words at a time.
  static constexpr std::uint32_t kWords = kLanes * shape.segment_words + 4;
  union {
    std::uint32_t words[kWords];
    BatchSpace batch;  ///< when the words are used up
  };
  Symbol list[shape.list];
};

/// Shared memory of a warp, or any memory on the host. 16-byte aligned.
template <Shape shape>
struct Space {
  Tables tables;
  BaseExtraTable base_extra;
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
    std::uint32_t ending;   ///< kValue: usual; kEnd: it has the end of the block; kSpecial: no code
  };
  using Segments = typename Lanes::template Var<Segment>;

  GANNET_HD std::uint32_t limit() const { return 32 * count_; }

  GANNET_HD bool stored(WordInput& input) {
    std::uint32_t length = 0;
    if (!stored_length(input, length)) return false;
    const std::uint32_t first = input.bit_position() / 8;
    if (first > 4 * count_ || length > 4 * count_ - first || length > size_ - done_) return false;
    copy(first, length, out_ + done_);
    lanes_.sync();
    done_ += length;
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
      const std::uint32_t first_word = input.bit_position() / 32;
      const std::uint32_t origin = input.bit_position() % 32;
      if (input.bit_position() >= limit()) return false;
      const Cut cut = cut_window(origin, limit() - 32 * first_word);
      fill(first_word, cut);
      Segments segments;
      const std::uint32_t agreed = agree(cut, segments);
      std::uint32_t total = 0;
      const std::uint32_t lanes = fitting(segments, agreed, total);
      emit(segments, lanes);
      lanes_.sync();
      if (!write(total)) return false;
      Number ends;
      Number endings;
      lanes_.each([&](std::uint32_t lane) {
        ends[lane] = segments[lane].end;
        endings[lane] = segments[lane].ending;
      });
      const std::uint32_t taken = lanes_.broadcast(ends, lanes - 1) - origin;
      input.skip_bits(taken);
      if (input.bit_position() > limit()) return false;
      const std::uint32_t ending = lanes_.broadcast(endings, lanes - 1);
      if (ending != kValue) return ending == kEnd;
      // The next window shall have as many symbols as the list can take, or a bit fewer.
      most_ = taken * (shape.list - shape.list / 8) / (kLanes * total);
    }
  }

  /// How a window is cut. All in bits from its first word.
  struct Cut {
    std::uint32_t origin;   ///< where its first symbol starts
    std::uint32_t segment;  ///< length of a segment
    std::uint32_t limit;    ///< end of the stream's words, maybe far behind the window
  };

  GANNET_HD Cut cut_window(std::uint32_t origin, std::uint32_t limit) const {
    constexpr std::uint32_t kLeast = 64;  // so that lanes may agree at all
    constexpr std::uint32_t kMost = 32 * shape.segment_words;
    const std::uint32_t share = (limit - origin) / kLanes + 1;  // at the stream's end
    std::uint32_t segment = most_ < share ? most_ : share;
    segment = segment < kLeast ? kLeast : segment;
    return {origin, segment < kMost ? segment : kMost, limit};
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

  /// The symbols of a batch, and how much of it there is.
  struct Batch {
    std::uint32_t first;     ///< symbol in the list
    std::uint32_t skip;      ///< bytes of the first symbol that are written already
    std::uint32_t size;      ///< bytes
    std::uint32_t finished;  ///< symbols whose last byte is in it
    bool overlaps;           ///< whether a match overlaps itself
    bool chains;             ///< whether a byte of its rows may come from another one
  };

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
  const std::uint32_t* words_;
  std::uint32_t count_;
  std::uint8_t* out_;
  std::uint32_t size_;
  Space<shape>& space_;
  std::uint32_t done_ = 0;                         ///< bytes written
  std::uint32_t most_ = 32 * shape.segment_words;  ///< bits of a segment of the next window
  Number places_;                                  ///< of the lanes' first symbols in the list
};

}  // namespace gannet::codecs::deflate
