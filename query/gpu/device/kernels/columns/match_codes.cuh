// Going through the codes of the documents of a bitmap. All functions are called by whole warps.
#pragma once

#include "codecs/core/bits.hpp"
#include "query/gpu/device/kernels/code_at.cuh"
#include "query/gpu/device/kernels/columns/code_groups.cuh"

namespace gannet::query::cuda {

/// Calls f(code, true) for the codes of matches that have a field with one value per document.
/// Warps take the groups of codes in turn. Returns the lane's number of calls.
template <class F>
__device__ __forceinline__ std::uint32_t for_single_codes(const FieldView& field,
                                                          const std::uint64_t* matches, F f) {
  const auto groups = static_cast<std::uint32_t>(groups_of(field.codes.count));
  std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  std::uint32_t documents = 0;
  const auto advance = [&](GroupBits& next) {
    while (group < groups) {
      next = {group, read_bits(matches, field.present, group)};
      group += gridDim.x * kColumnWarps;
      if (__ballot_sync(WarpLanes::kAll, next.bits != 0) != 0) return true;
    }
    return false;
  };
  for_groups(field.codes, advance, [&](const GroupBits& now, const PackedCodes& packed) {
    documents += static_cast<std::uint32_t>(__popc(now.bits));
    if (now.bits == 0) return;
    for_codes(packed, [&](std::uint32_t i, std::uint32_t code) {
      if ((now.bits >> i & 1) != 0) f(code, true);
    });
  });
  return documents;
}

/// Calls f(code, whether it is the document's first) for all codes of matches that have a field
/// with several values per document: ascending codes of a document, which one lane takes. Returns
/// the lane's number of documents.
template <class F>
__device__ __forceinline__ std::uint32_t for_multi_codes(const FieldView& field,
                                                         const std::uint64_t* matches, F f) {
  const auto* const words = reinterpret_cast<const std::uint32_t*>(matches);
  const auto* const present = reinterpret_cast<const std::uint32_t*>(field.present);
  const std::uint32_t count = codecs::ceil_div(field.documents, kLanes);
  std::uint32_t documents = 0;
  for (std::uint32_t word = blockIdx.x * kColumnWarps + threadIdx.x / kLanes; word < count;
       word += gridDim.x * kColumnWarps) {
    std::uint32_t bits = words[word];
    if (present != nullptr) bits &= present[word];
    if ((bits >> WarpLanes::id() & 1) == 0) continue;
    const std::uint32_t document = word * kLanes + WarpLanes::id();
    const std::uint32_t begin = field.starts[document];
    const std::uint32_t end = field.starts[document + 1];
    documents += begin < end ? 1 : 0;
    for (std::uint32_t at = begin; at < end; ++at) f(code_at(field.codes, at), at == begin);
  }
  return documents;
}

/// for_single_codes() for an f that waits for memory: each lane goes through its own matches, so a
/// warp waits as often as its busiest lane has some, and not 16 times a group.
template <class F>
__device__ __forceinline__ std::uint32_t for_scattered_codes(const FieldView& field,
                                                             const std::uint64_t* matches, F f) {
  const auto groups = static_cast<std::uint32_t>(groups_of(field.codes.count));
  std::uint32_t documents = 0;
  for (std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes; group < groups;
       group += gridDim.x * kColumnWarps) {
    const std::uint32_t first = group * kGroupCodes + kLaneCodes * WarpLanes::id();
    for (std::uint32_t bits = read_bits(matches, field.present, group); bits != 0;
         bits &= bits - 1) {
      f(code_at(field.codes, first + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits))) - 1),
        true);
      ++documents;
    }
  }
  return documents;
}

/// Which way through the codes of a field.
enum class Codes {
  kSingle,     ///< one value a document
  kScattered,  ///< one value a document, for an f that waits for memory
  kMulti,      ///< several values a document
};

template <Codes kCodes, class F>
__device__ __forceinline__ std::uint32_t for_match_codes(const FieldView& field,
                                                         const std::uint64_t* matches, F f) {
  if constexpr (kCodes == Codes::kMulti) {
    return for_multi_codes(field, matches, f);
  } else if constexpr (kCodes == Codes::kScattered) {
    return for_scattered_codes(field, matches, f);
  } else {
    return for_single_codes(field, matches, f);
  }
}

/// The sum of the values of a thread block's threads, for thread 0. `shared`: a word for each warp.
/// All threads must call it.
__device__ __forceinline__ std::uint64_t sum_of_block(std::uint64_t value, std::uint64_t* shared) {
  WarpLanes::Var<std::uint64_t> mine{value};
  const std::uint64_t of_warp = WarpLanes{}.exclusive_scan(mine);
  if (WarpLanes::id() == 0) shared[threadIdx.x / kLanes] = of_warp;
  __syncthreads();
  std::uint64_t sum = 0;
  if (threadIdx.x == 0) {
    for (std::uint32_t w = 0; w < kColumnWarps; ++w) sum += shared[w];
  }
  __syncthreads();
  return sum;
}

/// Adds the sum over a thread block to *to.
__device__ __forceinline__ void add_of_block(std::uint64_t value, std::uint64_t* shared,
                                             unsigned long long* to) {
  const std::uint64_t sum = sum_of_block(value, shared);
  if (threadIdx.x == 0 && sum != 0) atomicAdd(to, static_cast<unsigned long long>(sum));
}

}  // namespace gannet::query::cuda
