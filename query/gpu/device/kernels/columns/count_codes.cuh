// How often each code, or each bin of codes, occurs among the documents of a bitmap.
#pragma once

#include <type_traits>

#include "query/gpu/device/kernels/columns/match_codes.cuh"
#include "query/gpu/plan/code_slots.hpp"

namespace gannet::query::cuda {

/// The slot of a code that is in the table or is put into it; `fresh`: it was put.
__device__ __forceinline__ std::uint32_t take_slot(const HashSlots& slots, std::uint32_t code,
                                                   bool& fresh) {
  fresh = false;
  if (code == HashSlots::kNoCode) return slots.size;
  for (std::uint32_t at = slots.first(code);; at = (at + 1) & (slots.size - 1)) {
    const std::uint32_t there = atomicCAS(slots.codes + at, HashSlots::kNoCode, code);
    fresh = there == HashSlots::kNoCode;
    if (fresh || there == code) return at;
  }
}

template <class Slots>
__device__ __forceinline__ std::uint32_t slot_of(const Slots& slots, std::uint32_t code) {
  if constexpr (std::is_same_v<Slots, HashSlots>) {
    bool fresh;
    return take_slot(slots, code, fresh);
  } else {
    return slots.slot(code);
  }
}

/// counts[slot] += documents of `matches` that have a code of the slot; a document counts once in
/// each slot, so equal slots of a document must be next to each other. Adds to sums->documents.
/// With kShared a thread block counts in its shared memory first, `limit` words, one for each slot.
template <class Slots, Codes kCodes, bool kShared>
__global__ void __launch_bounds__(kColumnThreads)
    count_codes_kernel(const __grid_constant__ FieldView field, const std::uint64_t* matches,
                       const __grid_constant__ Slots slots, std::uint32_t limit,
                       std::uint32_t* counts, FieldSums* sums) {
  extern __shared__ uint4 shared[];
  __shared__ std::uint64_t of_warps[kColumnWarps];
  std::uint32_t* const bins = kShared ? reinterpret_cast<std::uint32_t*>(shared) : counts;
  if constexpr (kShared) {
    for (std::uint32_t i = threadIdx.x; i < limit; i += kColumnThreads) bins[i] = 0;
    __syncthreads();
  }
  std::uint32_t last = 0;
  const std::uint32_t documents =
      for_match_codes<kCodes>(field, matches, [&](std::uint32_t code, bool first) {
        const std::uint32_t slot = slot_of(slots, code);
        if (kCodes == Codes::kMulti && !first && slot == last) return;
        last = slot;
        atomicAdd(bins + slot, 1u);
      });
  add_of_block(documents, of_warps, &sums->documents);  // a barrier, too
  if constexpr (kShared) {
    for (std::uint32_t i = threadIdx.x; i < limit; i += kColumnThreads) {
      if (bins[i] != 0) atomicAdd(counts + i, bins[i]);
    }
  }
}

/// Puts the codes of `matches` into a table, and adds to sums->documents and sums->distinct. The
/// last code, which has no place in the table, sets the word behind it to 1.
template <Codes kCodes>
__global__ void __launch_bounds__(kColumnThreads)
    distinct_codes_kernel(const __grid_constant__ FieldView field, const std::uint64_t* matches,
                          const __grid_constant__ HashSlots slots, FieldSums* sums) {
  __shared__ std::uint64_t of_warps[kColumnWarps];
  std::uint32_t distinct = 0;
  const std::uint32_t documents =
      for_match_codes<kCodes>(field, matches, [&](std::uint32_t code, bool) {
        bool fresh;
        if (take_slot(slots, code, fresh) == slots.size) {
          fresh = atomicExch(slots.codes + slots.size, 1u) == HashSlots::kNoCode;
        }
        distinct += fresh ? 1 : 0;
      });
  add_of_block(documents, of_warps, &sums->documents);
  add_of_block(distinct, of_warps, &sums->distinct);
}

/// Sets the bits of documents of a field with one value per document whose code has a counter above
/// 1 in a table of all codes of the column, and clears the others: bitmap_room(documents) words.
/// Adds to *repeated. The grid has one warp per group.
static __global__ void __launch_bounds__(kColumnThreads)
    repeated_codes_kernel(const __grid_constant__ FieldView field,
                          const __grid_constant__ HashSlots slots, const std::uint32_t* counts,
                          std::uint64_t* words, unsigned long long* repeated) {
  __shared__ std::uint64_t of_warps[kColumnWarps];
  const std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  std::uint32_t bits = 0;
  if (group < groups_of(field.documents)) {
    const std::uint32_t first = group * kGroupCodes + kLaneCodes * WarpLanes::id();
    std::uint32_t there = bits_before(group, field.documents);
    if (field.present != nullptr) there &= read_bits(field.present, nullptr, group);
    for (std::uint32_t left = there; left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(__ffs(static_cast<int>(left))) - 1;
      if (counts[slot_of(slots, code_at(field.codes, first + i))] > 1) bits |= 1u << i;
    }
    write_bits(bits, words, group);
  }
  add_of_block(static_cast<std::uint32_t>(__popc(bits)), of_warps, repeated);
}

/// Adds the documents of `matches` that have a field to *documents. `present`: those that have it.
static __global__ void __launch_bounds__(kColumnThreads)
    count_present_kernel(const std::uint64_t* matches, const std::uint64_t* present,
                         std::uint32_t words, unsigned long long* documents) {
  __shared__ std::uint64_t of_warps[kColumnWarps];
  std::uint64_t count = 0;
  for (std::uint32_t i = blockIdx.x * kColumnThreads + threadIdx.x; i < words;
       i += gridDim.x * kColumnThreads) {
    count += static_cast<std::uint32_t>(__popcll(matches[i] & present[i]));
  }
  add_of_block(count, of_warps, documents);
}

}  // namespace gannet::query::cuda
