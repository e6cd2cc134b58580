// A few documents of prose, and what queries find in them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {

/// Documents of a main text, beside a text field that they lack. Searched is the main text.
class Prose {
 public:
  void build(const std::vector<std::string>& texts, index::AnalyzerConfig analyzer = {},
             bool positions = true) {
    documents_.clear();
    for (const std::string& text : texts) documents_.push_back({{text, ""}});
    index::BuildOptions options = texts_options(texts_schema(1));
    options.write.analyzer = std::move(analyzer);
    options.write.positions = positions;
    const auto folder = folder_.path() / std::to_string(built_++);
    TextsSource source(documents_, 0, documents_.size());
    index::build_index(source, folder, options);
    index_ = std::make_shared<const index::Index>(index::Index::open(folder));
  }
  std::vector<std::uint32_t> found(const std::string& text, query::Query query = {}) const {
    query.text = text;
    query.want = query::Want::kDocids;
    query.search_fields = {{"contents", 1}};
    const query::Result result = searcher().search(query);
    return {result.docids.begin(), result.docids.end()};
  }
  std::string error(const std::string& text) const {
    return message_of<UsageError>([&] { found(text); });
  }
  query::Plan plan(const std::string& text) const {
    return searcher().plan({.text = text, .search_fields = {{"contents", 1}}});
  }
  query::Searcher searcher() const {
    return query::Searcher(index_, {.backend = query::BackendChoice::kCpu});
  }

 protected:
  TemporaryDirectory folder_;
  std::vector<TextsDocument> documents_;
  std::shared_ptr<const index::Index> index_;
  int built_ = 0;
};

}  // namespace gannet::test
