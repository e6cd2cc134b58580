// The options that name a topics file.
#pragma once

#include <string>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "corpora/topics/topics.hpp"
#include "query/plan/query.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/topics.hpp"

namespace gannet::tools {

/// Whether --on-error says skip.
inline bool skips_errors(const OptionSet& options) {
  return options.choice<corpora::Malformed>("on-error") == corpora::Malformed::kSkip;
}

/// Makes a topic the text, or the terms, of a query.
void set_topic(query::Query& query, const corpora::Topic& topic);

/// Reads the topics that the options name. Throws UsageError, and what read_topics() throws.
std::vector<corpora::Topic> read_topics_option(const OptionSet& options);

}  // namespace gannet::tools
