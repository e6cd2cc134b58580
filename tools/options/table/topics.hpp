// Options of commands that read topics, and of `gannet search` and `gannet run` themselves.
#pragma once

#include "tools/options/table/searching.hpp"

namespace gannet::tools::options {

/// By corpora::TopicFormat.
inline constexpr std::string_view kTopicFormatNames[] = {"auto", "tsv", "colon", "json", "trec"};
inline constexpr std::string_view kTopicFieldNames[] = {"title", "description", "narrative"};
inline constexpr Option kTopicFormat{"topic-format",
                                     Choice{names_in<kTopicFormatNames>},
                                     {"auto"},
                                     "auto, tsv, colon, trec or json"};
inline constexpr Option kTopicFields{
    "topic-fields",
    Choice{names_in<kTopicFieldNames>, true},
    {"title"},
    "TREC topics: title, description, narrative, with commas between"};
inline constexpr Option kTopicsOptions[] = {
    {"topics", Text{Kind::kFile}, kRequired, "the topics file"},
    kTopicFormat,
    kTopicFields,
    {"encoding", Text{}, kNone,
     "what the topics are written in if not UTF-8: windows-1252, utf-16le, ..."},
};
constexpr Option limit_option(std::string_view standard) {
  return {"limit",
          Whole{0, std::numeric_limits<std::uint64_t>::max()},
          {standard},
          "only the first N topics; 0: all"};
}
inline constexpr Option kLimit = limit_option("0");

inline constexpr Option kTotal{"total", Flag{}, kNone,
                               "count all documents that match, beside the hits"};
inline constexpr Option kSearchOptions[] = {
    {"count", Flag{}, kNone, "print the number of matching documents instead"},
    {"docids", Flag{}, kNone,
     "print the ids of all matching documents instead, in collection order"},
    {"on-error",
     kOnErrorChoice,
     {"skip"},
     "queries of stdin that are none: skip (name them and go on), or stop at the first"},
    kTotal,
    {"explain", Text{}, kNone, R"(instead of hits, why the document with this id has its score, term
        by term, or why it does not match)"},
    {"like", Text{}, kNone, R"(instead of a query: documents like the one with this id, by up to 25
        words of its stored text that tell it from others)"},
    {"like-text", Text{Kind::kFile}, kNone, "the same by the text in a file; '-': stdin"},
    {"did-you-mean", Flag{}, kNone,
     R"(say what may have been meant by words that few documents have,
        not only where nothing is found)"},
    {"plan", Flag{}, kNone, "print the plan, the back end and what was decoded"},
};

/// By corpora::RunLayout.
inline constexpr std::string_view kRunFormatNames[] = {"trec", "msmarco"};
inline constexpr Option kRunOutputs[] = {
    {"output", Text{Kind::kFile}, kNone, "the run file; '-': stdout"},
    {"results", Text{Kind::kFile}, kNone, "a line of JSON for each topic goes here; '-': stdout"},
};
inline constexpr Option kRunOptions[] = {
    {"batch", Whole{1, 1 << 24}, {"4096"}, "queries in a batch"},
    kOperators,
    {"on-error",
     kOnErrorChoice,
     {"stop"},
     "topics that are no queries: stop (at the first), or skip"},
    {"tag", Text{}, {"gannet"}, "name of the run, its last column"},
    {"run-format",
     Choice{names_in<kRunFormatNames>},
     {"trec"},
     "of the run file: trec, or msmarco (query, document, rank)"},
    kOverwrite,
    kQuiet,
    {"mpi", Flag{}, kNone,
     "the processes that mpirun started take the shards of the set that --index is"},
};

}  // namespace gannet::tools::options
