// Changing the codec of a field of an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "index/updates/merge.hpp"

namespace gannet::index {

struct SetCodecReport {
  std::string before = {};   ///< the codec that the field had
  MergeReport written = {};  ///< as initialised if the field had the codec already
};

/// Writes all segments of an index again, one by one, with the values of `field` encoded by `codec`
/// (FieldSpec::codec: the name of a codec or auto), and records the codec for documents that are
/// added later; in one commit. If the field has the codec already, nothing is written. Deleted
/// documents are left out, as by a merge; otherwise values, docids and scores do not change. If the
/// codec cannot encode the values of a segment, `auto` encodes them, and the report says so
/// (MergeReport::fallbacks).
///
/// Time, memory and disk space are those of a merge of all segments. Of the options, memory,
/// threads, stop, deadline, progress and lock are used. Throws UsageError for an unknown field, an
/// unknown codec, and a text field, which has no codec; and what merge_index() throws. After an
/// exception the index is as it was, unless only the last sync failed (IndexWriter::commit()).
SetCodecReport set_codec(const std::filesystem::path& directory, std::string_view field,
                         const std::string& codec, const MergeOptions& options = {});

}  // namespace gannet::index
