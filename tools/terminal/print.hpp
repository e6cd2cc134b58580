// Text for people: what Gannet prints may come from strangers (ids, terms, texts, file names), so
// that a terminal is shown none of its control characters. Everything the command prints goes
// through here.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace gannet::tools {

/// Whether the stream (stdout or stderr) is a terminal.
bool is_terminal(std::FILE* stream);

/// `text` as a terminal may see it: control characters (C0 but newline and tab, DEL, C1),
/// bidirectional embeddings, overrides and isolates, and bytes that are no UTF-8 become U+FFFD
/// each.
std::string printable(std::string_view text);

/// The same for JSON text, whose strings may name any character: they become \uXXXX, so that the
/// values stay.
std::string printable_json(std::string_view json);

/// `text` with U+FFFD for each newline, carriage return and tab: one line, one field, also in files
/// and pipes. For what strangers wrote and stands in a line of ours, such as a document's id.
std::string one_line(std::string_view text);

/// Writes `text` as it is if `stream` is a file or a pipe, else printable(text). Errors of stdout
/// are thrown (standard_output.hpp), some of them by what is printed later or by flush_stdout().
void print_text(std::FILE* stream, std::string_view text);

/// As fmt::print, with print_text().
template <class... Args>
void print(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  print_text(stream, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  print_text(stdout, fmt::format(format, std::forward<Args>(args)...));
}

/// Writes text with escape sequences of our own, whatever the stream; the rest of it must be
/// printable().
void print_styled(std::FILE* stream, std::string_view text);

}  // namespace gannet::tools
