// Documents in the order of a field's values.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::index {

/// The live documents of an index by the least value of a field, or `descending` by the greatest
/// and greatest first; those with equal values by docid, those without the field last. Throws
/// UsageError if there is no such field, if it is a text or stored, and if the work needs more than
/// `memory` bytes; FormatError for a damaged column, CancelledError.
std::vector<Docid> order_by_field(const Index& index, std::string_view field, bool descending,
                                  std::uint64_t memory, const std::stop_token& stop);

}  // namespace gannet::index
