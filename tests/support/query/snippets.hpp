// Snippets of texts for queries, without an index of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/plan/plan.hpp"
#include "query/snippets/render.hpp"
#include "query/snippets/snippet.hpp"

namespace gannet::test {

/// What an analyzer with this stemmer does.
inline index::AnalyzerConfig stemmed(const std::string& stemmer) {
  index::AnalyzerConfig config;
  config.stemmer = stemmer;
  return config;
}

/// An analyzer and plans that it makes, of a collection without documents: all words are equally
/// rare.
class SnippetQueries {
 public:
  explicit SnippetQueries(const index::AnalyzerConfig& config = {})
      : analyzer_(config), index_({}, config, {}) {}

  query::Plan plan(const std::string& text) {
    query::Query query;
    query.text = text;
    return query::make_plan(index_, analyzer_, query);
  }
  index::Analyzer& analyzer() { return analyzer_; }

  query::Snippet snippet(std::string_view text, const std::string& query,
                         const query::SnippetOptions& options = {}) {
    return query::make_snippet(text, plan(query), analyzer_, options);
  }

  /// The snippet on a line, with [marks].
  std::string line(std::string_view text, const std::string& query,
                   const query::SnippetOptions& options = {}) {
    return query::to_plain_text(snippet(text, query, options), text, {.open = "[", .close = "]"});
  }

 private:
  index::Analyzer analyzer_;
  index::Index index_;
};

/// All of a text of up to 10,000 characters with [marks].
inline std::string marked(std::string_view text, const std::string& query,
                          const index::AnalyzerConfig& config = {}) {
  return SnippetQueries(config).line(text, query, {.fragments = 1, .length = 10'000});
}

/// The bytes of a fragment.
inline std::string_view piece(std::string_view text, const query::Fragment& fragment) {
  return text.substr(fragment.begin, fragment.end - fragment.begin);
}

}  // namespace gannet::test
