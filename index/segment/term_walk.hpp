// Going through the terms of a segment in the order of their keys.
#pragma once

#include <cstdint>
#include <string_view>

namespace gannet::index {

/// A position among the keys of a lexicon (fields/text_terms.hpp), which are in bytewise order. Not
/// thread-safe; the segment must outlive it. A function that reads a damaged block throws
/// FormatError.
class TermWalk {
 public:
  virtual ~TermWalk() = default;

  /// Moves to the next key, at first to the first one; false at the end. O(1).
  virtual bool next() = 0;
  /// Moves to the first key that is not less than `key`, forwards or back; false if there is none.
  /// O(log terms).
  virtual bool seek(std::string_view key) = 0;
  /// The key that it is at, after a move that gave true; valid until it moves.
  virtual std::string_view key() const = 0;
  /// The number of the term with this key.
  virtual std::uint32_t id() const = 0;
};

}  // namespace gannet::index
