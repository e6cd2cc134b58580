// Automata over the bytes of UTF-8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/inexact/code_points.hpp"

namespace gannet::query {

/// A pattern needs a larger automaton than kMaxStates.
struct PatternTooLarge : UsageError {
  PatternTooLarge();
};

/// A nondeterministic finite automaton, whose edges have ranges of bytes. From each state the end
/// can be reached, as long as each set of code points that it was made of has some.
class ByteNfa {
 public:
  using State = std::uint32_t;
  struct Edge {
    std::uint8_t first;
    std::uint8_t last;
    State to;
  };
  static constexpr std::size_t kMaxStates = 20'000;

  ByteNfa() : start_(add_state()), end_(start_) {}

  State start() const { return start_; }
  State end() const { return end_; }
  void set_end(State state) { end_ = state; }
  std::size_t states() const { return states_.size(); }
  const std::vector<Edge>& edges(State state) const { return states_[state].edges; }
  /// States that are reached without a byte.
  const std::vector<State>& free_edges(State state) const { return states_[state].free; }

  /// A state without edges. Throws PatternTooLarge.
  State add_state();
  void add_free_edge(State from, State to) { states_[from].free.push_back(to); }
  void add_edge(State from, std::uint8_t first, std::uint8_t last, State to) {
    states_[from].edges.push_back({first, last, to});
  }
  /// Paths for what the bytes are, for a code point of the set, and for any one. A character is
  /// what its first byte says it is.
  State add_text(State from, std::string_view bytes);
  void add_any_of(State from, const CodePointSet& set, State to);
  void add_any(State from, State to);

 private:
  struct Node {
    std::vector<Edge> edges;
    std::vector<State> free;
  };
  void add_range(State from, char32_t first, char32_t last, State to);

  std::vector<Node> states_;
  /// Of states that any character leads to: those that wait for one, two and three bytes of it.
  std::unordered_map<State, std::array<State, 3>> rests_;
  State start_;
  State end_;
};

}  // namespace gannet::query
