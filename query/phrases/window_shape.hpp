// What it means that words stand near each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace gannet::query {

/// Words of a window, at most, unless it is a phrase (WindowShape::is_exact()).
inline constexpr std::uint32_t kMaxWindowWords = 32;
/// Words of a phrase, at most. Its words are looked for one by one, so that this only bounds the
/// lists that are read at the same time.
inline constexpr std::uint32_t kMaxPhraseWords = 256;
/// The N of `~N`, `NEAR/N`, `#odN`, `#uwN`, at most.
inline constexpr std::uint32_t kMaxWindowDistance = 1'000'000;

/// What an occurrence of words 0 .. n - 1 is: a place p_i of each word i, no two the same, such
/// that, with o_i as WindowShape::places has them,
enum class WindowKind : std::uint8_t {
  /// max(p_i - o_i) - min(p_i - o_i) <= distance, in any order. Phrases (distance 0), sloppy
  /// phrases (as Lucene's SloppyPhraseMatcher has the distance), and, with all o_i equal, unordered
  /// windows
  /// of distance + 1 places.
  kNear,
  /// d <= p_{i+1} - p_i <= d * distance for d = o_{i+1} - o_i: Indri's ordered windows, where d is
  /// 1. A word that the analyzer dropped between the two may have been at any place.
  kGaps,
  /// p_{i+1} - p_i >= o_{i+1} - o_i, and p_{n-1} - p_0 <= distance.
  kOrdered,
};

/// The number of occurrences in a text is that of the places where one begins: of the different
/// values of min(p_i - o_i) of kNear, of p_0 of the others. Indri counts so, too (D. Metzler, W. B.
/// Croft, "Combining the Language Model and Inference Network Approaches to Retrieval", 2004; its
/// UnorderedWindowNode takes "each term position in turn, and finds the smallest window that
/// includes it as the first term").
struct WindowShape {
  WindowKind kind = WindowKind::kNear;
  std::uint32_t distance = 0;
  /// By word, 1 to kMaxWindowWords of them (of a phrase kMaxPhraseWords), not descending, from 0.
  /// kGaps and kOrdered: ascending.
  std::vector<std::uint32_t> places = {};

  /// Whether it is a phrase: of words that stand as far apart as `places` says. These ascend.
  bool is_exact() const {
    return kind == WindowKind::kNear && distance == 0 &&
           std::ranges::adjacent_find(places, std::ranges::greater_equal{}) == places.end();
  }
  bool operator==(const WindowShape&) const = default;
};

}  // namespace gannet::query
