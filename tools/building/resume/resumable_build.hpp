// Building an index in steps that survive an interruption.
#pragma once

#include <filesystem>

#include "index/builder.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/index_options.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// What --resume does: documents are added to an index in OUTPUT.unfinished, --step bytes of input
/// at a time, each step in one commit; at the end all of it is merged into the output, to the bytes
/// of a build at once (and kBuildRecordName besides), and OUTPUT.unfinished is removed. Where there
/// is such a folder already, goes on behind the last step that was committed. Where the build was
/// finished, and nobody has written to the index since, says so, and gives the report of then.
/// Throws UsageError for what cannot be resumed (posting lists, --rows, input that is no file), and
/// if the input, an option or the program is another than it was when the build began; what
/// build_index() throws.
index::BuildReport build_resumably(const OptionSet& options, const IndexSetup& setup,
                                   const BuildRun& run);

/// Whether there is a build of this output that --resume goes on with.
bool was_interrupted(const std::filesystem::path& output);

}  // namespace gannet::tools
