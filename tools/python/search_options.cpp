#include "tools/python/search_options.hpp"

#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "query/texts/searched_texts.hpp"
#include "tools/options/table/searching.hpp"
#include "tools/python/option_table.hpp"

namespace gannet::python {
namespace {

/// Hits of searches that are not worth a thread of their own.
constexpr std::uint32_t kQuickHits = 10'000;
/// Documents of an index that is searched within milliseconds, whatever the query.
constexpr std::uint64_t kQuickDocuments = 10'000'000;

/// By query::Want; no option of the command.
constexpr std::string_view kWantNames[] = {"hits", "count", "docids"};
constexpr tools::Option kWant{"want", tools::Choice{tools::options::names_in<kWantNames>}, {}, {}};

/// Of a term of a query that is a dict.
constexpr tools::Option kWeight{"weight", tools::Real{}, {}, {}};

std::string text(const nb::dict& options, const char* name) {
  return text_value(name, options[name]);
}

}  // namespace

SearchRequest search_request(const nb::dict& options, const index::Index& index,
                             std::shared_ptr<const query::Synonyms> synonyms) {
  SearchRequest request;
  request.query.synonyms = std::move(synonyms);
  request.query.k = value_of<std::uint32_t>(options, "k", tools::options::kHits);
  request.page.hits = request.query.k;
  request.query.mode = value_of<query::Mode>(options, "mode", tools::options::kMode);
  request.query.max_expansions =
      value_of<std::uint32_t>(options, "max_expansions", tools::options::kMaxExpansions);
  request.query.fuzzy_prefix =
      value_of<std::uint32_t>(options, "fuzzy_prefix", tools::options::kFuzzyPrefix);
  request.query.want = value_of<query::Want>(options, "want", kWant);
  const std::string scorer = text(options, "scorer");
  if (!scorer.empty()) check_value("scorer", tools::options::kScorer, scorer);
  request.query.scorer =
      query::parse_scorer(scorer, text(options, "scorer_params"), query::default_scorer(index));
  const std::string texts = text(options, "search_fields");
  if (!texts.empty()) {
    request.query.search_fields = query::parse_search_fields(texts);
    query::searched_texts(request.query.search_fields, index.schema());  // an error now
  }
  const std::string filter = text(options, "filter");
  if (!filter.empty()) request.query.filter = query::parse_filter(filter, index.schema());
  const std::string expansion = text(options, "expand");
  const std::string parameters = text(options, "expand_params");
  if (!expansion.empty()) check_value("expand", tools::options::kExpand, expansion);
  if (expansion == query::kDependenceName) {
    request.query.dependence = query::parse_dependence(parameters);
  } else if (!expansion.empty()) {
    request.expansion = query::parse_expansion(expansion, parameters);
  } else if (!parameters.empty()) {
    throw UsageError("expand_params needs expand, which is one of " + query::expansion_names() +
                     ", sdm");
  }
  request.plain = !nb::cast<bool>(options["operators"]);
  request.search.exhaustive = nb::cast<bool>(options["exhaustive"]);
  if (!nb::object(options["timeout"]).is_none()) {
    request.search.deadline =
        deadline_after(value_of<double>(options, "timeout", tools::options::kTimeLimit));
  }
  request.total = nb::cast<bool>(options["total"]);
  const nb::object stop = options["stop"];
  if (!stop.is_none()) request.stop = nb::cast<const Stop&>(stop).source.get_token();
  request.quick = !request.expansion && !request.query.dependence &&
                  request.query.want == query::Want::kTopK && request.query.k <= kQuickHits &&
                  index.statistics().documents <= kQuickDocuments;
  return request;
}

std::vector<query::Plan> planned(const query::Searcher& searcher, const SearchRequest& request,
                                 std::span<const std::string> texts,
                                 const query::SearchOptions& search) {
  std::vector<query::Query> queries;
  queries.reserve(texts.size());
  for (const std::string& text : texts) {
    queries.push_back(request.query);
    queries.back().text = text;
  }
  return planned(searcher, request, queries, search);
}

std::vector<query::Query> queries_of(const SearchRequest& request, const nb::list& given) {
  std::vector<query::Query> queries;
  queries.reserve(given.size());
  for (const nb::handle one : given) {
    query::Query& query = queries.emplace_back(request.query);
    if (!nb::isinstance<nb::dict>(one)) {
      query.text = text_value("query", one);
      continue;
    }
    for (const auto& [term, weight] : nb::cast<nb::dict>(one)) {
      const double number = real_number("weight", kWeight, weight);
      query.terms.push_back({text_value("term", term), static_cast<float>(number)});
    }
  }
  return queries;
}

std::vector<query::Plan> planned(const query::Searcher& searcher, const SearchRequest& request,
                                 std::span<const query::Query> queries,
                                 const query::SearchOptions& search) {
  std::vector<query::Plan> plans = searcher.plan(queries, request.plain, search);
  if (!request.expansion) return plans;
  return searcher.expand(plans, *request.expansion, nullptr, search);
}

std::vector<std::uint64_t> totals_of(const query::Searcher& searcher,
                                     std::span<const query::Plan> plans,
                                     const query::SearchOptions& search) {
  std::vector<query::Plan> counting;
  counting.reserve(plans.size());
  for (const query::Plan& plan : plans) counting.push_back(plan.with_want(query::Want::kCount));
  return searcher.search(counting, nullptr, search).counts;
}

nb::dict dict_of(const query::Report& report) {
  nb::dict made;
  made["backend"] = report.backend;
  made["reason"] = report.reason;
  made["queries"] = report.queries;
  made["postings"] = report.postings;
  made["tiles_total"] = report.tiles_total;
  made["tiles_decoded"] = report.tiles_decoded;
  made["documents_scored"] = report.documents_scored;
  made["filter_documents"] = report.filter.documents;
  made["filter_passing"] = report.filter.passing;
  made["filter_on_candidates"] = report.filter.on_candidates;
  made["seconds"] = report.seconds;
  nb::dict plans;
  for (std::size_t i = 0; i < query::kHostReasons; ++i) {
    const auto reason = static_cast<query::HostReason>(i);
    if (report.host_plans[reason] > 0) {
      plans[std::string(query::name_of(reason)).c_str()] = report.host_plans[reason];
    }
  }
  made["host_plans"] = plans;
  nb::dict columns;
  for (std::size_t i = 0; i < query::kColumnReasons; ++i) {
    const auto reason = static_cast<query::ColumnReason>(i);
    if (report.host_columns[reason] > 0) {
      columns[std::string(query::name_of(reason)).c_str()] = report.host_columns[reason];
    }
  }
  made["host_columns"] = columns;
  return made;
}

nb::dict dict_of(const std::shared_ptr<query::Results>& results) {
  nb::dict made;
  made["docids"] = array_of(results->docids.data(), results->docids.size(), results);
  made["scores"] = array_of(results->scores.data(), results->scores.size(), results);
  made["offsets"] = array_of(results->offsets.data(), results->offsets.size(), results);
  made["counts"] = array_of(results->counts.data(), results->counts.size(), results);
  return made;
}

}  // namespace gannet::python
