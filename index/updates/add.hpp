// Adding documents to an index, or replacing documents by others. The new documents become a new
// segment; existing segments are not written again.
//
//     BuildOptions options = options_to_add_to("idx");
//     options.memory = ...;
//     add_documents(*source, "idx", options);
#pragma once

#include <filesystem>

#include "index/builder.hpp"
#include "index/inverted_source.hpp"
#include "index/options_of_index.hpp"

namespace gannet::index {

/// Options to add documents to the index in `directory`: `write` has the options recorded in the
/// index, the other members have their initial values. In particular BuildOptions::fields is empty:
/// the caller, or the reader of documents, selects the parts in WriteOptions::contents. Throws what
/// write_options_of() throws, and UsageError if this program analyses text with other libraries
/// than those that analysed the documents of the index: equal words might give different terms.
BuildOptions options_to_add_to(const std::filesystem::path& directory);

/// Adds the documents of the source as one segment, in one commit. Readers see the index without
/// any of them before the commit and with all of them after it; an open index does not change.
/// Scores are those of one index of all documents. With BuildOptions::update a document replaces
/// the document with its id in the same commit; without it, an id that occurs again is an
/// InputError. The report has the statistics of the index with all its segments. If the source has
/// no documents, nothing is written. Throws what build_index() throws, and UsageError if `options`
/// were not made by options_to_add_to() (WriteOptions::append is false).
BuildReport add_documents(DocumentSource& source, const std::filesystem::path& directory,
                          const BuildOptions& options);

/// Adds the documents and posting lists of an inverted source, as add_documents() adds documents.
/// Throws what build_inverted() throws instead of what build_index() throws.
BuildReport add_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                         const BuildOptions& options);

}  // namespace gannet::index
