// The text that a reader of a wiki's page sees.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::corpora {

/// What a wiki calls the namespaces that links lead to without showing a text, besides the English
/// names, which every wiki knows.
struct WikiNames {
  std::vector<std::string> files = {};       ///< "Datei"
  std::vector<std::string> categories = {};  ///< "Kategorie"
};

/// Appends the visible text of a page in MediaWiki's markup to `text`: templates, references,
/// formulas, comments and categories left out; of links their labels, of files their captions, of
/// tables their cells; headings, lists and paragraphs as lines. Nothing is expanded: what only a
/// template would show is not there. Any input is accepted, and what is opened but never closed
/// loses nothing; takes time and memory in proportion to the input, whatever is in it: constructs
/// nested deeper than 256 are as if their brackets were not there. `names` must stay. Throws
/// CancelledError once `stop` asks for it. Thread-safe.
void append_wikitext(std::string_view wikitext, const WikiNames& names, std::string& text,
                     const std::stop_token& stop = {});

}  // namespace gannet::corpora
