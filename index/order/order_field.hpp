// The field that an order of documents goes by.
#pragma once

#include <cstddef>
#include <string_view>

#include "index/document_order.hpp"
#include "index/fields/schema.hpp"

namespace gannet::index {

/// The number of a field whose values have an order. Throws UsageError that says what there is.
std::size_t sortable_field(const Schema& schema, std::string_view name);

/// The number of a field whose values may be URLs. Throws UsageError.
std::size_t url_field(const Schema& schema, std::string_view name);

/// Throws UsageError unless an index with these fields can have the order, as far as its fields
/// say: before there is an index.
void check_order(const DocumentOrder& order, const Schema& schema);

}  // namespace gannet::index
