// The text of TREC's markup.
#pragma once

#include <string_view>

namespace gannet::corpora {

/// Copies the text of `markup` to `out` and returns the end of what was written, which is never
/// more than there was: tags, comments and declarations are blanks, CDATA sections their contents,
/// and
/// `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` and numbers (`&#233;`, `&#xe9;`) what they stand
/// for. Other names, which differ between the collections, stay. `out` may be markup.data(). Takes
/// time in proportion to the text.
char* sgml_text(std::string_view markup, char* out);

}  // namespace gannet::corpora
