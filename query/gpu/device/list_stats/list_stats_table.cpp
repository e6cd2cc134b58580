#include "query/gpu/device/list_stats/list_stats_table.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <iterator>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/bounds/word_lists.hpp"
#include "query/gpu/device/kernels/pruned/launches.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/list_location.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

/// Lists whose statistics the kernels compute at a time: counts by size take 32 KB for each.
constexpr std::size_t kListsAtOnce = 256;
/// Lists at a time where memory is short, at least.
constexpr std::size_t kMinAtOnce = 4;
/// Memory for bounds is allocated in slabs. A slab is as large as all slabs before it together,
/// within these limits, so that a small index takes little of the device.
constexpr std::uint64_t kMinSlab = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxSlab = std::uint64_t{64} << 20;
/// After memory was refused, this many lists get no bounds before it is asked for again.
constexpr std::uint32_t kPatience = 256;
constexpr std::uint64_t kBoundsAlign = 256;

/// The bitmap on the current device; empty if no document is deleted.
BudgetArray<std::uint64_t> upload_live(const index::LiveDocuments* live) {
  if (live == nullptr) return {};
  const std::size_t room = bitmap_room(static_cast<std::uint32_t>(live->documents()));
  return upload(live->words(), MemoryUse::kFilters, room - live->words().size());
}

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kBoundsAlign - 1) / kBoundsAlign * kBoundsAlign;
}

/// A slab of `bytes` or, if memory is short, of `least` bytes; an empty one if there is not even
/// that.
BudgetArray<unsigned char> make_slab(std::uint64_t bytes, std::uint64_t least) {
  for (;; bytes = least) {
    try {
      return BudgetArray<unsigned char>(bytes, MemoryUse::kBounds);
    } catch (const DeviceMemoryError&) {
      if (bytes == least) return {};
    }
  }
}

}  // namespace

std::uint64_t BoundsRooms::code_bytes() const {
  return aligned(std::uint64_t{superblocks_} * kRangesPerSuperblock);
}

BoundsRoom BoundsRooms::take_codes(const BoundsRoom& bounds) {
  unsigned char* const room = take(code_bytes());
  if (room == nullptr) return {};
  return {room, bounds.steps, bounds.bases, bounds.groups};
}

std::uint64_t BoundsRooms::bytes_for(std::uint32_t count, bool small_groups) const {
  const std::uint64_t groups = std::uint64_t{codecs::tile_count(count)} * kGroupsPerTile + 1;
  return code_bytes() + aligned(2 * (std::uint64_t{superblocks_} + 1)) +
         aligned(4 * (std::uint64_t{superblocks_} / kPointerGroup + 1)) +
         (small_groups ? aligned(4 * groups) : 0);
}

BoundsRoom BoundsRooms::take(std::uint32_t count, bool small_groups) {
  const std::uint64_t codes = code_bytes();
  const std::uint64_t steps = aligned(2 * (std::uint64_t{superblocks_} + 1));
  const std::uint64_t bases = aligned(4 * (std::uint64_t{superblocks_} / kPointerGroup + 1));
  unsigned char* const room = take(bytes_for(count, small_groups));
  if (room == nullptr) return {};
  const auto words = [&](std::uint64_t at) { return reinterpret_cast<std::uint32_t*>(room + at); };
  return {room, reinterpret_cast<std::uint16_t*>(room + codes), words(codes + steps),
          small_groups ? words(codes + steps + bases) : nullptr};
}

unsigned char* BoundsRooms::take(std::uint64_t bytes) {
  std::uint64_t slab = 0;
  {
    const std::lock_guard lock(mutex_);
    if (refused_ > 0) {
      --refused_;
      return nullptr;
    }
    if (unsigned char* const room = take_here(bytes)) return room;
    slab = std::max(bytes, std::clamp(slab_bytes_, kMinSlab, kMaxSlab));
  }
  BudgetArray<unsigned char> made = make_slab(slab, std::max(bytes, kMinSlab));
  const std::lock_guard lock(mutex_);
  if (made.size() == 0) {
    refused_ = kPatience;  // lists without bounds are decoded as a whole
    return nullptr;
  }
  // Of two threads that wanted a slab, the second takes of the first one's; its own is freed,
  // without the lock.
  if (unsigned char* const room = take_here(bytes)) return room;
  slab_bytes_ += made.size();
  slabs_.push_back(std::move(made));
  used_ = 0;
  return take_here(bytes);
}

/// Memory in the last slab, or null if it is full. The caller holds the lock.
unsigned char* BoundsRooms::take_here(std::uint64_t bytes) {
  if (slabs_.empty() || slabs_.back().size() - used_ < bytes) return nullptr;
  unsigned char* const room = slabs_.back().data() + used_;
  used_ += bytes;
  bytes_ += bytes;
  return room;
}

