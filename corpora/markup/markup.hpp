// Angle-bracket markup as TREC files have it: loose SGML, any case, no nesting to rely on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// A tag in a text: `<name ...>` or `</name ...>`.
struct Tag {
  std::size_t begin = std::string_view::npos;  ///< of '<'; npos: there is none
  std::size_t end = std::string_view::npos;    ///< behind '>'
  std::string_view name;                       ///< without '/'
  std::string_view attributes;
  bool closing = false;

  bool found() const { return begin != std::string_view::npos; }
};

/// ASCII comparison without regard to case.
bool same_name(std::string_view a, std::string_view b);

/// The tag whose '<' is at `begin`; not found if it is none.
Tag tag_at(std::string_view text, std::size_t begin);

/// The first tag at or behind `from`, whatever its name. A '<' that no name follows is text.
Tag next_tag(std::string_view text, std::size_t from);

/// The first opening (or closing) tag `name` at or behind `from`.
Tag find_tag(std::string_view text, std::size_t from, std::string_view name, bool closing);

/// Copies `text` to `out` with each tag, comment and declaration replaced by one blank, and returns
/// the end of what was written. `out` may be text.data(): it never overtakes the reading.
char* strip_tags(std::string_view text, char* out);

/// Without white space at both ends.
std::string_view trim(std::string_view text);

}  // namespace gannet::corpora
