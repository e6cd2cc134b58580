// Filters in device memory.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "index/index.hpp"
#include "query/filter/filter_cache.hpp"
#include "query/gpu/device/columns/device_columns.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/gpu/device/columns/filter_slots.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/filter_programs.hpp"
#include "query/memory/bounded_pool.hpp"
#include "query/memory/memory_budget.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

class FilterChoices;

/// The number of the filter of plans that have none.
inline constexpr std::uint32_t kNoFilter = 0xffffffffu;

/// What the filters of a call read, each looked up once. Keeps it on the device.
struct FilterInputs {
  std::unordered_map<const index::FieldColumn*, std::shared_ptr<const DeviceField>> fields;
  std::unordered_map<std::size_t, std::shared_ptr<const DeviceFilter>> live;  ///< by segment
};

/// A filter in a segment.
struct BoundFilter {
  SegmentFilter filter;
  double share;             ///< estimated_share()
  std::uint64_t estimated;  ///< documents that are estimated to pass
};

/// A filter whose bitmap in a segment is wanted.
struct WantedFilter {
  const Filter* filter;
  const BoundFilter* bound;
  std::shared_ptr<const DeviceFilter> made = {};
};

/// The steps of the filters that a call evaluates on candidates.
struct FilterTables {
  codecs::cuda::OwnedStream stream;
  Arena arena;
};

/// The filters of an index on one device, by segment and filter. If they take more than `bytes`,
/// the least recently used ones are freed; filters in use stay. Thread-safe. The device must be
/// current.
class DeviceFilters {
 public:
  struct Options {
    std::uint64_t bytes;  ///< that bitmaps take which are kept
    std::size_t calls;    ///< that run at the same time
  };
  using Tables = BoundedPool<FilterTables>;

  /// `columns` makes the filters, or the host if `columns` cannot; it must outlive this. `budget`:
  /// that of the device.
  DeviceFilters(std::shared_ptr<const index::Index> index, DeviceColumns& columns,
                const Options& options, MemoryBudget& budget);

  /// The bitmap of a filter's documents in a segment, from the cache or made now.
  /// Throws FormatError for a damaged column, UsageError for fields that the index does not have,
  /// CancelledError, DeviceMemoryError.
  std::shared_ptr<const DeviceFilter> of(std::size_t segment, const Filter& filter,
                                         tbb::task_arena& arena, const std::stop_token& stop);

  /// The bitmap, if it is there; else null.
  std::shared_ptr<const DeviceFilter> find(std::size_t segment, const Filter& filter);
  /// Whether the bitmaps of all segments are there.
  bool has_all(const Filter& filter);

  /// Makes bitmaps of different filters in one segment, together. Throws as of().
  void make(std::size_t segment, std::span<WantedFilter> wanted, FilterInputs& inputs,
            tbb::task_arena& arena, const std::stop_token& stop);

  /// The filter in each segment. Thread-safe; the stop token is that of the thread's StopScope.
  /// Throws UsageError for fields that the index does not have.
  std::vector<BoundFilter> bind(const Filter& filter) const;
  BoundFilter bind(const Filter& filter, std::size_t segment) const;

  /// Counts searches with a filter; returns how many were counted so far, about: filters with equal
  /// hashes count together, and filters that were not searched lately are forgotten.
  std::uint64_t count_searches(const Filter& filter, std::uint64_t searches);

  /// What programs of a segment's filters read, which `inputs` keeps. The sources must not outlive
  /// the arguments.
  FilterSources sources(std::size_t segment, FilterInputs& inputs, tbb::task_arena& arena,
                        const std::stop_token& stop);

  /// Documents of a segment.
  std::uint32_t documents_of(std::size_t segment) const;

  /// Memory for the steps of a call.
  Tables& tables() { return tables_; }

  /// Frees filters that are not in use, until the others take no more than `bytes`.
  void trim();

  /// Bytes of the bitmaps that are kept.
  std::uint64_t bytes() const;
  /// How many bitmaps of filters in segments were made so far.
  std::uint64_t made() const;

 private:
  std::shared_ptr<const DeviceFilter> make_on_host(std::size_t segment, const WantedFilter& wanted,
                                                   FilterSlot slot, tbb::task_arena& arena,
                                                   const std::stop_token& stop);
  void keep(std::size_t segment, WantedFilter& wanted);
  bool trim_table(std::uint64_t bytes);
  bool give_back(std::uint64_t wanted);

  std::shared_ptr<const index::Index> index_;
  DeviceColumns& columns_;
  FilterCache host_;  ///< keeps no bitmaps: they are used on the device
  std::uint64_t room_;
  FilterSlots slots_;
  Tables tables_;
  mutable std::mutex mutex_;  ///< of what follows
  FilterTable<const DeviceFilter> table_;
  std::uint64_t made_ = 0;
  /// Searches that a filter had, in the place that its hash has.
  struct Searches {
    std::size_t hash = 0;
    std::uint64_t count = 0;
  };
  std::array<Searches, 4096> searches_{};
  /// The last members, since they refer to those above.
  MemoryBudget::Owner owner_, tables_owner_;
};

/// The filters of the plans of one call, or of a part of it: one for all plans whose filters are
/// equal. Immutable.
class CallFilters {
 public:
  /// No plan has a filter.
  CallFilters() = default;
  /// Gets the bitmaps and steps of the plans `filtered`, each of which has a filter, in all
  /// segments of the index. `choices`: those of the call, with these plans; they must outlive it.
  CallFilters(DeviceFilters& filters, const FilterChoices& choices,
              std::span<const std::size_t> filtered, std::size_t segments, tbb::task_arena& arena,
              const std::stop_token& stop);

  bool none() const { return made_.empty(); }
  /// How many different filters the call has.
  std::size_t size() const { return none() ? 0 : made_.front().size(); }
  /// The number of a plan's filter, below size(), or kNoFilter.
  std::uint32_t number(std::size_t plan) const { return none() ? kNoFilter : numbers_[plan]; }
  /// The filter with a number in a segment; null if none of the plans has it.
  const std::shared_ptr<const DeviceFilter>& share(std::size_t segment,
                                                   std::uint32_t number) const {
    return made_[segment][number];
  }
  /// The plan's filter in the segment; null if it has none. It has a bitmap, unless the plan's
  /// filter is evaluated on candidates.
  const DeviceFilter* of(std::size_t segment, std::size_t plan) const {
    const std::uint32_t its = number(plan);
    return its == kNoFilter ? nullptr : made_[segment][its].get();
  }
  /// How many of some plans have each filter, by number.
  std::vector<std::uint64_t> uses(std::span<const std::size_t> plans) const;

 private:
  /// Filters of the call by number; null where the plans at hand do not have them.
  using Made = std::vector<std::shared_ptr<const DeviceFilter>>;

  void make_steps(DeviceFilters& filters, const FilterChoices& choices,
                  std::span<const std::size_t> numbers, tbb::task_arena& arena,
                  const std::stop_token& stop);
  void make_bitmaps(DeviceFilters& filters, const FilterChoices& choices,
                    std::span<const std::size_t> numbers, std::size_t segment, Made& made,
                    tbb::task_arena& arena, const std::stop_token& stop);

  FilterInputs inputs_;                                   ///< that the steps read
  std::unique_ptr<DeviceFilters::Tables::Lease> tables_;  ///< where the steps are
  std::span<const std::uint32_t> numbers_;                ///< of the filters, by plan
  std::vector<Made> made_;                                ///< by segment; empty: no plan has one
};

}  // namespace gannet::query::cuda
