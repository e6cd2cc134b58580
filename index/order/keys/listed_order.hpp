// Documents in the order of a list of their ids.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "index/document_order.hpp"
#include "index/index.hpp"

namespace gannet::index {

/// The live documents of an index as DocumentOrder::next_id names them. Throws InputError for ids
/// that no document has, that come twice, or that are missing; UsageError if the ids take more than
/// `memory` bytes, or without next_id; CancelledError.
std::vector<Docid> order_by_list(const Index& index, const DocumentOrder& order,
                                 std::uint64_t memory, const std::stop_token& stop);

}  // namespace gannet::index
