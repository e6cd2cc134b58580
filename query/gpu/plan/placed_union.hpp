// A union of terms as a list on the device. Host code; needs no GPU.
#pragma once

#include "query/gpu/plan/device_lists.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// The merged list of a union (query/postings/made_list.hpp) on the device, as if it were one more
/// list of the segment.
struct PlacedUnion {
  /// Its number for the statistics of lists, beyond the terms of the segment and never used again;
  /// kNoTerm: none.
  index::TermId number = kNoTerm;
  DeviceList place{};
};

}  // namespace gannet::query::cuda
