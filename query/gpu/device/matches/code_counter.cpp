#include "query/gpu/device/matches/code_counter.hpp"

#include <algorithm>
#include <bit>

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;
using Fetched = CountingWay::Fetched;

void set_bytes(std::uint32_t* words, int byte, std::size_t count, cudaStream_t stream) {
  check(cudaMemsetAsync(words, byte, count * sizeof *words, stream), "cudaMemsetAsync");
}

}  // namespace

bool CodeCounter::start(const DeviceField& field, const RepeatedCodes* repeated,
                        const CountsWanted& wanted, const std::uint64_t* matches,
                        std::uint64_t most, FieldSums* sums) {
  const index::FieldColumn& column = field.column();
  nothing_ = column.code_limit() == 0;
  if (nothing_) return true;
  const auto way =
      CountingWay::of(column.code_limit(), column.multi() ? column.codes() : most, wanted.codes);
  if (!way) return false;
  way_ = *way;
  limit_ = static_cast<std::uint32_t>(column.code_limit());
  const FieldMatches of{field.view(), matches};
  all_have_it_ = of.field.present == nullptr;
  repeated_ = repeated != nullptr && way_.fetched == Fetched::kNumber;
  if (repeated_) {
    count_repeated(of, *repeated, most, sums);
    return true;
  }
  switch (way_.fetched) {
    case Fetched::kAll:
      count_all(of, sums);
      break;
    case Fetched::kLargest:
      count_largest(of, wanted.codes, sums);
      break;
    case Fetched::kNumber:
      count_number(of, sums);
      break;
  }
  return true;
}

HashSlots CodeCounter::empty_table() {
  std::uint32_t* const table = at_least(table_, std::size_t{way_.table} + 1);
  set_bytes(table, 0xff, std::size_t{way_.table} + 1, stream_);
  return {table, way_.table};
}

/// Queues the counting of each code.
CodeCounters CodeCounter::count(const FieldMatches& of, FieldSums* sums) {
  const std::uint32_t size = way_.table == 0 ? limit_ : way_.table + 1;
  std::uint32_t* const counts = at_least(counts_, size);
  set_bytes(counts, 0, size, stream_);
  if (way_.table == 0) {
    launch_count_codes(of, DirectSlots{}, size, counts, sums, stream_);
    return {counts, nullptr, size};
  }
  const HashSlots slots = empty_table();
  launch_count_codes(of, slots, size, counts, sums, stream_);
  return {counts, slots.codes, size};
}

void CodeCounter::count_all(const FieldMatches& of, FieldSums* sums) {
  const CodeCounters counters = count(of, sums);
  fetch(at_least(host_counts_, limit_), counters.counts, limit_, stream_);
}

void CodeCounter::count_largest(const FieldMatches& of, std::uint32_t wanted, FieldSums* sums) {
  const CodeCounters counters = count(of, sums);
  const auto append = [&](std::uint32_t stride, const CodeOrder& order, const KeyList& list,
                          bool last) {
    launch_top_counts(counters, stride, order, list, last ? sums : nullptr, stream_);
  };
  largest_.start(codecs::ceil_div(counters.size, kCounterGroup), kCounterGroup, wanted, {}, append);
}

void CodeCounter::count_number(const FieldMatches& of, FieldSums* sums) {
  if (way_.table != 0) return launch_distinct_codes(of, empty_table(), sums, stream_);
  launch_top_counts(count(of, sums), 1, {}, {}, sums, stream_);
}

/// Matches whose code no other document has are counted; the others' codes are put into a table.
/// FieldSums::values becomes the number of matches that have the field, if not all documents do.
void CodeCounter::count_repeated(const FieldMatches& of, const RepeatedCodes& repeated,
                                 std::uint64_t most, FieldSums* sums) {
  if (!all_have_it_) launch_count_present(of, &sums->values, stream_);
  if (repeated.documents() == 0) return;
  const std::uint64_t values = std::min(most, repeated.documents());
  way_.table = std::bit_ceil(2 * static_cast<std::uint32_t>(values) + 2);
  FieldMatches some = of;
  some.field.present = repeated.words();
  launch_distinct_codes(some, empty_table(), sums, stream_);
}

std::optional<CodeCounts> CodeCounter::take(const FieldSums& sums, std::uint64_t matches) {
  if (nothing_) return CodeCounts{.missing = matches};
  if (repeated_) {
    const std::uint64_t values = all_have_it_ ? matches : sums.values;
    return CodeCounts{.missing = matches - values,
                      .total = values,
                      .distinct = values - sums.documents + sums.distinct};
  }
  CodeCounts found{
      .missing = matches - sums.documents, .total = sums.total, .distinct = sums.distinct};
  if (way_.fetched == Fetched::kAll) {
    for (std::uint32_t code = 0; code < limit_; ++code) {
      const std::uint32_t count = host_counts_.data()[code];
      if (count == 0) continue;
      found.counts.push_back({code, count});
      found.total += count;
    }
    found.distinct = found.counts.size();
  } else if (way_.fetched == Fetched::kLargest) {
    if (largest_.lost()) return std::nullopt;
    for (const std::uint64_t key : largest_.keys()) {
      found.counts.push_back({~static_cast<std::uint32_t>(key), key >> 32});
    }
    std::ranges::sort(found.counts, {}, &NumberCount::number);
  }
  return found;
}

}  // namespace gannet::query::cuda
