// What is asked of a segment before it is written again, merged, reordered, cut or exported.
#pragma once

#include <filesystem>
#include <stop_token>

#include "index/index.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::index {

class SegmentReader;

/// Throws DamageError, which names file, section and, where it is known, the lists, unless all
/// sections of the segment's files are those that were written: a copy would have right checksums
/// for wrong bytes. What was checked before is not hashed again. Segments in memory are sound.
/// CancelledError.
void check_undamaged(const Segment& segment, const std::stop_token& stop);
/// check_undamaged() of all segments of an index.
void check_undamaged(const Index& index, const std::stop_token& stop);

/// Throws VersionError, which names them, if the segment has streams, files, sections or members
/// of the manifest that this version does not know: what writes it again would lose them.
void check_all_known(const SegmentReader& segment);
/// check_all_known() of the members of the manifest in `directory` that are of no segment.
void check_all_known(const Manifest& manifest, const std::filesystem::path& directory);

/// Both: what merging, reordering and cutting ask of each segment that they read.
void check_for_copy(const Segment& segment, const std::stop_token& stop);

}  // namespace gannet::index
