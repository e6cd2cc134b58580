// gannet search: one query, or queries from stdin, with readable hits.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/error.hpp"
#include "query/columns/column_query.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/column_options.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/snippet_option.hpp"
#include "tools/output/column_output.hpp"
#include "tools/output/hit_snippets.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelp{
    "gannet search --index IDX [OPTIONS] [QUERY...]",
    "Prints the best documents for a query: rank, score, id, and a piece of the text if the index\n"
    "was built with --store. The words of the command line are one query; '-' reads queries from\n"
    "stdin, one a line. Line ends and tabs in ids are shown as U+FFFD; --json has them.\n\n"
    "Query language: words; +word must occur, -word must not; AND, OR, NOT in capitals;\n"
    "parentheses; word^2.5 has a weight. Phrases in quotation marks and prefixes (sol*) are not "
    "known.\n"
    "Fields of the index restrict it, here and in --filter: year:2000, year:[2000 TO 2010}, "
    "year:>=2000,\n"
    "tag:(a OR \"b c\"), tag:pre*, tag:*, with AND, OR, NOT, +, -. With --filter alone, all "
    "documents "
    "match.\n"
    "Quote the query, or put '--' before it, if a word begins with '-'.\n\n"
    "If the index has fields (gannet index --field), hits may be ordered by them (--sort), shown\n"
    "with them (--fields) or grouped (--group), and their values are counted over all documents\n"
    "that match, not over the hits alone: --facet, --histogram, --stats.",
    "  gannet search --index idx solar power\n"
    "  gannet search --index idx --k 3 'solar +power -nuclear'\n"
    "  gannet search --index idx --expand rm3 --explain 'solar power'\n"
    "  gannet search --index idx --snippets=3 --highlight html solar power\n"
    "  gannet search --index idx --count '(cat OR dog) AND NOT mouse'\n"
    "  gannet search --index idx --filter 'year:[2000 TO 2010] AND tag:(a OR b)' solar power\n"
    "  gannet search --index idx --sort year:desc,score --fields year,tag 'solar power'\n"
    "  gannet search --index idx --facet tag:5 --histogram when:month --stats price solar\n"
    "  gannet search --index idx --group tag:3 --k 5 solar\n"
    "  cut -f2 queries.tsv | gannet search --index idx --json - | jq .hits[0].id",
    "; to exclude a word, quote the query: 'cat -dog'"};

struct Session {
  const OptionSet& options;
  std::shared_ptr<const index::Index> index;
  query::Searcher searcher;
  index::Analyzer analyzer;
  query::Query query;  ///< everything but the text
  std::optional<query::Expansion> expansion;
  ColumnRequest columns;
  SnippetChoice snippets;
};

query::Query read_query(const OptionSet& options, const index::Index& index) {
  query::Query query = query_template(options, index);
  const auto k = options.get<std::int64_t>("k");
  check_range("--k", k, 0, 0xffffffff);
  query.k = static_cast<std::uint32_t>(k);
  if (options.has("count") && options.has("docids")) {
    throw UsageError("--count and --docids exclude each other");
  }
  if (options.has("count")) query.want = query::Want::kCount;
  if (options.has("docids")) query.want = query::Want::kDocids;
  if (options.has("expand") && query.want != query::Want::kTopK) {
    throw UsageError("--expand ranks documents; --count and --docids do not");
  }
  return query;
}

/// What a query gave.
struct Answer {
  std::uint64_t count = 0;  ///< as in ResultView
  std::vector<query::Hit> hits = {};
  bool scored = true;  ///< hits have scores
  query::ColumnResults columns = {};
};

std::vector<std::uint32_t> docids_of(std::span<const query::Hit> hits) {
  std::vector<std::uint32_t> docids;
  for (const query::Hit& hit : hits) docids.push_back(hit.docid);
  return docids;
}

Json hits_json(Session& session, const query::Plan& plan, const Answer& answer,
               std::span<const query::Hit> found) {
  HitSnippets snippets(plan, session.analyzer, session.snippets);
  const HitFields fields(*session.index, session.columns.numbers, docids_of(found));
  Json hits = Json::array();
  for (const query::Hit& hit : found) {
    Json& row = hits.emplace_back(Json{
        {"rank", hits.size() + 1},
        {"docid", hit.docid},
        {"id", session.index->document_id(hit.docid)},
    });
    if (answer.scored) row["score"] = shortest(hit.score);
    if (!fields.empty()) row["fields"] = fields.json(hits.size() - 1);
    if (auto text = session.index->stored_text(hit.docid)) {
      if (session.snippets.wanted) {
        row["snippet"] = snippets.json(*text);
      } else {
        row["text"] = std::move(*text);
      }
    }
  }
  return hits;
}

