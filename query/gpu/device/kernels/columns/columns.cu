// The launches of columns and bitmaps.
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "query/gpu/device/kernels/columns/bitmaps.cuh"
#include "query/gpu/device/kernels/columns/code_totals.cuh"
#include "query/gpu/device/kernels/columns/count_codes.cuh"
#include "query/gpu/device/kernels/columns/find_filters.cuh"
#include "query/gpu/device/kernels/columns/first_codes.cuh"
#include "query/gpu/device/kernels/columns/first_rows.cuh"
#include "query/gpu/device/kernels/columns/top_counts.cuh"

namespace gannet::query::cuda {
namespace {

using codecs::ceil_div;
using codecs::cuda::launch_kernel;
using codecs::cuda::persistent_blocks;

/// Up to this many codes are counted in a thread block's shared memory, more in device memory.
/// 7,365 days of 10 M documents, equal values side by side: 340 us in device memory, 34 us in
/// shared memory. Not swept.
constexpr std::uint32_t kSharedCodes = 8192;

/// Thread blocks of find_filters_kernel that keep a large device busy. Not swept.
constexpr std::uint32_t kWantedBlocks = 1024;
/// Thread blocks in a grid's second dimension, at most.
constexpr std::uint32_t kMaxRows = 65535;

std::uint32_t wanted_blocks(std::uint64_t groups) {
  return ceil_div(static_cast<std::uint32_t>(groups), kColumnWarps);
}

/// Thread blocks for a kernel that goes through the codes of matches.
template <class Kernel>
std::uint32_t blocks_for(Kernel kernel, const FieldView& field, bool multi, std::size_t bytes) {
  const std::uint64_t units =
      multi ? ceil_div(field.documents, kLanes) : groups_of(field.codes.count);
  return persistent_blocks(kernel, kColumnThreads, bytes, wanted_blocks(units));
}

template <Codes kCodes, bool kShared, class Slots>
void count_codes(const FieldMatches& of, const Slots& slots, std::uint32_t limit,
                 std::uint32_t* counts, FieldSums* sums, CUstream_st* stream) {
  const auto kernel = count_codes_kernel<Slots, kCodes, kShared>;
  const std::size_t bytes = kShared ? limit * sizeof(std::uint32_t) : 0;
  launch_kernel({"count_codes_kernel", blocks_for(kernel, of.field, kCodes == Codes::kMulti, bytes),
                 kColumnThreads, bytes, stream},
                kernel, of.field, of.matches, slots, limit, counts, sums);
}

template <bool kShared, class Slots>
void count_codes(const FieldMatches& of, const Slots& slots, std::uint32_t limit,
                 std::uint32_t* counts, FieldSums* sums, CUstream_st* stream) {
  constexpr bool kHashed = std::is_same_v<Slots, HashSlots>;
  constexpr Codes kSingle = kHashed ? Codes::kScattered : Codes::kSingle;
  if (of.field.starts != nullptr) {
    return count_codes<Codes::kMulti, kShared>(of, slots, limit, counts, sums, stream);
  }
  count_codes<kSingle, kShared>(of, slots, limit, counts, sums, stream);
}

template <class Kernel, class... Arguments>
void over_matches(const char* name, Kernel kernel, bool multi, CUstream_st* stream,
                  const FieldMatches& of, const Arguments&... arguments) {
  launch_kernel({name, blocks_for(kernel, of.field, multi, 0), kColumnThreads, 0, stream}, kernel,
                of.field, of.matches, arguments...);
}

}  // namespace

void launch_find_filters(const FilterSearch& search, CUstream_st* stream) {
  const std::uint32_t groups = padded_superblocks(search.documents) * (kSuperblock / kGroupCodes);
  const std::uint32_t columns = ceil_div(groups, kColumnWarps * kGroupsEach);
  if (columns == 0 || search.count == 0) return;
  // A column is read once for as many filters as leave enough thread blocks for the device.
  const std::uint32_t rows = std::max(ceil_div(search.count, kFiltersAtOnce),
                                      std::min(search.count, ceil_div(kWantedBlocks, columns)));
  const std::uint32_t each = ceil_div(search.count, rows);
  for (std::uint32_t done = 0; done < search.count; done += each * kMaxRows) {
    FilterSearch some = search;
    some.targets += done;
    some.passing += done;
    some.count = std::min(search.count - done, each * kMaxRows);
    launch_kernel(
        {"find_filters_kernel", {columns, ceil_div(some.count, each)}, kColumnThreads, 0, stream},
        find_filters_kernel, some, each);
  }
}

void launch_combine(BitmapOperation operation, std::uint64_t* to, const std::uint64_t* with,
                    std::uint32_t documents, CUstream_st* stream) {
  const std::size_t words = bitmap_room(documents);
  const auto blocks = static_cast<std::uint32_t>((words + kBitmapThreads - 1) / kBitmapThreads);
  launch_kernel({"combine_kernel", blocks, kBitmapThreads, 0, stream}, combine_kernel, operation,
                to, with, words, documents);
}

void launch_count_bits(const std::uint64_t* words, std::uint32_t documents, std::uint16_t* ranges,
                       unsigned long long* count, CUstream_st* stream) {
  const std::uint32_t superblocks = padded_superblocks(documents);
  const std::uint32_t wanted = ceil_div(superblocks * kRangesPerSuperblock, kBitmapThreads);
  const std::uint32_t blocks = persistent_blocks(count_bits_kernel, kBitmapThreads, 0, wanted);
  launch_kernel({"count_bits_kernel", blocks, kBitmapThreads, 0, stream}, count_bits_kernel, words,
                std::min(bitmap_room(documents), std::size_t{ceil_div(documents, 64u)}),
                superblocks, ranges, count);
}

void launch_count_codes(const FieldMatches& of, const DirectSlots& slots, std::uint32_t limit,
                        std::uint32_t* counts, FieldSums* sums, CUstream_st* stream) {
  if (limit <= kSharedCodes) return count_codes<true>(of, slots, limit, counts, sums, stream);
  count_codes<false>(of, slots, limit, counts, sums, stream);
}

void launch_count_codes(const FieldMatches& of, const BinSlots& slots, std::uint32_t limit,
                        std::uint32_t* counts, FieldSums* sums, CUstream_st* stream) {
  if (limit <= kSharedCodes) return count_codes<true>(of, slots, limit, counts, sums, stream);
  count_codes<false>(of, slots, limit, counts, sums, stream);
}

void launch_count_codes(const FieldMatches& of, const HashSlots& slots, std::uint32_t limit,
                        std::uint32_t* counts, FieldSums* sums, CUstream_st* stream) {
  count_codes<false>(of, slots, limit, counts, sums, stream);
}

void launch_distinct_codes(const FieldMatches& of, const HashSlots& slots, FieldSums* sums,
                           CUstream_st* stream) {
  constexpr auto kName = "distinct_codes_kernel";
  if (of.field.starts != nullptr) {
    return over_matches(kName, distinct_codes_kernel<Codes::kMulti>, true, stream, of, slots, sums);
  }
  over_matches(kName, distinct_codes_kernel<Codes::kScattered>, false, stream, of, slots, sums);
}

void launch_repeated_codes(const FieldView& field, const HashSlots& slots,
                           const std::uint32_t* counts, std::uint64_t* words,
                           unsigned long long* repeated, CUstream_st* stream) {
  const std::uint32_t blocks = wanted_blocks(groups_of(field.documents));
  launch_kernel({"repeated_codes_kernel", blocks, kColumnThreads, 0, stream}, repeated_codes_kernel,
                field, slots, counts, words, repeated);
}

void launch_count_present(const FieldMatches& of, unsigned long long* documents,
                          CUstream_st* stream) {
  const std::uint32_t words = ceil_div(of.field.documents, 64u);
  const std::uint32_t blocks =
      persistent_blocks(count_present_kernel, kColumnThreads, 0, ceil_div(words, kColumnThreads));
  launch_kernel({"count_present_kernel", blocks, kColumnThreads, 0, stream}, count_present_kernel,
                of.matches, of.field.present, words, documents);
}

void launch_code_totals(const FieldMatches& of, FieldSums* sums, CUstream_st* stream) {
  constexpr auto kName = "code_totals_kernel";
  if (of.field.starts != nullptr) {
    return over_matches(kName, code_totals_kernel<Codes::kMulti>, true, stream, of, sums);
  }
  over_matches(kName, code_totals_kernel<Codes::kSingle>, false, stream, of, sums);
}

void launch_float_totals(const FieldMatches& of, const FloatSums& floats, FieldSums* sums,
                         CUstream_st* stream) {
  constexpr auto kName = "float_totals_kernel";
  if (of.field.starts != nullptr) {
    return over_matches(kName, float_totals_kernel<Codes::kMulti>, true, stream, of, floats, sums);
  }
  over_matches(kName, float_totals_kernel<Codes::kSingle>, false, stream, of, floats, sums);
}

void launch_first_rows(const RowOrder& order, const std::uint64_t* matches, std::uint32_t stride,
                       const CodeOrder& threshold, const KeyList& list, CUstream_st* stream) {
  const std::uint32_t groups =
      ceil_div(static_cast<std::uint32_t>(groups_of(order.documents)), stride);
  const std::uint32_t blocks =
      persistent_blocks(first_rows_kernel, kColumnThreads, 0, wanted_blocks(groups));
  launch_kernel({"first_rows_kernel", blocks, kColumnThreads, 0, stream}, first_rows_kernel, order,
                matches, stride, threshold, list);
}

void launch_top_counts(const CodeCounters& counters, std::uint32_t stride, const CodeOrder& order,
                       const KeyList& list, FieldSums* sums, CUstream_st* stream) {
  const std::uint32_t groups = ceil_div(ceil_div(counters.size, kCounterGroup), stride);
  const std::uint32_t blocks =
      persistent_blocks(top_counts_kernel, kColumnThreads, 0, wanted_blocks(groups));
  launch_kernel({"top_counts_kernel", blocks, kColumnThreads, 0, stream}, top_counts_kernel,
                counters, stride, order, list, sums);
}

void launch_first_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t stride,
                        const CodeOrder& order, const KeyList& list, CUstream_st* stream) {
  const std::uint32_t groups =
      ceil_div(static_cast<std::uint32_t>(groups_of(field.codes.count)), stride);
  const std::uint32_t blocks =
      persistent_blocks(first_codes_kernel, kColumnThreads, 0, wanted_blocks(groups));
  launch_kernel({"first_codes_kernel", blocks, kColumnThreads, 0, stream}, first_codes_kernel,
                field.codes, matches, field.present, stride, order, list);
}

}  // namespace gannet::query::cuda
