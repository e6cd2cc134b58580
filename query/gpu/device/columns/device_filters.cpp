#include "query/gpu/device/columns/device_filters.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "query/gpu/plan/pruned/filter_ranges.hpp"

namespace gannet::query::cuda {
namespace {

/// Makes the bitmap with all threads of the arena.
const DocumentBitmap& make_bitmap(FilterBitmap& bitmap, tbb::task_arena& arena,
                                  const std::stop_token& stop) {
  if (!bitmap.made()) {
    arena.execute([&] {
      const int threads = tbb::this_task_arena::max_concurrency();
      tbb::parallel_for(0, threads, [&](int) { bitmap.bitmap(stop); });
    });
  }
  return bitmap.bitmap(stop);
}

}  // namespace

DeviceFilters::DeviceFilters(std::shared_ptr<const index::Index> index, DeviceColumns& columns,
                             const Options& options, MemoryBudget& budget)
    : index_(std::move(index)),
      columns_(columns),
      host_(index_, 0),
      room_(options.bytes),
      tables_(options.calls, [] { return std::make_unique<FilterTables>(); }),
      owner_(budget, MemoryUse::kFilters,
             [this](std::uint64_t wanted) { return give_back(wanted); }),
      tables_owner_(budget, MemoryUse::kBatches,
                    [this](std::uint64_t) { return tables_.reclaim(); }) {}

std::uint32_t DeviceFilters::documents_of(std::size_t segment) const {
  return static_cast<std::uint32_t>(index_->segments()[segment]->statistics().documents);
}

BoundFilter DeviceFilters::bind(const Filter& filter, std::size_t segment) const {
  BoundFilter bound{bind_filter(filter, *index_, segment), 0, 0};
  bound.share = estimated_share(bound.filter);
  bound.estimated = static_cast<std::uint64_t>(std::llround(bound.share * documents_of(segment)));
  return bound;
}

std::vector<BoundFilter> DeviceFilters::bind(const Filter& filter) const {
  std::vector<BoundFilter> bound;
  for (std::size_t s = 0; s < index_->segments().size(); ++s) bound.push_back(bind(filter, s));
  return bound;
}

std::shared_ptr<const DeviceFilter> DeviceFilters::find(std::size_t segment, const Filter& filter) {
  const std::lock_guard lock(mutex_);
  return table_.find({segment, filter});
}

bool DeviceFilters::has_all(const Filter& filter) {
  const std::lock_guard lock(mutex_);
  for (std::size_t s = 0; s < index_->segments().size(); ++s) {
    if (table_.find({s, filter}) == nullptr) return false;
  }
  return true;
}

std::shared_ptr<const DeviceFilter> DeviceFilters::of(std::size_t segment, const Filter& filter,
                                                      tbb::task_arena& arena,
                                                      const std::stop_token& stop) {
  if (auto known = find(segment, filter)) return known;
  const BoundFilter bound = bind(filter, segment);
  WantedFilter wanted{&filter, &bound};
  FilterInputs inputs;
  make(segment, std::span(&wanted, 1), inputs, arena, stop);
  return wanted.made;
}

std::uint64_t DeviceFilters::count_searches(const Filter& filter, std::uint64_t searches) {
  const std::size_t hash = filter.hash();
  const std::lock_guard lock(mutex_);
  Searches& counted = searches_[hash % searches_.size()];
  if (counted.hash != hash) counted = {hash, 0};
  return counted.count += searches;
}

FilterSources DeviceFilters::sources(std::size_t segment, FilterInputs& inputs,
                                     tbb::task_arena& arena, const std::stop_token& stop) {
  FilterSources sources;
  sources.field = [&](const index::FieldColumn& column) -> const FieldView* {
    auto& field = inputs.fields[&column];
    if (field == nullptr) field = columns_.field(column, arena, stop);
    return field == nullptr ? nullptr : &field->view();
  };
  sources.live = [&, segment](const index::LiveDocuments& live) -> const std::uint64_t* {
    if (&live != index_->live(segment)) return nullptr;
    auto& filter = inputs.live[segment];
    if (filter == nullptr) filter = of(segment, Filter::live(), arena, stop);
    return filter->view().words;
  };
  return sources;
}

void DeviceFilters::make(std::size_t segment, std::span<WantedFilter> wanted, FilterInputs& inputs,
                         tbb::task_arena& arena, const std::stop_token& stop) {
  if (wanted.empty()) return;
  const FilterSources from = sources(segment, inputs, arena, stop);
  FilterPrograms programs;
  std::vector<std::size_t> numbers, on_host;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const SegmentFilter& filter = wanted[i].bound->filter;
    // The documents that are not deleted are what programs read of them.
    const bool compiled =
        filter.kind != SegmentFilter::Kind::kLive && programs.add(filter, from).has_value();
    (compiled ? numbers : on_host).push_back(i);
  }
  const std::size_t compiled = numbers.size();
  numbers.insert(numbers.end(), on_host.begin(), on_host.end());
  const std::uint64_t bytes = wanted.size() * FilterSlots::bytes_for(documents_of(segment));
  trim_table(room_ - std::min(room_, bytes));  // their memory is used again
  std::vector<FilterSlot> slots = slots_.take(documents_of(segment), wanted.size());
  std::vector<std::uint64_t> passing;
  if (compiled > 0) {
    try {
      passing = columns_.find_filters(programs, documents_of(segment),
                                      std::span(slots).first(compiled), stop);
    } catch (const DeviceMemoryError&) {
      // The host needs less: no tables on the device.
    }
  }
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    WantedFilter& one = wanted[numbers[j]];
    if (j < passing.size()) {
      one.made = std::make_shared<const DeviceFilter>(std::move(slots[j]), passing[j],
                                                      one.bound->estimated);
    } else {
      one.made = make_on_host(segment, one, std::move(slots[j]), arena, stop);
    }
    keep(segment, one);
  }
  trim_table(room_);
}

