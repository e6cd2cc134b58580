// Finds the segment of a batch that a superblock, chunk, stretch or window is in.
#pragma once

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// The last segment whose first number is not above `number`. Searches linearly: there are few
/// segments, most often one.
template <std::uint32_t SegmentView::*kFirst>
__device__ inline std::uint32_t segment_with(const PrunedView& view, std::uint32_t number) {
  std::uint32_t segment = 0;
  while (segment + 1 < view.segment_count && view.segments[segment + 1].*kFirst <= number) {
    ++segment;
  }
  return segment;
}

__device__ inline std::uint32_t segment_of_superblock(const PrunedView& view,
                                                      std::uint32_t superblock) {
  return segment_with<&SegmentView::first_superblock>(view, superblock);
}
__device__ inline std::uint32_t segment_of_chunk(const PrunedView& view, std::uint32_t chunk) {
  return segment_with<&SegmentView::first_chunk>(view, chunk);
}
__device__ inline std::uint32_t segment_of_stretch(const PrunedView& view, std::uint32_t stretch) {
  return segment_with<&SegmentView::first_stretch>(view, stretch);
}
__device__ inline std::uint32_t segment_of_window(const PrunedView& view, std::uint32_t window) {
  return segment_with<&SegmentView::first_window>(view, window);
}

__device__ inline const PrunedPart& part_of(const PrunedView& view, std::uint32_t query,
                                            std::uint32_t segment) {
  return view.parts[std::size_t{query} * view.segment_count + segment];
}

}  // namespace gannet::query::cuda
