#include "query/snippets/parts/fragment_cutter.hpp"

#include <algorithm>

#include "query/snippets/parts/utf8.hpp"

namespace gannet::query {
namespace {

/// Code points beyond the ends that are looked at: what stands around a place decides whether a
/// sentence or a character ends there.
constexpr std::uint64_t kContext = 64;

bool is_regional_indicator(std::int32_t c) { return c >= 0x1f1e6 && c <= 0x1f1ff; }

/// Where to begin to look at a text for boundaries from `at` on: a flag is two letters (regional
/// indicators), so that in a run of them their number from the beginning decides where one ends.
std::uint64_t between_flags(std::string_view text, std::uint64_t at) {
  std::uint64_t before = at;
  std::uint64_t letters = 0;
  while (before > 0) {
    const std::uint64_t next = code_point_before(text, before);
    if (!is_regional_indicator(code_point_at(text, next).value)) break;
    before = next;
    ++letters;
  }
  return letters % 2 == 0 ? at : code_point_before(text, at);
}

}  // namespace

/// What is to be cut, and what may stand around it.
struct FragmentCutter::Place {
  std::string_view text;
  ByteRange core;
  ByteRange limits;
  ByteRange seen;       ///< what `boundaries_` looks at
  std::uint64_t room;   ///< code points that may stand around the core
  Walk before;          ///< from the core back as far as the room goes
  std::uint64_t spare;  ///< of the room, what is too much for the text behind it

  std::uint64_t back(std::uint64_t count) const {
    return walk_back(text, core.begin, limits.begin, count).at;
  }
};

ByteRange FragmentCutter::cut(std::string_view text, ByteRange core, ByteRange limits) {
  const std::uint64_t inside = count_code_points(text, core.begin, core.end);
  const std::uint64_t room = length_ - std::min(length_, inside);
  const Walk before = walk_back(text, core.begin, limits.begin, room);
  const Walk behind = walk_forward(text, core.end, limits.end, room);
  const ByteRange seen{between_flags(text, walk_back(text, before.at, 0, kContext).at),
                       walk_forward(text, behind.at, text.size(), kContext).at};
  boundaries_.look_at(text, seen.begin, seen.end);
  const Place place{text, core, limits, seen, room, before, room - behind.passed};
  const std::uint64_t begin = begin_of(place);
  return trimmed(place, {begin, end_of(place, begin)});
}

/// The beginning of the text or of the sentence where it leaves room for what follows; else about
/// half of the room before the core. What the text behind cannot use goes to the front: then it is
/// the first sentence that makes use of it.
std::uint64_t FragmentCutter::begin_of(const Place& place) {
  if (place.before.at == place.limits.begin &&
      place.before.passed <= std::max(place.room / 3, place.spare)) {
    return place.limits.begin;
  }
  const std::uint64_t core = place.core.begin;
  const std::uint64_t needed = place.back(place.spare / 2);
  if (const auto first = boundaries_.first(Unit::kSentence, place.back(place.spare), needed)) {
    return *first;
  }
  if (const auto last = boundaries_.last(Unit::kSentence, place.back(place.room / 3 * 2), needed)) {
    return *last;
  }
  const std::uint64_t furthest = place.back(std::max(place.room / 2, place.spare));
  return boundaries_.first(Unit::kWord, furthest, core).value_or(core);
}

/// The end of the last sentence that fits, if the fragment is not much too short then; else of the
/// last word.
std::uint64_t FragmentCutter::end_of(const Place& place, std::uint64_t begin) {
  const std::uint64_t core = place.core.end;
  const std::uint64_t limit = place.limits.end;
  const std::uint64_t used = count_code_points(place.text, begin, core);
  std::uint64_t furthest =
      walk_forward(place.text, core, limit, length_ - std::min(length_, used)).at;
  if (furthest == limit) return limit;
  // A blank behind a word that fits does not count; the next word begins behind it.
  const std::uint64_t blank = walk_forward(place.text, furthest, limit, 1).at;
  if (skip_spaces(place.text, furthest, blank) == blank) furthest = blank;
  const std::uint64_t half = walk_forward(place.text, begin, limit, length_ / 2).at;
  if (half <= furthest) {
    if (const auto sentence = boundaries_.last(Unit::kSentence, std::max(core, half), furthest)) {
      return *sentence;
    }
  }
  const std::uint64_t least = std::max(core, begin + 1);  // there is something in a fragment
  if (const auto word = boundaries_.last(Unit::kWord, least, furthest)) return *word;
  const std::uint64_t anywhere = place.core.empty() ? furthest : core;
  return boundaries_.last(Unit::kCharacter, least, furthest).value_or(anywhere);
}

/// Without blanks at the ends, and with whole characters there. A limit is no place within one.
ByteRange FragmentCutter::trimmed(const Place& place, ByteRange fragment) {
  const ByteRange cut{skip_spaces(place.text, fragment.begin, place.core.begin),
                      trim_spaces(place.text, place.core.end, fragment.end)};
  const std::uint64_t low = std::max(place.limits.begin, place.seen.begin);
  const std::uint64_t high = std::min(place.limits.end, place.seen.end);
  return {boundaries_.last(Unit::kCharacter, low, cut.begin).value_or(cut.begin),
          boundaries_.first(Unit::kCharacter, cut.end, high).value_or(cut.end)};
}

}  // namespace gannet::query
