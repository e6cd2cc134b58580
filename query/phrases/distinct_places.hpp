// Whether words that may stand at the same places can each have one of its own.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/base/host_device.hpp"
#include "query/phrases/window_shape.hpp"

namespace gannet::query {

/// Gives words places, one each, no two the same: maximum bipartite matching by augmenting paths
/// (H. W. Kuhn, "The Hungarian Method for the Assignment Problem", 1955). Of n words, each looks at
/// its first n places at most: one of them is left when all others have theirs. Not thread-safe.
class DistinctPlaces {
 public:
  /// Adds a word with the places that it may have, one or more; up to kMaxWindowWords words. False
  /// if the words then cannot have a place each; nothing more may be added.
  GANNET_HD bool add(std::span<const std::uint32_t> places) {
    choices_[words_] = places;
    return augment(words_++);
  }

 private:
  static constexpr std::uint32_t kNobody = kMaxWindowWords;

  /// Breadth first from word `first`, over the words whose places those before them want.
  GANNET_HD bool augment(std::uint32_t first) {
    std::uint32_t queue[kMaxWindowWords];
    std::uint32_t wanted_by[kMaxWindowWords];
    std::uint64_t seen = std::uint64_t{1} << first;
    std::uint32_t end = 0;
    queue[end++] = first;
    for (std::uint32_t at = 0; at < end; ++at) {
      const std::uint32_t word = queue[at];
      const std::span<const std::uint32_t> choices = choices_[word];
      for (std::size_t c = 0; c < choices.size() && c < kMaxWindowWords; ++c) {
        const std::uint32_t owner = owner_of(choices[c], first);
        if (owner == kNobody) {
          pass_on(choices[c], word, first, wanted_by);
          return true;
        }
        if ((seen >> owner & 1) != 0) continue;
        seen |= std::uint64_t{1} << owner;
        wanted_by[owner] = word;
        queue[end++] = owner;
      }
    }
    return false;
  }

  /// `word` takes `place` and leaves its own to the word that wanted it, and so on.
  GANNET_HD void pass_on(std::uint32_t place, std::uint32_t word, std::uint32_t first,
                         const std::uint32_t* wanted_by) {
    while (word != first) {
      const std::uint32_t left = place_[word];
      place_[word] = place;
      place = left;
      word = wanted_by[word];
    }
    place_[first] = place;
  }

  /// Which of the words before `end` has a place.
  GANNET_HD std::uint32_t owner_of(std::uint32_t place, std::uint32_t end) const {
    for (std::uint32_t word = 0; word < end; ++word) {
      if (place_[word] == place) return word;
    }
    return kNobody;
  }

  std::span<const std::uint32_t> choices_[kMaxWindowWords];
  std::uint32_t place_[kMaxWindowWords];
  std::uint32_t words_ = 0;
};

}  // namespace gannet::query
