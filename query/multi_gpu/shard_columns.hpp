// What columns say on several devices that each have some of an index's segments.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "query/backend/column_work.hpp"
#include "query/multi_gpu/shards_backend.hpp"

namespace gannet::query {

/// Backend::look_at_columns() of all shards, side by side, some hundred plans at a time. Findings
/// have the segments of the first shard first. Plans that a shard leaves are left, once, with the
/// reasons of all shards that left them.
std::vector<LeftPlan> look_at_columns_of_shards(std::span<const Shard> shards,
                                                std::span<const Plan> plans, const ColumnWork& work,
                                                const Backend::Found& found,
                                                const SearchOptions& options);

}  // namespace gannet::query
