// A deterministic automaton that is made of a nondeterministic one while it is used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "query/inexact/byte_nfa.hpp"

namespace gannet::query {

/// The subset construction (Rabin and Scott 1959), state by state as they are reached, as in RE2:
/// no pattern makes it exponential. Once it has kFull states it is to be cleared. A step costs O(1)
/// where it was made before, else O(states of the NFA). Not thread-safe.
class LazyDfa {
 public:
  using State = std::uint32_t;
  /// No text that goes on from here matches.
  static constexpr State kDead = 0;
  static constexpr std::size_t kFull = 4'096;

  /// The NFA must outlive it.
  explicit LazyDfa(const ByteNfa& nfa);

  State start() const { return start_; }
  State step(State state, std::uint8_t byte) {
    const State known = rows_[state * classes_ + class_of_[byte]];
    return known != kUnknown ? known : make_step(state, byte);
  }
  /// Whether a text that ends here matches.
  bool accepts(State state) const { return states_[state].accepts; }
  /// The least byte that is not less than `from` (0 .. 256) and leads to a state that is not dead.
  /// O(1) but for the first time that a state is asked.
  std::optional<std::uint8_t> next_byte(State state, unsigned from);

  bool is_full() const { return states_.size() >= kFull; }
  /// Forgets all states but start(), which gets a new number. States from before are none any more:
  /// epoch() tells.
  void clear();
  std::uint64_t epoch() const { return epoch_; }

 private:
  static constexpr State kUnknown = 0xffffffffu;
  static constexpr std::uint16_t kNoByte = 256;
  struct Subset {
    std::vector<ByteNfa::State> members;  ///< ascending; those with edges, and the end
    bool accepts = false;
  };

  void add_closure(ByteNfa::State state);
  State make_state();
  State make_step(State state, std::uint8_t byte);
  void make_next(State state);

  const ByteNfa& nfa_;
  std::array<std::uint16_t, 256> class_of_{};  ///< bytes of one class are in the same edges
  std::array<std::uint16_t, 256> first_of_{};  ///< the first byte of each class
  std::size_t classes_ = 0;
  std::vector<Subset> states_;
  std::vector<State> rows_;             ///< by state and class
  std::vector<std::uint32_t> next_of_;  ///< by state: where its row of next_ begins, or kUnknown
  std::vector<std::uint16_t> next_;     ///< by class: next_byte() from its first byte, or kNoByte
  std::map<std::vector<ByteNfa::State>, State> numbers_;
  State start_ = 0;
  std::uint64_t epoch_ = 0;
  // The subset that is being made.
  std::vector<ByteNfa::State> made_;
  std::vector<std::uint64_t> seen_;  ///< by state of the NFA: the subset that it was seen in
  std::uint64_t seen_in_ = 0;
  std::vector<ByteNfa::State> pending_;
};

}  // namespace gannet::query
