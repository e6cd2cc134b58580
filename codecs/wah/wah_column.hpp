// wah, wah64: columns of bits, given as words, in WAH atoms (wah.hpp) of the same width.
// Source: as wah.hpp; the cut into chunks is ours.
//
// Bit i of a column of W-bit values is bit i % W of value i / W, the lowest first.
// Format, in 32-bit words:
//   chunk starts  chunks + 1 words: the atom at which each chunk begins, counted from 0; the last
//                 one is the number of atoms
//   atoms         of W bits; with W = 64 the low word first, without alignment
// A chunk is 1,024 groups of W - 1 bits, which are 992 values with W = 32 and 1,008 with W = 64, so
// groups and values end together. Fills end at the ends of chunks: a longer run of equal bits is
// cut there, so that a warp decodes a chunk without knowing any other (a fill costs one atom a
// chunk).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::codecs {

/// See above; a ChunkCodec (concepts.hpp). `Word` is std::uint32_t or std::uint64_t.
template <class Word>
struct WahColumn {
  using Atom = WahAtom<Word>;
  static constexpr std::string_view name = sizeof(Word) == 4 ? "wah" : "wah64";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);
  template <class T>
  static constexpr bool takes = sizeof(T) == sizeof(Word);

  static constexpr std::uint32_t kChunkGroups = 1024;
  static constexpr std::uint32_t kChunkValues = kChunkGroups / Atom::kWordBits * Atom::kGroupRows;
  static constexpr std::uint32_t kAtomWords = sizeof(Word) / 4;
  template <class T>
  static constexpr std::uint32_t scratch_words = kChunkGroups* kAtomWords;

  template <class T>
  static void encode(std::span<const T> values, const Parameters& parameters,
                     std::vector<std::uint32_t>& words) {
    parameters.finish(name);
    check_encodable(name, values.size());
    const std::uint32_t chunks =
        chunk_count(static_cast<std::uint32_t>(values.size()), kChunkValues);
    std::size_t start = words.size();
    words.resize(start + chunks + 1);
    std::vector<Word> atoms;
    std::uint32_t total = 0;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      throw_if_stopped();
      atoms.clear();
      const auto rest = values.subspan(std::size_t{chunk} * kChunkValues);
      encode_chunk(rest.first(std::min<std::size_t>(rest.size(), kChunkValues)), atoms);
      for (const Word atom : atoms) append(atom, words);
      total += static_cast<std::uint32_t>(atoms.size());
      words[++start] = total;
    }
  }

  template <class T>
  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_chunks<WahColumn, T>(words, count);
  }

  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    const std::uint64_t chunks = chunk_count(count, kChunkValues);
    if (!words.has(0, chunks + 1)) return kCutOff;
    if (words[0] != 0) return "the first chunk does not start at atom 0";
    return words.size == chunks + 1 + std::uint64_t{words[chunks]} * kAtomWords
               ? nullptr
               : "it has not as many words as its atoms take";
  }

  template <class T>
  GANNET_HD static Fault chunk_fault(WordView words, std::uint32_t count, std::uint32_t chunk) {
    const std::uint32_t begin = words[chunk];
    const std::uint32_t end = words[chunk + 1];
    if (end < begin || end > words[chunk_count(count, kChunkValues)]) {
      return "its atoms are not between those of its neighbours";
    }
    const std::uint32_t* atoms = atoms_of({words.words, count});
    const std::uint64_t rows =
        std::uint64_t{chunk_size(count, kChunkValues, chunk)} * Atom::kWordBits;
    std::uint64_t at = 0;
    return wah_fault<Word>(
        [&](std::uint64_t i) { return load(atoms, begin + static_cast<std::uint32_t>(i)); },
        end - begin, rows, at);
  }

  template <class T>
  GANNET_HD static std::uint32_t chunk_values(const std::uint32_t*) {
    return kChunkValues;
  }

  template <class T, class Lanes>
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    const std::uint32_t size = chunk_size(column.count, kChunkValues, chunk);
    const std::uint32_t begin = column.words[chunk];
    const std::uint32_t end = column.words[chunk + 1];
    const std::uint32_t* atoms = atoms_of(column);
    const Word first = load(atoms, begin);
    if (end - begin == 1 && Atom::is_fill(first)) {
      const T value = static_cast<T>(Atom::is_ones(first) ? ~Word{0} : Word{0});
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t i = lane; i < size; i += kLanes) out[i] = value;
      });
      return true;
    }
    auto* groups = reinterpret_cast<Word*>(scratch);
    auto* quads = reinterpret_cast<Quad*>(scratch);
    lanes.each([&](std::uint32_t lane) {
      constexpr std::uint32_t kQuads = scratch_words<T> / 4;
      for (std::uint32_t i = lane; i < kQuads; i += kLanes) quads[i] = Quad{{0, 0, 0, 0}};
    });
    lanes.sync();
    std::uint32_t group = 0;
    for (std::uint32_t at = begin; at < end; at += kAhead * kLanes) {
      typename Lanes::template Var<Word> ahead[kAhead];
      for (std::uint32_t k = 0; k < kAhead; ++k) {
        lanes.each([&](std::uint32_t lane) {
          const std::uint32_t i = at + k * kLanes + lane;
          ahead[k][lane] = i < end ? load(atoms, i) : Atom::kFill;
        });
      }
      for (std::uint32_t k = 0; k < kAhead; ++k) {
        if (at + k * kLanes < end) group += expand(lanes, ahead[k], groups + group);
      }
    }
    lanes.sync();
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < size; i += kLanes) {
        out[i] = static_cast<T>(value_at(groups, i));
      }
    });
    lanes.sync();
    return true;
  }

 private:
  /// Value i of a chunk is made of the end of one group and the start of the next.
  GANNET_HD static Word value_at(const Word* groups, std::uint32_t i) {
    const std::uint32_t group = i + i / Atom::kGroupRows;
    const std::uint32_t shift = i % Atom::kGroupRows;
    return groups[group] >> shift | groups[group + 1] << (Atom::kGroupRows - shift);
  }

  GANNET_HD static const std::uint32_t* atoms_of(ListView column) {
    return column.words + chunk_count(column.count, kChunkValues) + 1;
  }

  GANNET_HD static Word load(const std::uint32_t* atoms, std::uint32_t index) {
    const std::uint64_t at = std::uint64_t{index} * kAtomWords;
    if constexpr (kAtomWords == 1) {
      return atoms[at];
    } else {
      return Word{atoms[at + 1]} << 32 | atoms[at];
    }
  }

  /// Writes the groups of 32 atoms that are not zero, the first row lowest, to `groups`; returns
  /// how many groups they are. (A fill of no group stands in for an atom that is missing.)
  template <class Lanes>
  GANNET_HD static std::uint32_t expand(Lanes lanes, const typename Lanes::template Var<Word>& atom,
                                        Word* groups) {
    typename Lanes::template Var<std::uint32_t> fill;
    lanes.each([&](std::uint32_t lane) { fill[lane] = Atom::is_fill(atom[lane]) ? 1 : 0; });
    if (lanes.ballot(fill) == 0) {
      lanes.each([&](std::uint32_t lane) { groups[lane] = wah_reversed(atom[lane]); });
      return kLanes;
    }
    return expand_fills(lanes, atom, groups);
  }

  /// The same for atoms some of which are fills.
  template <class Lanes>
  GANNET_HD static std::uint32_t expand_fills(Lanes lanes,
                                              const typename Lanes::template Var<Word>& atom,
                                              Word* groups) {
    typename Lanes::template Var<std::uint32_t> length;
    typename Lanes::template Var<std::uint32_t> start;
    typename Lanes::template Var<std::uint32_t> wide;
    lanes.each([&](std::uint32_t lane) {
      length[lane] = start[lane] = static_cast<std::uint32_t>(Atom::length(atom[lane]));
    });
    const std::uint32_t total = lanes.exclusive_scan(start);
    lanes.each([&](std::uint32_t lane) {
      const bool ones = Atom::is_fill(atom[lane]) && Atom::is_ones(atom[lane]);
      wide[lane] = ones && length[lane] > kNarrow ? 1 : 0;
      if (!Atom::is_fill(atom[lane])) {
        groups[start[lane]] = wah_reversed(atom[lane]);
      } else if (ones && wide[lane] == 0) {
        for (std::uint32_t i = 0; i < length[lane]; ++i) groups[start[lane] + i] = Atom::kFull;
      }
    });
    for (std::uint32_t left = lanes.ballot(wide); left != 0; left &= left - 1) {
      const std::uint32_t owner = popcount((left & (0u - left)) - 1);
      const std::uint32_t from = lanes.broadcast(start, owner);
      const std::uint32_t to = from + lanes.broadcast(length, owner);
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t i = from + lane; i < to; i += kLanes) groups[i] = Atom::kFull;
      });
    }
    return total;
  }

  /// Times 32 atoms that are loaded before any of them is used.
  static constexpr std::uint32_t kAhead = 8;

  /// Fills of ones that one lane writes by itself; longer ones are written by all.
  static constexpr std::uint32_t kNarrow = 4;

  static void append(Word atom, std::vector<std::uint32_t>& words) {
    words.push_back(static_cast<std::uint32_t>(atom));
    if constexpr (kAtomWords == 2) words.push_back(static_cast<std::uint32_t>(atom >> 32));
  }

  template <class T>
  static void encode_chunk(std::span<const T> values, std::vector<Word>& atoms) {
    WahWriter<Word> writer(atoms);
    const std::uint64_t bits = std::uint64_t{values.size()} * Atom::kWordBits;
    for (std::uint64_t first = 0; first < bits; first += Atom::kGroupRows) {
      const std::size_t index = first / Atom::kWordBits;
      const std::uint32_t shift = first % Atom::kWordBits;
      Word group = static_cast<Word>(values[index]) >> shift;
      if (shift > 1 && index + 1 < values.size()) {
        group |= static_cast<Word>(values[index + 1]) << (Atom::kWordBits - shift);
      }
      writer.group(wah_reversed(static_cast<Word>(group & Atom::kFull)));
    }
    writer.flush();
  }
};

using Wah32 = WahColumn<std::uint32_t>;
using Wah64 = WahColumn<std::uint64_t>;

}  // namespace gannet::codecs
