// Options that say what is searched, and by what.
#pragma once

#include "query/options/dependence.hpp"
#include "query/options/expansion.hpp"
#include "query/scoring/base/scorer_spec.hpp"
#include "query/searcher.hpp"
#include "query/snippets/snippet.hpp"
#include "tools/options/table/common.hpp"

namespace gannet::tools::options {

inline Names scorers() { return split_commas(query::scorer_names()); }
inline Names expansions() {
  Names names = split_commas(query::expansion_names());
  names.emplace_back(query::kDependenceName);
  return names;
}

/// "bm25:k1=0.9,...; ...": every scorer with its parameters and their defaults.
inline std::string scorer_parameters() {
  std::string all;
  for (const query::ScorerInfo& scorer : query::all_scorers()) {
    if (scorer.parameters.empty()) continue;
    all += (all.empty() ? "" : "; ") + query::to_string(query::standard_scorer(scorer.id));
  }
  return all;
}

inline constexpr Choice kBackends{names_in<query::kBackendNames>};
inline constexpr Option kBackend{"backend", kBackends, {"auto"}, R"(auto (the GPU if there is one
    and the index fits), cpu or cuda)"};
inline constexpr Option kBoundsBits{"bounds-bits", Real{0, 1024}, {"2.5"}, R"(memory for bounds of
    lists, in bits a posting; more is faster)"};
inline constexpr Option kCandidateFilters{
    "candidate-filters",
    Real{0, 2},
    {"0.015625"},
    R"(a filter of few searches that at least this share of the documents passes, as estimated, is
    evaluated for the documents that may be among the best, others for all (counts choose by cost);
    above 1: always for all; the same results)"};
inline constexpr Option kDevice{
    "device", Whole{0, std::numeric_limits<int>::max()}, {"0"}, "which GPU"};
inline constexpr Option kHostThreads{"threads", Whole{}, {"0"}, "of the host; 0: one a core"};
inline constexpr Option kExhaustive{"exhaustive", Flag{}, kNone, R"(score every match; the same
    results, slower)"};
inline constexpr Option kDevices{"devices", Text{}, kNone, "several GPUs that share the work: 0,1"};
inline constexpr Option kSpread{"spread", Choice{names_in<query::kSpreadNames>}, {"auto"}, R"(over
    several GPUs: copies of the index, which share batches; shards, each with some of its segments;
    auto: copies, if they fit)"};
inline constexpr Option kDeviceBudget{"device-budget", Size{}, kNone, R"(memory of the GPU for all
    of the search, like 8G (default: what is free); what finds no room is searched in smaller
    batches, or by the CPU)"};
