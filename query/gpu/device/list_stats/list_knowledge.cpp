#include "query/gpu/device/list_stats/list_knowledge.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <iterator>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/gpu/device/kernels/pruned/launches.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/list_place.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

/// Lists that kernels find out about at the same time: counts by size take 32 KB each.
constexpr std::size_t kListsAtOnce = 256;
/// With less memory fewer, down to this number.
constexpr std::size_t kMinAtOnce = 4;
/// Room is allocated in pieces as large as all before them together, but from one of these to the
/// other: a small index takes little of the device.
constexpr std::uint64_t kMinSlab = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxSlab = std::uint64_t{64} << 20;
/// After memory was refused, this many lists get no bounds before it is asked for again.
constexpr std::uint32_t kPatience = 256;
constexpr std::uint64_t kKnowledgeAlign = 256;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kKnowledgeAlign - 1) / kKnowledgeAlign * kKnowledgeAlign;
}

/// So many bytes or, where these are not to be had, the least; empty if there is not even that.
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

BoundsRoom BoundsRooms::take(std::uint32_t count, bool small_groups) {
  const std::uint64_t codes = code_bytes();
  const std::uint64_t steps = aligned(2 * (std::uint64_t{superblocks_} + 1));
  const std::uint64_t bases = aligned(4 * (std::uint64_t{superblocks_} / kPointerGroup + 1));
  const std::uint64_t groups =
      small_groups ? aligned(4 * (std::uint64_t{codecs::tile_count(count)} * kGroupsPerTile + 1))
                   : 0;
  unsigned char* const room = take(codes + steps + bases + groups);
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

/// In the last slab, if there is room; needs the lock.
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

/// Ends claims, however work on them ends.
class ListKnowledge::Claims {
 public:
  Claims(ListKnowledge& knowledge, std::span<const WantedList> lists)
      : knowledge_(knowledge), lists_(lists) {}
  ~Claims() { knowledge_.unclaim(lists_); }
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

 private:
  ListKnowledge& knowledge_;
  const std::span<const WantedList> lists_;
};

ListKnowledge::ListKnowledge(const index::Segment& segment, const DeviceIndex& copy,
                             std::uint32_t least_count)
    : segment_(segment),
      copy_(copy),
      least_count_(least_count),
      rooms_(padded_superblocks(copy.view().documents)) {}

ListKnowledge::ListKnowledge(ListKnowledge& all, std::shared_ptr<const DeviceFilter> filter)
    : segment_(all.segment_),
      copy_(all.copy_),
      least_count_(all.least_count_),
      all_(&all),
      filter_(std::move(filter)),
      rooms_(padded_superblocks(all.documents())) {}

double ListKnowledge::learn(std::vector<WantedList> lists, tbb::task_arena& arena,
                            const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::ranges::sort(lists, {}, &WantedList::id);
  const auto same = std::ranges::unique(lists, {}, &WantedList::id);
  lists.erase(same.begin(), same.end());
  for (;;) {
    const std::vector<WantedList> mine = claim(lists);
    if (!mine.empty()) learn_claimed(mine, arena, stop);
    if (lists.empty()) break;
    wait_for(lists, stop);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Takes away what is known, and what nobody finds out about yet, which it returns: the caller is
/// to do it. What is left is on its way.
std::vector<WantedList> ListKnowledge::claim(std::vector<WantedList>& lists) {
  std::vector<WantedList> mine;
  const std::lock_guard lock(mutex_);
  std::erase_if(lists, [&](const WantedList& list) {
    if (find(list.id) != nullptr) return true;
    if (!claimed_.insert(list.id).second) return false;
    mine.push_back(list);
    return true;
  });
  return mine;
}

void ListKnowledge::unclaim(std::span<const WantedList> lists) {
  {
    const std::lock_guard lock(mutex_);
    for (const WantedList& list : lists) claimed_.erase(list.id);
  }
  learnt_.notify_all();
}

/// Until nobody finds out about any of them, be it that somebody failed.
void ListKnowledge::wait_for(std::span<const WantedList> lists, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto unclaimed = [&] {
    return std::ranges::none_of(lists,
                                [&](const WantedList& list) { return claimed_.contains(list.id); });
  };
  if (!learnt_.wait(lock, stop, unclaimed)) throw CancelledError("cancelled");
}

/// Needs claims, and ends them.
void ListKnowledge::learn_claimed(std::span<const WantedList> lists, tbb::task_arena& arena,
                                  const std::stop_token& stop) {
  const Claims claims(*this, lists);
  if (all_ != nullptr) {
    all_->learn({lists.begin(), lists.end()}, arena, stop);
  } else {
    check_lists(lists, arena, stop);
  }
  for (std::size_t at_once = kListsAtOnce; !lists.empty();) {
    throw_if_stopped(stop);
    const auto some = lists.first(std::min(at_once, lists.size()));
    try {
      find_out(some);
      lists = lists.subspan(some.size());
    } catch (const DeviceMemoryError&) {
      if (at_once <= kMinAtOnce) throw;
      at_once /= 4;
    }
  }
}

/// Throws if a list is damaged, as the CPU back end does. A list that is used for the first time is
/// decoded: that takes longer than all else here.
void ListKnowledge::check_lists(std::span<const WantedList> lists, tbb::task_arena& arena,
                                const std::stop_token& stop) const {
  const auto check_one = [&](std::size_t i) {
    throw_if_stopped(stop);
    const StopScope scope(stop);
    segment_.list(lists[i].id);
  };
  if (lists.size() == 1) return check_one(0);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, lists.size(), check_one); });
}

