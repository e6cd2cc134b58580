// Character references: &amp;, &#233;, &#xe9;.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Which references a language has.
enum class References {
  kHtml,  ///< names that HTML had before 5 need no ';' (`caf&eacute au`), and numbers need none
  kWiki,  ///< all need it, and those without are text
};

/// Appends what the reference at the beginning of `text`, an '&', stands for, as UTF-8, or the '&'
/// if there is none; returns how many bytes of `text` that was. Names are the 2,231 of HTML, of
/// which the longest that fits counts; numbers from 128 to 159 are windows-1252's, as browsers read
/// them. A no-break space becomes a blank, and what is no character U+FFFD. Appends at most one
/// byte more than it takes. Thread-safe.
std::size_t append_reference(std::string_view text, References which, std::string& out);

}  // namespace gannet::corpora
