// How often words stand near each other in a document: window_shape.hpp says what that means.
//
// Pure functions over the places of the words, for both processors. words[i]: the places of word i
// in the document, strictly ascending; 1 to kMaxWindowWords words, each with a place or more.
// count_exact() takes any number of words.
// offsets[i]: WindowShape::places. All take time linear in the number of places, times the words,
// but for words that share places, which take up to the cube of the words a place besides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/host_device.hpp"
#include "query/phrases/distinct_places.hpp"
#include "query/phrases/window_shape.hpp"

namespace gannet::query {

/// The places of words, and what is added to the first word's place by those behind it.
struct WordPlaces {
  std::span<const std::span<const std::uint32_t>> words;
  std::span<const std::uint32_t> offsets;
};

namespace windows {

/// The first index from `at` on with a place >= `least`; the size if there is none. Gallops: steps
/// double until they are too long, then the last one is halved.
GANNET_HD std::uint32_t first_from(std::span<const std::uint32_t> places, std::uint32_t at,
                                   std::int64_t least) {
  const auto size = static_cast<std::uint32_t>(places.size());
  if (at >= size || places[at] >= least) return at;
  std::uint32_t below = at;
  std::uint32_t step = 1;
  while (step < size - below && places[below + step] < least) {
    below += step;
    step *= 2;
  }
  std::uint32_t end = step < size - below ? below + step : size;
  while (end - below > 1) {
    const std::uint32_t middle = below + (end - below) / 2;
    if (places[middle] < least) {
      below = middle;
    } else {
      end = middle;
    }
  }
  return end;
}

/// What is at hand of each word while places are gone through: the first place not yet passed.
struct Heads {
  std::uint32_t at[kMaxWindowWords] = {};

