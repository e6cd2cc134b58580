// How text is analysed.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace gannet::index {

/// Names of libraries and their versions.
using AnalysisLibraries = std::map<std::string, std::string>;

/// What an analyzer does; stored in the index, so that queries are analysed as the documents were.
struct AnalyzerConfig {
  std::string tokenizer = "unicode";  ///< see Tokenizer: "unicode", "whitespace" or "verbatim"
  /// NFKC with full case folding (that of Turkish with the stemmer "turkish"); else NFKC alone.
  bool lowercase = true;
  std::string stemmer = "english";    ///< a Snowball language as libstemmer names it, or "none"
  std::string stopwords = "none";     ///< "none" or "english"; compared before stemming
  std::size_t max_token_bytes = 255;  ///< longer tokens are dropped; 1 .. 65,535
  /// Drops accents before stemming ("café" is "cafe", "Łódź" "lodz", "Æ" "ae"). Off by default: in
  /// many languages these are different letters, and stemmers need them.
  bool fold_accents = false;
  /// What built the index, filled in by the builder; library_differences() compares.
  AnalysisLibraries libraries = {};

  bool operator==(const AnalyzerConfig&) const = default;
};

/// Terms are what stands between white space, byte for byte: for terms that models made.
inline AnalyzerConfig verbatim_analyzer() {
  AnalyzerConfig config;
  config.tokenizer = "verbatim";
  config.lowercase = false;
  config.stemmer = "none";
  config.max_token_bytes = 65535;
  return config;
}

}  // namespace gannet::index
