#include "query/inexact/matching_terms.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gannet::query {
namespace {

/// So many terms are gone through before the next possible one is looked up: a look-up costs about
/// as much as reading a block of the lexicon.
constexpr int kNearTerms = 16;

/// What all keys of a text begin with.
std::string key_prefix(std::uint32_t text) {
  return text == index::kMainText ? std::string() : index::text_key_prefix(text);
}

/// None of the text's keys is less. Those of the main text are behind all keys of text fields.
std::string first_key(const index::Schema& schema, std::uint32_t text) {
  const bool behind_fields = text == index::kMainText && schema.has_text();
  return behind_fields ? std::string(1, '\1') : key_prefix(text);
}

}  // namespace

PatternWalk::PatternWalk(const index::Segment& segment, const index::Schema& schema,
                         std::uint32_t text, const TermPattern& pattern, LazyDfa& dfa)
    : PatternWalk(segment.walk_terms(), key_prefix(text), first_key(schema, text), pattern, dfa) {}

PatternWalk::PatternWalk(std::unique_ptr<index::TermWalk> keys, std::string prefix,
                         std::string first, const TermPattern& pattern, LazyDfa& dfa)
    : walk_(std::move(keys)),
      pattern_(pattern),
      dfa_(dfa),
      prefix_(std::move(prefix)),
      first_(std::move(first)) {
  restart();
}

/// Forgets what was stepped through: another walk may have cleared the automaton.
void PatternWalk::restart() {
  states_.assign(1, dfa_.start());
  epoch_ = dfa_.epoch();
}

bool PatternWalk::next() {
  if (ended_) return false;
  bool there = read(begun_ ? walk_->next() : walk_->seek(first_));
  begun_ = true;
  while (there) {
    check_stop_();
    const std::size_t size = step_through();
    if (size < term_.size()) {
      there = skip_from(size);
    } else if (dfa_.accepts(states_.back()) && pattern_.is_long_enough(term_)) {
      return true;
    } else {
      there = read(walk_->next());
    }
  }
  ended_ = true;
  return false;
}

/// Takes the term that the walk is at, if it `found` one of the text; keeps the states behind what
/// it shares with the one before.
bool PatternWalk::read(bool found) {
  if (!found || !walk_->key().starts_with(prefix_)) return false;
  const std::string_view now = walk_->key().substr(prefix_.size());
  const std::size_t known = std::min(states_.size() - 1, now.size());
  std::size_t same = 0;
  while (same < known && now[same] == term_[same]) ++same;
  term_.replace(same, std::string::npos, now.substr(same));
  states_.resize(same + 1);
  return true;
}

/// Steps through the rest of the term; returns how many of its bytes some matching term begins
/// with.
std::size_t PatternWalk::step_through() {
  if (dfa_.is_full()) dfa_.clear();
  if (epoch_ != dfa_.epoch()) restart();
  while (states_.size() <= term_.size()) {
    const auto byte = static_cast<std::uint8_t>(term_[states_.size() - 1]);
    const LazyDfa::State state = dfa_.step(states_.back(), byte);
    if (state == LazyDfa::kDead) break;
    states_.push_back(state);
  }
  return states_.size() - 1;
}

/// Moves to the first term that can match behind those that begin with the first `size` + 1 bytes
/// of this one; false if there is none.
bool PatternWalk::skip_from(std::size_t size) {
  std::optional<std::uint8_t> byte;
  for (std::size_t left = size + 1; left > 0 && !byte; --left) {
    size = left - 1;
    byte = dfa_.next_byte(states_[size], static_cast<unsigned char>(term_[size]) + 1u);
  }
  if (!byte) return false;
  target_ = prefix_;
  target_.append(term_, 0, size);
  target_ += static_cast<char>(*byte);
  for (int i = 0; i < kNearTerms; ++i) {
    if (!walk_->next()) return false;
    if (walk_->key() >= target_) return read(true);
  }
  return read(walk_->seek(target_));
}

MatchingTerms matching_terms(const index::Index& index, std::uint32_t text,
                             const TermPattern& pattern, std::size_t limit) {
  LazyDfa dfa(pattern.automaton());
  std::vector<std::unique_ptr<PatternWalk>> walks;
  for (const auto& segment : index.segments()) {
    auto walk = std::make_unique<PatternWalk>(*segment, index.schema(), text, pattern, dfa);
    if (walk->next()) walks.push_back(std::move(walk));
  }
  MatchingTerms matching;
  const auto term_of = [](const auto& walk) -> const std::string& { return walk->term(); };
  while (!walks.empty()) {
    const std::string least = term_of(*std::ranges::min_element(walks, {}, term_of));
    ++matching.found;
    if (matching.terms.size() < limit) matching.terms.push_back(least);
    for (auto& walk : walks) {
      if (walk->term() == least && !walk->next()) walk = nullptr;
    }
    std::erase(walks, nullptr);
  }
  return matching;
}

}  // namespace gannet::query
