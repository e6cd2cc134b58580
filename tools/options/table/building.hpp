// Options of commands that build an index, or write one again.
#pragma once

#include "corpora/documents/documents.hpp"
#include "index/shard_set.hpp"
#include "index/text/words/stemmer.hpp"
#include "tools/options/table/codec_names.hpp"
#include "tools/options/table/common.hpp"

namespace gannet::tools::options {

inline Names input_formats() {
  Names names = split_commas(corpora::document_format_names());
  names.insert(names.end(), std::begin(kListFormats), std::end(kListFormats));
  return names;
}

/// By corpora::PageIds.
inline constexpr std::string_view kPageIdsNames[] = {"auto", "record", "url", "title"};
inline constexpr Option kHeader{"header", Flag{}, kNone, R"(tsv: the first line names the columns
    (id, or the first, is the id))"};
inline constexpr Option kColumns{"columns", Text{}, kNone,
                                 R"(tsv, csv without such a line: the names
    of the columns, with commas between)"};
inline constexpr Option kIdField{"id-field", Text{}, kNone, R"(jsonl, json-vectors: the member with
    the id (default: id); tables: the column)"};
inline constexpr Option kEncoding{"encoding", Text{}, kNone,
                                  R"(jsonl, tsv, csv, trectext, dir (plain
    text): what the input is written in if not UTF-8: windows-1252, utf-16le, shift_jis, ...
    (WHATWG's labels))"};
inline constexpr Option kOnError{
    "on-error", kOnErrorChoice, {"stop"}, R"(at a malformed record: stop
    or skip (--rows: leave out what is no value))"};
inline constexpr Option kBuildMemory{
    "memory", Size{}, {"2G"}, "most memory the build takes: 512M, 8G"};
inline constexpr Option kPageIds{
    "page-ids", Choice{names_in<kPageIdsNames>}, {"auto"}, R"(warc, arc, trecweb: auto (TREC's and
    ClueWeb's, else the record's), record or url; wikipedia: auto (the page's number), url or
    title)"};
inline constexpr Option kInputOptions[] = {
    {"input", Texts{.words = true, .kind = Kind::kFile}, kRequired,
     "files and folders; also words without an option; '-': stdin"},
    {"format", Text{.names = input_formats}, kNone,
     R"({}, ds2i or ciff; default: what endings and first bytes of the
        input say)",
     corpora::document_format_names},
    kPageIds,
    {"namespaces", Text{}, {"0"}, "wikipedia: which pages, by number: 0 (the articles), or 0,14"},
    kHeader,
    kColumns,
    kIdField,
    kEncoding,
    {"rows", Texts{.words = true, .kind = Kind::kFile}, kNone,
     "*.csv, *.tsv (with a header) or *.jsonl: record i has the fields of document i"},
    kOnError,
    {"skipped", Text{Kind::kFile}, kNone,
     R"(with --on-error skip, or dir: a file that gets a line for each
        record or file that is skipped)"},
    kBuildMemory,
    kThreads,
    kQuiet,
};

inline constexpr Option kReplaceIndex{"overwrite", Flag{}, kNone,
                                      "replace the index that is there"};
inline constexpr Option kCodec{"codec", Choice{list_codecs}, {"gpu-bp128"}, "of docids: {}"};
inline constexpr Option kFreqCodec{"freq-codec", Choice{list_codecs}, kNone, R"(of frequencies
    (default: that of docids; gpu-bp128 for gpu-dfor))"};
inline constexpr Option kStore{"store", Flag{}, kNone,
                               "keep the text, compressed, to show it with hits"};
inline constexpr Option kNoPositions{"no-positions", Flag{}, kNone,
                                     "leave out where words stand, without which no phrases"};
inline constexpr std::string_view kTokenizerNames[] = {"unicode", "whitespace", "verbatim"};
inline constexpr Option kTokenizer{"tokenizer",
                                   Choice{names_in<kTokenizerNames>},
                                   {"unicode"},
                                   R"(unicode (runs of letters and digits), whitespace, or verbatim
    (whitespace, what stands between is a term as it is; without positions, so without phrases))"};
inline constexpr Option kStemmer{"stemmer", Choice{index::stemmer_names}, kNone, R"(a Snowball
    language, or none (default: english; none for ds2i and ciff, whose terms are taken as they are:
    name the stemmer that made them, and queries will be stemmed so))"};
inline Names stop_word_lists() { return {"none", "english"}; }
inline constexpr Option kStopWords{
    "stop-words",
    Text{.kind = Kind::kFile, .names = stop_word_lists},
    {"none"},
    R"(words that are dropped: none, english (33 words, as Lucene's) or a
    file of words; '#' and '|' begin comments there)"};
inline constexpr Option kKeepCase{"keep-case", Flag{}, kNone, "do not fold case"};
inline constexpr Option kFoldAccents{"fold-accents", Flag{}, kNone, R"(drop accents of Latin, Greek
    and Cyrillic letters: cafe is café)"};
inline constexpr Option kTextFields{"fields", Text{}, kNone, R"(the text to index, with commas
    between (jsonl: contents; tables: all columns but those of --field))"};
inline constexpr Option kSchema{"schema", Text{Kind::kFile}, kNone, "a JSON file with fields"};
inline constexpr Option kImpactBits{"impact-bits", Whole{1, 16}, {"8"}, R"(json-vectors: bits of
    impacts, 1 to 16, if the weights are no whole numbers)"};
inline constexpr Option kK1{"k1", Real{0, index::kMaxK1}, {"0.9"}, "BM25 default of the index"};
inline constexpr Option kB{"b", Real{0, 1}, {"0.4"}, "BM25 default of the index, 0 to 1"};
inline constexpr Option kIndexOptions[] = {
    {"output", Text{Kind::kFolder}, kNone,
     R"(the index to make (a folder); default: the first input's name without
        its endings, and .gannet, here)"},
    kReplaceIndex,
    {"resume", Flag{}, kNone,
     "build in steps that survive an interruption, and go on with what one left"},
    {"step", Size{}, kNone, "with --resume: how much input makes a step: 512M, 64G (default: 4G)"},
    kCodec,
    kFreqCodec,
    kStore,
    kNoPositions,
    kTokenizer,
    kStemmer,
    kStopWords,
    kKeepCase,
    kFoldAccents,
    kTextFields,
    {"field", Texts{}, kNone,
     "a field, as year:i32, tag:keyword:multi or title:text; may be repeated"},
    kSchema,
    kImpactBits,
    {"order", Text{}, kNone,
     R"(the order of the documents (gannet help reorder): bisection, id, url,
        field:NAME, random, file:PATH; default: the order of the input)"},
    kK1,
    kB,
    {"mpi", Flag{}, kNone, R"(the processes that mpirun started take files of the input each; the
        output becomes a set of shards)"},
};

inline constexpr Option kDemoOutput{
    "output",
    Text{Kind::kFolder},
    {"gannet-demo"},
    "the index to make (a folder); one that is there stays as it is"};

inline constexpr Option kOrder{"order", Text{}, kRequired, R"(id, url, url:NAME, field:NAME,
    field:NAME:desc, random, random:SEED, bisection or file:PATH)"};
inline constexpr Option kLockWait{"wait", Real{}, {"0"}, R"(seconds to wait while another process
    writes to the index; then, or without it at once, the exit code is 9)"};
inline constexpr Option kNoMerge{"no-merge", Flag{}, kNone,
                                 "leave the segments as they are, however many"};
inline constexpr Option kDeletedIds[] = {
    kIndex,
    {"id", Texts{}, kNone, "the id of a document; may be repeated"},
    {"ids", Text{Kind::kFile}, kNone, "a file with an id a line, compressed or not; - is stdin"},
    {"query", Text{}, kNone, "all documents that match; gannet help search has the language"},
};
inline constexpr Option kDeleteOptions[] = {
    {"dry-run", Flag{}, kNone, "say how many, and delete none"},
    {"yes", Flag{}, kNone, "do not ask where all documents match"},
    kLockWait,
};
inline constexpr Option kMaxSegments{
    "max-segments", Whole{1}, {"1"}, "segments that are left, at most"};
inline constexpr Option kMergeOptions[] = {
    kIndex,
    kMaxSegments,
    {"tiers", Flag{}, kNone, "only where ten of like size stand side by side, as gannet add does"},
    kLockWait,
    kMemory,
    kThreads,
    kQuiet,
};
inline constexpr Option kSetCodecOptions[] = {
    kIndex,
    {"field", Text{}, kRequired, "the field"},
    {"codec", Text{.names = auto_or_column_codecs}, kRequired, "its new codec, or auto"},
    kLockWait,
    kMemory,
    kThreads,
    kQuiet,
};
inline constexpr Option kReorderOptions[] = {
    kIndex,
    kOrder,
    {"output", Text{Kind::kFolder}, kNone, "where the index goes (a folder); default: in place"},
    {"overwrite", Flag{}, kNone, "replace the index that is in --output"},
    kLockWait,
    kMemory,
    kThreads,
    kQuiet,
};
inline constexpr Option kShardOptions[] = {
    kIndex,
    {"shards", Whole{1, index::kMaxShards}, kNone, "into how many"},
    {"join", Text{Kind::kFolder}, kNone, "the set of shards to be joined (a folder)"},
    {"output", Text{Kind::kFolder}, kRequired, "the set or the index to make (a folder)"},
    kMemory,
    kThreads,
    kQuiet,
};
inline constexpr Option kRepairOptions[] = {
    kIndex,
    {"output", Text{Kind::kFolder}, kRequired, "the folder of the new index"},
    {"overwrite", Flag{}, kNone, "replace an index that is in the output folder"},
    kLockWait,
    kMemory,
    kThreads,
    kQuiet,
};

}  // namespace gannet::tools::options
