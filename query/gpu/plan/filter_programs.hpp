// Filters of one segment as steps that kernels evaluate. Host code; needs no GPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "query/filter/segment_filter.hpp"
#include "query/gpu/plan/filter_steps.hpp"

namespace gannet::query::cuda {

/// Where the kernels find what filters read. A null result: it is not on the device.
struct FilterSources {
  std::function<const FieldView*(const index::FieldColumn& column)> field;
  /// A bitmap of bitmap_room() words.
  std::function<const std::uint64_t*(const index::LiveDocuments& live)> live;
};

/// Memory that kernels read: put() copies an array and says where kernels will find it, which takes
/// room() bytes.
template <class T>
concept TableRoom = requires(T& room, std::span<const FilterStep> steps,
                             std::span<const CodeInterval> intervals,
                             std::span<const std::uint32_t> words) {
  { room.put(steps) } -> std::convertible_to<const FilterStep*>;
  { room.put(intervals) } -> std::convertible_to<const CodeInterval*>;
  { room.put(words) } -> std::convertible_to<const std::uint32_t*>;
  { T::template room<FilterStep>(std::size_t{}) } -> std::convertible_to<std::size_t>;
};

/// The programs of many filters, in three arrays together. Not thread-safe.
class FilterPrograms {
 public:
  /// Compiles a filter; returns its number, or nothing if a part of it is not on the device or it
  /// needs more than kFilterDepth sets at a time. `filter` need not outlive the call.
  std::optional<std::size_t> add(const SegmentFilter& filter, const FilterSources& sources);

  std::size_t size() const { return programs_.size(); }

  /// Bytes that put() takes.
  template <TableRoom Room>
  std::size_t room() const {
    return Room::template room<CodeInterval>(intervals_.size()) +
           Room::template room<std::uint32_t>(tables_.size()) +
           Room::template room<FilterStep>(steps_.size());
  }

  /// Copies the programs to where kernels read them.
  template <TableRoom Room>
  void put(Room& room) {
    const CodeInterval* const intervals = room.put(std::span<const CodeInterval>(intervals_));
    const std::uint32_t* const tables = room.put(std::span<const std::uint32_t>(tables_));
    for (const Reference& reference : references_) {
      CodeChoice& set = steps_[reference.step].set;
      if (reference.table) set.table = tables + reference.first;
      if (!reference.table) set.intervals = intervals + reference.first;
    }
    there_ = room.put(std::span<const FilterStep>(steps_));
  }

  /// After put(): where the steps of a filter are.
  const FilterStep* steps(std::size_t filter) const { return there_ + programs_[filter].first; }
  std::uint32_t count(std::size_t filter) const { return programs_[filter].count; }
  /// The first column that a filter reads, for sorting; null if it reads none.
  const CodeBlock* column(std::size_t filter) const;

 private:
  /// Steps of one filter.
  struct Program {
    std::size_t first;
    std::uint32_t count;
  };
  /// A step that refers to intervals, or to a table, from a place on.
  struct Reference {
    std::size_t step;
    bool table;
    std::size_t first;
  };

  bool append(const SegmentFilter& filter, const FilterSources& sources);
  bool append_chain(const SegmentFilter& filter, const FilterSources& sources);
  bool append_leaf(const SegmentFilter& filter, const FilterSources& sources);
  void push(FilterOperation operation, const std::uint64_t* words = nullptr);
  CodeChoice choice(const CodeSet& codes);

  std::vector<FilterStep> steps_;
  std::vector<Program> programs_;
  std::vector<CodeInterval> intervals_;
  std::vector<std::uint32_t> tables_;
  std::vector<Reference> references_;
  const FilterStep* there_ = nullptr;
};

}  // namespace gannet::query::cuda