Json groups_json(Session& session, const query::Plan& plan, const Answer& answer) {
  const query::Grouping& grouping = *answer.columns.grouping;
  Json groups = Json::array();
  for (const query::Group& group : grouping.groups) {
    groups.push_back(Json{{"value", group.value},
                          {"count", group.count},
                          {"hits", hits_json(session, plan, answer, group.hits)}});
  }
  return {{"field", grouping.field}, {"groups", groups}, {"missing", grouping.missing}};
}

void print_result_json(Session& session, const query::Plan& plan, const Answer& answer,
                       const query::Report& report) {
  Json json{{"query", session.query.text}, {"count", answer.count}};
  if (answer.columns.grouping) {
    json["grouping"] = groups_json(session, plan, answer);
  } else if (plan.want() == query::Want::kTopK) {
    json["hits"] = hits_json(session, plan, answer, answer.hits);
  } else if (plan.want() == query::Want::kDocids) {
    Json& ids = json["ids"] = Json::array();
    for (const query::Hit& hit : answer.hits) {
      ids.push_back(session.index->document_id(hit.docid));
    }
  }
  if (!session.columns.query.empty()) json["matches"] = answer.columns.count;
  add_columns(*session.index, answer.columns, json);
  if (plan.want() == query::Want::kTopK) json["scorer"] = json_of(plan.scorer());
  if (!plan.filter().is_all()) json["filter"] = query::to_string(plan.filter());
  if (session.options.has("explain")) json["plan"] = query::to_string(plan);
  json["report"] = json_of(report);
  print_json(json);
}

void print_hits(Session& session, const query::Plan& plan, const Answer& answer,
                std::span<const query::Hit> hits) {
  HitSnippets snippets(plan, session.analyzer, session.snippets);
  const HitFields fields(*session.index, session.columns.numbers, docids_of(hits));
  std::size_t rank = 0;
  for (const query::Hit& hit : hits) {
    const std::string score = answer.scored ? fmt::format("{:9.4f}", hit.score) : "        -";
    print("{:>3}  {}  {}\n", ++rank, score, one_line(session.index->document_id(hit.docid)));
    if (!fields.empty()) print("                {}\n", fields.line(rank - 1));
    if (!session.snippets.wanted) continue;
    if (const auto text = session.index->stored_text(hit.docid)) snippets.print_line(*text);
  }
}

void print_groups(Session& session, const query::Plan& plan, const Answer& answer) {
  const query::Grouping& grouping = *answer.columns.grouping;
  for (const query::Group& group : grouping.groups) {
    print("{}: {} ({})\n", grouping.field, one_line(group.value), with_commas(group.count));
    print_hits(session, plan, answer, group.hits);
  }
  if (grouping.missing > 0) {
    print("in no group, for they lack {}: {}\n", grouping.field, with_commas(grouping.missing));
  }
}

void print_ranked(Session& session, const query::Plan& plan, const Answer& answer) {
  bool any = !answer.hits.empty();
  if (answer.columns.grouping) {
    print_groups(session, plan, answer);
    any = !answer.columns.grouping->groups.empty();
  } else {
    print_hits(session, plan, answer, answer.hits);
  }
  // On stderr, so that no output means no hits for a program that reads stdout.
  if (!any) print(stderr, "no documents found\n");
}

/// What the filter lets pass, and how it was applied.
void print_filter(const query::Report& report) {
  const double share = 100 * static_cast<double>(report.filter_passing) /
                       static_cast<double>(std::max<std::uint64_t>(report.filter_documents, 1));
  print("filter: {} of {} documents pass ({:.3g} percent; {} estimated); {}; {} new, {} kept\n",
        with_commas(report.filter_passing), with_commas(report.filter_documents), share,
        with_commas(report.filter_estimated),
        report.filter_driven > 0 ? "they are looked up in the lists"
                                 : "a mask, what it leaves out is skipped",
        with_commas(report.filters_made), human_bytes(static_cast<double>(report.filter_bytes)));
}

