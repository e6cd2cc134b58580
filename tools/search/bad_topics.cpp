#include "tools/search/bad_topics.hpp"

#include <fmt/format.h>

#include "codecs/base/error.hpp"
#include "query/plan/query_error.hpp"

namespace gannet::tools {
namespace {

/// Whether no query at all can be planned so: the scorer does not fit the index, or the like.
bool is_any_query_bad(const query::Searcher& searcher, const query::Query& query) {
  query::Query empty = query;
  empty.text.clear();
  empty.terms.clear();
  try {
    searcher.plan(empty, true);
  } catch (const UsageError&) {
    return true;
  }
  return false;
}

}  // namespace

std::string to_string(const BadTopic& topic, std::string_view file) {
  const std::string line = topic.line > 0 ? fmt::format(":{}", topic.line) : std::string();
  return fmt::format("{}{}: topic '{}': {}", file, line, topic.id, topic.problem);
}

SplitBatch split_batch(const query::Searcher& searcher, std::span<const corpora::Topic> topics,
                       std::span<const query::Query> queries, bool plain, std::string_view file,
                       bool skip, const query::SearchOptions& search,
                       const std::exception_ptr& error) {
  if (queries.empty() || is_any_query_bad(searcher, queries.front())) std::rethrow_exception(error);
  SplitBatch split;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    try {
      split.plans.push_back(searcher.plan(queries[i], plain, search));
      split.topics.push_back(topics[i]);
    } catch (const UsageError& e) {
      split.bad.push_back({topics[i].id, topics[i].line, e.what()});
      if (!skip) query::rethrow_at(e, to_string(split.bad.back(), file));
    }
  }
  if (split.bad.empty()) std::rethrow_exception(error);
  return split;
}

}  // namespace gannet::tools
