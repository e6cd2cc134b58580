// Character references: &amp;, &#233;, &#xe9;.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Appends what the reference at the beginning of `text`, an '&', stands for, as UTF-8, or the '&'
/// if there is none; returns how many bytes of `text` that was. Names are those of HTML 4. A
/// no-break space becomes a blank, and what is no character U+FFFD. Never appends more bytes than
/// it takes. Thread-safe.
std::size_t append_reference(std::string_view text, std::string& out);

}  // namespace gannet::corpora
