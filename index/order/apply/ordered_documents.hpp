// Ids, lengths and texts of documents in another order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "index/index.hpp"
#include "index/index_writer.hpp"

namespace gannet::index {

/// Adds documents of an index to a writer; `order`: their docids, each once. They keep the
/// names that they have: where they had no ids, their docids become that. Texts are read in passes
/// over those that fit in `memory` bytes together (and one at least), in parallel. Calls
/// `on_documents(done)` now and then. Throws FormatError for what is damaged, CancelledError.
void add_ordered_documents(const Index& index, std::span<const Docid> order, std::uint64_t memory,
                           const std::stop_token& stop,
                           const std::function<void(std::uint64_t done)>& on_documents,
                           IndexWriter& writer);

}  // namespace gannet::index
