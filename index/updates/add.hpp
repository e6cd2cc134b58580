// Adding documents to an index, or replacing some by others: they become new segments, and nothing
// that is there is written again.
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

/// Options with which documents can be added to the index: all that it was built with. Memory,
/// threads, progress and the stop token are the caller's. Throws what Index::open() throws for a
/// manifest, and UsageError if the libraries that analyse text here are not those that analysed the
/// text of the index: its words and those of new documents might differ.
BuildOptions options_to_add_to(const std::filesystem::path& directory);

/// Adds the documents of the source, as a segment, in one commit: other programs see the index as
/// it was, or with all of them, and those that have it open keep what they have. Scores are those
/// of one index of all documents. A document whose id is there already is an InputError, or with
/// BuildOptions::update takes the place of the one that has it, in the same commit. The report's
/// statistics are those of the whole index. Without any document, nothing is written. Throws what
/// build_index() throws.
BuildReport add_documents(DocumentSource& source, const std::filesystem::path& directory,
                          const BuildOptions& options);

/// Adds the posting lists of the source as add_documents() adds documents.
BuildReport add_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                         const BuildOptions& options);

}  // namespace gannet::index