  GANNET_HD std::int64_t begin_of(const WordPlaces& places, std::size_t word) const {
    return std::int64_t{places.words[word][at[word]]} - places.offsets[word];
  }
};

/// Whether the words of the group of `root` can have a place each from the heads on that is no
/// further than `distance` from `begin`. Word `first` has the place at its head, if it is of the
/// group.
GANNET_HD bool group_fits(const WordPlaces& places, std::span<const std::uint8_t> groups,
                          const Heads& heads, std::uint32_t root, std::int64_t last,
                          std::size_t first) {
  DistinctPlaces distinct;
  for (std::size_t i = 0; i < places.words.size(); ++i) {
    if (groups[i] != root) continue;
    const auto from = places.words[i].subspan(heads.at[i]);
    const std::int64_t end = last + places.offsets[i];
    std::size_t n = 0;
    const std::size_t most = i == first ? 1 : kMaxWindowWords;
    while (n < from.size() && n < most && from[n] <= end) ++n;
    if (n == 0 || !distinct.add(from.first(n))) return false;
  }
  return true;
}

/// Whether an occurrence begins at `begin`, which is that of a head, and of none before it. Each
/// word has a place near enough, but words of one group may have to share it.
GANNET_HD bool fits_apart(const WordPlaces& places, std::span<const std::uint8_t> groups,
                          const Heads& heads, std::int64_t begin, std::int64_t last) {
  const std::size_t n = places.words.size();
  bool begun = false;  // by a word that shares no places
  for (std::uint32_t root = 0; root < n; ++root) {
    if (groups[root] != root) continue;
    std::uint32_t members = 0;
    for (std::size_t i = 0; i < n; ++i) members += groups[i] == root ? 1 : 0;
    if (members == 1) {
      begun = begun || heads.begin_of(places, root) == begin;
    } else if (!group_fits(places, groups, heads, root, last, n)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < n && !begun; ++i) {
    begun =
        heads.begin_of(places, i) == begin && group_fits(places, groups, heads, groups[i], last, i);
  }
  return begun;
}

}  // namespace windows

/// Occurrences of WindowKind::kNear with distance 0: places where the words stand side by side, as
/// far apart as `offsets` says, which begin with 0. `scratch`: a number for each word.
GANNET_HD std::uint32_t count_exact(const WordPlaces& places, std::span<std::uint32_t> scratch) {
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < places.words.size(); ++i) {
    if (places.words[i].size() < places.words[rarest].size()) rarest = i;
  }
  for (std::size_t i = 0; i < places.words.size(); ++i) scratch[i] = 0;
  std::uint32_t count = 0;
  for (const std::uint32_t place : places.words[rarest]) {
    const std::int64_t begin = std::int64_t{place} - places.offsets[rarest];
    bool all = true;
    for (std::size_t i = 0; i < places.words.size() && all; ++i) {
      if (i == rarest) continue;
      const std::int64_t wanted = begin + places.offsets[i];
      scratch[i] = windows::first_from(places.words[i], scratch[i], wanted);
      if (scratch[i] == places.words[i].size()) return count;
      all = places.words[i][scratch[i]] == wanted;
    }
    count += all ? 1 : 0;
  }
  return count;
}

/// Stops nothing.
struct NeverStops {
  GANNET_HD void operator()() const {}
};

/// Occurrences of WindowKind::kNear. groups[i]: the first word that shares places with word i,
/// directly or through others, or i; empty: no two words share any. `stop` is called for each place
/// where an occurrence may begin, and may throw.
template <class Stop = NeverStops>
GANNET_HD std::uint32_t count_near(const WordPlaces& places, std::uint32_t distance,
                                   std::span<const std::uint8_t> groups, Stop&& stop = {}) {
  const std::size_t n = places.words.size();
  windows::Heads heads;
  std::uint32_t count = 0;
  while (true) {
    stop();
    std::int64_t begin = heads.begin_of(places, 0);
    std::int64_t last = begin;
    for (std::size_t i = 1; i < n; ++i) {
      const std::int64_t own = heads.begin_of(places, i);
      begin = own < begin ? own : begin;
      last = own > last ? own : last;
    }
    std::int64_t next = last - distance;  // none begins before it
    if (begin >= next) {
      const bool fits = groups.empty() || windows::fits_apart(places, groups, heads, begin,
                                                              begin + std::int64_t{distance});
      count += fits ? 1 : 0;
      next = begin + 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
      heads.at[i] = windows::first_from(places.words[i], heads.at[i], next + places.offsets[i]);
      if (heads.at[i] == places.words[i].size()) return count;
    }
  }
}

/// Occurrences of WindowKind::kOrdered.
GANNET_HD std::uint32_t count_ordered(const WordPlaces& places, std::uint32_t distance) {
  windows::Heads heads;
  std::uint32_t count = 0;
  for (const std::uint32_t begin : places.words[0]) {
    std::uint32_t last = begin;
    for (std::size_t i = 1; i < places.words.size() && last - begin <= distance; ++i) {
      const std::uint32_t step = places.offsets[i] - places.offsets[i - 1];
      // The earliest place is the best one, and does not go back while `begin` ascends.
      heads.at[i] = windows::first_from(places.words[i], heads.at[i], std::int64_t{last} + step);
      if (heads.at[i] == places.words[i].size()) return count;
      last = places.words[i][heads.at[i]];
    }
    count += last - begin <= distance ? 1 : 0;
  }
  return count;
}

/// Occurrences of WindowKind::kGaps. `scratch`: twice as many numbers as a word has places. From
/// the last word to the first, those places are kept from which the rest can be reached.
GANNET_HD std::uint32_t count_gaps(const WordPlaces& places, std::uint32_t distance,
                                   std::span<std::uint32_t> scratch) {
  const std::size_t half = scratch.size() / 2;
  std::span<const std::uint32_t> rest = places.words.back();
  for (std::size_t i = places.words.size() - 1; i-- > 0;) {
    const std::uint64_t least = places.offsets[i + 1] - places.offsets[i];
    const std::uint64_t most = least * distance;
    const std::span<std::uint32_t> kept = scratch.subspan(i % 2 * half, half);
    std::size_t found = 0;
    std::size_t next = 0;
    for (const std::uint32_t place : places.words[i]) {
      while (next < rest.size() && rest[next] < place + least) ++next;
      if (next == rest.size()) break;
      if (rest[next] - std::uint64_t{place} <= most) kept[found++] = place;
    }
    rest = kept.first(found);
  }
  return static_cast<std::uint32_t>(rest.size());
}

/// Counts the occurrences of a window in one document after another. Throws CancelledError as the
/// thread's StopScope says, also within a long document. Not thread-safe.
class WindowCounter {
 public:
  /// `shape` must outlive it. `groups`: see count_near(); they need not be given for phrases and
  /// other kinds.
  WindowCounter(const WindowShape& shape, std::span<const std::uint8_t> groups)
      : shape_(shape), groups_(groups.begin(), groups.end()) {
    if (is_exact_) scratch_.resize(shape.places.size());
    bool apart = true;
    for (std::size_t i = 0; i < groups_.size(); ++i) apart = apart && groups_[i] == i;
    if (apart) groups_.clear();
  }

  /// words[i]: the places of word i, strictly ascending; none of them empty.
  std::uint32_t count(std::span<const std::span<const std::uint32_t>> words) {
    const WordPlaces places{words, shape_.places};
    switch (shape_.kind) {
      case WindowKind::kNear:
        // Words that stand apart by different offsets are at different places.
        return is_exact_ ? count_exact(places, scratch_)
                         : count_near(places, shape_.distance, groups_, [this] { step(); });
      case WindowKind::kOrdered:
        return count_ordered(places, shape_.distance);
      case WindowKind::kGaps:
        break;
    }
    std::size_t most = 0;
    for (const auto& word : words) most = std::max(most, word.size());
    if (scratch_.size() < 2 * most) scratch_.resize(2 * most);
    return count_gaps(places, shape_.distance, scratch_);
  }

 private:
  /// Words that share places take up to a tenth of a millisecond a place.
  void step() {
    if (++steps_ % 64 == 0) throw_if_stopped();
  }

  const WindowShape& shape_;
  std::vector<std::uint8_t> groups_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint32_t> scratch_;
  const bool is_exact_ = shape_.is_exact();
};

}  // namespace gannet::query
