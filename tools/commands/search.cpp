// gannet search: one query, or queries from stdin, with readable hits.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "index/text/analyzer.hpp"
#include "query/explain.hpp"
#include "query/more_like_this.hpp"
#include "query/paging.hpp"
#include "query/plan/query_error.hpp"
#include "query/search_columns.hpp"
#include "tools/commands/command.hpp"
#include "tools/commands/guarded.hpp"
#include "tools/measure/stats.hpp"
#include "tools/options/column_options.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/snippet_option.hpp"
#include "tools/options/topics_option.hpp"
#include "tools/output/answer_output.hpp"
#include "tools/output/explanation_output.hpp"
#include "tools/terminal/input_path.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/prompt.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kSearchHelp{"gannet search IDX [OPTIONS] [QUERY...]",
                               R"(
Prints the best documents for a query: rank, score, id, and a piece of the text if the index
was built with --store. The words behind the index are one query. '-' reads queries from stdin,
one a line: on a terminal a prompt asks for them, until Ctrl-D; a line that is no query is named,
and the others are answered. Where --index names the index, all words are the query; so they
are where GANNET_INDEX does, unless the first word is an index. Line ends and tabs in ids are shown as U+FFFD; --json has them.

Query language: words; +word must occur, -word must not; AND, OR, NOT in capitals;
parentheses; word^2.5 has a weight; SYNONYM(car auto) counts as one word. Words that are inexactly
known: aero*, *foil, w?ng, /aero.*ic/ and wing~, wing~1, wing~2 (so many characters may differ).
Phrases: "wind power", "wind power"~2 (words moved by so many places), "wind pow*", #od3(a b) and
#uw8(a b) as Indri's windows, a NEAR/3 b, a ONEAR/3 b (in this order).
Fields of the index restrict it, here and in --filter: year:2000, year:[2000 TO 2010}, year:>=2000,
tag:(a OR "b c"), tag:pre*, tag:*, with AND, OR, NOT, +, -. With --filter alone, all documents match.
In text fields words are searched: title:word, title:(a b)^2; without a name in the texts of
--search-fields, where a word matches if any of them has it.
Quote the query, or put '--' before it, if a word begins with '-'.

With --synonyms FILE (in Solr's format) a word also finds its synonyms: documents get the scores
that they had if all of these were one word. Entries of several words are left out.

Where nothing is found, or with --did-you-mean, words that few documents have or none are compared
with those that the index has, and stderr (with --json: did_you_mean) says what may have been meant.

If the index has fields (gannet index --field), hits may be ordered by them (--sort), shown
with them (--fields) or grouped (--group), and their values are counted over all documents
that match, not over the hits alone: --facet, --histogram, --stats.

With --offset or --after the page ends with 'next: CURSOR' if there may be more hits. --after CURSOR
with the same query gives the page behind it. All pages are of the documents that the first one
saw: no hit is there twice, none is missing but what was deleted or replaced since, and documents
that were added since are on none of them. A merge ends that. --json has the cursor always.

In the place of a query, --like ID finds documents like one of the index, which is not among
them, and --like-text FILE those like a text. Filters, fields and counts are as with a query.)",
                               R"(
  gannet search idx solar power
  gannet search idx -k 3 'solar +power -nuclear'
  gannet search idx --expand rm3 --plan 'solar power'
  gannet search idx --explain doc-17 solar power    # why it has its score
  gannet search idx --like doc-17 --filter 'year:>2000'
  gannet search idx --snippets=3 --highlight html solar power
  gannet search idx --count '(cat OR dog) AND NOT mouse'
  gannet search idx 'aero* AND wing~1'
  gannet search idx --synonyms synonyms.txt solar car
  gannet search idx --filter 'year:[2000 TO 2010] AND tag:(a OR b)' solar power
  gannet search idx --search-fields contents,title^2 --scorer bm25f solar power
  gannet search idx --sort year:desc,score --fields year,tag 'solar power'
  gannet search idx --facet tag:5 --histogram when:month --stats price solar
  gannet search idx --group tag:3 -k 5 solar
  gannet search idx -k 3 --offset 3 solar power     # the second page
  cut -f2 queries.tsv | gannet search idx --json - | jq .hits[0].id)",
                               "; to exclude a word, quote the query: 'cat -dog'"};

struct Session {
  const OptionSet& options;
  std::shared_ptr<const index::Index> index;
  query::Searcher searcher;
  index::Analyzer analyzer;
  query::Query query;  ///< everything but the text
  query::PageRequest page;
  std::optional<query::Expansion> expansion;
  ColumnRequest columns;
  SnippetChoice snippets;
};

