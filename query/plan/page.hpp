// Where the hits of a plan begin, for paging: behind the last hit of the page before.
#pragma once

#include <cstdint>

namespace gannet::query {

/// Above every rank key (results/hits.hpp).
inline constexpr std::uint64_t kNoBound = ~std::uint64_t{0};

/// Where a page of hits begins; by default at the best hit. page_after() (results/hits.hpp) makes
/// others.
struct PageStart {
  /// More documents than an index can have.
  static constexpr std::uint64_t kUnknown = std::uint64_t{1} << 32;

  /// Only hits with a smaller rank key are results.
  std::uint64_t below = kNoBound;
  /// At most so many matching documents have this key or a larger one. Pruned searches begin with a
  /// higher threshold if it is known. If it is too small, hits may be missing.
  std::uint64_t before = 0;

  bool first() const { return below == kNoBound; }
  bool operator==(const PageStart&) const = default;
};

/// PageStart::below for a part of the index that begins at `docid_base` and counts its docids from
/// 0.
inline std::uint64_t bound_in_part(std::uint64_t below, std::uint32_t docid_base) {
  if (below == kNoBound) return below;
  const std::uint32_t docid = 0xffffffffu - static_cast<std::uint32_t>(below);
  // All documents of a part behind the hit come after it if they have its score. Those of a part
  // before it do not: the docid is then beyond the part's last.
  return docid < docid_base ? ((below >> 32) + 1) << 32 : below + docid_base;
}

}  // namespace gannet::query
