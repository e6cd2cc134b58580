// Text analysis: from text to the terms that are indexed and searched.
//
//   text ── Tokenizer ──▶ raw tokens ── TokenNormalizer, stop words, Stemmer ──▶ terms
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/text/tokenizer.hpp"

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

/// Turns text into terms. Immutable: safe to use from any number of threads.
class Analyzer {
 public:
  /// Throws UsageError for an unknown tokenizer, stemmer or stop list (it names those there are),
  /// and for "verbatim" with case folding, a stemmer or the like.
  explicit Analyzer(AnalyzerConfig config);
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  const AnalyzerConfig& config() const;

  /// Appends the terms of `text` (UTF-8; invalid bytes separate tokens) in order of occurrence.
  void analyze(std::string_view text, std::vector<std::string>& terms) const;

  /// Splits `text` into raw tokens and calls `on_token(std::string_view)` for each; for callers
  /// that cache what Worker::term_of() says. As Tokenizer::split(), which also tells the places.
  template <class F>
  void tokenize(std::string_view text, F&& on_token) const {
    tokenizer_.split(text, std::forward<F>(on_token));
  }

 private:
  struct Impl;

 public:
  /// What one thread needs to make terms of raw tokens: a stemmer and buffers. Not thread-safe. The
  /// analyzer may be moved meanwhile, but must outlive it.
  class Worker {
   public:
    explicit Worker(const Analyzer& analyzer);
    ~Worker();
    Worker(Worker&&) noexcept;
    Worker& operator=(Worker&&) noexcept;

    /// The term of one raw token: normalised and stemmed; empty if it is dropped (stop word, too
    /// long). The view is valid until the next call.
    std::string_view term_of(std::string_view token);

   private:
    friend struct Analyzer::Impl;
    struct State;
    std::unique_ptr<State> state_;
  };

 private:
  Tokenizer tokenizer_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
