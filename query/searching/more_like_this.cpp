#include "query/more_like_this.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "codecs/base/error.hpp"
#include "query/searching/documents_with.hpp"

namespace gannet::query {
namespace {

/// Distinct terms with their frequencies, in bytewise order.
std::map<std::string, std::uint32_t> frequencies_of(const index::Analyzer& analyzer,
                                                    std::string_view text) {
  std::vector<std::string> terms;
  analyzer.analyze(text, terms);
  std::map<std::string, std::uint32_t> frequencies;
  for (std::string& term : terms) ++frequencies[std::move(term)];
  return frequencies;
}

/// Positive, and next to nothing for terms that all documents have.
double idf(std::uint64_t having, std::uint64_t documents) {
  const auto n = static_cast<double>(having);
  return std::log(1 + (static_cast<double>(documents) - n + 0.5) / (n + 0.5));
}

void leave_out_rare(std::vector<LikeTerm>& terms, const LikeOptions& options) {
  const auto repeated = [&](const LikeTerm& term) {
    return term.frequency >= options.min_frequency;
  };
  if (std::ranges::count_if(terms, repeated) < options.terms) return;
  std::erase_if(terms, [&](const LikeTerm& term) { return !repeated(term); });
}

/// `least`: documents that must have a term.
std::vector<LikeTerm> chosen_terms(const index::Index& index, const index::Analyzer& analyzer,
                                   std::string_view text, const LikeOptions& options,
                                   std::uint64_t least) {
  if (options.terms == 0) throw UsageError("more like this: a query has at least one term");
  const std::uint64_t documents = index.statistics().documents;
  std::vector<LikeTerm> terms;
  for (const auto& [term, frequency] : frequencies_of(analyzer, text)) {
    const std::uint64_t having = documents_with(index, term);
    if (having < least) continue;
    terms.push_back({term, frequency, having, frequency * idf(having, documents)});
  }
  leave_out_rare(terms, options);
  std::ranges::stable_sort(terms, std::greater(), &LikeTerm::weight);
  if (terms.size() > options.terms) terms.resize(options.terms);
  return terms;
}

Query query_of(const std::vector<LikeTerm>& terms, Query query) {
  query.text.clear();
  query.terms.clear();
  for (const LikeTerm& term : terms) query.terms.push_back({term.term});
  return query;
}

std::uint64_t at_least_one(std::uint64_t documents) {
  return std::max(documents, std::uint64_t{1});
}

}  // namespace

std::vector<LikeTerm> like_terms(const index::Index& index, const index::Analyzer& analyzer,
                                 std::string_view text, const LikeOptions& options) {
  return chosen_terms(index, analyzer, text, options, at_least_one(options.min_documents));
}

Query like_text(const index::Index& index, const index::Analyzer& analyzer, std::string_view text,
                Query query, const LikeOptions& options) {
  return query_of(like_terms(index, analyzer, text, options), std::move(query));
}

Query like_document(const index::Index& index, const index::Analyzer& analyzer, index::Docid docid,
                    Query query, const LikeOptions& options) {
  const auto text = index.stored_text(docid);
  if (!text) {
    throw UsageError(
        "more like this: the index keeps no texts; build it with --store, or give a text");
  }
  const std::uint64_t least = at_least_one(options.min_documents) + 1;
  query.filter = std::move(query.filter) && !Filter::document(docid);
  return query_of(chosen_terms(index, analyzer, *text, options, least), std::move(query));
}

}  // namespace gannet::query
