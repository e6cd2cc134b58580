// The configuration of text analysis.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gannet::index {

/// Versions of libraries, by the library's name.
using AnalysisLibraries = std::map<std::string, std::string>;

/// The configuration of an Analyzer. The index stores it, so that queries are analysed as the
/// documents were. The constructor of Analyzer checks the values.
struct AnalyzerConfig {
  std::string tokenizer = "unicode";  ///< see Tokenizer: "unicode", "whitespace" or "verbatim"
  /// True: tokens are normalised to NFKC and case-folded in full, with the stemmer "turkish" by the
  /// rules of Turkish. False: NFKC alone. Must be false for "verbatim", whose tokens are not
  /// normalised.
  bool lowercase = true;
  std::string stemmer = "english";  ///< a Snowball language as libstemmer names it, or "none"
  /// "none" or "english": a list of words that are dropped. Words are compared once they are
  /// normalised and before they are stemmed. Dropped words do not count for the lengths of
  /// documents, and queries do not have them either.
  std::string stopwords = "none";
  /// More words that are dropped, as parse_stop_words() reads them: sorted, each once, at most 2^20
  /// bytes, UTF-8. Each is made a token as texts are; one of which the tokenizer makes several, as
  /// "don't", has no effect (Analyzer::unused_stop_words()).
  std::vector<std::string> stopword_list = {};
  std::size_t max_token_bytes = 255;  ///< longer tokens are dropped; 1 .. 65,535
  /// Removes accents before stemming ("café" becomes "cafe", "Łódź" "lodz", "Æ" "ae"). Off by
  /// default: in many languages accented letters are distinct letters, and stemmers need them.
  bool fold_accents = false;
  /// The libraries that analysed the documents; set by the builder. library_differences() compares
  /// them with those of this program.
  AnalysisLibraries libraries = {};

  bool operator==(const AnalyzerConfig&) const = default;
};

/// A configuration for terms that a model made: tokens are separated by white space and become
/// terms byte for byte.
inline AnalyzerConfig verbatim_analyzer() {
  AnalyzerConfig config;
  config.tokenizer = "verbatim";
  config.lowercase = false;
  config.stemmer = "none";
  config.max_token_bytes = 65535;
  return config;
}

}  // namespace gannet::index
