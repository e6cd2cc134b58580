#include "query/phrases/marked_places.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/phrases/occurrences.hpp"

namespace gannet::query {
namespace {

using PlacesOfWords = std::span<const std::span<const std::uint32_t>>;

/// Adds what each occurrence has, in the order in which they begin.
class Marker {
 public:
  Marker(const WindowShape& shape, PlacesOfWords words, std::size_t begins)
      : shape_(shape),
        words_(words),
        places_{words, shape.places},
        begins_(begins),
        marked_(words.size()) {}

  MarkedPlaces exact();
  MarkedPlaces near(std::span<const std::uint8_t> groups);
  MarkedPlaces ordered();
  MarkedPlaces gaps();

 private:
  void begin(std::uint32_t place) {
    ++made_.count;
    if (made_.begins.size() < begins_) made_.begins.push_back(place);
  }

  /// Marks the places of a word in [first, last]. Both ascend from call to call for each word.
  void mark(std::size_t word, std::int64_t first, std::int64_t last) {
    const auto places = words_[word];
    std::uint32_t& at = marked_[word];
    at = windows::first_from(places, at, first);
    for (; at < places.size() && places[at] <= last; ++at) add(places[at]);
  }

  /// Places of overlapping occurrences come again: those that are known are put in order whenever
  /// they have doubled.
  void add(std::uint32_t place) {
    made_.places.push_back(place);
    if (made_.places.size() >= tidy_at_) tidy();
  }

  void tidy() {
    std::vector<std::uint32_t>& places = made_.places;
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    tidy_at_ = std::max(kFewPlaces, 2 * places.size());
  }

  MarkedPlaces taken() {
    if (made_.count == 0) {
      made_.places.clear();
    } else {
      tidy();
    }
    return std::move(made_);
  }

  static constexpr std::size_t kFewPlaces = 1024;

