#include "query/gpu/device/matching/kept_lists.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/plan/matching/tuning.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {
namespace {

/// New bitmaps take no more than such a part of what is free: batches need memory too, and bitmaps
/// that a call holds are not given back.
constexpr std::uint64_t kShareOfFree = 2;

std::uint64_t bytes_of_bitmap(const index::Segment& segment) {
  return bitmap_room(segment.statistics().documents) * sizeof(std::uint64_t);
}

}  // namespace

void KeptListTable::add(std::vector<index::TermId> ids, tbb::task_arena& arena,
                        const std::stop_token& stop) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::erase_if(ids, [&](index::TermId id) { return find(id) != nullptr; });
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, ids.size(), [&](std::size_t i) {
      throw_if_stopped(stop);
      const StopScope scope(stop);
      segment_.segment->list(ids[i]);  // throws if it is damaged, as the CPU back end does
    });
  });
  const std::lock_guard making(making_);
  // Another call may have added some meanwhile.
  std::erase_if(ids, [&](index::TermId id) { return find(id) != nullptr; });
  const auto count = [&](index::TermId id) { return segment_.copy->lists()[id].count; };
  // The longest lists come first.
  std::ranges::stable_sort(ids, std::ranges::greater{}, count);
  const auto dense = static_cast<std::size_t>(
      std::ranges::find_if(ids, [&](auto id) { return count(id) < least_count_; }) - ids.begin());
  BudgetArray<std::uint64_t> made = make_bitmaps(std::span(ids).first(dense));
  const std::size_t room = bitmap_room(segment_.copy->view().documents);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool has_one = (i + 1) * room <= made.size();
    lists_.push_back({has_one ? made.data() + i * room : nullptr});
    by_term_.add(ids[i], lists_.back());
  }
  if (made.size() > 0) bitmaps_.push_back(std::move(made));
}

/// The bitmaps of the first of these lists, as many as there is memory for.
BudgetArray<std::uint64_t> KeptListTable::make_bitmaps(std::span<const index::TermId> ids) const {
  const IndexView& view = segment_.copy->view();
  const std::size_t room = bitmap_room(view.documents);
  BudgetArray<std::uint64_t> words;
  if (ids.empty()) return words;
  const std::uint64_t most = current_budget().available() / kShareOfFree;
  ids = ids.first(std::min<std::uint64_t>(ids.size(), most / (room * sizeof(std::uint64_t))));
  for (; !ids.empty(); ids = ids.first(ids.size() / 2)) {
    try {
      words = BudgetArray<std::uint64_t>(ids.size() * room, MemoryUse::kBitmaps);
      break;
    } catch (const DeviceMemoryError&) {
      // The lists that get none are decoded.
    }
  }
  if (ids.empty()) return words;
  const codecs::cuda::OwnedStream stream;
  codecs::cuda::check(cudaMemsetAsync(words.data(), 0, words.bytes(), stream), "cudaMemsetAsync");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const DeviceList& list = segment_.copy->lists()[ids[i]];
    launch_mark_list({view.docid_codec,
                      {view.words + list.first_word, list.count},
                      view.skips + list.first_tile},
                     words.data() + i * room, stream);
  }
  stream.wait();
  return words;
}

std::uint64_t KeptListTable::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& words : bitmaps_) bytes += words.bytes();
  return bytes;
}

KeptListCache::KeptListCache(double bits) : bits_(bits), least_(bits, bytes_of_bitmap) {}

std::shared_ptr<KeptListCache::Segments> KeptListCache::hold(
    std::span<const DeviceSegment> segments, const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (segments_ != nullptr) return segments_;
  }
  auto made = std::make_shared<Segments>();
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const std::uint64_t worth = segments[s].copy->view().documents / tuning::kSparsestBitmap;
    const std::uint32_t least = bits_ > 0 ? least_.of(s, *segments[s].segment, stop)
                                          : std::numeric_limits<std::uint32_t>::max();
    made->push_back(std::make_unique<KeptListTable>(
        segments[s], std::max(least, static_cast<std::uint32_t>(worth))));
  }
  const std::lock_guard lock(mutex_);
  if (segments_ == nullptr) segments_ = std::move(made);
  return segments_;
}

std::uint64_t KeptListCache::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  if (segments_ == nullptr) return bytes;
  for (const auto& segment : *segments_) bytes += segment->bytes();
  return bytes;
}

bool KeptListCache::give_back() {
  std::shared_ptr<Segments> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (segments_ == nullptr || segments_.use_count() > 1) return false;
  const bool some =
      std::ranges::any_of(*segments_, [](const auto& segment) { return segment->bytes() > 0; });
  if (some) gone = std::move(segments_);
  return some;
}

}  // namespace gannet::query::cuda
