// The libraries on which text analysis depends: other versions may make other terms of a text.
#pragma once

#include <string>
#include <vector>

#include "index/text/analyzer_config.hpp"

namespace gannet::index {

/// The libraries that analysis with `config` uses, as linked into this program: "utf8proc" and, for
/// the tokenizer "unicode", "icu", with their versions; with a stemmer also "libstemmer", which
/// does not tell its version, with a checksum of the stems of some words. Throws UsageError for an
/// unknown stemmer. The other members of `config` are not checked.
AnalysisLibraries linked_libraries(const AnalyzerConfig& config);

/// Adds to `main.libraries` the libraries that analysis of a text field with `field` uses and the
/// main text does not: its stemmer, if it is another one, under a name such as "libstemmer-german".
/// Throws UsageError for an unknown stemmer.
void add_field_libraries(const AnalyzerConfig& field, AnalyzerConfig& main);

/// Compares the libraries recorded in `config` with those linked into this program. Returns one
/// line for each library whose version differs, with its name, both versions and the consequence; a
/// library that is not recorded is not compared. An index with differences stays readable, and most
/// of its terms are unaffected: programs show the lines as warnings. Throws UsageError for an
/// unknown stemmer.
std::vector<std::string> library_differences(const AnalyzerConfig& config);

}  // namespace gannet::index
