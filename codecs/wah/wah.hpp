// Word-aligned hybrid (WAH) bit vectors: the atoms, and one-stream vectors of them.
// Source: Tran, Schaffner, Sawin, Myre, Chiu, "Increasing the Efficiency of GPU Bitmap Index Query
// Processing", section 2 and Figure 1; Wu, Otoo, Shoshani, ACM TODS 31(1), 2006.
//
// Format: a vector's rows are cut into groups of W - 1 rows (W = 32 or 64, the bits of an atom);
// the last group is filled up with zeros. An atom stands for one or more groups:
//   literal   highest bit 0; the W - 1 bits below are one group's rows, the first row the highest,
//             as the paper's figure is read from left to right
//   fill      highest bit 1; the next bit is the value of all rows; the W - 2 bits below are the
//             number of groups, at least 1
// The encoder writes a fill for every group of equal bits, merges neighbours, and begins another
// fill where the length field is full (2^30 - 1 groups with W = 32). Readers take neighbouring
// fills that could have been one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#if defined(__CUDACC__)
#include <nv/target>
#endif

#include "codecs/base/error.hpp"
#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

/// What the bits of an atom mean. `Word` is std::uint32_t or std::uint64_t. Thread-safe; the
/// functions run on both processors.
template <class Word>
struct WahAtom {
  static_assert(std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t>);
  static constexpr std::uint32_t kWordBits = 8 * sizeof(Word);
  static constexpr std::uint32_t kGroupRows = kWordBits - 1;
  static constexpr Word kFill = Word{1} << (kWordBits - 1);  ///< set in fills
  static constexpr Word kOnes = Word{1} << (kWordBits - 2);  ///< in a fill: of ones
  static constexpr Word kLongest = kOnes - 1;                ///< groups that one fill can stand for
  static constexpr Word kFull = kFill - 1;                   ///< a group whose rows are all 1

  GANNET_HD static bool is_fill(Word atom) { return (atom & kFill) != 0; }
  /// Of a fill: whether it is of ones.
  GANNET_HD static bool is_ones(Word atom) { return (atom & kOnes) != 0; }
  /// Groups that the atom stands for.
  GANNET_HD static Word length(Word atom) { return is_fill(atom) ? atom & kLongest : Word{1}; }
  /// The rows of (each of) its groups. Without a branch: neighbouring lanes differ.
  GANNET_HD static Word group(Word atom) {
    const Word fill = static_cast<Word>(Word{0} - (atom >> (kWordBits - 1)));
    const Word ones = static_cast<Word>(Word{0} - (atom >> (kWordBits - 2) & 1));
    return static_cast<Word>((atom & ~fill) | (fill & ones & kFull));
  }
  /// The bit of row `row` (0 .. kGroupRows - 1) of a group.
  GANNET_HD static Word row_bit(std::uint32_t row) { return Word{1} << (kGroupRows - 1 - row); }
};

/// Groups of a vector of `rows` rows.
template <class Word>
GANNET_HD constexpr std::uint64_t wah_groups(std::uint64_t rows) {
  constexpr std::uint64_t kRows = 8 * sizeof(Word) - 1;
  return rows / kRows + (rows % kRows != 0 ? 1 : 0);
}

/// The last group's rows that exist (all, if `rows` is a multiple of the group).
template <class Word>
GANNET_HD constexpr Word wah_tail_mask(std::uint64_t rows) {
  constexpr std::uint64_t kRows = 8 * sizeof(Word) - 1;
  const std::uint64_t used = rows % kRows;
  const Word full = static_cast<Word>((Word{1} << kRows) - 1);
  return used == 0 ? full : static_cast<Word>(full & ~(full >> used));
}

namespace wah_detail {

/// The 64 bits of x in reverse order, without an instruction for it.
GANNET_HD std::uint64_t reversed(std::uint64_t x) {
  constexpr std::uint64_t k1 = 0x5555555555555555u;
  constexpr std::uint64_t k2 = 0x3333333333333333u;
  constexpr std::uint64_t k4 = 0x0f0f0f0f0f0f0f0fu;
  constexpr std::uint64_t k8 = 0x00ff00ff00ff00ffu;
  constexpr std::uint64_t k16 = 0x0000ffff0000ffffu;
  x = (x >> 1 & k1) | (x & k1) << 1;
  x = (x >> 2 & k2) | (x & k2) << 2;
  x = (x >> 4 & k4) | (x & k4) << 4;
  x = (x >> 8 & k8) | (x & k8) << 8;
  x = (x >> 16 & k16) | (x & k16) << 16;
  return x >> 32 | x << 32;
}

}  // namespace wah_detail

