// The libraries that decide what becomes a term, and whether they are those that built an index.
#pragma once

#include <string>
#include <vector>

#include "index/text/analyzer_config.hpp"

namespace gannet::index {

/// What analysis with `config` depends on, as linked now: "utf8proc" and "icu" with their versions;
/// "libstemmer", which has no version that could be asked for, with a checksum of what its stemmer
/// makes of some words. Throws UsageError like Analyzer.
AnalysisLibraries linked_libraries(const AnalyzerConfig& config);

/// Adds to `main.libraries` what analysis of a text field with `field` depends on besides: its
/// stemmer, as "libstemmer-german". Throws UsageError like Analyzer.
void add_field_libraries(const AnalyzerConfig& field, AnalyzerConfig& main);

/// A line for each library that is not the one recorded in `config`: which, both versions, and what
/// follows. Empty where they are the same, and where nothing is recorded. An index with differences
/// stays readable, and most of its terms are the same; programs show the lines as warnings. Throws
/// like linked_libraries().
std::vector<std::string> library_differences(const AnalyzerConfig& config);

}  // namespace gannet::index
