// Lexicon and postings of no terms, in the place of those that cannot be opened.
#pragma once

#include <filesystem>

#include "index/manifest/index_snapshot.hpp"

namespace gannet::index {

/// The files of a segment, whose record has both, but with lists of no terms: what it knows of its
/// documents can be read. `scratch`: a folder for the two files without terms. Once a segment.
/// Throws IoError.
SegmentFiles without_lists(const SegmentFiles& files, const std::filesystem::path& scratch);

}  // namespace gannet::index
