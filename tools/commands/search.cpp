// gannet search: one query, or queries from stdin, with readable hits.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "codecs/error.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/snippet_option.hpp"
#include "tools/output/hit_snippets.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelp{
    "gannet search --index IDX [OPTIONS] QUERY...",
    "Prints the best documents for a query: rank, score, id, and a piece of the text if the index\n"
    "was built with --store. The words of the command line are one query; '-' reads queries from\n"
    "stdin, one a line. Line ends and tabs in ids are shown as U+FFFD; --json has them.\n\n"
    "Query language: words; +word must occur, -word must not; AND, OR, NOT in capitals;\n"
    "parentheses; word^2.5 has a weight. Phrases in quotation marks, prefixes (sol*) and fields "
    "are\n"
    "not known.\n"
    "Quote the query, or put '--' before it, if a word begins with '-'.",
    "  gannet search --index idx solar power\n"
    "  gannet search --index idx --k 3 'solar +power -nuclear'\n"
    "  gannet search --index idx --expand rm3 --explain 'solar power'\n"
    "  gannet search --index idx --snippets=3 --highlight html solar power\n"
    "  gannet search --index idx --count '(cat OR dog) AND NOT mouse'\n"
    "  cut -f2 queries.tsv | gannet search --index idx --json - | jq .hits[0].id",
    "; to exclude a word, quote the query: 'cat -dog'"};

struct Session {
  const OptionSet& options;
  std::shared_ptr<const index::Index> index;
  query::Searcher searcher;
  index::Analyzer analyzer;
  query::Query query;  ///< everything but the text
  std::optional<query::Expansion> expansion;
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

void print_result_json(Session& session, const query::Plan& plan, const query::ResultView& result,
                       const query::Report& report) {
  Json json{{"query", session.query.text}, {"count", result.count}};
  if (plan.want() == query::Want::kTopK) {
    HitSnippets snippets(plan, session.analyzer, session.snippets);
    Json& hits = json["hits"] = Json::array();
    for (const query::Hit hit : result.hits()) {
      Json& row = hits.emplace_back(Json{
          {"rank", hits.size() + 1},
          {"docid", hit.docid},
          {"id", session.index->document_id(hit.docid)},
          {"score", shortest(hit.score)},
      });
      if (auto text = session.index->stored_text(hit.docid)) {
        if (session.snippets.wanted) {
          row["snippet"] = snippets.json(*text);
        } else {
          row["text"] = std::move(*text);
        }
      }
    }
  } else if (plan.want() == query::Want::kDocids) {
    Json& ids = json["ids"] = Json::array();
    for (const std::uint32_t docid : result.docids) {
      ids.push_back(session.index->document_id(docid));
    }
  }
  if (plan.want() == query::Want::kTopK) json["scorer"] = json_of(plan.scorer());
  if (session.options.has("explain")) json["plan"] = query::to_string(plan);
  json["report"] = json_of(report);
  print_json(json);
}

void print_hits(Session& session, const query::Plan& plan, const query::ResultView& result) {
  HitSnippets snippets(plan, session.analyzer, session.snippets);
  std::uint64_t rank = 0;
  for (const query::Hit hit : result.hits()) {
    print("{:>3}  {:9.4f}  {}\n", ++rank, hit.score,
          one_line(session.index->document_id(hit.docid)));
    if (!session.snippets.wanted) continue;
    if (const auto text = session.index->stored_text(hit.docid)) snippets.print_line(*text);
  }
  // On stderr, so that no output means no hits for a program that reads stdout.
  if (result.docids.empty()) print(stderr, "no documents found\n");
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

void answer(Session& session, const std::string& text) {
  session.query.text = text;
  query::Plan plan = session.searcher.plan(session.query);
  if (session.expansion) {
    plan = session.searcher
               .expand({&plan, 1}, *session.expansion, nullptr, search_options(session.options))
               .front();
  }
  query::Report report;
  const query::Results results =
      session.searcher.search({&plan, 1}, &report, search_options(session.options));
  const query::ResultView result = results[0];
  if (session.options.json()) {
    print_result_json(session, plan, result, report);
    return;
  }
  if (session.options.has("explain")) print_explanation(plan, report);
  switch (plan.want()) {
    case query::Want::kTopK:
      print_hits(session, plan, result);
      break;
    case query::Want::kCount:
      print("{}\n", result.count);
      break;
    case query::Want::kDocids:
      for (const std::uint32_t docid : result.docids) {
        print("{}\n", one_line(session.index->document_id(docid)));
      }
      break;
  }
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
  add_expansion_options(options);
  add_snippet_options(options);
  add_backend_options(options);
  options.flag("count", "print the number of matching documents instead");
  options.flag("docids", "print the ids of all matching documents instead, in collection order");
  options.flag("explain", "print the plan, the back end and what was decoded");
  options.hidden("query", texts());
  options.positional("query");
  if (!options.parse(args)) return kOk;
  if (!options.has("query")) throw UsageError("a query is missing; see --help");

  auto index = open_index(options);
  const query::Query query = read_query(options, *index);
  const SnippetChoice snippets = snippet_option(options, *index, query.want);
  Session session{options,
                  index,
                  open_searcher(index, options),
                  index::Analyzer(index->analyzer()),
                  query,
                  expansion_option(options),
                  snippets};
  const auto& words = options.get<std::vector<std::string>>("query");
  if (words.size() == 1 && words[0] == "-") {
    answer_stdin(session);
  } else {
    answer(session, fmt::format("{}", fmt::join(words, " ")));
  }
  return kOk;
}

}  // namespace gannet::tools
