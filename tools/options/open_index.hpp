// Opening an index and a searcher from the options that search, run and the benchmarks share.
#pragma once

#include <memory>
#include <string>

#include "codecs/base/deadline.hpp"
#include "query/searcher.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/searching.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// What --filter says; all documents without it. Throws UsageError.
query::Filter filter_option(const OptionSet& options, const index::Index& index);

std::shared_ptr<const index::Index> open_index(const OptionSet& options);
/// `number_on_host`: of this process among those that share the host's GPUs out: without --devices
/// they take them in turn, from --device on.
query::Searcher open_searcher(std::shared_ptr<const index::Index> index, const OptionSet& options,
                              int number_on_host = 0);
/// When the time that --timeout gives is over, counted from now; none without it.
Deadline timeout_option(const OptionSet& options);
/// How batches are run, but for a stop token and a deadline.
query::SearchOptions search_options(const OptionSet& options);

/// The scorer that the options name, or else the index's. Throws UsageError.
query::ScorerSpec scorer_option(const OptionSet& options, const index::Index& index);

/// A query without text, with the options' mode, scorer and filter. Throws UsageError.
query::Query query_template(const OptionSet& options, const index::Index& index);

/// {"name": "bm25", "parameters": {"k1": 0.9, "idf": "lucene", ...}}
Json json_of(const query::ScorerSpec& scorer);
/// {"backend": ..., "queries_per_second": ..., ...}
Json json_of(const query::Report& report);
/// Plans that were left to the CPU, by the name of the reason.
Json json_of(const query::HostPlans& plans);
/// Plans of whose matches the CPU looked at columns, by the name of the reason.
Json json_of(const query::HostColumns& columns);
Json json_of(const query::MemoryCounters& memory);

/// "cpu" or "cuda (there is a GPU and the index fits)". Why no GPU is used is only told where there
/// is one, or where one was asked for.
std::string backend_text(const query::Report& report, const OptionSet& options);

}  // namespace gannet::tools
