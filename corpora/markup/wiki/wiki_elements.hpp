// Elements in a wiki's markup whose contents are not markup.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gannet::corpora {

enum class WikiContents {
  kHidden,      ///< not part of the text, but seen in its place: references, formulas
  kNothing,     ///< nothing is seen of it
  kVerbatim,    ///< text as it is
  kReferences,  ///< text as it is, but for character references
};

struct WikiElement {
  std::string_view name;  ///< in small letters
  WikiContents contents;
};

/// In alphabetical order.
inline constexpr std::array<WikiElement, 25> kWikiElements{{
    {"categorytree", WikiContents::kHidden},
    {"ce", WikiContents::kHidden},
    {"chem", WikiContents::kHidden},
    {"graph", WikiContents::kHidden},
    {"hiero", WikiContents::kHidden},
    {"imagemap", WikiContents::kHidden},
    {"includeonly", WikiContents::kNothing},
    {"indicator", WikiContents::kNothing},
    {"inputbox", WikiContents::kHidden},
    {"mapframe", WikiContents::kHidden},
    {"maplink", WikiContents::kHidden},
    {"math", WikiContents::kHidden},
    {"nowiki", WikiContents::kReferences},
    {"phonos", WikiContents::kHidden},
    {"pre", WikiContents::kReferences},
    {"ref", WikiContents::kHidden},
    {"references", WikiContents::kHidden},
    {"score", WikiContents::kHidden},
    {"source", WikiContents::kVerbatim},
    {"style", WikiContents::kNothing},
    {"syntaxhighlight", WikiContents::kVerbatim},
    {"templatedata", WikiContents::kNothing},
    {"templatestyles", WikiContents::kNothing},
    {"timeline", WikiContents::kHidden},
    {"gallery", WikiContents::kHidden},
}};
/// Its lines are files with captions, so that its contents are markup after all.
inline constexpr std::size_t kGallery = kWikiElements.size() - 1;

/// The element's place in the table, whatever the case of its name.
std::optional<std::size_t> find_wiki_element(std::string_view name);

/// Finds the ends of elements and comments in a text, asked for places in ascending order. An end,
/// or that there is none, is found out once.
class WikiEnds {
 public:
  explicit WikiEnds(std::string_view text) : text_(text) {}

  /// An end tag.
  struct End {
    std::size_t begin = std::string_view::npos;  ///< npos: there is none
    std::size_t end = std::string_view::npos;
    bool found() const { return begin != std::string_view::npos; }
  };

  /// The first end tag of the element at or behind `from`.
  End of_element(std::size_t element, std::size_t from);
  /// Where a comment's "-->" is.
  std::size_t of_comment(std::size_t from);

 private:
  /// The next end of an element, for all places up to it.
  struct Known {
    bool any = false;
    End next = {};
  };

  End search(std::size_t element, std::size_t from) const;

  std::string_view text_;
  std::array<Known, kWikiElements.size()> known_{};
  bool no_more_comments_ = false;
};

}  // namespace gannet::corpora
