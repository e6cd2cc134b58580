// A score that k documents of an index of several segments are known to have before any is
// searched. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>

#include "query/gpu/plan/pruned/list_stats.hpp"

namespace gannet::query::cuda {

/// A contribution that at least k documents reach together. `parts`: one term's lists in several
/// segments; only the first kMaxBatchSegments count. The k-th largest contribution of a list is
/// known at some ranks only, but a tenth of k may be one of them, and ten lists that have k / 10
/// such documents each are enough. 0 if nothing is known. Thread-safe; allocates nothing.
float reached_together(std::span<const ListStats* const> parts, std::uint64_t k);

}  // namespace gannet::query::cuda
