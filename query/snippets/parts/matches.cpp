#include "query/snippets/parts/matches.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/phrases/marked_places.hpp"
#include "query/postings/document_places.hpp"
#include "query/snippets/parts/utf8.hpp"

namespace gannet::query {
namespace {

constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 20;
/// In the cache: this or the number of a word more. 0 stands for a new slot.
constexpr std::uint32_t kNoWordHere = 1;

}  // namespace

MatchFinder::MatchFinder(const MarkedTerms& terms, const index::Analyzer& analyzer)
    : terms_(terms),
      analyzer_(analyzer),
      worker_(analyzer),
      cache_(kCacheBytes),
      places_(terms.windows().empty() ? 0 : terms.words().size()),
      marked_(terms.windows().size()),
      passed_(places_.size()) {}

std::uint32_t MatchFinder::word_of(std::string_view token) {
  // The analyzer drops it; the cache would make a copy.
  if (token.size() > analyzer_.config().max_token_bytes) return MarkedTerms::kNone;
  if (const auto* const slot = cache_.find(token)) {
    return slot->term == kNoWordHere ? MarkedTerms::kNone : slot->term - kNoWordHere - 1;
  }
  const std::string_view term = worker_.term_of(token);
  const std::uint32_t number = term.empty() ? MarkedTerms::kNone : terms_.find(term);
  cache_.insert(token).term = number == MarkedTerms::kNone ? kNoWordHere : number + kNoWordHere + 1;
  return number;
}

void MatchFinder::start(std::string_view text, IndexedText of, const std::stop_token& stop) {
  if (marked_.empty()) return;
  find_places(text, of, stop);
  const StopScope scope(stop);
  for (std::size_t i = 0; i < marked_.size(); ++i) mark_window(terms_.windows()[i], marked_[i]);
}

void MatchFinder::find_places(std::string_view text, IndexedText of, const std::stop_token& stop) {
  for (std::vector<std::uint32_t>& places : places_) places.clear();
  StopCheck check(stop);
  std::uint64_t tokens = 0;
  analyzer_.tokenize(text, [&](std::string_view token) {
    check();
    const auto place = static_cast<std::uint32_t>(tokens++);
    const std::uint32_t word = word_of(token);
    if (word == MarkedTerms::kNone || terms_.words()[word].in_windows.empty()) return;
    places_[word].push_back(place);
  });
  if (of.index != nullptr) use_index(of, tokens);
}

/// The stored text does not say where one of its values ends: the index knows of each occurrence of
/// a word where it stands. They are of no use if the text is not what was indexed.
void MatchFinder::use_index(IndexedText of, std::uint64_t tokens) {
  const SegmentPlace place = place_of(*of.index, of.docid);
  const index::Segment& segment = *of.index->segments()[place.segment];
  if (segment.positions() == nullptr) return;
  if (segment.text_spans(index::kMainText)[place.docid] == tokens) return;
  std::map<std::uint32_t, std::vector<std::uint32_t>> known;
  for (std::uint32_t word = 0; word < places_.size(); ++word) {
    if (places_[word].empty()) continue;
    auto places = places_in(segment, index::text_key(index::kMainText, terms_.words()[word].text),
                            place.docid);
    if (places.size() != places_[word].size()) return;
    known.emplace(word, std::move(places));
  }
  for (auto& [word, places] : known) places_[word] = std::move(places);
}

void MatchFinder::mark_window(const MarkedTerms::Window& window,
                              std::vector<std::uint32_t>& marked) const {
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>>
      merged;  // words of several terms
  std::vector<std::span<const std::uint32_t>> words;
  for (const std::vector<std::uint32_t>& any_of : window.words) {
    if (any_of.size() == 1) {
      words.emplace_back(places_[any_of.front()]);
      continue;
    }
    const auto [entry, is_new] = merged.try_emplace(any_of);
    std::vector<std::uint32_t>& all = entry->second;
    if (is_new) {
      for (const std::uint32_t term : any_of) {
        all.insert(all.end(), places_[term].begin(), places_[term].end());
      }
      std::ranges::sort(all);  // a place has one term, so none is there twice
    }
    words.emplace_back(all);
  }
  marked = marked_places(window.shape, words, window.groups).places;
}

/// The items that the next occurrence of a word is.
template <class F>
void MatchFinder::each_item(std::uint32_t word, const F& on_item) {
  const MarkedTerms::Word& known = terms_.words()[word];
  for (const std::uint32_t item : known.items) on_item(item);
  if (known.in_windows.empty()) return;
  const std::uint32_t place = places_[word][passed_[word]++];
  for (const MarkedTerms::WindowWord& in : known.in_windows) {
    if (std::ranges::binary_search(marked_[in.window], place)) on_item(in.item);
  }
}

void MatchFinder::each(std::string_view text, const std::stop_token& stop,
                       const std::function<void(const TermMatch&)>& on_match) {
  if (terms_.empty()) return;
  StopCheck check(stop);
  Walk counted;  // up to the last match's begin
  std::ranges::fill(passed_, 0);
  analyzer_.tokenize(text, [&](std::string_view token, std::string_view place) {
    check();
    const std::uint32_t word = word_of(token);
    if (word == MarkedTerms::kNone) return;
    TermMatch match;
    each_item(word, [&](std::uint32_t item) {
      if (match.end == 0) {
        match.begin = static_cast<std::uint64_t>(place.data() - text.data());
        match.end = match.begin + place.size();
        counted.passed += count_code_points(text, counted.at, match.begin);
        counted.at = match.begin;
        match.first_char = counted.passed;
        match.last_char = match.first_char + count_code_points(text, match.begin, match.end);
      }
      match.item = item;
      on_match(match);
    });
  });
}

TermMatches::TermMatches(MatchFinder& finder, std::string_view text, IndexedText of,
                         std::stop_token stop)
    : finder_(finder), text_(text), stop_(std::move(stop)) {
  finder_.start(text_, of, stop_);
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
