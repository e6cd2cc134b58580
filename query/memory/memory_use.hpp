// What the memory of a device is for, and what it costs to give some of it back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gannet::query {

/// In the order in which memory is given back.
enum class MemoryUse : std::uint8_t {
  kBatches,  ///< buffers of calls
  kFilters,  ///< bitmaps of documents that pass
  kBitmaps,  ///< bitmaps of lists, for counts and docids
  kColumns,  ///< fields that filters, facets and sorting read
  kBounds,   ///< what rules out work in lists
  kLists,    ///< the copy of the index
};
inline constexpr std::size_t kMemoryUses = 6;

constexpr std::string_view name_of(MemoryUse use) {
  constexpr std::array<std::string_view, kMemoryUses> kNames{"batches", "filters", "bitmaps",
                                                             "columns", "bounds",  "lists"};
  return kNames[static_cast<std::size_t>(use)];
}

/// What it takes to have a byte again that was given back, in ps, roughly; what costs less goes
/// first. Buffers hold nothing. A filter of 25 M documents (3.5 MB) is made from a column in 30 us;
/// a bitmap of as many takes decoding its list of 2 M postings or more; a column is decoded by the
/// host and crosses the bus; bounds need their lists decoded once more; lists that are not there
/// cross the bus in every search.
constexpr std::uint32_t cost_of(MemoryUse use) {
  constexpr std::array<std::uint32_t, kMemoryUses> kCosts{0, 10, 20, 1'000, 4'000, 1'000'000};
  return kCosts[static_cast<std::size_t>(use)];
}

/// Whether work goes on without: slower, on the device or on the host. Such memory takes nothing
/// away that is dearer than it is.
constexpr bool is_optional(MemoryUse use) {
  return use == MemoryUse::kBitmaps || use == MemoryUse::kColumns || use == MemoryUse::kBounds;
}

}  // namespace gannet::query