/// Which hits are printed.
query::PageRequest page_option(const OptionSet& options) {
  const bool pages = options.has("offset") || options.has("after");
  for (const char* const other : {"count", "docids", "group", "explain"}) {
    if (!pages || !options.has(other)) continue;
    throw UsageError(
        fmt::format("--offset and --after are about hits; leave them out with --{}", other));
  }
  if (options.has("after") && options.get<std::string>("after").empty()) {
    throw UsageError("--after: a cursor is missing; the first page has none before it");
  }
  const std::uint32_t offset = options.has("offset") ? options.get<std::uint32_t>("offset") : 0;
  return query::page_request(options.get<std::uint32_t>("k"), offset,
                             options.get<std::string>("after"));
}

query::Query read_query(const OptionSet& options, const index::Index& index) {
  query::Query query = query_template(options, index);
  query.k = options.get<std::uint32_t>("k");
  if (options.has("count") && options.has("docids")) {
    throw UsageError("--count and --docids exclude each other");
  }
  if (options.has("count")) query.want = query::Want::kCount;
  if (options.has("docids")) query.want = query::Want::kDocids;
  if (options.has("total") && query.want != query::Want::kTopK) {
    throw UsageError("--total is about hits; --count and --docids say how many match without it");
  }
  if (options.has("explain") && query.want != query::Want::kTopK) {
    throw UsageError("--explain is about a score; --count and --docids give none");
  }
  if (options.has("expand") && query.want != query::Want::kTopK) {
    throw UsageError("--expand ranks documents; --count and --docids do not");
  }
  return query;
}

/// How many documents match a plan that gave `found` results. Fewer hits than were wanted are all
/// that there are; to count beyond them takes a search of its own, which is made for --total.
void count_matches(const Session& session, const query::Plan& plan,
                   const query::SearchOptions& search, std::uint64_t found, Answer& answer) {
  const query::MatchCount known = query::matches_of(session.page, *session.index, found);
  answer.total_at_least = known.documents;
  if (plan.want() != query::Want::kTopK || known.exact) {
    answer.total = plan.want() == query::Want::kTopK ? known.documents : found;
  } else if (session.options.has("total")) {
    const query::Plan counting = plan.with_want(query::Want::kCount);
    const query::Results counted = session.searcher.search({&counting, 1}, nullptr, search);
    answer.total = counted[0].count;
  }
}

/// Runs the plan of a page, by columns if they are asked for.
Answer find(Session& session, const query::Plan& plan, const query::SearchOptions& search,
            query::Report& report) {
  Answer answer;
  query::ColumnQuery& columns = session.columns.query;
  if (!columns.empty()) {
    answer.columns = query::search_columns(session.searcher, plan, columns, session.columns.options,
                                           &report, search);
    answer.hits = answer.columns.hits;
    answer.total = answer.columns.count;
    answer.scored = answer.columns.scored;
  } else {
    const query::Results results = session.searcher.search({&plan, 1}, &report, search);
    const auto hits = results[0].hits();
    answer.hits.assign(hits.begin(), hits.end());
    count_matches(session, plan, search, results[0].count, answer);
  }
  if (plan.want() != query::Want::kTopK) return answer;
  query::cut(session.page, answer.hits);
  answer.before = session.page.before();
  answer.next =
      query::next_page(session.page, *session.index, plan, columns, answer.hits, answer.total);
  return answer;
}

/// Tells that no document has the id that the option names.
int tell_unknown(const OptionSet& options, const char* option) {
  note("--{}: no document has the id '{}'", option, one_line(options.get<std::string>(option)));
  return kNegative;
}

/// Says why the document that --explain names has its score. An id that there is not is named.
int explain(const Session& session, const std::string& text, const query::Plan& plan) {
  const auto& id = session.options.get<std::string>("explain");
  const auto place = session.index->locate_document(id);
  if (!place) return tell_unknown(session.options, "explain");
  query::Explanation explanation = query::explain(*session.index, plan, place->docid);
  explanation.expansions =
      query::explain_expansions(*session.index, session.analyzer, session.query, place->docid);
  if (session.options.json()) {
    print_result("search", {{"query", text},
                            {"explanation", explanation_json(id, place->docid, explanation)},
                            {"scorer", json_of(plan.scorer())}});
  } else {
    print_explanation(id, plan, explanation);
  }
  return kOk;
}

