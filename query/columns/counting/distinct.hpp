// How many different values matches have, exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "query/columns/access/workers.hpp"

namespace gannet::query {

/// Over all segments: of keywords different texts, of others different keys.
std::uint64_t count_distinct(const ColumnContext& context, std::size_t field);

}  // namespace gannet::query
