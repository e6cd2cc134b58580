// From a parsed query to a formula over terms: words are analysed, clauses are combined.
#pragma once

#include <optional>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/making/formula.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/query.hpp"
#include "query/texts/word_collector.hpp"

namespace gannet::query {

struct PlannedQuery {
  std::optional<Formula> formula;  ///< nothing where analysis left no term: no document matches
  std::vector<QueryTerm> terms;    ///< of the formula's leaves, without statistics
  WordCollector words;             ///< what words have in several texts, for scorers that ask
  std::vector<Filter> predicates;  ///< of the formula's leaves
  bool has_operators;              ///< Plan::has_operators()
};

/// Plans what a query says of documents, but for its filter. `scorer` must outlive the result.
/// `plain`: the text has no operators. Throws what make_plan() throws. Thread-safe.
PlannedQuery plan_query(const index::Index& index, const index::Analyzer& analyzer,
                        const Query& query, const ScorerSpec& scorer, bool plain);

}  // namespace gannet::query
