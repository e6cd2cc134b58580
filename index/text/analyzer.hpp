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
