#include "tools/output/snippet.hpp"

#include <algorithm>

#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return words;
}

/// First word of the window of `size` words with the most hits.
std::size_t densest_window(const std::vector<bool>& hits, std::size_t size) {
  std::size_t inside = 0;
  std::size_t best = 0;
  std::size_t best_begin = 0;
  for (std::size_t end = 0; end < hits.size(); ++end) {
    inside += hits[end] ? 1 : 0;
    if (end >= size) inside -= hits[end - size] ? 1 : 0;
    if (inside > best) {
      best = inside;
      best_begin = end + 1 > size ? end + 1 - size : 0;
    }
  }
  return best_begin;
}

}  // namespace

SnippetCutter::SnippetCutter(index::Analyzer& analyzer, const query::Plan& plan, bool highlight)
    : analyzer_(analyzer), highlight_(highlight) {
  for (const query::PlanTerm& term : plan.terms()) {
    if (term.scored()) wanted_.push_back(term.text);
  }
  std::sort(wanted_.begin(), wanted_.end());
}

bool SnippetCutter::matches(std::string_view word) {
  terms_.clear();
  analyzer_.analyze(word, terms_);
  return std::any_of(terms_.begin(), terms_.end(), [&](const std::string& term) {
    return std::binary_search(wanted_.begin(), wanted_.end(), term);
  });
}

std::string SnippetCutter::cut(std::string_view text, std::size_t words) {
  constexpr std::size_t kLookAt = 1 << 16;  // bytes; enough of a long document for a snippet
  const std::vector<std::string_view> all = split_words(text.substr(0, kLookAt));
  std::vector<bool> hits(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) hits[i] = matches(all[i]);

  const std::size_t begin = densest_window(hits, words);
  const std::size_t end = std::min(begin + words, all.size());
  std::string line = begin > 0 ? "... " : "";
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) line += ' ';
    const bool bold = highlight_ && hits[i];
    if (bold) line += "\033[1m";
    line += printable(all[i]);
    if (bold) line += "\033[0m";
  }
  if (end < all.size() || text.size() > kLookAt) line += " ...";
  return line;
}

}  // namespace gannet::tools
