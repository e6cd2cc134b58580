// A list as the steps of matching read it: by its postings, or by a bitmap alone.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/matching/match_batch.hpp"
#include "query/gpu/plan/views.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"

namespace gannet::query::cuda {

/// The list of a term. With `least_bitmap` postings or more it has a bitmap, which becomes one of
/// `bitmaps`, and its postings must not be read.
inline MatchOperand match_operand(const SegmentCopy& copy, const index::Segment& segment,
                                  index::TermId id, std::uint32_t least_bitmap,
                                  std::deque<std::vector<std::uint64_t>>& bitmaps) {
  MatchOperand made{list_location(copy.view, copy.lists.table[id])};
  if (made.list.count < least_bitmap) return made;
  std::vector<std::uint32_t> docids(made.list.count);
  segment.list(id).decode_docids(docids.data());
  auto& words = bitmaps.emplace_back(bitmap_room(copy.view.documents));
  for (const std::uint32_t d : docids) words[d / 64] |= std::uint64_t{1} << d % 64;
  made.bitmap = words.data();
  made.list.docid_words = nullptr;  // must not be read
  return made;
}

}  // namespace gannet::query::cuda
