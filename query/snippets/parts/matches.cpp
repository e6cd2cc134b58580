#include "query/snippets/parts/matches.hpp"

#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/snippets/parts/utf8.hpp"

namespace gannet::query {
namespace {

constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 20;
/// In the cache: this or the number of a term more. 0 stands for a new slot.
constexpr std::uint32_t kNoTermHere = 1;

}  // namespace

MatchFinder::MatchFinder(const MarkedTerms& terms, const index::Analyzer& analyzer)
    : terms_(terms), analyzer_(analyzer), worker_(analyzer), cache_(kCacheBytes) {}

std::uint32_t MatchFinder::term_of(std::string_view token) {
  // The analyzer drops it; the cache would make a copy.
  if (token.size() > analyzer_.config().max_token_bytes) return MarkedTerms::kNone;
  if (const auto* const slot = cache_.find(token)) {
    return slot->term == kNoTermHere ? MarkedTerms::kNone : slot->term - kNoTermHere - 1;
  }
  const std::string_view term = worker_.term_of(token);
  const std::uint32_t number = term.empty() ? MarkedTerms::kNone : terms_.find(term);
  cache_.insert(token).term = number == MarkedTerms::kNone ? kNoTermHere : number + kNoTermHere + 1;
  return number;
}

void MatchFinder::each(std::string_view text, const std::stop_token& stop,
                       const std::function<void(const TermMatch&)>& on_match) {
  if (terms_.empty()) return;
  StopCheck check(stop);
  Walk counted;  // up to the last match's begin
  analyzer_.tokenize(text, [&](std::string_view token, std::string_view place) {
    check();
    const std::uint32_t term = term_of(token);
    if (term == MarkedTerms::kNone) return;
    TermMatch match;
    match.begin = static_cast<std::uint64_t>(place.data() - text.data());
    match.end = match.begin + place.size();
    counted.passed += count_code_points(text, counted.at, match.begin);
    counted.at = match.begin;
    match.first_char = counted.passed;
    match.last_char = match.first_char + count_code_points(text, match.begin, match.end);
    match.term = term;
    on_match(match);
  });
}

TermMatches::TermMatches(MatchFinder& finder, std::string_view text, std::stop_token stop)
    : finder_(finder), text_(text), stop_(std::move(stop)) {
  finder_.each(text_, stop_, [this](const TermMatch& match) {
    if (kept_.size() < kMaxKept) {
      kept_.push_back(match);
    } else {
      all_kept_ = false;
    }
  });
}

void TermMatches::each(const std::function<void(const TermMatch&)>& on_match) const {
  if (!all_kept_) {
    finder_.each(text_, stop_, on_match);
    return;
  }
  for (const TermMatch& match : kept_) on_match(match);
}

}  // namespace gannet::query
