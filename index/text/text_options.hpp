// What is particular to a text field: how it is analysed, and what its scores count.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/text/analyzer_config.hpp"

namespace gannet::index {

/// Largest weight of a text field; the smallest above 0 is 1e-6.
inline constexpr float kMaxTextWeight = 1e6f;

/// Options of a text field. What is not given is as in the analyzer of the index.
struct TextOptions {
  /// What the field's scores are multiplied by in queries that do not say which texts they search;
  /// 0: those leave it out, only `field:word` searches it. 0, or 1e-6 to kMaxTextWeight.
  float weight = 1;
  std::optional<std::string> tokenizer = {};  ///< as in AnalyzerConfig, and so the others
  std::optional<std::string> stemmer = {};
  std::optional<std::string> stopwords = {};
  std::optional<bool> keep_case = {};  ///< the opposite of AnalyzerConfig::lowercase
  std::optional<bool> fold_accents = {};

  bool operator==(const TextOptions&) const = default;
};

/// Takes one option as `--field` spells it: `weight=2`, `stemmer=none`, `keep-case`,
/// `fold-accents=no`. False if it is none of a text field; UsageError for a value out of range.
bool take_text_option(std::string_view option, TextOptions& options);
/// All that are given, each with a colon in front: `:weight=2:stemmer=none`.
std::string to_string(const TextOptions& options);

/// What is wrong with the options, for messages; nothing if they can be used. Names of tokenizers,
/// stemmers and stop lists are looked at as well.
std::optional<std::string> text_problem(const TextOptions& options);

/// How the field is analysed in an index whose main text is analysed by `main`. Of one whose terms
/// are taken as they are ("verbatim"), text fields begin with the usual analyzer.
AnalyzerConfig text_analyzer(const AnalyzerConfig& main, const TextOptions& options);

}  // namespace gannet::index