void print_explanation(const query::Plan& plan, const query::Report& report) {
  print("{}", query::to_string(plan));
  print("back end {} ({}): {}, {} postings\n", report.backend, report.reason,
        human_seconds(report.seconds), with_commas(report.postings));
  // A tile that was decoded again counts again, so more may be decoded than there are.
  const std::uint64_t skipped =
      report.tiles_total - std::min(report.tiles_total, report.tiles_decoded);
  print("tiles: {} of {} decoded, {} skipped\n", with_commas(report.tiles_decoded),
        with_commas(report.tiles_total), with_commas(skipped));
  if (!plan.filter().is_all()) print_filter(report);
  if (report.ranges_total == 0) {
    print("path: every match is looked at, nothing is pruned by bounds\n");
    return;
  }
  const std::uint64_t left =
      report.ranges_total - std::min(report.ranges_total, report.ranges_searched);
  print(
      "path: pruned by bounds: {} of {} ranges searched, {} skipped, {} documents scored; bounds "
      "{}, made in {}\n",
      with_commas(report.ranges_searched), with_commas(report.ranges_total), with_commas(left),
      with_commas(report.documents_scored), human_bytes(static_cast<double>(report.bounds_bytes)),
      human_seconds(report.bounds_seconds));
}

/// Runs the plan, by columns if they are asked for.
Answer find(const Session& session, const query::Plan& plan, query::Report& report) {
  const query::SearchOptions search = search_options(session.options);
  Answer answer;
  if (!session.columns.query.empty()) {
    answer.columns = query::search_columns(session.searcher, plan, session.columns.query,
                                           session.columns.options, &report, search);
    answer.hits = answer.columns.hits;
    const bool counts = plan.want() == query::Want::kCount;
    answer.count = counts ? answer.columns.count : answer.hits.size();
    answer.scored = answer.columns.scored;
    return answer;
  }
  const query::Results results = session.searcher.search({&plan, 1}, &report, search);
  const auto hits = results[0].hits();
  answer.count = results[0].count;
  answer.hits.assign(hits.begin(), hits.end());
  return answer;
}

void print_answer(Session& session, const query::Plan& plan, const Answer& answer) {
  switch (plan.want()) {
    case query::Want::kTopK:
      print_ranked(session, plan, answer);
      if (answer.columns.count > 0) print("\n{} matches\n", with_commas(answer.columns.count));
      break;
    case query::Want::kCount:
      print("{}\n", answer.count);
      break;
    case query::Want::kDocids:
      for (const query::Hit& hit : answer.hits) {
        print("{}\n", one_line(session.index->document_id(hit.docid)));
      }
      break;
  }
  print_columns(*session.index, answer.columns);
}

void answer(Session& session, const std::string& text) {
  session.query.text = text;
  query::Plan plan = session.searcher.plan(session.query);
  if (session.expansion) {
    plan = session.searcher
               .expand({&plan, 1}, *session.expansion, nullptr, search_options(session.options))
               .front();
  }
  query::Report report;
  const Answer answer = find(session, plan, report);
  if (session.options.json()) {
    print_result_json(session, plan, answer, report);
    return;
  }
  if (session.options.has("explain")) print_explanation(plan, report);
  print_answer(session, plan, answer);
}

void answer_stdin(Session& session) {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!session.options.json() && session.query.want == query::Want::kTopK) {
      print("> {}\n", line);
    }
    answer(session, line);
    flush_stdout();  // whoever wrote the line may wait for the answer
  }
}

}  // namespace

int cmd_search(Args args) {
  OptionSet options(kHelp);
  add_index_option(options);
  options.add("k", number<std::int64_t>(10), "number of hits");
  add_scoring_options(options);
  add_filter_option(options);
  add_expansion_options(options);
  add_column_options(options);
  add_snippet_options(options);
  add_backend_options(options);
  options.flag("count", "print the number of matching documents instead");
  options.flag("docids", "print the ids of all matching documents instead, in collection order");
  options.flag("explain", "print the plan, the back end and what was decoded");
  options.hidden("query", texts());
  options.positional("query");
  if (!options.parse(with_snippet_number(args))) return kOk;
  if (!options.has("query") && !options.has("filter")) {
    throw UsageError("a query is missing; see --help");
  }

  auto index = open_index(options);
  const query::Query query = read_query(options, *index);
  const bool hits = query.want == query::Want::kTopK;
  const SnippetChoice snippets = snippet_option(options, *index, query.want);
  Session session{options,
                  index,
                  open_searcher(index, options),
                  index::Analyzer(index->analyzer()),
                  query,
                  expansion_option(options),
                  column_request(options, *index, hits ? query.k : 0),
                  snippets};
  if (!options.has("query")) {
    answer(session, "*:*");
    return kOk;
  }
  const auto& words = options.get<std::vector<std::string>>("query");
  if (words.size() == 1 && words[0] == "-") {
    answer_stdin(session);
  } else {
    answer(session, fmt::format("{}", fmt::join(words, " ")));
  }
  return kOk;
}

}  // namespace gannet::tools