/// Room for the bounds of a list; null pointers if it is to have none, or none of its own. It is
/// the list's until it is known: who tries again after an error takes no other. Needs a claim.
BoundsRoom ListKnowledge::room_of(index::TermId id, bool small_groups) {
  {
    const std::lock_guard lock(mutex_);
    const auto taken = taken_.find(id);
    if (taken != taken_.end()) return taken->second;
  }
  const BoundsRoom room = take_room(id, small_groups);
  if (room.codes == nullptr) return room;
  const std::lock_guard lock(mutex_);
  taken_.emplace(id, room);
  return room;
}

BoundsRoom ListKnowledge::take_room(index::TermId id, bool small_groups) {
  if (all_ != nullptr) {
    const BoundsRoom& bounds = all_->find(id)->room;
    return bounds.codes != nullptr ? rooms_.take_codes(bounds) : BoundsRoom{};
  }
  const std::uint32_t count = copy_.lists()[id].count;
  return count >= least_count_ ? rooms_.take(count, small_groups) : BoundsRoom{};
}

KnownList ListKnowledge::known_list(index::TermId id, const Contribution& unit,
                                    const BoundsRoom& room, const ListFacts& facts) const {
  const auto best = std::bit_cast<float>(facts.largest);
  KnownList known{room, unit, best, best, {}};
  std::ranges::transform(facts.at_rank, known.at_rank.begin(),
                         [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
  // Where there are no bounds of what passes, or nothing passes, those of all serve. (Each posting
  // of a list without bounds is given one, also those of documents that do not pass.)
  if (all_ != nullptr && (room.codes == nullptr || known.best == 0)) {
    const KnownList& all = *all_->find(id);
    known.room = all.room;
    known.largest = all.largest;
  }
  return known;
}

void ListKnowledge::find_out(std::span<const WantedList> lists) {
  // First what may find no room: what is taken for bounds is not given back.
  BudgetArray<FactList> device_table(lists.size());
  BudgetArray<ListFacts> facts(lists.size());
  BudgetArray<std::uint32_t> sizes(lists.size() * kSizeBuckets);
  const codecs::cuda::OwnedStream stream;
  std::vector<FactList> table;
  std::vector<Contribution> units;
  FactsView view{};
  const bool small_groups = uses_small_groups(copy_.view(), lists.front().plan->scorer().id);
  for (const WantedList& list : lists) {
    const DeviceList& place = copy_.lists()[list.id];
    units.push_back(Contribution::unit(*list.plan, list.plan->terms()[list.term]));
    table.push_back({list_place(copy_.view(), place), units.back().term_constants(),
                     room_of(list.id, small_groups)});
    view.most_tiles = std::max(view.most_tiles, codecs::tile_count(place.count));
  }
  codecs::cuda::fill(device_table.data(), std::span<const FactList>(table), 0);
  check(cudaMemsetAsync(facts.data(), 0, facts.bytes(), stream), "cudaMemsetAsync");
  check(cudaMemsetAsync(sizes.data(), 0, sizes.bytes(), stream), "cudaMemsetAsync");
  view.index = copy_.view();
  view.filter = filter_ != nullptr ? filter_->view().words : nullptr;
  view.scoring = units.front().plan_constants();
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
    known_.push_back(known_list(lists[i].id, units[i], table[i].row, found[i]));
    by_term_.add(lists[i].id, known_.back());
    taken_.erase(lists[i].id);
  }
}

std::uint64_t ListKnowledge::bytes() const { return rooms_.bytes(); }

}  // namespace gannet::query::cuda
