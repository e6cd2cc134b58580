// The snippets of a query's hits, printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "query/snippets/snippet.hpp"
#include "tools/options/snippet_option.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// Makes them for one query. Not thread-safe.
class HitSnippets {
 public:
  /// The plan may go, the others must stay.
  HitSnippets(const query::Plan& plan, const index::Index& index, const index::Analyzer& analyzer,
              const SnippetChoice& choice);

  /// Prints a line of its own, indented, unless the text is blank or no snippets are wanted.
  /// `docid`: whose text it is.
  void print_line(std::string_view text, index::Docid docid);

  /// {"fragments": [{"begin", "end", "text", "marks": [{"begin", "end", "term"}]}]}: bytes of the
  /// stored text, and terms as they are in the index; and "html", "plain" or "ansi", if a
  /// --highlight was asked for.
  Json json(std::string_view text, index::Docid docid);

 private:
  query::Snippet make(std::string_view text, index::Docid docid);

  const index::Index& index_;
  bool of_field_;  ///< the texts are those of a stored field
  std::vector<std::string> terms_;
  Highlight highlight_;
  std::optional<query::SnippetMaker> maker_;  ///< none: no snippets are wanted
};

}  // namespace gannet::tools
