// The options that name a topics file.
#pragma once

#include <vector>

#include "corpora/topics/topics.hpp"
#include "query/query.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Declares --topics, --topic-format, --topic-fields and --limit.
void add_topics_options(OptionSet& options);

/// Makes a topic the text, or the terms, of a query.
void set_topic(query::Query& query, const corpora::Topic& topic);

/// Reads the topics that the options name. Throws UsageError, and what read_topics() throws.
std::vector<corpora::Topic> read_topics_option(const OptionSet& options);

}  // namespace gannet::tools
