// What fits a terminal: its width, and the columns that texts take there.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::tools {

/// Columns of the terminal that the stream (stdout or stderr) is; nothing for files and pipes, and
/// for a terminal that does not say.
std::optional<std::size_t> screen_columns(std::FILE* stream);

/// Whether escape sequences are welcome: the stream is a terminal, TERM is not "dumb".
bool obeys_escapes(std::FILE* stream);
/// The same, and NO_COLOR (no-color.org) is not set.
bool shows_colours(std::FILE* stream);

/// Columns that valid UTF-8 of one line takes on a terminal: 2 for wide characters, 0 for combining
/// ones and for our own escape sequences.
std::size_t columns_of(std::string_view text);

/// The beginning of the text that fits, with "…" where something is left out. `columns` >= 1.
std::string cut_to(std::string_view text, std::size_t columns);

/// The text in lines of at most `columns`, all but the first behind `indent` blanks, for which the
/// lines leave room. Breaks at blanks, and within words that are longer than a line. Without
/// `columns` it is one line.
std::string wrapped(std::string_view text, std::size_t indent, std::optional<std::size_t> columns);

}  // namespace gannet::tools
