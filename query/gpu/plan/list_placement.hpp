// Which lists are in device memory, for an index that is larger than its share of it. Host code;
// needs no GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "query/gpu/plan/device_lists.hpp"

namespace gannet::query::cuda {

/// The words of a list, docids and frequencies.
struct ListWords {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The words of each list, up to where the next one begins. `table`: that of DeviceLists, whose
/// lists have `all_words` words together. 0 words for lists without a location.
std::vector<ListWords> words_of_lists(std::span<const DeviceList> table, std::uint64_t all_words);

/// A list in device memory.
struct PlacedList {
  index::TermId term;
  std::uint64_t first_word;  ///< in device memory
  friend bool operator==(const PlacedList&, const PlacedList&) = default;
};

/// Fills `room` words of device memory with the lists that are used most, and of equally used ones
/// with the shortest: these are read as a whole, while bounds skip most of the long ones. Lists
/// keep their alignment to 16 bytes. The result is in the order of memory, and depends on the
/// arguments alone. Takes n log n steps for n lists.
std::vector<PlacedList> place_lists(std::span<const ListWords> lists,
                                    std::span<const std::uint32_t> uses, std::uint64_t room);

/// The number to add to an offset from `host` to get an offset from `device`, modulo 2^64. Both are
/// in one address space of 64 bits.
std::uint64_t offset_between(const std::uint32_t* device, const std::uint32_t* host);

}  // namespace gannet::query::cuda
