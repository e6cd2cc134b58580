// Options of commands about columns, runs, synthetic collections and other programs' formats.
#pragma once

#include "codecs/columns.hpp"
#include "tools/options/table/codec_names.hpp"
#include "tools/options/table/searching.hpp"

namespace gannet::tools::options {

inline Names value_types() {
  Names names;
  for (const auto& [type, name] : codecs::kValueTypes) names.emplace_back(name);
  return names;
}

inline constexpr Option kIndexOrColumn{"index", Text{Kind::kFile}, kRequired,
                                       "the index (a folder), or a column file"};
inline constexpr Option kInspectOptions[] = {
    kIndexOrColumn,
    {"term", Texts{}, kNone, "a term, analysed as the documents were; may be repeated"},
    {"bounds-bits", kBoundsBits.type, kBoundsBits.standard,
     "memory for bounds of lists, in bits a posting, as searches are told"},
};
inline constexpr Option kVerifyOptions[] = {kIndexOrColumn, kThreads, kNoProgress};

inline constexpr Option kExportOptions[] = {
    kIndex,
    {"format", Choice{names_in<kListFormats>}, kRequired, "ds2i or ciff"},
    {"output", Text{Kind::kFile}, kRequired,
     "the file, or -: stdout; of ds2i, the path that the files' names begin with"},
    kOverwrite,
    kQuiet,
};

/// By corpora::TieOrder.
inline constexpr std::string_view kTiesNames[] = {"trec_eval", "rank"};
inline constexpr Option kEvalOptions[] = {
    {"qrels", Text{Kind::kFile}, kRequired, "relevance judgements"},
    {"run", Text{Kind::kFile}, kRequired, "run file"},
    {"complete", Flag{}, kNone, "judged topics that the run lacks count as 0 (trec_eval -c)"},
    {"ties", Choice{names_in<kTiesNames>}, {"trec_eval"}, "trec_eval, or rank: the run's ranks"},
    {"per-query", Flag{}, kNone, "a line for each query, too"},
};

inline constexpr Whole kAnyCount{0, std::numeric_limits<std::uint64_t>::max()};
inline constexpr std::string_view kGenerateFormats[] = {"jsonl", "ds2i"};
/// By corpora::ListModel.
inline constexpr std::string_view kListModelNames[] = {"uniform", "clustered"};
inline constexpr Option kGenerateOptions[] = {
    {"output", Text{Kind::kFile}, kRequired, "file, or base name for ds2i"},
    {"format", Choice{names_in<kGenerateFormats>}, {"jsonl"}, "jsonl or ds2i"},
    {"documents", kAnyCount, {"1000"}, "how many"},
    {"seed", kAnyCount, {"1"}, "of the random numbers"},
    {"vocabulary", Whole{1}, {"10000"}, "distinct words"},
    {"mean-length", Real{1, 1e6}, {"100"}, "words a document"},
    {"topics", Text{Kind::kFile}, kNone, "a file for queries, too"},
    {"topic-count", kAnyCount, {"100"}, "how many"},
    {"lists", kAnyCount, kNone, "this many lists without documents' text"},
    {"model", Choice{names_in<kListModelNames>}, {"clustered"}, "of lists: uniform or clustered"},
    kOverwrite,
    kQuiet,
};

inline constexpr Option kValueType{"type", Choice{value_types}, kRequired,
                                   "of the values: i8, u8, ... u64"};
inline constexpr Option kEncodeOptions[] = {
    {"input", Text{Kind::kFile}, kRequired, "raw values; -: stdin"},
    {"output", Text{Kind::kFile}, kRequired, "the column file"},
    kValueType,
    {"codec", Text{.names = auto_or_column_codecs}, {"auto"}, "a codec, or auto: the smallest"},
    {"parameters", Text{}, kNone, "of the codec: NAME=NUMBER,NAME=NUMBER"},
    {"candidates", Text{.names = column_codecs, .several = true}, kNone,
     "codecs that auto chooses from, separated by commas (default: all of the GPU's)"},
    {"segment",
     Whole{1, codecs::kMaxListLength},
     {"16777216"},
     "values in a segment; memory grows with it, and with the threads"},
    {"threads", Whole{}, {"0"}, "0: all cores, at most 8"},
    kOverwrite,
    kQuiet,
};
inline constexpr Option kDecodeOptions[] = {
    {"input", Text{Kind::kFile}, kRequired, "a column file"},
    {"output", Text{Kind::kFile}, kRequired, "raw values; -: stdout"},
    {"first", kAnyCount, {"0"}, "the first value to decode, from 0"},
    {"count", kAnyCount, kNone, "how many values (default: all that follow)"},
    {"backend", kBackends, {"auto"}, "auto (the GPU if there is one), cpu or cuda"},
    kOverwrite,
    kQuiet,
};

}  // namespace gannet::tools::options
