#include "tools/terminal/print.hpp"

#include <unistd.h>
#include <utf8proc.h>

#include <cstdint>

#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

/// A terminal obeys it, or shows what follows in another order than it is written.
bool is_obeyed(std::int32_t c) {
  const bool c0 = c < 0x20 && c != '\n' && c != '\t';
  const bool del_or_c1 = c >= 0x7f && c < 0xa0;
  const bool bidirectional = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  return c0 || del_or_c1 || bidirectional;
}

/// Copies `text`; `replacement(codepoint)` stands for what is obeyed, and for a byte that is no
/// UTF-8 (then -1).
template <class Replacement>
std::string cleaned(std::string_view text, const Replacement& replacement) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::int32_t codepoint = -1;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                         static_cast<utf8proc_ssize_t>(text.size()), &codepoint);
    const bool valid = length > 0;
    const std::size_t bytes = valid ? static_cast<std::size_t>(length) : 1;
    if (valid && !is_obeyed(codepoint)) {
      out += text.substr(0, bytes);
    } else {
      out += replacement(valid ? codepoint : -1);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

void write(std::FILE* stream, std::string_view text) {
  if (stream != stdout) {
    // Nobody can be told that messages do not arrive.
    std::fwrite(text.data(), 1, text.size(), stream);
    return;
  }
  write_stdout(text);
  if (is_terminal(stdout)) flush_stdout();
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  static const bool out = isatty(STDOUT_FILENO) == 1;
  static const bool err = isatty(STDERR_FILENO) == 1;
  return stream == stderr ? err : stream == stdout && out;
}

std::string printable(std::string_view text) {
  return cleaned(text, [](std::int32_t) { return "\uFFFD"; });
}

std::string printable_json(std::string_view json) {
  return cleaned(json, [](std::int32_t c) {
    return c < 0 ? std::string("\uFFFD") : fmt::format("\\u{:04x}", c);
  });
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      line += "\uFFFD";
    } else {
      line += c;
    }
  }
  return line;
}

void print_text(std::FILE* stream, std::string_view text) {
  if (is_terminal(stream)) {
    write(stream, printable(text));
  } else {
    write(stream, text);
  }
}

void print_styled(std::FILE* stream, std::string_view text) { write(stream, text); }

}  // namespace gannet::tools
