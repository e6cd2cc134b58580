// The posting lists of a segment's main text, made anew from its stored texts.
#pragma once

#include <filesystem>
#include <memory>

#include "index/manifest/manifest.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/repair.hpp"

namespace gannet::index {

/// A segment with the lists and lengths that the stored texts of a damaged one have, deleted
/// documents included; it has no ids, texts and columns. It has positions if the damaged one has:
/// those of texts of one value each, for where values end is not stored. nullptr if texts are
/// missing or damaged, if they are not what frequencies count (impacts), or if other versions of
/// the libraries analysed them: these may make other terms. Whether the damaged segment was made of
/// these texts alone is not known (SalvagedSegment::take_lists()).
///
/// Writes an index in `directory`, which must not exist; the caller removes it. Throws IoError,
/// CancelledError.
std::shared_ptr<const Segment> lists_of_texts(const SegmentReader& damaged,
                                              const Manifest& manifest,
                                              const std::filesystem::path& directory,
                                              const RepairOptions& options);

}  // namespace gannet::index
