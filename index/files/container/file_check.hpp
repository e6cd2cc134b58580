// Checking the bytes of one file of an index, whatever they mean.
#pragma once

#include <cstdint>
#include <filesystem>

#include "index/files/container/container.hpp"
#include "index/files/problems.hpp"

namespace gannet::index {

/// Checks a mapped file's length and checksum against the manifest, then its sections' checksums,
/// in parallel. Problems go to `problems` under `area`. Of a file of unknown kind (null) only
/// the whole is checked. Thread-safe.
void check_file(const std::filesystem::path& path, const MappedFile& file, const FileKind* kind,
                const FileSummary& expected, std::uint32_t area, ProblemList& problems,
                Progress& progress);

}  // namespace gannet::index