std::uint64_t BoundsRooms::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

/// Claims on lists that end with this object, also after an error.
class ListStatsTable::Claims {
 public:
  Claims(ListStatsTable& table, std::span<const MissingList> lists)
      : table_(table), lists_(lists) {}
  ~Claims() { table_.unclaim(lists_); }
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

 private:
  ListStatsTable& table_;
  const std::span<const MissingList> lists_;
};

ListStatsTable::ListStatsTable(const index::Segment& segment, const DeviceIndex& copy,
                               std::uint32_t least_count, const index::LiveDocuments* live)
    : segment_(segment),
      copy_(copy),
      least_count_(least_count),
      live_(upload_live(live)),
      counted_(copy.view().documents - (live == nullptr ? 0 : live->deleted())),
      rooms_(padded_superblocks(copy.view().documents)) {}

ListStatsTable::ListStatsTable(ListStatsTable& all, std::shared_ptr<const DeviceFilter> filter)
    : segment_(all.segment_),
      copy_(all.copy_),
      least_count_(all.least_count_),
      all_(&all),
      filter_(std::move(filter)),
      counted_(filter_->passing()),
      rooms_(padded_superblocks(all.documents())) {}

double ListStatsTable::compute(std::vector<MissingList> lists, tbb::task_arena& arena,
                               const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::ranges::sort(lists, {}, &MissingList::key);
  const auto same = [](const MissingList& a, const MissingList& b) { return a.key == b.key; };
  lists.erase(std::unique(lists.begin(), lists.end(), same), lists.end());
  for (;;) {
    const std::vector<MissingList> mine = claim(lists);
    if (!mine.empty()) compute_claimed(mine, arena, stop);
    if (lists.empty()) break;
    wait_for(lists, stop);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Claims the lists that have no statistics and that no other thread computes, and returns them:
/// the caller must compute them. Removes these from `lists`, and those that have statistics by now.
/// Other threads compute the lists that are left.
std::vector<MissingList> ListStatsTable::claim(std::vector<MissingList>& lists) {
  std::vector<MissingList> mine;
  const std::lock_guard lock(mutex_);
  std::erase_if(lists, [&](const MissingList& list) {
    if (find(list.key) != nullptr) return true;
    if (!claimed_.insert(list.key).second) return false;
    mine.push_back(list);
    return true;
  });
  return mine;
}

void ListStatsTable::unclaim(std::span<const MissingList> lists) {
  {
    const std::lock_guard lock(mutex_);
    for (const MissingList& list : lists) claimed_.erase(list.key);
  }
  computed_.notify_all();
}

/// Waits until no thread has a claim on any of the lists: it has computed them, or has failed.
void ListStatsTable::wait_for(std::span<const MissingList> lists, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto unclaimed = [&] {
    return std::ranges::none_of(
        lists, [&](const MissingList& list) { return claimed_.contains(list.key); });
  };
  if (!computed_.wait(lock, stop, unclaimed)) throw CancelledError("cancelled");
}

/// Computes the statistics of lists that this thread has claimed, and ends the claims.
void ListStatsTable::compute_claimed(std::span<const MissingList> lists, tbb::task_arena& arena,
                                     const std::stop_token& stop) {
  const Claims claims(*this, lists);
  if (all_ != nullptr) {
    all_->compute({lists.begin(), lists.end()}, arena, stop);
  } else {
    check_lists(lists, arena, stop);
  }
  for (std::size_t at_once = kListsAtOnce; !lists.empty();) {
    throw_if_stopped(stop);
    const auto some = lists.first(std::min(at_once, lists.size()));
    try {
      compute_on_device(some);
      lists = lists.subspan(some.size());
    } catch (const DeviceMemoryError&) {
      if (at_once <= kMinAtOnce) throw;
      at_once /= 4;
    }
  }
}

/// Throws FormatError if a list is damaged, as the CPU back end does. A list that is used for the
/// first time is decoded for that, which takes longer than everything else here.
void ListStatsTable::check_lists(std::span<const MissingList> lists, tbb::task_arena& arena,
                                 const std::stop_token& stop) const {
  const auto check_one = [&](std::size_t i) {
    throw_if_stopped(stop);
    if (lists[i].place != nullptr) return;  // merging has decoded the lists of a union
    const StopScope scope(stop);
    segment_.list(lists[i].key.id);
  };
  if (lists.size() == 1) return check_one(0);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, lists.size(), check_one); });
}

const DeviceList& ListStatsTable::place_of(const MissingList& list) const {
  return list.place != nullptr ? *list.place : copy_.lists()[list.key.id];
}

