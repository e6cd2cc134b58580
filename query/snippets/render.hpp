// Snippets as plain text, as HTML and for terminals.
#pragma once

#include <string>
#include <string_view>

#include "query/snippets/snippet.hpp"

namespace gannet::query {

/// Strings around marks and between fragments. They are copied without escaping.
struct Markup {
  std::string open = {};
  std::string close = {};
  /// Stands where text is left out: before, between and after fragments.
  std::string ellipsis = "…";
};

// `snippet` must be a snippet of `text`. The functions return valid UTF-8 if the markup is valid:
// each malformed sequence of the text becomes one U+FFFD. Time is linear in the fragments' size.
// The functions are thread-safe.

/// The fragments on one line. Each run of white space becomes one blank. Each character that a
/// terminal may obey becomes U+FFFD: other control characters, and bidirectional embeddings,
/// overrides and isolates.
std::string to_plain_text(const Snippet& snippet, std::string_view text, const Markup& markup = {});

/// to_plain_text() with bold red marks, by ANSI escape sequences.
std::string to_ansi(const Snippet& snippet, std::string_view text);

/// HTML for the content of an element. `&`, `<`, `>`, `"` and `'` are escaped, so that the text
/// cannot make markup there or in an attribute. Control characters other than tab, line feed and
/// carriage return become U+FFFD. All other characters keep their bytes. Bidirectional controls
/// stay: show the snippet in a block of its own, or in <bdi>.
std::string to_html(const Snippet& snippet, std::string_view text,
                    const Markup& markup = {.open = "<mark>", .close = "</mark>"});

}  // namespace gannet::query
