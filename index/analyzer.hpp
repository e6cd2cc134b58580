// Text analysis: from text to the terms that are indexed and searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::index {

/// What an analyzer does; stored in the index, so that queries are analysed as the documents were.
struct AnalyzerConfig {
  std::string tokenizer = "unicode";  ///< "unicode": maximal runs of Unicode letters and digits;
                                      ///< "whitespace": runs of anything but white space
  bool lowercase = true;
  std::string stemmer = "english";  ///< a Snowball language as libstemmer names it, or "none"
  std::string stopwords = "none";   ///< "none" or "english"
  std::size_t max_token_bytes = 255;  ///< longer tokens are dropped

  bool operator==(const AnalyzerConfig&) const = default;
};

/// Turns text into terms. One object per thread: analyze() is not thread-safe; creating is.
class Analyzer {
 public:
  /// Throws UsageError for an unknown tokenizer, stemmer or stop list (it names those there are).
  explicit Analyzer(AnalyzerConfig config);
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  const AnalyzerConfig& config() const;

  /// Appends the terms of `text` (UTF-8; invalid bytes separate tokens) in order of occurrence.
  void analyze(std::string_view text, std::vector<std::string>& terms);

  /// Splits `text` into raw tokens and calls `on_token` for each; for callers that cache term_of().
  template <class F>
  void tokenize(std::string_view text, F&& on_token);

  /// The term of one raw token: lower-cased and stemmed; empty if it is dropped (stop word, too long).
  /// The view is valid until the next call.
  std::string_view term_of(std::string_view token);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The Snowball languages that stemmer accepts, and "none".
std::vector<std::string> stemmer_names();

}  // namespace gannet::index
