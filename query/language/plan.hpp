// Checks of plans that did not come from make_plan(), or not for this index.
#pragma once

#include "query/query.hpp"

namespace gannet::query {

/// Largest k1 that is accepted: with it, no score overflows, whatever the lengths and frequencies.
inline constexpr float kMaxK1 = 1e9f;

/// Throws UsageError unless the back ends can run `plan` on `index`: parameters in range, weights
/// finite and >= 0, term ids in the index with their document frequencies, expression well-formed
/// and within kMaxStack. Thread-safe.
void check_plan(const Plan& plan, const index::Index& index);

}  // namespace gannet::query