/// The order of a group's rows turned around: from the highest bit first to the lowest bit first,
/// or back.
template <class Word>
GANNET_HD Word wah_reversed(Word group) {
#if defined(__CUDACC__)
  if constexpr (sizeof(Word) == 4) {
    NV_IF_TARGET(NV_IS_DEVICE, (return __brev(group) >> 1;))
  } else {
    NV_IF_TARGET(NV_IS_DEVICE, (return __brevll(group) >> 1;))
  }
#endif
  constexpr std::uint32_t kShift = 64 - WahAtom<Word>::kGroupRows;
  return static_cast<Word>(wah_detail::reversed(group) >> kShift);
}

/// Appends groups to a vector of atoms. Not thread-safe.
template <class Word>
class WahWriter {
 public:
  using Atom = WahAtom<Word>;
  explicit WahWriter(std::vector<Word>& atoms) : atoms_(atoms) {}

  /// Groups written so far.
  std::uint64_t groups() const { return groups_; }

  /// Appends one group (its highest bit must be 0).
  void group(Word rows) {
    if (rows == 0 || rows == Atom::kFull) {
      run(rows != 0, 1);
      return;
    }
    flush();
    atoms_.push_back(rows);
    ++groups_;
  }

  /// Appends `length` groups of zeros or of ones.
  void run(bool ones, std::uint64_t length) {
    if (ones != ones_) flush();
    ones_ = ones;
    pending_ += length;
    groups_ += length;
  }

  /// Writes the run that is still open. Must be called at the end; harmless in between.
  void flush() {
    while (pending_ > 0) {
      const std::uint64_t length = std::min<std::uint64_t>(pending_, Atom::kLongest);
      atoms_.push_back(Atom::kFill | (ones_ ? Atom::kOnes : Word{0}) | static_cast<Word>(length));
      pending_ -= length;
    }
  }

 private:
  std::vector<Word>& atoms_;
  std::uint64_t groups_ = 0;
  std::uint64_t pending_ = 0;  ///< groups of the open run
  bool ones_ = false;
};

/// Appends single rows, in ascending order, to a vector of atoms. Not thread-safe.
template <class Word>
class WahRowWriter {
 public:
  explicit WahRowWriter(std::vector<Word>& atoms) : writer_(atoms) {}

  /// Sets row `row`, which must be at or behind the last one set.
  void set(std::uint64_t row) {
    constexpr std::uint32_t kRows = WahAtom<Word>::kGroupRows;
    const std::uint64_t group = row / kRows;
    if (group != group_) close(group);
    rows_ |= WahAtom<Word>::row_bit(static_cast<std::uint32_t>(row - group * kRows));
  }

  /// Ends the vector after `rows` rows: no less than the last one set + 1.
  void finish(std::uint64_t rows) {
    const std::uint64_t groups = wah_groups<Word>(rows);
    if (groups > 0) close(groups);
    writer_.flush();
  }

 private:
  /// Writes the open group and zeros up to group `next`, which is open then.
  void close(std::uint64_t next) {
    writer_.group(rows_);
    if (next > group_ + 1) writer_.run(false, next - group_ - 1);
    rows_ = 0;
    group_ = next;
  }

  WahWriter<Word> writer_;
  std::uint64_t group_ = 0;
  Word rows_ = 0;  ///< of the open group
};

/// Reads a vector of atoms run by run. Not thread-safe.
template <class Word>
class WahRuns {
 public:
  using Atom = WahAtom<Word>;
  explicit WahRuns(std::span<const Word> atoms) : atoms_(atoms) { load(); }

  bool done() const { return left_ == 0; }
  /// The rows of each group of the run.
  Word group() const { return group_; }
  /// Groups of the run that are left (0 only at the end).
  std::uint64_t left() const { return left_; }
  /// Steps over `groups` of them (at most left()).
  void skip(std::uint64_t groups) {
    left_ -= groups;
    if (left_ == 0) load();
  }

 private:
  void load() {
    if (next_ == atoms_.size()) return;
    group_ = Atom::group(atoms_[next_]);
    left_ = Atom::length(atoms_[next_]);
    ++next_;
  }

  std::span<const Word> atoms_;
  std::size_t next_ = 0;
  Word group_ = 0;
  std::uint64_t left_ = 0;
};

/// 64-bit words that hold `rows` plain bits.
constexpr std::uint64_t bit_words(std::uint64_t rows) {
  return rows / 64 + (rows % 64 != 0 ? 1 : 0);
}

namespace wah_detail {

/// The `count` (1..63) bits from bit `first` on, lowest first; words behind the end count as zeros.
inline std::uint64_t bits_at(std::span<const std::uint64_t> words, std::uint64_t first,
                             std::uint32_t count) {
  const std::uint64_t index = first / 64;
  const std::uint32_t shift = first % 64;
  std::uint64_t bits = words[index] >> shift;
  if (shift != 0 && index + 1 < words.size()) bits |= words[index + 1] << (64 - shift);
  return bits & ((std::uint64_t{1} << count) - 1);
}

/// Sets the bits [first, last).
inline void set_bits(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t last) {
  while (first < last) {
    const std::uint64_t end = std::min(last, (first / 64 + 1) * 64);
    const std::uint64_t size = end - first;
    const std::uint64_t ones = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    words[first / 64] |= ones << (first % 64);
    first = end;
  }
}

}  // namespace wah_detail

