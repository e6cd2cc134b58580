// Text in other encodings than UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace gannet::corpora {

/// The bytes of an HTML page as UTF-8, with U+FFFD for what its encoding does not have. The
/// encoding is that of a byte order mark, else of a <meta charset=...> or XML declaration among the
/// first 1,024 bytes, else UTF-8 if all of the page is, else windows-1252, as in browsers. A view
/// of `page` where nothing has to be converted, else of `room`. `transport` is the encoding that
/// came with the page (HTTP's charset), if any: it is believed more than declarations, unless
/// nobody knows it. Throws InputError for a page of more than 512 MB that has to be converted.
/// Thread-safe.
std::string_view html_as_utf8(std::string_view page, std::string& room,
                              std::string_view transport = {});

/// The same for plain text, which declares nothing.
std::string_view text_as_utf8(std::string_view text, std::string& room,
                              std::string_view transport = {});

}  // namespace gannet::corpora
