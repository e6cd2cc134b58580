// Snippets as text, HTML and for terminals.
#pragma once

#include <string>
#include <string_view>

#include "query/snippets/snippet.hpp"

namespace gannet::query {

/// What stands around marks and between fragments; taken as it is, without escaping.
struct Markup {
  std::string open = {};
  std::string close = {};
  /// Where something is left out.
  std::string ellipsis = "…";
};

// `snippet` must be of `text`. All of them give valid UTF-8: bytes of the text that are not become
// U+FFFD, one for each sequence that breaks off.

/// The fragments on one line: each run of white space is a blank, and what a terminal would obey
/// (other control characters, bidirectional embeddings, overrides and isolates) is U+FFFD each.
std::string to_plain_text(const Snippet& snippet, std::string_view text, const Markup& markup = {});

/// to_plain_text() with marks in bold red, by ANSI escape sequences.
std::string to_ansi(const Snippet& snippet, std::string_view text);

/// HTML for the content of an element: `&`, `<`, `>`, `"` and `'` are escaped, so that the text
/// makes no markup there or in an attribute; control characters other than white space, which HTML
/// does not allow, are U+FFFD. Undoing the escapes gives the bytes of the fragments. The text's
/// bidirectional controls stay: show it in a block of its own, or in <bdi>.
std::string to_html(const Snippet& snippet, std::string_view text,
                    const Markup& markup = {.open = "<mark>", .close = "</mark>"});

}  // namespace gannet::query