std::shared_ptr<const DeviceFilter> DeviceFilters::make_on_host(std::size_t segment,
                                                                const WantedFilter& wanted,
                                                                FilterSlot slot,
                                                                tbb::task_arena& arena,
                                                                const std::stop_token& stop) {
  const std::shared_ptr<FilterBitmap> bitmap = host_.of(segment, *wanted.filter);
  const DocumentBitmap& documents = make_bitmap(*bitmap, arena, stop);
  const std::vector<std::uint16_t> ranges = filter_ranges(documents);
  codecs::cuda::fill(slot.words(), std::span(documents.words),
                     bitmap_room(documents.documents) - documents.words.size());
  codecs::cuda::fill(slot.ranges(), std::span<const std::uint16_t>(ranges), 0);
  return std::make_shared<const DeviceFilter>(std::move(slot), bitmap->passing(),
                                              wanted.bound->estimated);
}

/// Another call may have made the filter meanwhile: then that one is taken.
void DeviceFilters::keep(std::size_t segment, WantedFilter& wanted) {
  std::shared_ptr<const DeviceFilter> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  const FilterKey key{segment, *wanted.filter};
  if (auto known = table_.find(key)) {
    gone = std::exchange(wanted.made, std::move(known));
    return;
  }
  table_.insert(key, wanted.made);
  ++made_;
}

void DeviceFilters::trim() {
  host_.trim();  // its bitmaps are on the device
  trim_table(room_);
  slots_.trim(room_ - std::min(room_, bytes()));
}

/// Forgets bitmaps that are not in use, until the others take no more than `bytes`. Returns whether
/// it found any.
bool DeviceFilters::trim_table(std::uint64_t bytes) {
  std::vector<std::shared_ptr<const DeviceFilter>> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  gone = table_.trim(bytes);
  return !gone.empty();
}

/// Bitmaps that were used last go last, but their memory is freed only with that of others.
bool DeviceFilters::give_back(std::uint64_t wanted) {
  std::uint64_t freed = slots_.trim(0);
  while (freed < wanted) {
    const std::uint64_t kept = bytes();
    if (!trim_table(kept - std::min(kept, wanted - freed))) break;
    freed += slots_.trim(0);
  }
  return freed > 0;
}

std::uint64_t DeviceFilters::bytes() const {
  const std::lock_guard lock(mutex_);
  return table_.bytes();
}

std::uint64_t DeviceFilters::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

}  // namespace gannet::query::cuda
