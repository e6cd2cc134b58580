// The text that a reader of an HTML page sees.
#pragma once

#include <string>
#include <string_view>

namespace gannet::corpora {

/// Appends the title and the visible text of a page to `text`: no scripts, styles, templates or
/// comments; entities decoded; block elements separated by line ends, inline ones not separated.
/// Any input is accepted, as browsers do. Thread-safe.
void append_html_text(std::string_view html, std::string& text);

}  // namespace gannet::corpora
