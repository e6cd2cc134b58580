// Which lists of an index that is larger than its share of device memory stand there. Host code;
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

/// The words of each list: up to where the next one begins. `table`: of DeviceLists, whose lists
/// have `all_words` together; none for lists that are nowhere.
std::vector<ListWords> words_of_lists(std::span<const DeviceList> table, std::uint64_t all_words);

/// A list that stands in device memory.
struct PlacedList {
  index::TermId term;
  std::uint64_t first_word;  ///< in device memory
  friend bool operator==(const PlacedList&, const PlacedList&) = default;
};

/// Fills `room` words of device memory: with the lists that are used the most, and of equally used
/// ones with the shortest, which are read as a whole where of long ones bounds skip the most. Lists
/// keep their alignment to 16 bytes. In the order of memory. Equal arguments give equal places.
std::vector<PlacedList> place_lists(std::span<const ListWords> lists,
                                    std::span<const std::uint32_t> uses, std::uint64_t room);

/// What makes an offset from `device` of an offset from `host`, modulo 2^64: the two are in one
/// address space, and pointers are 64 bits.
std::uint64_t offset_between(const std::uint32_t* device, const std::uint32_t* host);

}  // namespace gannet::query::cuda