  const WindowShape& shape_;
  PlacesOfWords words_;
  WordPlaces places_;
  std::size_t begins_;
  std::vector<std::uint32_t> marked_;  ///< by word, the first place that is not looked at
  std::size_t tidy_at_ = kFewPlaces;
  MarkedPlaces made_;
  StopCheck check_stop_;
};

/// Words side by side, of which there may be any number.
MarkedPlaces Marker::exact() {
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    if (words_[i].size() < words_[rarest].size()) rarest = i;
  }
  std::vector<std::uint32_t> heads(words_.size());
  for (const std::uint32_t place : words_[rarest]) {
    check_stop_();
    const std::int64_t first = std::int64_t{place} - shape_.places[rarest];
    bool all = true;
    for (std::size_t i = 0; i < words_.size() && all; ++i) {
      const std::int64_t wanted = first + shape_.places[i];
      heads[i] = windows::first_from(words_[i], heads[i], wanted);
      if (heads[i] == words_[i].size()) return taken();
      all = words_[i][heads[i]] == wanted;
    }
    if (!all) continue;
    begin(static_cast<std::uint32_t>(first));
    for (const std::uint32_t offset : shape_.places) {
      add(static_cast<std::uint32_t>(first) + offset);
    }
  }
  return taken();
}

/// Occurrences that begin at b have their words in [b, b + distance], less their offsets. All
/// places there are in one: of words that share no places, any choice is an occurrence; of others,
/// where each word has a place of its own, one that is not taken can be exchanged for that of its
/// word (they are the bases of a transversal matroid).
MarkedPlaces Marker::near(std::span<const std::uint8_t> groups) {
  windows::Heads heads;
  const std::size_t n = words_.size();
  const std::int64_t distance = shape_.distance;
  while (true) {
    check_stop_();
    std::int64_t least = heads.begin_of(places_, 0);
    std::int64_t most = least;
    for (std::size_t i = 1; i < n; ++i) {
      least = std::min(least, heads.begin_of(places_, i));
      most = std::max(most, heads.begin_of(places_, i));
    }
    std::int64_t next = most - distance;  // none begins before it
    if (least >= next) {
      next = least + 1;
      if (groups.empty() || windows::fits_apart(places_, groups, heads, least, least + distance)) {
        std::uint32_t first = words_[0][heads.at[0]];
        for (std::size_t i = 0; i < n; ++i) {
          first = std::min(first, words_[i][heads.at[i]]);
          mark(i, least + shape_.places[i], least + distance + shape_.places[i]);
        }
        begin(first);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      heads.at[i] = windows::first_from(words_[i], heads.at[i], next + shape_.places[i]);
      if (heads.at[i] == words_[i].size()) return taken();
    }
  }
}

/// Of those that begin at one place, a word has places from the first that the words before it
/// allow to the last that those behind it allow.
MarkedPlaces Marker::ordered() {
  const std::size_t n = words_.size();
  windows::Heads heads;
  windows::Heads ends;  // by word, the first place behind the last one that is allowed
  for (const std::uint32_t first : words_[0]) {
    check_stop_();
    const std::int64_t end = std::int64_t{first} + shape_.distance;
    std::int64_t earliest = first;
    for (std::size_t i = 1; i < n && earliest <= end; ++i) {
      const std::uint32_t step = shape_.places[i] - shape_.places[i - 1];
      heads.at[i] = windows::first_from(words_[i], heads.at[i], earliest + step);
      if (heads.at[i] == words_[i].size()) return taken();
      earliest = words_[i][heads.at[i]];
    }
    if (earliest > end) continue;
    begin(first);
    std::int64_t last = end;
    for (std::size_t i = n; i-- > 1;) {
      ends.at[i] = windows::first_from(words_[i], ends.at[i], last + 1);
      mark(i, words_[i][heads.at[i]], last);
      last = std::int64_t{words_[i][ends.at[i] - 1]} - (shape_.places[i] - shape_.places[i - 1]);
    }
    mark(0, first, first);
  }
  return taken();
}

/// A place is in an occurrence if the last word can be reached from it, and it from the first word.
MarkedPlaces Marker::gaps() {
  const std::size_t n = words_.size();
  std::vector<std::vector<bool>> reaches(n);  // by word and its places: the last word
  reaches.back().assign(words_.back().size(), true);
  for (std::size_t i = n - 1; i-- > 0;) {
    const std::uint64_t least = shape_.places[i + 1] - shape_.places[i];
    const std::uint64_t most = least * shape_.distance;
    reaches[i].resize(words_[i].size());
    std::size_t next = 0;
    for (std::size_t at = 0; at < words_[i].size(); ++at) {
      check_stop_();
      const std::uint64_t place = words_[i][at];
      const auto passed = [&] {
        return !reaches[i + 1][next] || words_[i + 1][next] < place + least;
      };
      while (next < words_[i + 1].size() && passed()) ++next;
      if (next == words_[i + 1].size()) break;
      reaches[i][at] = words_[i + 1][next] <= place + most;
    }
  }
  for (std::size_t at = 0; at < words_[0].size(); ++at) {
    if (reaches[0][at]) begin(words_[0][at]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t before = 0;
    for (std::size_t at = 0; at < words_[i].size(); ++at) {
      check_stop_();
      if (!reaches[i][at]) continue;
      const std::uint64_t place = words_[i][at];
      if (i > 0) {
        // `reaches` of the word before now says what is in an occurrence.
        const std::uint64_t least = shape_.places[i] - shape_.places[i - 1];
        const std::uint64_t most = least * shape_.distance;
        const auto passed = [&] {
          return !reaches[i - 1][before] || words_[i - 1][before] + most < place;
        };
        while (before < words_[i - 1].size() && passed()) ++before;
        reaches[i][at] = before < words_[i - 1].size() && words_[i - 1][before] + least <= place;
      }
      if (reaches[i][at]) add(words_[i][at]);
    }
  }
  return taken();
}

bool share_places(std::span<const std::uint8_t> groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] != i) return true;
  }
  return false;
}

}  // namespace

MarkedPlaces marked_places(const WindowShape& shape, PlacesOfWords words,
                           std::span<const std::uint8_t> groups, std::size_t begins) {
  if (words.empty() || std::ranges::any_of(words, [](const auto& word) { return word.empty(); })) {
    return {};
  }
  Marker marker(shape, words, begins);
  switch (shape.kind) {
    case WindowKind::kNear:
      if (shape.is_exact()) return marker.exact();
      return marker.near(share_places(groups) ? groups : std::span<const std::uint8_t>());
    case WindowKind::kOrdered:
      return marker.ordered();
    case WindowKind::kGaps:
      break;
  }
  return marker.gaps();
}

}  // namespace gannet::query
