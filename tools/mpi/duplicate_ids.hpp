// Ids that documents of several ranks have.
#pragma once

#include <filesystem>

#include "tools/mpi/ranks.hpp"

namespace gannet::tools {

/// Throws UsageError, on all ranks, if two of a set's shards have documents of the same id; each
/// rank's shard is the one of its number in `directory`, which need not be a set yet. Collective.
/// Takes 16 bytes per document of the rank, and as many again while hashes are exchanged.
void check_ids(Ranks& ranks, const std::filesystem::path& directory);

}  // namespace gannet::tools
