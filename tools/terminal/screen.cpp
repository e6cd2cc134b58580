#include "tools/terminal/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

/// No line is made shorter, however narrow the terminal is.
constexpr std::size_t kMinColumns = 20;
constexpr std::string_view kEllipsis = "…";

/// A character with its escape sequences before it, or the sequences at the end.
struct ScreenPiece {
  std::size_t bytes = 0;
  std::size_t columns = 0;
};

/// Bytes of the escape sequence that the text begins with: "\033[1;31m".
std::size_t escape_bytes(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end == std::string_view::npos || text[end] != 'm' ? 0 : end + 1;
}

ScreenPiece next_piece(std::string_view text) {
  ScreenPiece piece;
  while (const std::size_t escape = escape_bytes(text.substr(piece.bytes))) piece.bytes += escape;
  const std::string_view rest = text.substr(piece.bytes);
  if (rest.empty()) return piece;
  std::int32_t codepoint = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(rest.data()),
                                       static_cast<utf8proc_ssize_t>(rest.size()), &codepoint);
  piece.bytes += length > 0 ? static_cast<std::size_t>(length) : 1;
  piece.columns = length > 0 ? static_cast<std::size_t>(utf8proc_charwidth(codepoint)) : 1;
  return piece;
}

/// The beginning of the text that fits `columns`: its bytes, and what they take.
ScreenPiece fitting(std::string_view text, std::size_t columns) {
  ScreenPiece all;
  while (all.bytes < text.size()) {
    const ScreenPiece next = next_piece(text.substr(all.bytes));
    if (all.columns + next.columns > columns) break;
    all.bytes += next.bytes;
    all.columns += next.columns;
  }
  return all;
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value != nullptr && *value != '\0';
}

}  // namespace

std::optional<std::size_t> screen_columns(std::FILE* stream) {
  if (!is_terminal(stream)) return {};
  winsize size{};
  const int descriptor = stream == stderr ? STDERR_FILENO : STDOUT_FILENO;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return size.ws_col;
}

bool obeys_escapes(std::FILE* stream) {
  if (!is_terminal(stream)) return false;
  const char* const term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return term == nullptr || std::string_view(term) != "dumb";
}

bool shows_colours(std::FILE* stream) { return obeys_escapes(stream) && !is_set("NO_COLOR"); }

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const ScreenPiece piece = next_piece(text);
    columns += piece.columns;
    text.remove_prefix(piece.bytes);
  }
  return columns;
}

std::string cut_to(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::string_view begin = text.substr(0, fitting(text, columns - 1).bytes);
  return std::string(begin).append(kEllipsis);
}

std::string wrapped(std::string_view text, std::size_t indent, std::optional<std::size_t> columns) {
  if (!columns) return std::string(text);
  const std::size_t room = std::max(kMinColumns, *columns - std::min(*columns, indent));
  std::string lines;
  for (std::size_t end = fitting(text, room).bytes; end < text.size();
       end = fitting(text, room).bytes) {
    // A blank behind the last column ends the line, too.
    const std::size_t blank = text.find_last_of(' ', end);
    const bool at_blank = blank != std::string_view::npos && blank > 0;
    lines.append(text.substr(0, at_blank ? blank : end)).append("\n").append(indent, ' ');
    text.remove_prefix(at_blank ? blank + 1 : end);
  }
  return lines.append(text);
}

}  // namespace gannet::tools