/// That a query has no words left is told, for it finds nothing without an error.
void note_stop_words(const Session& session, const std::string& text, const query::Plan& plan) {
  if (!plan.terms().empty() || !plan.expression().empty()) return;
  index::AnalyzerConfig config = session.analyzer.config();
  config.stopwords = "none";
  config.stopword_list.clear();
  if (config == session.analyzer.config()) return;
  std::vector<std::string> words;
  index::Analyzer(config).analyze(text, words);
  if (words.empty()) return;
  flush_stdout();
  note("the words of '{}' are stop words of this index (--stop-words), which it does not have",
       one_line(text));
}

/// Whether nothing was found, or corrections are asked for in any case.
bool wants_correction(const Session& session, const query::Plan& plan, const Answer& answer) {
  const bool nothing =
      plan.want() == query::Want::kCount ? answer.total == 0u : answer.hits.empty();
  const bool ranked_none = plan.want() == query::Want::kTopK && plan.k() == 0;
  return session.options.has("did-you-mean") ||
         (nothing && !ranked_none && answer.before == 0 && !answer.columns.grouping);
}

/// Nothing where nobody asked for it and the time of the query is over: what was found stands.
std::optional<query::Correction> correct(const Session& session,
                                         const query::SearchOptions& search) {
  try {
    return query::did_you_mean(session.searcher, session.query, false, search);
  } catch (const DeadlineError&) {
    if (session.options.has("did-you-mean")) throw;
    return std::nullopt;
  }
}

void note_correction(const Answer& answer) {
  if (!answer.correction) return;
  flush_stdout();
  note("did you mean '{}'?", one_line(answer.correction->text));
}

/// The exit code.
int answer(Session& session, const std::string& text) {
  const Stopwatch watch;
  session.query.text = text;
  query::SearchOptions search = search_options(session.options);
  search.deadline = timeout_option(session.options);
  query::Plan plan = session.searcher.plan(session.query, false, search);
  if (session.expansion) {
    plan = session.searcher.expand({&plan, 1}, *session.expansion, nullptr, search).front();
  }
  note_stop_words(session, text, plan);
  if (session.options.has("explain")) return explain(session, text, plan);
  if (plan.want() == query::Want::kTopK) {
    plan = query::plan_of(session.page, plan, session.columns.query);
  }
  query::Report report;
  Answer answer = find(session, plan, search, report);
  answer.seconds = watch.seconds();
  if (wants_correction(session, plan, answer)) answer.correction = correct(session, search);
  const AnswerView view{*session.index,
                        session.analyzer,
                        session.columns,
                        session.snippets,
                        session.options.has("plan"),
                        session.options.has("total") || !session.columns.query.empty(),
                        session.options.has("offset") || session.options.has("after")};
  if (session.options.json()) {
    print_answer_json(view, text, plan, answer, report);
    return kOk;
  }
  if (session.options.has("plan")) print_plan(plan, report);
  print_answer(view, plan, answer);
  print_summary(answer);
  note_correction(answer);
  return kOk;
}

bool asks_for_like(const OptionSet& options) {
  return options.has("like") || options.has("like-text");
}

/// Answers --like or --like-text. The terms of the query stand for its text.
int answer_like(Session& session) {
  const OptionSet& options = session.options;
  if (options.has("like")) {
    const auto place = session.index->locate_document(options.get<std::string>("like"));
    if (!place) return tell_unknown(options, "like");
    session.query =
        query::like_document(*session.index, session.analyzer, place->docid, session.query);
  } else {
    const std::string file = input_path(options.get<std::string>("like-text"));
    session.query = query::like_text(*session.index, session.analyzer,
                                     corpora::read_whole_file(file), session.query);
  }
  std::string words;
  for (const query::VerbatimTerm& term : session.query.terms) {
    words += (words.empty() ? "" : " ") + term.term;
  }
  return answer(session, words);
}

/// '-' is no word of a query.
void check_stdin(const OptionSet& options) {
  const auto& words = options.get<std::vector<std::string>>("query");
  if (words.size() > 1 && std::ranges::count(words, "-") != 0) {
    throw UsageError("'-' reads queries from stdin: it stands alone; quote a query that has it");
  }
  if (words.size() == 1 && words[0] == "-" && options.has("after")) {
    throw UsageError("--after is the cursor of one query; '-' reads several from stdin");
  }
}

