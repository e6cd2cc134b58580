#include "query/inexact/byte_nfa.hpp"

#include <algorithm>
#include <string>

namespace gannet::query {

PatternTooLarge::PatternTooLarge()
    : UsageError("the pattern is too large: its automaton would have more than " +
                 std::to_string(ByteNfa::kMaxStates) + " states; repeat less in it") {}

ByteNfa::State ByteNfa::add_state() {
  if (states_.size() == kMaxStates) throw PatternTooLarge();
  states_.emplace_back();
  return static_cast<State>(states_.size() - 1);
}

ByteNfa::State ByteNfa::add_text(State from, std::string_view bytes) {
  for (const char c : bytes) {
    const State to = add_state();
    add_edge(from, static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c), to);
    from = to;
  }
  return from;
}

void ByteNfa::add_any_of(State from, const CodePointSet& set, State to) {
  constexpr char32_t kFirstSurrogate = 0xd800;
  constexpr char32_t kLastSurrogate = 0xdfff;
  for (const CodePointRange& range : set.ranges()) {
    if (range.first < kFirstSurrogate) {
      add_range(from, range.first, std::min<char32_t>(range.last, kFirstSurrogate - 1), to);
    }
    if (range.last > kLastSurrogate) {
      add_range(from, std::max<char32_t>(range.first, kLastSurrogate + 1), range.last, to);
    }
  }
}

/// Cuts a range until all characters of a part have as many bytes, and each byte takes all values
/// between those of the first and of the last character, whatever the bytes before are.
void ByteNfa::add_range(State from, char32_t first, char32_t last, State to) {
  for (const char32_t most : {0x7fu, 0x7ffu, 0xffffu}) {
    if (first > most || last <= most) continue;
    add_range(from, first, most, to);
    return add_range(from, most + 1, last, to);
  }
  const unsigned rest = last < 0x80 ? 0 : last < 0x800 ? 1 : last < 0x10000 ? 2 : 3;
  for (unsigned i = 1; i <= rest; ++i) {
    const char32_t low = (char32_t{1} << (6 * i)) - 1;
    if ((first & ~low) == (last & ~low)) continue;
    if ((first & low) != 0) {
      add_range(from, first, first | low, to);
      return add_range(from, (first | low) + 1, last, to);
    }
    if ((last & low) != low) {
      add_range(from, first, (last & ~low) - 1, to);
      return add_range(from, last & ~low, last, to);
    }
  }
  std::string least;
  std::string largest;
  append_utf8(first, least);
  append_utf8(last, largest);
  for (std::size_t i = 0; i < least.size(); ++i) {
    const State next = i + 1 == least.size() ? to : add_state();
    add_edge(from, static_cast<std::uint8_t>(least[i]), static_cast<std::uint8_t>(largest[i]),
             next);
    from = next;
  }
}

void ByteNfa::add_any(State from, State to) {
  auto found = rests_.find(to);
  if (found == rests_.end()) {
    std::array<State, 3> rest{};
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] = add_state();
      add_edge(rest[i], 0x80, 0xbf, i == 0 ? to : rest[i - 1]);
    }
    found = rests_.emplace(to, rest).first;
  }
  const std::array<State, 3> rest = found->second;
  add_edge(from, 0x00, 0x7f, to);
  add_edge(from, 0xc2, 0xdf, rest[0]);
  add_edge(from, 0xe0, 0xef, rest[1]);
  add_edge(from, 0xf0, 0xf4, rest[2]);
}

}  // namespace gannet::query
