// What the target `pattern` tries: a pattern of terms is refused, or finds in a lexicon, skipping
// what it rules out, the terms that match it one by one. The input: a byte that says which kind,
// the pattern, and behind line ends the terms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "query/inexact/matching_terms.hpp"

namespace gannet::fuzz {

/// Sorted terms in memory, which must outlive it.
class VectorWalk final : public index::TermWalk {
 public:
  explicit VectorWalk(const std::vector<std::string>& terms) : terms_(terms) {}

  bool next() override { return ++at_ <= terms_.size(); }
  bool seek(std::string_view key) override {
    at_ = static_cast<std::size_t>(std::ranges::lower_bound(terms_, key) - terms_.begin());
    return next();
  }
  std::string_view key() const override { return terms_[at_ - 1]; }
  std::uint32_t id() const override { return static_cast<std::uint32_t>(at_ - 1); }

 private:
  const std::vector<std::string>& terms_;
  std::size_t at_ = 0;  ///< one more than the number of the term
};

inline std::optional<query::TermPattern> pattern_of(std::uint8_t kind, std::string_view text) {
  try {
    switch (kind % 8) {
      case 0:
      case 1:
        return query::TermPattern::regex(text);
      case 2:
        return query::TermPattern::wildcard(text);
      default:
        return query::TermPattern::fuzzy(text, kind % 3u, kind / 8 % 4u);
    }
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

inline void try_pattern(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  std::string_view text = text_of(input.subspan(1)).substr(0, 4'096);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  if (lines.empty()) lines.emplace_back();
  const auto pattern = pattern_of(input[0], lines.front());
  if (!pattern) return;
  std::vector<std::string> terms(lines.begin() + 1, lines.end());
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());

  query::LazyDfa dfa(pattern->automaton());
  query::PatternWalk walk(std::make_unique<VectorWalk>(terms), "", "", *pattern, dfa);
  for (const std::string& term : terms) {
    if (!pattern->matches(term)) continue;
    need(walk.next() && walk.term() == term, "a term that matches is passed over");
  }
  need(!walk.next(), "a term is found that does not match");
}

}  // namespace gannet::fuzz
