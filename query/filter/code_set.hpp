// Which codes of a column pass a predicate, and finding them among many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/fields/field_column.hpp"

namespace gannet::query {

/// Ranges of codes, ascending, apart from each other.
class CodeSet {
 public:
  CodeSet() = default;
  /// In any order; they may overlap and be empty.
  explicit CodeSet(std::vector<index::CodeRange> ranges);

  const std::vector<index::CodeRange>& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  /// Memory that it takes besides the object.
  std::uint64_t bytes() const {
    return ranges_.capacity() * sizeof(index::CodeRange) +
           table_.capacity() * sizeof(std::uint64_t);
  }

  bool holds(std::uint64_t code) const;
  /// How many of the codes least .. greatest it holds.
  std::uint64_t among(std::uint64_t least, std::uint64_t greatest) const;
  bool holds_none(std::uint64_t least, std::uint64_t greatest) const;
  bool holds_all(std::uint64_t least, std::uint64_t greatest) const;

  /// Sets bit i % 64 of words[i / 64] if it holds codes[i], clears it if not, for all codes <
  /// count; other bits of those words are 0. `codes` has room for whole words: 64 codes more are
  /// read and do not count. All codes that count are from `least` to `greatest`.
  template <class Code>
  void find(const Code* codes, std::uint32_t count, std::uint64_t least, std::uint64_t greatest,
            std::uint64_t* words) const;

 private:
  /// The first range that ends behind a code.
  std::size_t first_behind(std::uint64_t code) const;

  std::vector<index::CodeRange> ranges_;
  /// Of many ranges that lie close: a bit for each code from the first one on.
  std::vector<std::uint64_t> table_;
};

}  // namespace gannet::query
