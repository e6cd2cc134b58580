// Options of `gannet bench`.
#pragma once

#include "tools/options/table/data.hpp"
#include "tools/options/table/topics.hpp"

namespace gannet::tools::options {

inline constexpr Option kBothBackends{
    "backend", kBackends, {"auto"}, "auto (the CPU, and the GPU if there is one), cpu or cuda"};
inline constexpr Option kReportFile{"output", Text{Kind::kFile}, kNone,
                                    "write the JSON to this file, beside the tables on stdout"};
constexpr Option repeats_option(std::string_view standard, std::string_view sentence) {
  return {"repeats", Whole{1, 1000}, {standard}, sentence};
}

inline constexpr Option kBenchCodecsOptions[] = {
    {"input", Texts{.words = true, .kind = Kind::kFile}, kRequired, "raw columns"},
    kValueType,
    {"codec",
     Text{.names = measured_column_codecs, .several = true},
     {"all"},
     "codecs, separated by commas (auto: the smallest), or all"},
    {"parameters", Text{}, kNone, "of a single codec: NAME=NUMBER,NAME=NUMBER"},
    {"values", kAnyCount, kNone,
     R"(measure speed over at least this many values, repeating a shorter
        column (default 2^20 on the CPU, 2^26 on the GPU))"},
    kBothBackends,
    repeats_option("7", "measurements, of which the median counts"),
    kReportFile,
    kOverwrite,
    kNoProgress,
};

inline constexpr Whole kLogs{0, 29};
/// By Output of tools/measure/decode.hpp.
inline constexpr std::string_view kContentNames[] = {"gaps", "docids", "freqs"};
inline constexpr std::string_view kDistributionNames[] = {"uniform", "clustered", "both"};
inline constexpr Option kBenchDecodeOptions[] = {
    {"codec",
     Text{.names = measured_list_codecs, .several = true},
     {"all"},
     "codecs, separated by commas, or all"},
    {"lengths", Text{}, kNone, "2^MIN..2^MAX: short for --min-log MIN --max-log MAX"},
    {"min-log", kLogs, {"10"}, "shortest lists: 2^N"},
    {"max-log", kLogs, kNone, "longest lists: 2^N (default 22 on the CPU, 27 on the GPU)"},
    {"distribution",
     Choice{names_in<kDistributionNames>, true},
     {"both"},
     "of synthetic lists: uniform, clustered or both"},
    {"universe", Text{}, {"2^29"}, "synthetic ids are below this"},
    {"seed", kAnyCount, {"1"}, "of synthetic lists"},
    {"index", Text{Kind::kFolder}, kNone,
     "measure the lists of this index instead; also the first word"},
    {"topics", Text{Kind::kFile}, kNone, "with --index: the lists of these topics' terms"},
    {"content", Choice{names_in<kContentNames>, true}, kNone,
     "what decoding gives: gaps, docids (prefix sums included), freqs (with --index)"},
    kBothBackends,
    {"threads", Whole{}, {"0"}, "of the CPU; 0: all cores"},
    {"batch",
     kAnyCount,
     {"0"},
     "lists in a batch; 0: as many as make 2^28 values (--quick 2^27, CPU 2^21)"},
    repeats_option("25", "measurements, of which the median counts"),
    {"plot", Text{Kind::kFile}, kNone, "draw throughput over length (.png, .svg or .pdf)"},
    kReportFile,
    kOverwrite,
    {"quick", Flag{}, kNone, "every other length, uniform lists, 7 repeats, smaller batches"},
};

/// By query::Want.
inline constexpr std::string_view kWantNames[] = {"topk", "count", "docids"};
inline constexpr Option kLimitOfLog = limit_option("1000");
inline constexpr Option kLogSettings[] = {
    {"k", Text{}, {"10"}, "hits, some numbers"},
    {"mode",
     Choice{names_in<query::kModeNames>, true},
     {"or"},
     "how terms combine: or, and, or both as or,and"},
};
inline constexpr Option kBenchQueryOptions[] = {
    kOperators,
    {"want", Choice{names_in<kWantNames>}, {"topk"}, "topk (ranked), count or docids (Boolean)"},
    {"batch", Text{}, {"1,all"}, "queries in a batch, some numbers"},
    {"by-length", Flag{}, kNone, "latency by number of terms"},
    repeats_option("5", "passes, of which the median counts"),
    {"check",
     kAnyCount,
     {"0"},
     "compare the results of this many queries with an exhaustive search on the cpu"},
    {"output", Text{Kind::kFile}, kNone, "also write the result as JSON to this file"},
    kOverwrite,
};

}  // namespace gannet::tools::options
