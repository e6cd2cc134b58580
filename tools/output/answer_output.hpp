// What a query gave, printed for people or as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/columns/column_query.hpp"
#include "query/did_you_mean.hpp"
#include "query/results/results.hpp"
#include "tools/options/column_options.hpp"
#include "tools/options/snippet_option.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// What a query gave.
struct Answer {
  /// Documents that match; nothing if nobody has counted them.
  std::optional<std::uint64_t> total = {};
  /// Without a total: so many match in any case.
  std::uint64_t total_at_least = 0;
  std::vector<query::Hit> hits = {};
  std::uint64_t before = 0;  ///< hits of the pages before
  /// The cursor behind the hits; nothing if there are no more.
  std::optional<std::string> next = {};
  bool scored = true;  ///< hits have scores
  double seconds = 0;  ///< from the text to the results
  query::ColumnResults columns = {};
  /// What may have been meant, if that was asked.
  std::optional<query::Correction> correction = {};
};

/// {"rank": 1, "docid": 17, "id": "d17", "score": 2.5}; no score unless `scored`.
Json hit_json(const index::Index& index, const query::Hit& hit, std::size_t rank, bool scored);

/// What is shown of answers.
struct AnswerView {
  const index::Index& index;
  const index::Analyzer& analyzer;
  const ColumnRequest& columns;
  const SnippetChoice& snippets;
  bool show_plan = false;
  bool total = false;  ///< text output says how many documents match
  bool pages = false;  ///< text output ends with the cursor of the next page
};

/// Prints hits, groups, counts or ids, as the plan wants them, and facets, histograms and
/// aggregates.
void print_answer(const AnswerView& view, const query::Plan& plan, const Answer& answer);

/// The same as a line of JSON, with the query's text, the scorer and the report.
void print_answer_json(const AnswerView& view, const std::string& text, const query::Plan& plan,
                       const Answer& answer, const query::Report& report);

/// How many documents match, or how many at least, and the time: on stderr, where that is a
/// terminal. Programs have both by --json.
void print_summary(const Answer& answer);

/// The plan, the back end and what was decoded.
void print_plan(const query::Plan& plan, const query::Report& report);

}  // namespace gannet::tools
