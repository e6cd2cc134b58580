#include "query/inexact/term_pattern.hpp"

#include <algorithm>
#include <vector>

#include "query/inexact/edit_distance.hpp"
#include "query/inexact/lazy_dfa.hpp"
#include "query/inexact/regex_syntax.hpp"

namespace gannet::query {
namespace {

using State = ByteNfa::State;

/// Adds a loop for any bytes.
void add_any_text(ByteNfa& nfa, State at) { nfa.add_edge(at, 0x00, 0xff, at); }

/// A state that `from` leads to without a byte. A loop is put there: `from` may be in another one.
State next_state(ByteNfa& nfa, State from) {
  const State to = nfa.add_state();
  nfa.add_free_edge(from, to);
  return to;
}

class RegexCompiler {
 public:
  explicit RegexCompiler(ByteNfa& nfa) : nfa_(nfa) {}

  /// Adds paths for the expression; returns where they end.
  State add(const Regex& regex, State from) {
    switch (regex.kind) {
      case Regex::Kind::kText:
        return nfa_.add_text(from, regex.text);
      case Regex::Kind::kAny: {
        const State to = nfa_.add_state();
        nfa_.add_any(from, to);
        return to;
      }
      case Regex::Kind::kSet: {
        const State to = nfa_.add_state();
        nfa_.add_any_of(from, regex.set, to);
        return to;
      }
      case Regex::Kind::kChain:
        for (const Regex& part : regex.parts) from = add(part, from);
        return from;
      case Regex::Kind::kChoice:
        return add_choice(regex, from);
      case Regex::Kind::kRepeat:
        break;
    }
    return add_repeat(regex, from);
  }

 private:
  State add_choice(const Regex& regex, State from) {
    const State to = nfa_.add_state();
    for (const Regex& part : regex.parts) {
      nfa_.add_free_edge(add(part, next_state(nfa_, from)), to);
    }
    return to;
  }

  State add_repeat(const Regex& regex, State from) {
    const Regex& part = regex.parts.front();
    for (std::uint32_t i = 0; i < regex.least; ++i) from = add(part, next_state(nfa_, from));
    const State to = nfa_.add_state();
    if (regex.most == Regex::kNoLimit) {
      const State loop = next_state(nfa_, from);
      nfa_.add_free_edge(add(part, next_state(nfa_, loop)), loop);
      nfa_.add_free_edge(loop, to);
      return to;
    }
    nfa_.add_free_edge(from, to);
    for (std::uint32_t i = regex.least; i < regex.most; ++i) {
      from = add(part, next_state(nfa_, from));
      nfa_.add_free_edge(from, to);
    }
    return to;
  }

  ByteNfa& nfa_;
};

/// The states of a fuzzy word: (characters of the word that are done, edits that were made).
class FuzzyCompiler {
 public:
  FuzzyCompiler(ByteNfa& nfa, State from, std::u32string_view word, std::uint32_t edits)
      : nfa_(nfa), word_(word), edits_(edits) {
    for (std::size_t i = 0; i < (word.size() + 1) * (edits + 1); ++i) {
      states_.push_back(nfa.add_state());
    }
    nfa.add_free_edge(from, state(0, 0));
  }

  State add() {
    const State to = nfa_.add_state();
    for (std::size_t i = 0; i <= word_.size(); ++i) {
      for (std::uint32_t edits = 0; edits <= edits_; ++edits) add_edges(i, edits);
    }
    for (std::uint32_t e = 0; e <= edits_; ++e) nfa_.add_free_edge(state(word_.size(), e), to);
    return to;
  }

 private:
  State state(std::size_t done, std::uint32_t edits) const {
    return states_[done * (edits_ + 1) + edits];
  }

  void add_character(State from, char32_t c, State to) {
    CodePointSet set;
    set.add(c, c);
    nfa_.add_any_of(from, set, to);
  }

  void add_edges(std::size_t i, std::uint32_t edits) {
    const State here = state(i, edits);
    const bool more = i < word_.size();
    if (more) add_character(here, word_[i], state(i + 1, edits));
    if (edits == edits_) return;
    nfa_.add_any(here, state(i, edits + 1));  // put in
    if (!more) return;
    nfa_.add_any(here, state(i + 1, edits + 1));        // replaced
    nfa_.add_free_edge(here, state(i + 1, edits + 1));  // left out
    if (i + 2 > word_.size()) return;
    const State swapped = nfa_.add_state();
    add_character(here, word_[i + 1], swapped);
    add_character(swapped, word_[i], state(i + 2, edits + 1));
  }

  ByteNfa& nfa_;
  std::u32string_view word_;
  std::uint32_t edits_;
  std::vector<State> states_;
};

std::string utf8(std::u32string_view points) {
  std::string text;
  for (const char32_t c : points) append_utf8(c, text);
  return text;
}

}  // namespace

TermPattern TermPattern::wildcard(std::string_view pattern, const FoldText& fold) {
  TermPattern made;
  ByteNfa& nfa = made.nfa_;
  State at = nfa.start();
  while (!pattern.empty()) {
    const std::size_t size = std::min(pattern.find_first_of("*?"), pattern.size());
    const std::string_view text = pattern.substr(0, size);
    at = nfa.add_text(at, fold && size > 0 ? fold(text) : std::string(text));
    if (size == pattern.size()) break;
    if (pattern[size] == '*') {
      at = next_state(nfa, at);
      add_any_text(nfa, at);
    } else {
      const State to = nfa.add_state();
      nfa.add_any(at, to);
      at = to;
    }
    pattern.remove_prefix(size + 1);
  }
  nfa.set_end(next_state(nfa, at));
  return made;
}

TermPattern TermPattern::regex(std::string_view pattern, const FoldText& fold) {
  const Regex regex = parse_regex(pattern, fold);
  TermPattern made;
  made.nfa_.set_end(RegexCompiler(made.nfa_).add(regex, made.nfa_.start()));
  return made;
}

TermPattern TermPattern::fuzzy(std::string_view word, std::uint32_t edits, std::uint32_t prefix) {
  if (edits > kMaxEdits) {
    throw UsageError("a fuzzy word may have up to " + std::to_string(kMaxEdits) + " edits, not " +
                     std::to_string(edits));
  }
  const std::u32string points = code_points(word);
  if (std::ranges::any_of(points, [](char32_t c) { return c > kLastCodePoint; })) {
    throw UsageError("a fuzzy word is text in UTF-8");
  }
  const std::u32string_view all = points;
  const std::size_t fixed = std::min<std::size_t>(prefix, all.size());
  TermPattern made;
  const State from = made.nfa_.add_text(made.nfa_.start(), utf8(all.substr(0, fixed)));
  made.nfa_.set_end(FuzzyCompiler(made.nfa_, from, all.substr(fixed), edits).add());
  made.word_ = points;
  return made;
}

bool TermPattern::is_long_enough(std::string_view term) const {
  // A character has up to four bytes.
  if (word_.empty() || (word_.size() > kMaxEdits && term.size() > 4 * kMaxEdits)) return true;
  const std::u32string points = code_points(term);
  const std::size_t length = std::min(word_.size(), points.size());
  return length > kMaxEdits || edit_distance(word_, points) < length;
}

bool TermPattern::matches(std::string_view term) const {
  LazyDfa dfa(nfa_);
  LazyDfa::State state = dfa.start();
  for (const char c : term) {
    state = dfa.step(state, static_cast<std::uint8_t>(c));
    if (state == LazyDfa::kDead) return false;
  }
  return dfa.accepts(state) && is_long_enough(term);
}

}  // namespace gannet::query
