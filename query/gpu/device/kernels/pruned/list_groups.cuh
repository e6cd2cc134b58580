// The groups of postings that lists are looked up by: kSmallGroup postings of lists that keep the
// docids before them, else tiles.
#pragma once

#include "query/gpu/device/kernels/pruned/tiles.cuh"

namespace gannet::query::cuda {

template <class Tiles>
class ListGroups {
 public:
  __device__ ListGroups(const PrunedView& view, const SegmentView& segment)
      : view_(view), segment_(segment) {}

  /// The groups [begin, end) of a list.
  struct Span {
    std::uint32_t begin, end;
  };

  /// The groups of a list that may have documents of a superblock.
  __device__ Span of_superblock(const PrunedTerm& term, std::uint32_t superblock) const {
    const std::uint32_t groups = codecs::ceil_div(term.count, Tiles::kGroup);
    std::uint32_t first;
    std::uint32_t next;
    if (term.row.steps != nullptr) {
      first = pointer(term.row, superblock);
      next = pointer(term.row, superblock + 1);
    } else {
      first = search(term, superblock * kSuperblock, groups);
      next = search(term, (superblock + 1) * kSuperblock, groups);
    }
    // The group that reaches into the next superblock may begin in this one.
    return {first, min(next + 1, groups)};
  }

  /// For each group of a list the docid before it, and then the last docid of the last group. If
  /// groups are tiles, docid_before() must be used for the first group.
  __device__ const std::uint32_t* docids(const PrunedTerm& term) const {
    if constexpr (!kSmallGroups) return term.skips - 1;
    return term.row.groups != nullptr ? term.row.groups : view_.short_groups + term.first_group;
  }

  /// The docid before a group, out of the list's docids().
  __device__ static std::uint32_t before(const std::uint32_t* docids, std::uint32_t group) {
    if constexpr (!kSmallGroups) return docid_before(docids + 1, group);
    return __ldg(docids + group);
  }

 private:
  static constexpr bool kSmallGroups = Tiles::kGroup == kSmallGroup;

  __device__ static std::uint32_t pointer(const BoundsRow& row, std::uint32_t superblock) {
    return __ldg(row.bases + superblock / kPointerGroup) + __ldg(row.steps + superblock);
  }

  /// The first group of a list without bounds that ends at `docid` or behind it; the number of
  /// groups if there is none.
  __device__ std::uint32_t search(const PrunedTerm& term, std::uint32_t docid,
                                  std::uint32_t groups) const {
    constexpr std::uint32_t kEach = kTile / Tiles::kGroup;
    const std::uint32_t* const chunk =
        view_.chunk_tiles + term.first_chunk + docid / kChunkDocuments;
    std::uint32_t low = min(__ldg(chunk) * kEach, groups);
    std::uint32_t high = groups;
    if (docid / kChunkDocuments < segment_.chunks) {
      high = min((__ldg(chunk + 1) + 1) * kEach, groups);
    }
    const std::uint32_t* const lasts = docids(term) + 1;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (__ldg(lasts + middle) < docid) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  const PrunedView& view_;
  const SegmentView& segment_;
};

}  // namespace gannet::query::cuda