/// Device memory for the bounds of a list that this thread has claimed; null pointers if the list
/// gets no bounds of its own. A second attempt after an error gets what the first one was given.
BoundsRoom ListStatsTable::room_of(const MissingList& list, bool small_groups) {
  {
    const std::lock_guard lock(mutex_);
    const auto taken = taken_.find(list.key);
    if (taken != taken_.end()) return taken->second;
  }
  const BoundsRoom room = take_room(list, small_groups);
  if (room.codes == nullptr) return room;
  if (by_term_.find(list.key.id) != nullptr) {
    repeated_ += rooms_.bytes_for(place_of(list).count, small_groups);
  }
  const std::lock_guard lock(mutex_);
  taken_.emplace(list.key, room);
  return room;
}

BoundsRoom ListStatsTable::take_room(const MissingList& list, bool small_groups) {
  if (all_ != nullptr) {
    const BoundsRoom& bounds = all_->find(list.key)->room;
    return bounds.codes != nullptr ? rooms_.take_codes(bounds) : BoundsRoom{};
  }
  const std::uint32_t count = place_of(list).count;
  return count >= least_count_ ? rooms_.take(count, small_groups) : BoundsRoom{};
}

/// What the statistics of a list are of. Those of what passes may use the largest contribution of
/// all documents, so they are of the same.
Contribution ListStatsTable::unit_of(const MissingList& list) const {
  if (all_ != nullptr) return all_->find(list.key)->unit;
  return unit_of_list(*list.plan, static_cast<std::uint32_t>(list.term));
}

ListStats ListStatsTable::make_stats(const MissingList& list, const Contribution& unit,
                                     const BoundsRoom& room, const ListFacts& facts) const {
  ListStats stats{unit,
                  std::bit_cast<float>(facts.largest),
                  std::bit_cast<float>(facts.best),
                  room,
                  place_of(list),
                  {}};
  std::ranges::transform(facts.at_rank, stats.at_rank.begin(),
                         [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
  // Without bounds of what passes, or if nothing passes, the bounds of all documents are used. (The
  // search gives each posting of a list without bounds one, also if its document does not pass.)
  if (all_ != nullptr && (room.codes == nullptr || stats.best == 0)) {
    const ListStats& all = *all_->find(list.key);
    stats.room = all.room;
    stats.largest = all.largest;
  }
  return stats;
}

void ListStatsTable::compute_on_device(std::span<const MissingList> lists) {
  // These allocations come first, since they may fail, and memory for bounds is not given back.
  BudgetArray<FactList> device_table(lists.size());
  BudgetArray<ListFacts> facts(lists.size());
  BudgetArray<std::uint32_t> sizes(lists.size() * kSizeBuckets);
  const codecs::cuda::OwnedStream stream;
  std::vector<FactList> table;
  std::vector<Contribution> units;
  FactsView view{};
  const bool small_groups = uses_small_groups(copy_.view(), lists.front().plan->scorer().id);
  for (const MissingList& list : lists) {
    const DeviceList& place = place_of(list);
    const Contribution unit = unit_of(list);
    ListLocation location = list_location(copy_.view(), place);
    if (list.place != nullptr) location.on_host = 0;
    table.push_back({location, unit.weighted_constants(), unit.term_constants(),
                     copy_.lengths_of(unit.text()), room_of(list, small_groups)});
    units.push_back(unit);
    view.most_tiles = std::max(view.most_tiles, codecs::tile_count(place.count));
  }
  codecs::cuda::fill(device_table.data(), std::span<const FactList>(table), 0);
  check(cudaMemsetAsync(facts.data(), 0, facts.bytes(), stream), "cudaMemsetAsync");
  check(cudaMemsetAsync(sizes.data(), 0, sizes.bytes(), stream), "cudaMemsetAsync");
  view.index = copy_.view();
  view.filter = filter_ != nullptr ? filter_->view().words : nullptr;
  view.counted = live_.data();
  view.scorer = lists.front().plan->scorer().id;
  view.superblocks = padded_superblocks(view.index.documents);
  view.list_count = static_cast<std::uint32_t>(lists.size());
  std::ranges::copy(kKnownRanks, view.ranks);
  view.lists = device_table.data();
  view.facts = facts.data();
  view.sizes = sizes.data();
  launch_facts(view, stream);
  std::vector<ListFacts> found(lists.size());
  fetch(found.data(), facts.data(), found.size(), stream);
  stream.wait();
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    stats_.push_back(make_stats(lists[i], units[i], table[i].row, found[i]));
    by_term_.add(lists[i].key.id, stats_.back());
    taken_.erase(lists[i].key);
  }
}

std::uint64_t ListStatsTable::bytes() const { return rooms_.bytes() + live_.bytes(); }

}  // namespace gannet::query::cuda
