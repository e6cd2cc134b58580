// Fragments around what must be in them.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/snippets/parts/best_window.hpp"
#include "query/snippets/parts/boundaries.hpp"

namespace gannet::query {

/// Cuts fragments of about a length. Not thread-safe.
class FragmentCutter {
 public:
  /// `length`: in code points.
  explicit FragmentCutter(std::uint64_t length) : length_(length) {}

  /// A fragment with all of `core` in it and as much around that, within `limits`, as fits the
  /// length. It begins and ends without white space, but for what lies in `core`.
  ByteRange cut(std::string_view text, ByteRange core, ByteRange limits);

 private:
  struct Place;
  std::uint64_t begin_of(const Place& place);
  std::uint64_t end_of(const Place& place, std::uint64_t begin);
  ByteRange trimmed(const Place& place, ByteRange fragment);

  std::uint64_t length_;
  Boundaries boundaries_;
};

}  // namespace gannet::query
