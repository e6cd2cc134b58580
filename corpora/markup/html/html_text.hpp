// The text that a reader of an HTML page sees.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Where the title of a page stands in its text.
struct TitlePlace {
  std::size_t begin = 0;  ///< in all of `text`
  std::size_t size = 0;   ///< 0: the page has none
};

/// Appends the title and the visible text of a page to `text`, as UTF-8 (html_as_utf8() finds the
/// encoding), as the HTML standard has a page read, with scripts on: no scripts, styles, templates,
/// <noscript>, comments, and of drawings (SVG) their texts alone; character references decoded;
/// block elements separated by line ends, inline ones not separated; what stands in for an
/// <object> or for frames is text. Any input is accepted, as browsers do, and takes time in
/// proportion to its size: no tree is made (html/open_elements.hpp). `charset` is the encoding that
/// came with the page (HTTP), if any. Throws CancelledError once `stop` asks for it. Thread-safe.
TitlePlace append_html_text(std::string_view html, std::string& text,
                            const std::stop_token& stop = {}, std::string_view charset = {});

}  // namespace gannet::corpora
