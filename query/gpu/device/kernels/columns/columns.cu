// The launches of columns and bitmaps.
#include <cuda_runtime.h>

#include <algorithm>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "query/gpu/device/kernels/columns/bitmaps.cuh"
#include "query/gpu/device/kernels/columns/count_codes.cuh"
#include "query/gpu/device/kernels/columns/find_filters.cuh"
#include "query/gpu/device/kernels/columns/first_codes.cuh"

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

template <bool kShared>
void count_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t limit,
                 std::uint32_t* counts, CUstream_st* stream) {
  const auto kernel = count_codes_kernel<kShared>;
  const std::size_t bytes = kShared ? limit * sizeof(std::uint32_t) : 0;
  const std::uint32_t blocks =
      persistent_blocks(kernel, kColumnThreads, bytes, wanted_blocks(groups_of(field.codes.count)));
  launch_kernel({"count_codes_kernel", blocks, kColumnThreads, bytes, stream}, kernel, field.codes,
                matches, field.present, limit, counts);
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

void launch_count_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t limit,
                        std::uint32_t* counts, CUstream_st* stream) {
  if (limit <= kSharedCodes) return count_codes<true>(field, matches, limit, counts, stream);
  count_codes<false>(field, matches, limit, counts, stream);
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
