// Which encoding a text is in, and the text as UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace gannet::corpora {

/// The bytes of an HTML page as UTF-8, with U+FFFD for what its encoding does not have. The
/// encoding is that of a byte order mark, else the one that came with the page (`transport`: HTTP's
/// charset), else that of a <meta charset=...> or an XML declaration among the first 1,024 bytes,
/// else UTF-8 if all of the page is, else that of a <meta> before the body, else windows-1252, as
/// in browsers. Labels mean what the WHATWG
/// Encoding standard says (encoding/encoding.hpp); one that nobody knows is as none. A view of
/// `page` where nothing has to be converted, else of `room`. Time in proportion to the page.
/// Thread-safe.
std::string_view html_as_utf8(std::string_view page, std::string& room,
                              std::string_view transport = {});

/// The same for plain text, which declares nothing; but UTF-16 without a byte order mark is told by
/// its zero bytes.
std::string_view text_as_utf8(std::string_view text, std::string& room,
                              std::string_view transport = {});

}  // namespace gannet::corpora
