// Random phrases and windows, as users write them and as they are defined.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "query/language/written_window.hpp"
#include "tests/support/query/phrases/brute_windows.hpp"
#include "tests/support/query/text_collection.hpp"

namespace gannet::test {

/// Places of the words of a text that has blanks between them.
inline std::map<std::string, std::vector<std::uint32_t>> places_of(const std::string& text) {
  std::map<std::string, std::vector<std::uint32_t>> places;
  std::uint32_t place = 0;
  for (std::size_t begin = 0; begin < text.size(); ++place) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    places[text.substr(begin, end - begin)].push_back(place);
    begin = end + 1;
  }
  return places;
}

/// A window of words.
struct WordsNear {
  std::vector<std::string> words;
  query::WrittenWindow written;

  /// In the query language, without what stands before or behind it.
  std::string text() const {
    using Kind = query::WrittenWindow::Kind;
    const std::string n = std::to_string(written.distance);
    const std::string joined = join(" ");
    switch (written.kind) {
      case Kind::kPhrase:
        return '"' + joined + '"' + (written.distance > 0 ? "~" + n : "");
      case Kind::kOrdered:
        return "#od" + n + "(" + joined + ")";
      case Kind::kUnordered:
        return "#uw" + n + "(" + joined + ")";
      case Kind::kNear:
        return "(" + join(" NEAR/" + n + " ") + ")";
      case Kind::kOrderedNear:
        break;
    }
    return "(" + join(" ONEAR/" + n + " ") + ")";
  }

  /// Occurrences in a text, from the definition of each form.
  std::uint32_t count(const std::string& text) const {
    return occurrences(places_of(text)).count();
  }

  /// Those of a text whose words have these places.
  BruteWindows occurrences(const std::map<std::string, std::vector<std::uint32_t>>& places) const {
    std::vector<std::vector<std::uint32_t>> own;
    for (const std::string& word : words) {
      const auto found = places.find(word);
      own.push_back(found == places.end() ? std::vector<std::uint32_t>() : found->second);
    }
    return BruteWindows(shape(), own);
  }

  query::WindowShape shape() const {
    using Kind = query::WrittenWindow::Kind;
    using query::WindowKind;
    const auto n = static_cast<std::uint32_t>(words.size());
    std::vector<std::uint32_t> side_by_side;
    for (std::uint32_t i = 0; i < n; ++i) side_by_side.push_back(i);
    const std::vector<std::uint32_t> together(n, 0);
    switch (written.kind) {
      case Kind::kPhrase:
        return {WindowKind::kNear, written.distance, side_by_side};
      case Kind::kOrdered:
        return {WindowKind::kGaps, written.distance, side_by_side};
      case Kind::kUnordered:
        return {WindowKind::kNear, written.distance - 1, together};
      case Kind::kNear:  // n + N - 1 places
        return {WindowKind::kNear, written.distance + n - 2, together};
      case Kind::kOrderedNear:
        break;
    }
    return {WindowKind::kOrdered, written.distance + n - 2, side_by_side};
  }

 private:
  std::string join(const std::string& between) const {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
  }
};

/// Of words w0 (frequent) to w21, of which the last two are in no text.
inline WordsNear random_window(std::mt19937& random) {
  using Kind = query::WrittenWindow::Kind;
  WordsNear window;
  window.written.kind = static_cast<Kind>(random() % 5);
  const bool is_phrase = window.written.kind == Kind::kPhrase;
  window.written.distance = static_cast<std::uint32_t>(random() % 8) + (is_phrase ? 0 : 1);
  if (is_phrase && random() % 2 == 0) window.written.distance = 0;
  const std::size_t words = 2 + (random() % 3 == 0 ? random() % 3 : 0);
  for (std::size_t i = 0; i < words; ++i) {
    const bool rare = i > 1 || random() % 3 == 0;  // few tuples for those who try all
    window.words.push_back("w" + std::to_string(rare ? 4 + random() % 18 : random() % 8));
  }
  if (random() % 6 == 0) window.words[1] = window.words[0];
  return window;
}

}  // namespace gannet::test
