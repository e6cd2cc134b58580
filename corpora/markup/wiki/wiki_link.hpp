// What a link in a wiki's markup leads to.
#pragma once

#include <string_view>

#include "corpora/markup/wiki/wikitext.hpp"

namespace gannet::corpora {

enum class WikiLink {
  kPage,      ///< shows its label, or else its target
  kFile,      ///< shows its caption, which is the last of its parts
  kHidden,    ///< shows nothing: a category
  kLanguage,  ///< the page in another language: shows nothing, unless it has a label
};

/// The kind of a link by its target.
WikiLink kind_of_link(std::string_view target, const WikiNames& names);

/// Whether a part of a file's link says how the file is shown: "thumb", "300px".
bool is_file_option(std::string_view part);

}  // namespace gannet::corpora