inline constexpr Option kDeviceMemory{"device-memory", Size{}, kNone, R"(memory of the GPU for the
    index, like 8G (default: what is free); lists that find no room are read from the host's)"};
inline constexpr Option kBackendOptions[] = {
    kBackend,      kDevice,      kDevices,    kSpread,           kDeviceBudget,
    kDeviceMemory, kHostThreads, kBoundsBits, kCandidateFilters, kExhaustive,
};

inline constexpr Option kHits{"k", Whole{}, {"10"}, "number of hits"};
inline constexpr Option kOffset{"offset", Whole{}, kNone, R"(hits to leave out before the first that
    is printed (default: 0); each costs what a hit costs: go far by --after)"};
inline constexpr Option kAfter{"after", Text{}, kNone, R"(the page behind a cursor, which the page
    before it gave as 'next')"};
inline constexpr Option kHitsOfRun{"k", Whole{}, {"1000"}, "hits a query"};
inline constexpr Option kMode{"mode", Choice{names_in<query::kModeNames>}, {"or"}, R"(how terms
    without an operator combine: {})"};
inline constexpr Option kScorer{"scorer", Choice{scorers}, kNone, R"(how documents are scored
    (default: the index's): {})"};
inline constexpr Option kScorerParams{"scorer-params", Text{}, kNone, R"(its parameters, with commas
    between (defaults: {}))",
                                      scorer_parameters};
inline constexpr Option kScorerOptions[] = {kScorer, kScorerParams};
inline constexpr Option kSynonyms{"synonyms", Text{Kind::kFile}, kNone, R"(a file of words that
    stand for one another, scored as one term: 'car, auto' or 'tv => television', a line each)"};
inline constexpr Option kSearchFields{"search-fields", Text{}, kNone, R"(the texts where words are
    searched, with weights: contents,title^2 (default: contents and the text fields, with the
    index's weights))"};
inline constexpr Option kMaxExpansions{
    "max-expansions", Whole{1, 65536}, {"1024"}, R"(terms that a word
    such as 'aero*' or 'wing~1' may stand for; more are an error)"};
inline constexpr Option kFuzzyPrefix{"fuzzy-prefix", Whole{}, {"0"}, R"(characters at the beginning
    of a fuzzy word, 'wing~1', that are as they are written)"};
inline constexpr Option kScoringOptions[] = {
    kMode, kSearchFields, kSynonyms, kMaxExpansions, kFuzzyPrefix, kScorer, kScorerParams,
};
inline constexpr Option kFilter{"filter", Text{}, kNone, R"(only documents whose fields pass:
    'year:[2000 TO 2010] AND tag:(a OR b)')"};
inline constexpr Option kExpand{"expand", Choice{expansions}, kNone, R"(add terms of each query's
    best documents, in a second pass, or (sdm) pairs of its neighbouring words: {})"};
inline constexpr Option kExpandParams{"expand-params", Text{}, kNone, R"(its parameters:
    docs=10,terms=10,weight=0.5; of sdm terms=0.85,ordered=0.1,unordered=0.05,window=8)"};
inline constexpr Option kExpansionOptions[] = {kExpand, kExpandParams};
inline constexpr Option kTimeLimit{"timeout", Real{}, kNone, R"(seconds after which a search that is
    not done ends with exit code 124)"};
inline constexpr Option kOperators{"operators", Flag{}, kNone, R"(topics are queries of the query
    language)"};

inline constexpr Option kGetOptions[] = {
    kIndex,
    {"id", Texts{}, kNone, "the documents' ids"},
    {"input", Text{}, kNone, "a file with an id a line, compressed or not; - is stdin"},
};

inline constexpr Option kSuggestOptions[] = {
    kIndex,
    {"prefix", Texts{}, kNone, "the text whose last word is to be completed"},
    {"k", Whole{}, {"10"}, "number of completions"},
    {"field", Text{}, {"contents"}, "the text whose terms are completions"},
};

// By columns.

inline constexpr Option kSort{"sort", Text{}, kNone, R"(order of the hits by fields:
    year:desc,price; score is a key too; FIELD:missing-first)"};
inline constexpr Option kFacet{"facet", Texts{}, kNone, R"(the most frequent values of all matches:
    tag, tag:20)"};
inline constexpr Option kHistogram{"histogram", Texts{}, kNone, R"(numbers of all matches by bins:
    price:10, when:month (year, day, hour); :nonempty leaves out empty bins)"};
inline constexpr Option kStats{"stats", Texts{}, kNone, R"(least and greatest value, sum, mean and
    number of different values: price)"};
inline constexpr Option kGroup{"group", Text{}, kNone, R"(the best hits for each keyword, in --k
    groups: tag, tag:5)"};
inline constexpr Option kFields{"fields", Texts{}, kNone, R"(fields to print with each hit:
    year,tag)"};
inline constexpr Option kColumnOptions[] = {
    kSort,
    kFacet,
    kHistogram,
    kStats,
    {"no-distinct", Flag{}, kNone, R"(leave the number of different values out of --stats: several
        times as fast)"},
    kGroup,
};

// Snippets.

/// How marks are shown.
enum class Highlight {
  kText,  ///< between asterisks
  kHtml,
  kAnsi,  ///< in colour
  kNone,
};
inline constexpr std::string_view kHighlightNames[] = {"text", "html", "ansi", "none"};
inline constexpr std::uint64_t kBareSnippets = 2;  ///< --snippets without a number
inline constexpr Option kSnippetOptions[] = {
    {"snippets", Whole{0, query::kMaxFragments, kBareSnippets}, kNone, R"(pieces of each hit's text
        that show the query's words, at most: --snippets=3; without a number 2; 0: none (default: 1
        if texts are stored; with --json none))"},
    {"snippet-length", Whole{query::kMinFragmentLength, query::kMaxFragmentLength}, kNone,
     "characters of a piece, about (default: 160)"},
    {"snippet-field", Text{}, kNone, R"(the stored field (gannet index --field NAME:stored) that
        they are pieces of (default: the text, kept by --store))"},
    {"highlight", Choice{names_in<kHighlightNames>}, kNone, R"(how words are marked: text (*so*),
        html (<mark>, all else escaped), ansi (colours), none (default: ansi on a terminal with
        colours, else none))"},
};
inline constexpr Option kWholeText{"text", Flag{}, kNone,
                                   "with --json: the whole stored text of each hit"};

}  // namespace gannet::tools::options
