// The part of a document that shows best why it was found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/text/analyzer.hpp"
#include "query/plan.hpp"

namespace gannet::tools {

/// Cuts snippets for one query. Not thread-safe.
class SnippetCutter {
 public:
  /// `highlight`: query terms in bold, with terminal escapes.
  SnippetCutter(index::Analyzer& analyzer, const query::Plan& plan, bool highlight);

  /// About `words` words of `text` on one line, around the densest occurrence of the query's terms.
  std::string cut(std::string_view text, std::size_t words = 28);

 private:
  bool matches(std::string_view word);

  index::Analyzer& analyzer_;
  std::vector<std::string> wanted_;  ///< sorted
  std::vector<std::string> terms_;   ///< of the word at hand
  bool highlight_;
};

}  // namespace gannet::tools
