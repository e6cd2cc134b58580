// Statistics of lists that the kernels compute before the first search: bounds, pointers, best
// scores.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/device/kernels/pruned/list_facts.cuh"
#include "query/gpu/device/kernels/pruned/list_pointers.cuh"
#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/pruned/list_stats.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"

namespace gannet::query::cuda {

/// Bounds of one list, on the host.
struct Room {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint16_t> steps;
  std::vector<std::uint32_t> bases, groups;
};

/// What list_stats_table.cpp computes with the device, for all lists of a segment.
template <class Tiles, class Scorers>
class KernelListStats {
 public:
  /// Among all documents; those of `live` have ranks, all if it is null.
  KernelListStats(const SegmentCopy& copy, const std::vector<Contribution>& units,
                  std::uint32_t least_count, const std::uint64_t* live = nullptr)
      : rooms_(units.size()), facts(units.size()) {
    const std::uint32_t superblocks = padded_superblocks(copy.view.documents);
    compute(copy, units, {nullptr, live}, [&](std::size_t i) {
      const std::uint32_t count = copy.lists.table[i].count;
      return count < least_count ? BoundsRoom{} : room(i, superblocks, count);
    });
  }

  /// Among the documents whose bit is set.
  KernelListStats(const SegmentCopy& copy, const std::vector<Contribution>& units,
                  const KernelListStats& all, const std::vector<std::uint64_t>& filter)
      : rooms_(units.size()), facts(units.size()) {
    compute(copy, units, {filter.data(), nullptr}, [&](std::size_t i) {
      BoundsRoom room = all.stats[i].room;
      if (room.codes == nullptr) return room;
      rooms_[i].codes = std::vector<std::uint8_t>(
          padded_superblocks(copy.view.documents) * kRangesPerSuperblock, 0xaa);
      room.codes = rooms_[i].codes.data();
      return room;
    });
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (stats[i].room.codes != nullptr && stats[i].best != 0) continue;
      stats[i].room = all.stats[i].room;
      stats[i].largest = all.stats[i].largest;
    }
  }

  std::vector<ListStats> stats;

 private:
  /// FactsView's members of these names.
  struct Documents {
    const std::uint64_t* filter;
    const std::uint64_t* counted;
  };

  template <class RoomOf>
  void compute(const SegmentCopy& copy, const std::vector<Contribution>& units,
               const Documents& documents, RoomOf room_of) {
    if (units.empty()) return;
    const std::uint32_t superblocks = padded_superblocks(copy.view.documents);
    std::vector<FactList> lists;
    std::vector<std::uint32_t> sizes(units.size() * kSizeBuckets);
    FactsView view{};
    for (std::size_t i = 0; i < units.size(); ++i) {
      const DeviceList& place = copy.lists.table[i];
      lists.push_back({list_location(copy.view, place), units[i].weighted_constants(),
                       units[i].term_constants(),
                       copy.view.lengths + copy.texts.of(units[i].text()), room_of(i)});
      view.most_tiles = std::max(view.most_tiles, codecs::tile_count(place.count));
    }
    view.index = copy.view;
    view.filter = documents.filter;
    view.counted = documents.counted;
    view.scorer = units.front().plan_constants().scorer;
    view.superblocks = superblocks;
    view.list_count = static_cast<std::uint32_t>(lists.size());
    std::ranges::copy(kKnownRanks, view.ranks);
    view.lists = lists.data();
    view.facts = facts.data();
    view.sizes = sizes.data();
    const auto count = static_cast<unsigned>(lists.size());
    simt::launch({.grid = {codecs::ceil_div(view.most_tiles, kTilesPerCount), count, 1},
                  .block = {kFactThreads, 1, 1}},
                 count_sizes_kernel<Tiles, Scorers>, view);
    simt::launch({.grid = {count, 1, 1}, .block = {kLanes, 1, 1}}, known_ranks_kernel, view);
    if (documents.filter == nullptr) {
      simt::launch({.grid = {codecs::ceil_div(superblocks + 1, kPointerThreads), count, 1},
                    .block = {kPointerThreads, 1, 1}},
                   point_superblocks_kernel, view);
    }
    simt::launch({.grid = {codecs::ceil_div(superblocks, kChunkSuperblocks), count, 1},
                  .block = {kFactThreads, 1, 1}},
                 code_ranges_kernel<Tiles, Scorers>, view);
    for (std::size_t i = 0; i < units.size(); ++i) {
      keep(units[i], lists[i].row, copy.lists.table[i], facts[i]);
    }
  }

  BoundsRoom room(std::size_t i, std::uint32_t superblocks, std::uint32_t count) {
    Room& room = rooms_[i];
    room.codes.resize(superblocks * kRangesPerSuperblock);
    room.steps.resize(superblocks + 1);
    room.bases.resize(superblocks / kPointerGroup + 1);
    if (Tiles::kGroup == kSmallGroup) {
      room.groups.resize(codecs::tile_count(count) * kGroupsPerTile + 1);
    }
    return {room.codes.data(), room.steps.data(), room.bases.data(),
            room.groups.empty() ? nullptr : room.groups.data()};
  }

  void keep(const Contribution& unit, const BoundsRoom& room, const DeviceList& place,
            const ListFacts& found) {
    ListStats list{
        unit, std::bit_cast<float>(found.largest), std::bit_cast<float>(found.best), room, place,
        {}};
    std::ranges::transform(found.at_rank, list.at_rank.begin(),
                           [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
    stats.push_back(list);
  }

  std::vector<Room> rooms_;

 public:
  std::vector<ListFacts> facts;
};

}  // namespace gannet::query::cuda
