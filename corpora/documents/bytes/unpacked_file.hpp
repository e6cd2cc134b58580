// Files that are read at any place, compressed or not.
#pragma once

#include <filesystem>
#include <stop_token>

#include "index/files/mapped_file.hpp"

namespace gannet::corpora {

/// Maps a file. One that gzip, bzip2 or zstd compressed, as its first bytes tell, is decompressed
/// to a file without a name in the folder for temporary files (TMPDIR), which goes with the
/// mapping. Throws IoError, also where there is no room for what comes out; FormatError for
/// compressed data that is damaged or ends too early; CancelledError once `stop` asks for it.
index::MappedFile map_unpacked(const std::filesystem::path& path, const std::stop_token& stop = {});

}  // namespace gannet::corpora
