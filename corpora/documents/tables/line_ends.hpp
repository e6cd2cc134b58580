// The line ends of a table: LF, CRLF, or CR alone, as old spreadsheets write them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "corpora/documents/sources/batch_reader.hpp"

namespace gannet::corpora {

/// Where the character at the front of `text` ends, or the quoted stretch that it begins; npos if
/// that does not end.
inline std::size_t end_of_quoted(std::string_view text, bool quotes) {
  if (!quotes || !text.starts_with('"')) return 1;
  const std::size_t end = text.find('"', 1);
  return end == std::string_view::npos ? end : end + 1;
}

/// The last character of the line ends of a file that begins with `text`: '\r' if there is no LF in
/// its first 64 kB, but a CR; quoted values are passed over where there are `quotes`. Nothing:
/// it takes more text to tell.
inline std::optional<char> line_end_of(std::string_view text, bool at_end, bool quotes) {
  constexpr std::size_t kLooked = std::size_t{64} << 10;
  const std::string_view front = text.substr(0, kLooked);
  const std::string_view wanted = quotes ? "\n\r\"" : "\n\r";
  bool has_cr = false;
  for (std::size_t at = front.find_first_of(wanted); at < front.size();
       at = front.find_first_of(wanted, at)) {
    if (front[at] == '\n') return '\n';
    has_cr = has_cr || front[at] == '\r';
    const std::size_t size = end_of_quoted(front.substr(at), quotes);
    at = size == std::string_view::npos ? size : at + size;
    if (size == std::string_view::npos) break;
  }
  if (!at_end && text.size() < kLooked) return std::nullopt;
  return has_cr ? '\r' : '\n';
}

/// Cuts behind the last line end, whichever these are.
class AnyLineSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    if (!line_end_) line_end_ = line_end_of(text, at_end, false);
    if (!line_end_) return 0;
    piece.line_end = *line_end_;
    return at_end ? text.size() : text.rfind(*line_end_) + 1;  // npos + 1 is 0
  }

 private:
  std::optional<char> line_end_;
};

}  // namespace gannet::corpora
