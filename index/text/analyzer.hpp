// Text analysis: from text to the terms that are indexed and searched.
//
//   text ── Tokenizer ──▶ raw tokens ── lower-casing, stop words, Stemmer ──▶ terms
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/text/stemmer.hpp"
#include "index/text/tokenizer.hpp"

namespace gannet::index {

/// What an analyzer does; stored in the index, so that queries are analysed as the documents were.
struct AnalyzerConfig {
  std::string tokenizer = "unicode";  ///< "unicode": maximal runs of Unicode letters and digits;
                                      ///< "whitespace": runs of anything but white space
  bool lowercase = true;              ///< simple Unicode lower-casing, code point by code point
  std::string stemmer = "english";    ///< a Snowball language as libstemmer names it, or "none"
  std::string stopwords = "none";     ///< "none" or "english"; compared before stemming
  std::size_t max_token_bytes = 255;  ///< longer raw tokens are dropped; 1 .. 65,535
  /// Versions of the libraries that analysed the documents, by name.
  std::map<std::string, std::string> libraries{};

  bool operator==(const AnalyzerConfig&) const = default;
};

/// Turns text into terms. One object per thread: analyze() and term_of() are not thread-safe;
/// creating is.
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

  /// Splits `text` into raw tokens and calls `on_token(std::string_view)` for each; for callers
  /// that cache term_of(). The views point into `text`.
  template <class F>
  void tokenize(std::string_view text, F&& on_token) const {
    tokenizer_.split(text, std::forward<F>(on_token));
  }

  /// The term of one raw token: lower-cased and stemmed; empty if it is dropped (stop word, too
  /// long). The view is valid until the next call.
  std::string_view term_of(std::string_view token);

 private:
  struct Impl;
  Tokenizer tokenizer_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
