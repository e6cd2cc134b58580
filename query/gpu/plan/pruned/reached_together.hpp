// A score that k documents of an index of several segments are known to have before any is
// searched.
#pragma once

#include <cstdint>
#include <span>

#include "query/gpu/plan/pruned/known_list.hpp"

namespace gannet::query::cuda {

/// A contribution that at least k documents reach together, of the parts of a list: of one, the
/// k-th largest is known at some ranks only, but a tenth of k may be one of them, and ten parts
/// that have k / 10 each are enough. 0 if it is not known.
float reached_together(std::span<const KnownList* const> parts, std::uint64_t k);

}  // namespace gannet::query::cuda
