// What a command says beside its result, on stderr: notes and warnings, as lines of text, or with
// --json as lines of JSON, so that a program that reads stderr finds nothing else there.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace gannet::tools {

/// Which command speaks, "gannet search", and whether in JSON. Called once, before there are
/// threads; without it notes are text by "gannet".
void set_speaker(std::string_view who, bool json);

/// Prints "gannet search: TEXT", or {"version": 1, "command": "search", "note": TEXT}. One line:
/// line ends in the text become blanks.
void print_note(std::string_view text);
/// Prints "gannet search: warning: TEXT"; the member of JSON is called "warning".
void print_warning(std::string_view text);

template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  print_note(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  print_warning(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace gannet::tools
