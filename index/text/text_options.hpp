// Options of text fields: how a field is analysed, and the weight of its scores.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/text/analyzer_config.hpp"

namespace gannet::index {

/// Largest weight of a text field; the smallest above 0 is 1e-6.
inline constexpr float kMaxTextWeight = 1e6f;

/// Options of a text field. An option without a value is taken from the analyzer of the index
/// (text_analyzer()).
struct TextOptions {
  /// The factor of the field's scores in queries that do not name the texts to search: 0, or 1e-6
  /// to kMaxTextWeight. With 0 such queries do not search the field; `field:word` still does.
  float weight = 1;
  std::optional<std::string> tokenizer = {};  ///< "unicode" or "whitespace"
  std::optional<std::string> stemmer = {};
  /// "none" or "english", in place of all stop words of the analyzer of the index.
  std::optional<std::string> stopwords = {};
  std::optional<bool> keep_case = {};  ///< the opposite of AnalyzerConfig::lowercase
  std::optional<bool> fold_accents = {};

  bool operator==(const TextOptions&) const = default;
};

/// Parses one option in the spelling of `--field` (`weight=2`, `stemmer=none`, `keep-case`,
/// `fold-accents=no`) and sets it. Returns false, and sets nothing, if `option` is not an option of
/// text fields. Throws UsageError for a weight out of range. Names of tokenizers, stemmers and stop
/// lists are not checked: text_problem() does that.
bool take_text_option(std::string_view option, TextOptions& options);
/// The options that differ from the initial ones, each with a colon in front:
/// `:weight=2:stemmer=none`.
std::string to_string(const TextOptions& options);

/// Checks the options, with the names of tokenizer, stemmer and stop list. Returns the problem as a
/// message, or nothing. Makes an Analyzer to do so.
std::optional<std::string> text_problem(const TextOptions& options);

/// The analyzer of a text field in an index whose main text is analysed by `main`: `main` with the
/// options that have a value. If the tokenizer of `main` is "verbatim", the default AnalyzerConfig
/// takes the place of `main`. `libraries` is empty.
AnalyzerConfig text_analyzer(const AnalyzerConfig& main, const TextOptions& options);

}  // namespace gannet::index
