// The options that name a topics file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpora/topics/topics.hpp"
#include "query/plan/query.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Declares --topics, --topic-format, --topic-fields and --limit, which is `limit` if it is not
/// given; 0: all topics.
void add_topics_options(OptionSet& options, std::uint64_t limit = 0);

/// Declares --on-error, of `what`: "topics that are no queries".
void add_on_error_option(OptionSet& options, const std::string& what);
/// Whether --on-error says skip. Throws UsageError where it says neither that nor stop.
bool skips_errors(const OptionSet& options);

/// Makes a topic the text, or the terms, of a query.
void set_topic(query::Query& query, const corpora::Topic& topic);

/// Reads the topics that the options name. Throws UsageError, and what read_topics() throws.
std::vector<corpora::Topic> read_topics_option(const OptionSet& options);

}  // namespace gannet::tools