/// Where a query is missing, says what took its place on the command line.
[[noreturn]] void fail_without_query(const OptionSet& options) {
  if (options.has("explain")) {
    throw UsageError(fmt::format(
        "a query is missing: '{0}' was taken for the id of --explain; write --explain ID "
        "QUERY",
        options.get<std::string>("explain")));
  }
  throw UsageError(fmt::format("a query is missing: '{}' is the index; see --help",
                               options.get<std::string>("index")));
}

/// One query has words; in a batch one without is like others that find nothing.
void check_words(const OptionSet& options) {
  const auto blank = [](const std::string& word) {
    return word.find_first_not_of(" \t\r\n") == std::string::npos;
  };
  if (options.has("query") &&
      std::ranges::all_of(options.get<std::vector<std::string>>("query"), blank)) {
    throw UsageError("the query is empty; leave it out to get all documents that pass --filter");
  }
}

/// There is a query, or what stands in its place.
void check_query(const OptionSet& options) {
  if (options.has("like") && options.has("like-text")) {
    throw UsageError("--like and --like-text exclude each other");
  }
  if (asks_for_like(options) && options.has("query")) {
    throw UsageError(fmt::format("'{}': --like takes the place of a query; leave one out",
                                 options.get<std::vector<std::string>>("query").front()));
  }
  if (asks_for_like(options) && dependence_option(options)) {
    throw UsageError(
        "--expand sdm scores words that stand side by side; --like searches for terms of "
        "documents, "
        "which have no order; leave one out");
  }
  if (!asks_for_like(options) && !options.has("query") && !options.has("filter")) {
    fail_without_query(options);
  }
  check_words(options);
  check_stdin(options);
}

/// Names a line of stdin that is no query, or took too long; a program finds it in its place among
/// the answers, too.
void tell_failure(const Session& session, const PromptedLines& lines, const std::string& line,
                  std::size_t number, const Failure& failure) {
  if (session.options.json()) {
    return print_result("search", {{"query", line}, {"error", json_of(failure)}});
  }
  flush_stdout();
  if (lines.asks()) {
    print(stderr, "{}\n", one_line(failure.message));
  } else {
    note("skipped: stdin:{}: {}", number, failure.message);
  }
}

/// Answers the queries of stdin. One that is none is named, and ends them or is passed over.
int answer_stdin(Session& session) {
  PromptedLines lines("A query a line; Ctrl-D ends.\n");
  const bool skip = skips_errors(session.options);
  const bool shown_already = lines.asks() && is_terminal(stdout);
  const bool echo =
      !session.options.json() && session.query.want == query::Want::kTopK && !shown_already;
  std::string line;
  int code = kOk;
  for (std::size_t number = 1; lines.next(line); ++number) {
    if (echo) print("> {}\n", line);
    try {
      code = std::max(code, answer(session, line));
    } catch (const UsageError& error) {
      if (!skip) query::rethrow_at(error, fmt::format("stdin:{}: {}", number, error.what()));
      tell_failure(session, lines, line, number, failure_of(std::current_exception()));
      code = kSkipped;
    } catch (const DeadlineError&) {
      if (!lines.asks()) throw;
      tell_failure(session, lines, line, number, failure_of(std::current_exception()));
    }
  }
  return lines.asks() ? kOk : code;
}

}  // namespace

int cmd_search(Args args) {
  OptionSet options(kSearchHelp);
  using namespace options;
  options.add(kIndex, kHits, kOffset, kAfter, kScoringOptions, kFilter, kExpansionOptions,
              kColumnOptions, kFields, kSnippetOptions, kWholeText, kBackendOptions, kTimeLimit,
              kSearchOptions);
  options.hidden("query");
  options.index_first("query");
  if (!options.parse(with_snippet_number(args))) return kOk;
  check_query(options);

  const query::PageRequest page = page_option(options);
  const auto index = query::index_of(page, open_index(options));
  const query::Query query = read_query(options, *index);
  const bool hits = query.want == query::Want::kTopK;
  const SnippetChoice snippets = snippet_option(options, *index, query.want);
  Session session{options,
                  index,
                  open_searcher(index, options),
                  index::Analyzer(index->analyzer()),
                  query,
                  page,
                  expansion_option(options),
                  column_request(options, *index, hits ? query.k : 0),
                  snippets};
  if (asks_for_like(options)) return answer_like(session);
  if (!options.has("query")) return answer(session, "*:*");
  const auto& words = options.get<std::vector<std::string>>("query");
  if (words.size() == 1 && words[0] == "-") {
    return answer_stdin(session);
  }
  return answer(session, fmt::format("{}", fmt::join(words, " ")));
}

}  // namespace gannet::tools
