// What --stop-words says, and the argument stop_words of Python.
#pragma once

#include <string>

#include "index/text/analyzer_config.hpp"

namespace gannet::tools {

/// Sets the stop words of `config`: "none", "english", or those of a file. Throws UsageError for
/// what is none of these and for a file that is no list of words, IoError if it cannot be read.
void set_stop_words(const std::string& typed, index::AnalyzerConfig& config);

/// Which stop words of the configuration have no effect, as a sentence; empty if all have one.
std::string unused_stop_words_text(const index::AnalyzerConfig& config);

}  // namespace gannet::tools
