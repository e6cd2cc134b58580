// The options that ask for snippets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/plan/query.hpp"
#include "query/snippets/snippet.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/searching.hpp"

namespace gannet::tools {

using options::Highlight;

struct SnippetChoice {
  bool wanted = false;
  /// The user asked for them: then they go without saying nowhere.
  bool asked = false;
  query::SnippetOptions options = {};
  /// Number in the schema of the stored field that they are of; nothing: the stored text.
  std::optional<std::size_t> field = {};
  Highlight highlight = Highlight::kNone;
  bool whole_text = false;  ///< --text: JSON has the whole text of each hit
};

/// What snippets of a document are pieces of; nothing: it has no such text.
std::optional<std::string> snippet_text(const index::Index& index, const SnippetChoice& choice,
                                        std::uint32_t docid);

/// The command line with a number in `--snippets` where it has none: the parser would take the word
/// behind it for that, which is the query's. Throws UsageError where that word is a number.
std::vector<std::string> with_snippet_number(Args args);

/// What they ask for. Without a word about snippets, text output has one piece of each hit's text
/// if the index keeps texts, JSON has none; colours by themselves are for terminals only. Throws
/// UsageError, also if there are to be snippets of an index without texts, of a field that is not
/// stored, or of no hits.
SnippetChoice snippet_option(const OptionSet& options, const index::Index& index, query::Want want);

}  // namespace gannet::tools
