#include "query/filter/code_set.hpp"

#include <algorithm>
#include <cstring>

namespace gannet::query {
namespace {

using index::CodeRange;

/// More ranges than these are looked up, not compared with one after the other.
constexpr std::size_t kFewRanges = 6;
/// Codes that a table may span: 512 KiB.
constexpr std::uint64_t kMaxTable = std::uint64_t{1} << 22;
constexpr std::uint32_t kWord = 64;

/// Eight bytes that are 0 or 1 as the bits of one: the product brings byte i to bit 56 + i.
std::uint64_t pack(const std::uint8_t* flags) {
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < 8; ++i) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, flags + 8 * i, 8);
    word |= (eight * 0x0102040810204080u >> 56) << (8 * i);
  }
  return word;
}

/// Bits of the 64 codes that are in one of a few ranges. The loops become vectors.
template <class Code>
std::uint64_t compare(const Code* codes, const CodeRange* ranges, std::size_t count) {
  alignas(64) std::uint8_t flags[kWord] = {};
  for (std::size_t r = 0; r < count; ++r) {
    const auto first = static_cast<Code>(ranges[r].first);
    const auto span = static_cast<Code>(ranges[r].end - 1 - ranges[r].first);
    for (std::uint32_t i = 0; i < kWord; ++i) {
      flags[i] = static_cast<std::uint8_t>(flags[i] |
                                           (static_cast<Code>(codes[i] - first) <= span ? 1 : 0));
    }
  }
  return pack(flags);
}

std::uint64_t first_bits(std::uint32_t count) {
  return count >= kWord ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

CodeSet::CodeSet(std::vector<CodeRange> ranges) {
  std::erase_if(ranges, [](const CodeRange& range) { return range.empty(); });
  std::ranges::sort(ranges, {}, &CodeRange::first);
  for (const CodeRange& range : ranges) {
    if (!ranges_.empty() && range.first <= ranges_.back().end) {
      ranges_.back().end = std::max(ranges_.back().end, range.end);
    } else {
      ranges_.push_back(range);
    }
  }
  if (ranges_.size() <= kFewRanges) return;
  const std::uint64_t first = ranges_.front().first;
  const std::uint64_t span = ranges_.back().end - first;
  if (span > kMaxTable) return;
  table_.resize(static_cast<std::size_t>(span + kWord - 1) / kWord);
  for (const CodeRange& range : ranges_) {
    for (std::uint64_t code = range.first - first; code < range.end - first; ++code) {
      table_[code / kWord] |= std::uint64_t{1} << code % kWord;
    }
  }
}

std::size_t CodeSet::first_behind(std::uint64_t code) const {
  const auto at = std::ranges::upper_bound(ranges_, code, {}, &CodeRange::end);
  return static_cast<std::size_t>(at - ranges_.begin());
}

bool CodeSet::holds(std::uint64_t code) const {
  const std::size_t i = first_behind(code);
  return i < ranges_.size() && ranges_[i].first <= code;
}

std::uint64_t CodeSet::among(std::uint64_t least, std::uint64_t greatest) const {
  std::uint64_t count = 0;
  for (std::size_t i = first_behind(least); i < ranges_.size() && ranges_[i].first <= greatest;
       ++i) {
    count += std::min(ranges_[i].end - 1, greatest) - std::max(ranges_[i].first, least) + 1;
  }
  return count;
}

bool CodeSet::holds_none(std::uint64_t least, std::uint64_t greatest) const {
  const std::size_t i = first_behind(least);
  return i == ranges_.size() || ranges_[i].first > greatest;
}

bool CodeSet::holds_all(std::uint64_t least, std::uint64_t greatest) const {
  const std::size_t i = first_behind(least);
  return i < ranges_.size() && ranges_[i].first <= least && greatest < ranges_[i].end;
}

template <class Code>
void CodeSet::find(const Code* codes, std::uint32_t count, std::uint64_t least,
                   std::uint64_t greatest, std::uint64_t* words) const {
  const std::size_t begin = first_behind(least);
  std::size_t end = begin;
  while (end < ranges_.size() && end - begin <= kFewRanges && ranges_[end].first <= greatest) ++end;
  const bool few = end - begin <= kFewRanges;
  for (std::uint32_t i = 0; i < count; i += kWord) {
    std::uint64_t word = 0;
    if (few) {
      word = compare(codes + i, ranges_.data() + begin, end - begin);
    } else if (!table_.empty()) {
      const std::uint64_t first = ranges_.front().first;
      for (std::uint32_t j = 0; j < kWord; ++j) {
        const std::uint64_t at = std::uint64_t{codes[i + j]} - first;
        const bool inside = at / kWord < table_.size();
        word |= (inside ? table_[at / kWord] >> at % kWord & 1 : 0) << j;
      }
    } else {
      for (std::uint32_t j = 0; j < kWord; ++j) word |= std::uint64_t{holds(codes[i + j])} << j;
    }
    words[i / kWord] = word & first_bits(count - i);
  }
}

template void CodeSet::find(const std::uint32_t*, std::uint32_t, std::uint64_t, std::uint64_t,
                            std::uint64_t*) const;
template void CodeSet::find(const std::uint64_t*, std::uint32_t, std::uint64_t, std::uint64_t,
                            std::uint64_t*) const;

}  // namespace gannet::query
