// Encoding lists in parallel and handing them to the segment writer in order.
#pragma once

#include <cstdint>
#include <functional>

#include "index/index_writer.hpp"
#include "index/lists/list_source.hpp"

namespace gannet::index {

/// Encodes all lists of `source` and adds them to `writer`. Lists are worked on in three rounds of
/// about `round_weight` postings each (a longer list is a round of its own), which bounds the
/// memory in use. `on_lists(done)` is called after each round with the number of lists written so
/// far.
void write_lists(ListSource& source, IndexWriter& writer, std::uint64_t round_weight,
                 const std::function<void(std::uint64_t done)>& on_lists);

}  // namespace gannet::index
