// Going through the documents that match, a word of 64 of their bitmap at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "query/filter/document_bitmap.hpp"

namespace gannet::query {

/// Documents [begin, end) of a segment.
struct DocumentRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Of the bits of word w, those of documents in the range.
inline std::uint64_t bits_in(DocumentRange range, std::uint32_t w, std::uint64_t bits) {
  if (w == range.begin / 64) bits &= ~std::uint64_t{0} << range.begin % 64;
  if (w == range.end / 64) bits &= (std::uint64_t{1} << range.end % 64) - 1;
  return bits;
}

/// Calls f(w, word) for the words [begin, end) that are not 0, until it says no; whether it did
/// not. Mostly few documents match, and eight words at a time are soon looked at. `word(w)` is word
/// w.
template <class Word, class F>
bool for_each_word(std::uint32_t begin, std::uint32_t end, const Word& word, const F& f) {
  constexpr std::uint32_t kAtATime = 8;
  for (std::uint32_t w = begin; w < end;) {
    const std::uint32_t stop = std::min(end, w + kAtATime);
    if (stop - w == kAtATime) {
      std::uint64_t any = 0;
      for (std::uint32_t i = 0; i < kAtATime; ++i) any |= word(w + i);
      if (any == 0) {
        w = stop;
        continue;
      }
    }
    for (; w < stop; ++w) {
      const std::uint64_t bits = word(w);
      if (bits != 0 && !f(w, bits)) return false;
    }
  }
  return true;
}

/// Calls f(document) for the bits of words[d / 64] that are set in [begin, end), ascending; or
/// all(first document) for words of which all are. `word(i)` is the i-th word.
template <class Word, class F, class All>
void for_each_bit(DocumentRange range, const Word& word, const F& f, const All& all) {
  if (range.begin >= range.end) return;
  const std::uint32_t end = (range.end - 1) / 64 + 1;
  for_each_word(range.begin / 64, end, word, [&](std::uint32_t w, std::uint64_t bits) {
    bits = bits_in(range, w, bits);
    if (bits == ~std::uint64_t{0}) {
      all(w * 64);
      return true;
    }
    for (; bits != 0; bits &= bits - 1) {
      f(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
    return true;
  });
}

template <class Word, class F>
void for_each_bit(DocumentRange range, const Word& word, const F& f) {
  for_each_bit(range, word, f, [&](std::uint32_t first) {
    for (std::uint32_t i = 0; i < 64; ++i) f(first + i);
  });
}

/// Whether any of them matches.
inline bool any_in(const DocumentBitmap& matches, DocumentRange range) {
  if (range.begin >= range.end) return false;
  return !for_each_word(
      range.begin / 64, (range.end - 1) / 64 + 1, [&](std::uint32_t w) { return matches.words[w]; },
      [&](std::uint32_t w, std::uint64_t bits) { return bits_in(range, w, bits) == 0; });
}

/// A range from which are taken away the stretches at its ends of which it is known that none of
/// their documents match: an empty range if that is all of them. The range must begin with a
/// stretch.
inline DocumentRange touched_part(const DocumentBitmap& matches, DocumentRange range) {
  if (matches.touched.empty()) return range;
  constexpr std::uint64_t kStretch = DocumentBitmap::kStretch;
  std::uint64_t first = range.begin / kStretch;
  std::uint64_t end = (range.end + kStretch - 1) / kStretch;
  while (first < end && matches.touched[first] == 0) ++first;
  while (end > first && matches.touched[end - 1] == 0) --end;
  return {static_cast<std::uint32_t>(std::max<std::uint64_t>(range.begin, first * kStretch)),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(range.end, end * kStretch))};
}

}  // namespace gannet::query
