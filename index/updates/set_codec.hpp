// Giving a field of an index another codec.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "index/updates/merge.hpp"

namespace gannet::index {

struct SetCodecReport {
  std::string before = {};   ///< the codec that the field had
  MergeReport written = {};  ///< what was written; nothing if the field had the codec already
};

/// Writes the segments of an index again, one by one, with this field's values coded by `codec`
/// (FieldSpec::codec: a codec's name or auto), and records it for what is added from now on; in one
/// commit. Values, docids and scores stay, but that deleted documents are left out, as by a merge,
/// whose costs these are. Where the codec does not take the values of a segment, `auto` codes them,
/// and the report says so. Of the options, memory, threads, stop, deadline,
/// progress and lock count. Throws
/// UsageError for a field or a codec that there is not, and for a field of type text, which has no
/// codec; and what merge_index() throws: then the index is as it was.
SetCodecReport set_codec(const std::filesystem::path& directory, std::string_view field,
                         const std::string& codec, const MergeOptions& options = {});

}  // namespace gannet::index
