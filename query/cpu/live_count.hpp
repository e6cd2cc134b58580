// How many documents of a list are not deleted, without reading the list.
#pragma once

#include <cstdint>
#include <optional>

#include "index/index.hpp"
#include "index/segment/live_documents.hpp"

namespace gannet::query {

/// The documents that have a term and are not deleted: the list's length, less those of the deleted
/// documents that are in it, which are looked up one by one. Nothing if reading the list takes less
/// than that. `live`: null if none is deleted. Throws FormatError for a damaged list.
std::optional<std::uint64_t> live_count(const index::Segment& segment, index::TermId term,
                                        const index::LiveDocuments* live);

}  // namespace gannet::query
