// What a build is told and reads.
#pragma once

#include <filesystem>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "tools/building/resume/build_progress.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// All that the bytes of the index depend on. Throws UsageError for input that a build cannot be
/// resumed with, IoError.
BuildTask build_task(const OptionSet& options, const std::vector<std::filesystem::path>& inputs,
                     const corpora::ReaderOptions& reader);

}  // namespace gannet::tools
