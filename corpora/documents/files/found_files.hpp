// The files that an input stands for.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace gannet::corpora {

/// A file below an input, and its path relative to it ('/' between parts).
struct FoundFile {
  std::filesystem::path path;
  std::string relative;
  /// Why this is no file, but a folder that cannot be read: with its path. Whoever opens it gets an
  /// error.
  std::string problem = {};
};

struct FoundFiles {
  std::vector<FoundFile> files;  ///< in bytewise order of `relative`
  /// What else was met and is not read, with the reason: "docs/old: a link that leads nowhere".
  std::vector<std::string> passed_over;
};

/// All files below a folder, or the file itself. A link to a file is that file. A link to a folder
/// is that folder, unless it is met elsewhere below the input, where it is read then, or around the
/// input: no folder is read twice, and loops end. Names that begin with a dot are left out, and so
/// are pipes, devices and sockets. Throws IoError for an input that is not there or cannot be
/// looked at, and CancelledError once `stop` asks for it.
FoundFiles find_files(const std::filesystem::path& input, const std::stop_token& stop);

}  // namespace gannet::corpora
