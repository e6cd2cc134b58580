// Checking an index or a set of shards, where damage is a finding.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "index/verify.hpp"

namespace gannet::tools {

/// Checks an index, or of a set of shards all, and that they are those which the set was made of.
/// One too damaged to be opened is a finding, not an error; one written by a newer Gannet is an
/// error (VersionError). Throws what index::verify_index() throws otherwise.
index::VerifyReport check_index(
    const std::string& path, unsigned threads,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress,
    const std::stop_token& stop);

}  // namespace gannet::tools
