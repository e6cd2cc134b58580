// Encoding lists in parallel and handing them to the segment writer in order.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "index/index_writer.hpp"
#include "index/lists/list_source.hpp"

namespace gannet::index {

/// Encodes all lists of `source` and adds them to `writer`. Three batches of about `batch_postings`
/// postings each (a longer list is a batch of its own) are in flight, which bounds the memory in
/// use. `on_lists(done)` is called after each batch with the number of lists written so far. Throws
/// CancelledError once `stop` asks for it, at the latest when the lists at work are encoded.
void write_lists(ListSource& source, IndexWriter& writer, std::uint64_t batch_postings,
                 const std::stop_token& stop,
                 const std::function<void(std::uint64_t done)>& on_lists);

}  // namespace gannet::index
