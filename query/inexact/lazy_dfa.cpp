#include "query/inexact/lazy_dfa.hpp"

#include <algorithm>
#include <utility>

namespace gannet::query {

LazyDfa::LazyDfa(const ByteNfa& nfa) : nfa_(nfa), seen_(nfa.states()) {
  std::array<bool, 257> begins{};
  begins[0] = true;
  for (ByteNfa::State state = 0; state < nfa.states(); ++state) {
    for (const ByteNfa::Edge& edge : nfa.edges(state)) {
      begins[edge.first] = true;
      begins[edge.last + 1u] = true;
    }
  }
  for (std::size_t byte = 0; byte < class_of_.size(); ++byte) {
    if (begins[byte]) first_of_[classes_++] = static_cast<std::uint16_t>(byte);
    class_of_[byte] = static_cast<std::uint16_t>(classes_ - 1);
  }
  clear();
}

void LazyDfa::clear() {
  ++epoch_;
  states_.clear();
  rows_.clear();
  numbers_.clear();
  next_.clear();
  next_of_.clear();
  made_.clear();
  make_state();
  ++seen_in_;
  add_closure(nfa_.start());
  start_ = make_state();
}

/// Adds a state, and what is reached from it without a byte, to the subset that is being made.
void LazyDfa::add_closure(ByteNfa::State state) {
  pending_.push_back(state);
  while (!pending_.empty()) {
    const ByteNfa::State next = pending_.back();
    pending_.pop_back();
    if (std::exchange(seen_[next], seen_in_) == seen_in_) continue;
    if (!nfa_.edges(next).empty() || next == nfa_.end()) made_.push_back(next);
    const std::vector<ByteNfa::State>& free = nfa_.free_edges(next);
    pending_.insert(pending_.end(), free.begin(), free.end());
  }
}

/// The number of the subset that was made, which then is empty.
LazyDfa::State LazyDfa::make_state() {
  std::ranges::sort(made_);
  const auto [entry, is_new] = numbers_.emplace(made_, static_cast<State>(states_.size()));
  if (is_new) {
    const bool accepts = std::ranges::binary_search(made_, nfa_.end());
    rows_.resize(rows_.size() + classes_, made_.empty() ? kDead : kUnknown);
    states_.push_back({std::move(made_), accepts});
    next_of_.push_back(kUnknown);
  }
  made_.clear();
  return entry->second;
}

LazyDfa::State LazyDfa::make_step(State state, std::uint8_t byte) {
  ++seen_in_;
  for (const ByteNfa::State member : states_[state].members) {
    for (const ByteNfa::Edge& edge : nfa_.edges(member)) {
      if (edge.first <= byte && byte <= edge.last) add_closure(edge.to);
    }
  }
  const State to = make_state();
  rows_[state * classes_ + class_of_[byte]] = to;
  return to;
}

/// The least byte from the beginning of each class on, by class, that leads on from `state`.
void LazyDfa::make_next(State state) {
  next_of_[state] = static_cast<std::uint32_t>(next_.size());
  next_.resize(next_.size() + classes_, kNoByte);
  std::uint16_t* const row = next_.data() + next_of_[state];
  for (const ByteNfa::State member : states_[state].members) {
    for (const ByteNfa::Edge& edge : nfa_.edges(member)) {
      const std::size_t last = class_of_[edge.last];
      for (std::size_t c = class_of_[edge.first]; c <= last; ++c) row[c] = first_of_[c];
    }
  }
  for (std::size_t c = classes_ - 1; c-- > 0;) row[c] = std::min(row[c], row[c + 1]);
}

std::optional<std::uint8_t> LazyDfa::next_byte(State state, unsigned from) {
  if (from > 255) return std::nullopt;
  if (next_of_[state] == kUnknown) make_next(state);
  const std::uint16_t least = next_[next_of_[state] + class_of_[from]];
  if (least == kNoByte) return std::nullopt;
  return static_cast<std::uint8_t>(std::max<unsigned>(least, from));
}

}  // namespace gannet::query