/// Appends a plain vector, encoded: row i is bit i % 64 of bits[i / 64] (0 = lowest). Bits behind
/// row `rows` are ignored; `bits` must have bit_words(rows) words.
template <class Word>
void wah_encode(std::span<const std::uint64_t> bits, std::uint64_t rows, std::vector<Word>& atoms) {
  constexpr std::uint32_t kRows = WahAtom<Word>::kGroupRows;
  WahWriter<Word> writer(atoms);
  for (std::uint64_t first = 0; first < rows; first += kRows) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(kRows, rows - first));
    const std::uint64_t plain = wah_detail::bits_at(bits, first, count);
    writer.group(wah_reversed(static_cast<Word>(plain)));
  }
  writer.flush();
}

/// What is wrong with `count` atoms, atom(i) each, for exactly `rows` rows: a fill is empty, the
/// lengths do not add up to the vector's groups, or a row behind the last one is set. `at` is the
/// atom's number then. Null if nothing is wrong.
template <class Word, class AtomAt>
GANNET_HD const char* wah_fault(AtomAt atom, std::uint64_t count, std::uint64_t rows,
                                std::uint64_t& at) {
  using Atom = WahAtom<Word>;
  std::uint64_t left = wah_groups<Word>(rows);
  for (at = 0; at < count; ++at) {
    const std::uint64_t length = Atom::length(atom(at));
    if (length == 0) return "a fill of no group";
    if (length > left) return "it reaches beyond the vector's end";
    left -= length;
  }
  if (left > 0) return "the vector ends early";
  if (count == 0) return nullptr;
  at = count - 1;
  return (Atom::group(atom(at)) & ~wah_tail_mask<Word>(rows)) == 0
             ? nullptr
             : "it sets rows behind the last one";
}

/// Throws FormatError, naming the atom, if the atoms of a vector of `rows` rows have a fault.
template <class Word>
void wah_validate(std::span<const Word> atoms, std::uint64_t rows) {
  std::uint64_t at = 0;
  const char* fault =
      wah_fault<Word>([&](std::uint64_t i) { return atoms[i]; }, atoms.size(), rows, at);
  if (fault != nullptr) throw FormatError("wah: atom " + std::to_string(at) + ": " + fault);
}

/// Decodes a validated vector to plain bits (as in wah_encode; bits behind the last row are 0).
template <class Word>
std::vector<std::uint64_t> wah_decode(std::span<const Word> atoms, std::uint64_t rows) {
  using Atom = WahAtom<Word>;
  std::vector<std::uint64_t> bits(bit_words(rows));
  std::uint64_t first = 0;
  for (const Word atom : atoms) {
    if (!Atom::is_fill(atom)) {
      const std::uint64_t plain = wah_reversed(atom);
      const std::uint32_t shift = first % 64;
      bits[first / 64] |= plain << shift;
      const std::uint64_t rest = shift == 0 ? 0 : plain >> (64 - shift);
      if (rest != 0) bits[first / 64 + 1] |= rest;
    } else if (Atom::is_ones(atom)) {
      wah_detail::set_bits(bits, first, first + Atom::length(atom) * Atom::kGroupRows);
    }
    first += std::uint64_t{Atom::length(atom)} * Atom::kGroupRows;
  }
  return bits;
}

/// Rows that a validated vector sets.
template <class Word>
std::uint64_t wah_count(std::span<const Word> atoms) {
  using Atom = WahAtom<Word>;
  std::uint64_t count = 0;
  for (const Word atom : atoms) {
    if (!Atom::is_fill(atom)) {
      count += static_cast<std::uint64_t>(std::popcount(atom));
    } else if (Atom::is_ones(atom)) {
      count += std::uint64_t{Atom::length(atom)} * Atom::kGroupRows;
    }
  }
  return count;
}

/// Calls visit(row) for every row that a validated vector sets, in ascending order.
template <class Word, class Visit>
void wah_for_each(std::span<const Word> atoms, Visit visit) {
  using Atom = WahAtom<Word>;
  std::uint64_t first = 0;
  for (const Word atom : atoms) {
    const std::uint64_t rows = std::uint64_t{Atom::length(atom)} * Atom::kGroupRows;
    if (!Atom::is_fill(atom)) {
      for (Word left = wah_reversed(atom); left != 0; left &= left - 1) {
        visit(first + static_cast<std::uint64_t>(std::countr_zero(left)));
      }
    } else if (Atom::is_ones(atom)) {
      for (std::uint64_t row = first; row < first + rows; ++row) visit(row);
    }
    first += rows;
  }
}

}  // namespace gannet::codecs
