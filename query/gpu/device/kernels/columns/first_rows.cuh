// The documents of a bitmap that come first in an order by several fields, of one or several
// values.
#pragma once

#include "query/gpu/device/kernels/columns/key_list.cuh"
#include "query/gpu/device/kernels/columns/match_codes.cuh"
#include "query/gpu/plan/columns/row_order.hpp"

namespace gannet::query::cuda {

/// A document's place by a field.
__device__ __forceinline__ std::uint64_t place_of(const OrderField& order, std::uint32_t document) {
  const FieldView& field = order.field;
  const bool there =
      field.present == nullptr || (field.present[document / 64] >> document % 64 & 1) != 0;
  if (!there) return order.place_of_missing();
  if (field.starts == nullptr) return order.place_of(code_at(field.codes, document));
  const std::uint32_t begin = field.starts[document];
  const std::uint32_t end = field.starts[document + 1];
  if (begin == end) return order.place_of_missing();
  return order.place_of(code_at(field.codes, order.descending ? end - 1 : begin));
}

__device__ __forceinline__ std::uint64_t row_key(const RowOrder& order, std::uint32_t document) {
  std::uint64_t key = order.document_part(document);
  for (std::uint32_t i = 0; i < order.count; ++i) {
    key |= place_of(order.fields[i], document) << order.fields[i].shift;
  }
  return key;
}

/// Appends the keys of documents of `matches` that reach the threshold, of the groups 0, stride, 2
/// stride ... of kGroupCodes documents. Keys that the list has no room for are counted and dropped.
/// Warps take the groups in turn, each lane its own matches.
static __global__ void __launch_bounds__(kColumnThreads)
    first_rows_kernel(const __grid_constant__ RowOrder order, const std::uint64_t* matches,
                      std::uint32_t stride, const __grid_constant__ CodeOrder threshold,
                      const __grid_constant__ KeyList list) {
  const std::uint64_t groups = groups_of(order.documents);
  const std::uint64_t least = least_key(threshold);
  const std::uint64_t step = std::uint64_t{gridDim.x} * kColumnWarps * stride;
  std::uint64_t group = std::uint64_t{blockIdx.x * kColumnWarps + threadIdx.x / kLanes} * stride;
  for (; group < groups; group += step) {
    const auto number = static_cast<std::uint32_t>(group);
    const std::uint32_t first = number * kGroupCodes + kLaneCodes * WarpLanes::id();
    std::uint32_t bits = read_bits(matches, nullptr, number);
    while (__ballot_sync(WarpLanes::kAll, bits != 0) != 0) {
      std::uint64_t key = 0;
      const bool any = bits != 0;
      if (any) {
        key = row_key(order, first + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits))) - 1);
      }
      append_keys(any && key >= least ? 1u : 0u, list, [&](std::uint32_t) { return key; });
      bits &= bits - 1;
    }
  }
}

}  // namespace gannet::query::cuda
