// A text file whose line n names thing n.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/files/mapped_file.hpp"

namespace gannet::corpora {

/// Immutable; safe to use from any number of threads.
class LineTable {
 public:
  /// Maps the file and finds its lines. Throws IoError, and FormatError unless there are `expected`
  /// lines, none of them empty; CancelledError once `stop` asks for it.
  LineTable(const std::filesystem::path& path, std::uint64_t expected,
            const std::stop_token& stop = {});

  /// The same, or null where there is no such file.
  static std::unique_ptr<LineTable> open_if_there(const std::filesystem::path& path,
                                                  std::uint64_t expected,
                                                  const std::stop_token& stop = {});

  /// Line `n` (below the expected number), without its LF or CRLF.
  std::string_view line(std::uint64_t n) const;

 private:
  index::MappedFile file_;
  std::string_view text_;
  std::vector<std::uint64_t> starts_;  // one more than lines
};

}  // namespace gannet::corpora
