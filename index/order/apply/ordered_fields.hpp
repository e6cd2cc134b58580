// The fields of documents in another order.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "index/fields/build/field_collector.hpp"
#include "index/index.hpp"

namespace gannet::index {

/// What the work on the fields may take.
struct FieldWork {
  std::uint64_t memory = 0;   ///< bytes of codes that are held at a time
  std::uint64_t strings = 0;  ///< bytes of the collector's strings, before they are spilled
  std::stop_token stop = {};
};

/// Adds the values of documents of an index to a collector with its schema, as if they were added
/// as texts. order[i]: the document of the index that comes i-th; places[d]: where document d
/// comes, or kNoPlace. Columns are decoded in passes: each takes the codes of the next documents
/// that fit in memory. Holds a number for each keyword. Throws FormatError for a damaged column,
/// CancelledError.
void add_ordered_fields(const Index& index, std::span<const Docid> order,
                        std::span<const Docid> places, const FieldWork& work,
                        FieldCollector& collector);

}  // namespace gannet::index
