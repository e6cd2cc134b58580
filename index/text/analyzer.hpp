// Text analysis: from text to the terms that are indexed and searched.
//
//   text ── Tokenizer ──▶ raw tokens ── TokenNormalizer, stop words, Stemmer ──▶ terms
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/text/analyzer_config.hpp"
#include "index/text/tokenizer.hpp"

namespace gannet::index {

/// Turns text into terms. Thread-safe, except for moving: a moved-from analyzer can only be
/// destroyed or assigned to.
class Analyzer {
 public:
  /// Throws UsageError for an unknown tokenizer, stemmer or stop list (the message lists the known
  /// ones), for a max_token_bytes out of range, for a stop_words_problem(), and for "verbatim"
  /// together with a stemmer, stop words, or folding of case or accents.
  explicit Analyzer(AnalyzerConfig config);
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  const AnalyzerConfig& config() const;
  /// The words of AnalyzerConfig::stopword_list that are not one token, and so are never found.
  const std::vector<std::string>& unused_stop_words() const;

  /// Appends the terms of `text` (UTF-8; invalid bytes separate tokens) in order of occurrence.
  /// Throws what Tokenizer::split() throws.
  void analyze(std::string_view text, std::vector<std::string>& terms) const;

  /// `text` as tokens are before stop words are dropped and stems taken: normalised, and folded as
  /// the configuration says. It is not split. For patterns of terms.
  std::string fold(std::string_view text) const;

  /// Splits `text` into raw tokens and calls `on_token` for each, as Tokenizer::split() does. For
  /// callers that cache the results of Worker::term_of().
  template <class F>
  void tokenize(std::string_view text, F&& on_token) const {
    tokenizer_.split(text, std::forward<F>(on_token));
  }

 private:
  struct Impl;

 public:
  /// Makes terms of raw tokens, with a stemmer and buffers of its own. Not thread-safe: each thread
  /// has its own worker. The analyzer must outlive the worker, and may be moved meanwhile.
  class Worker {
   public:
    explicit Worker(const Analyzer& analyzer);
    ~Worker();
    Worker(Worker&&) noexcept;
    Worker& operator=(Worker&&) noexcept;

    /// The term of one raw token, normalised and stemmed; empty if the token is dropped as a stop
    /// word or because it is longer than max_token_bytes, before or after normalisation. The view
    /// is valid until the next call and not longer than `token`: it may point into it.
    std::string_view term_of(std::string_view token);
    /// Analyzer::fold(); valid as long as the view of term_of().
    std::string_view fold(std::string_view text);

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
