#include "index/text/text_options.hpp"

#include <fmt/format.h>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"
#include "index/files/messages.hpp"
#include "index/text/analyzer.hpp"

namespace gannet::index {
namespace {

constexpr float kMinTextWeight = 1e-6f;

float weight_of(std::string_view text) {
  const float weight = plain_number<float>(text).value_or(-1);
  if (weight == 0 || (weight >= kMinTextWeight && weight <= kMaxTextWeight)) return weight;
  throw UsageError(fmt::format("weight must be 0, or between {} and {}, not '{}'", kMinTextWeight,
                               kMaxTextWeight, printable(text)));
}

/// `flag`, `flag=yes` or `flag=no`.
bool take_flag(std::string_view option, std::string_view name, std::optional<bool>& flag) {
  if (!option.starts_with(name)) return false;
  const std::string_view rest = option.substr(name.size());
  if (rest != "" && rest != "=yes" && rest != "=no") return false;
  flag = rest != "=no";
  return true;
}

bool take_name(std::string_view option, std::string_view name, std::optional<std::string>& value) {
  if (!option.starts_with(name) || option.substr(name.size(), 1) != "=") return false;
  value = option.substr(name.size() + 1);
  return true;
}

void append_name(std::string_view name, const std::optional<std::string>& value,
                 std::string& text) {
  if (value) text += fmt::format(":{}={}", name, *value);
}

void append_flag(std::string_view name, const std::optional<bool>& flag, std::string& text) {
  if (flag) text += fmt::format(":{}{}", name, *flag ? "" : "=no");
}

}  // namespace

bool take_text_option(std::string_view option, TextOptions& options) {
  constexpr std::string_view kWeight = "weight=";
  if (option.starts_with(kWeight)) {
    options.weight = weight_of(option.substr(kWeight.size()));
    return true;
  }
  return take_name(option, "tokenizer", options.tokenizer) ||
         take_name(option, "stemmer", options.stemmer) ||
         take_name(option, "stop-words", options.stopwords) ||
         take_flag(option, "keep-case", options.keep_case) ||
         take_flag(option, "fold-accents", options.fold_accents);
}

std::string to_string(const TextOptions& options) {
  std::string text;
  if (options.weight != 1) text += fmt::format(":weight={}", options.weight);
  append_name("tokenizer", options.tokenizer, text);
  append_name("stemmer", options.stemmer, text);
  append_name("stop-words", options.stopwords, text);
  append_flag("keep-case", options.keep_case, text);
  append_flag("fold-accents", options.fold_accents, text);
  return text;
}

std::optional<std::string> text_problem(const TextOptions& options) {
  if (options.weight != 0 &&
      !(options.weight >= kMinTextWeight && options.weight <= kMaxTextWeight)) {
    return fmt::format("weight must be 0, or between {} and {}, not {}", kMinTextWeight,
                       kMaxTextWeight, options.weight);
  }
  if (options.tokenizer == "verbatim") return "tokenizer=verbatim is for main texts only";
  try {
    Analyzer(text_analyzer({}, options));
  } catch (const UsageError& error) {
    return error.what();
  }
  return std::nullopt;
}

AnalyzerConfig text_analyzer(const AnalyzerConfig& main, const TextOptions& options) {
  AnalyzerConfig config = main.tokenizer == "verbatim" ? AnalyzerConfig{} : main;
  config.libraries.clear();
  if (options.tokenizer) config.tokenizer = *options.tokenizer;
  if (options.stemmer) config.stemmer = *options.stemmer;
  if (options.stopwords) {
    config.stopwords = *options.stopwords;
    config.stopword_list.clear();
  }
  if (options.keep_case) config.lowercase = !*options.keep_case;
  if (options.fold_accents) config.fold_accents = *options.fold_accents;
  return config;
}

}  // namespace gannet::index
