#include "index/text/analyzer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

#include "codecs/base/error.hpp"
#include "codecs/base/threads/thread_slot.hpp"
#include "index/text/stop_words.hpp"
#include "index/text/words/normalizer.hpp"
#include "index/text/words/stemmer.hpp"
#include "index/text/words/stopwords.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kLongestToken = 65535;

Folding folding_of(const AnalyzerConfig& config) {
  return {config.lowercase, config.stemmer == "turkish", config.fold_accents};
}

}  // namespace

struct Analyzer::Impl {
  AnalyzerConfig config;
  bool verbatim = false;
  std::vector<std::string> stopwords;  ///< normalised and sorted
  std::vector<std::string> unused_stop_words;

  void read_stop_words(const Tokenizer& tokenizer);

  /// Workers for analyze(): as many as a slot's threads called it at a time.
  struct alignas(kCacheLine) Idle {
    std::mutex mutex;
    std::vector<Worker> workers;
  };
  std::array<Idle, kThreadSlots> idle;

  template <class F>
  void with_worker(const Analyzer& analyzer, F&& use);
};

void Analyzer::Impl::read_stop_words(const Tokenizer& tokenizer) {
  for (const std::string_view word : stopwords_named(config.stopwords))
    stopwords.emplace_back(word);
  TokenNormalizer normalizer(folding_of(config));
  for (const std::string& word : config.stopword_list) {
    std::vector<std::string> tokens;
    tokenizer.split(word, [&](std::string_view token) { tokens.emplace_back(token); });
    if (tokens.size() == 1) {
      stopwords.emplace_back(normalizer.normalize(tokens.front()));
    } else {
      unused_stop_words.push_back(word);
    }
  }
  std::ranges::sort(stopwords);
}

struct Analyzer::Worker::State {
  explicit State(const Impl& analyzer)
      : impl(analyzer), normalizer(folding_of(analyzer.config)), stemmer(analyzer.config.stemmer) {}

  const Impl& impl;
  TokenNormalizer normalizer;
  Stemmer stemmer;
};

Analyzer::Worker::Worker(const Analyzer& analyzer)
    : state_(std::make_unique<State>(*analyzer.impl_)) {}
Analyzer::Worker::~Worker() = default;
Analyzer::Worker::Worker(Worker&&) noexcept = default;
Analyzer::Worker& Analyzer::Worker::operator=(Worker&&) noexcept = default;

std::string_view Analyzer::Worker::term_of(std::string_view token) {
  const Impl& impl = state_->impl;
  if (token.size() > impl.config.max_token_bytes) return {};
  if (impl.verbatim) return token;
  token = state_->normalizer.normalize(token);
  if (token.size() > impl.config.max_token_bytes) return {};
  if (std::binary_search(impl.stopwords.begin(), impl.stopwords.end(), token, std::less<>())) {
    return {};
  }
  return state_->stemmer.stem(token);
}

std::string_view Analyzer::Worker::fold(std::string_view text) {
  return state_->impl.verbatim ? text : state_->normalizer.normalize(text);
}

Analyzer::Analyzer(AnalyzerConfig config) : tokenizer_(config.tokenizer) {
  if (config.max_token_bytes < 1 || config.max_token_bytes > kLongestToken) {
    throw UsageError("the longest token must have 1 to " + std::to_string(kLongestToken) +
                     " bytes, not " + std::to_string(config.max_token_bytes));
  }
  const bool verbatim = config.tokenizer == "verbatim";
  if (verbatim && (config.lowercase || config.fold_accents || config.stemmer != "none" ||
                   config.stopwords != "none" || !config.stopword_list.empty())) {
    throw UsageError(
        "the tokenizer 'verbatim' takes terms as they are: no stemmer, stop words, case "
        "or accents are folded with it");
  }
  const std::string problem = stop_words_problem(config.stopword_list);
  if (!problem.empty()) throw UsageError(problem);
  impl_ = std::make_unique<Impl>();
  impl_->verbatim = verbatim;
  impl_->config = std::move(config);
  impl_->read_stop_words(tokenizer_);
  // Here it shows whether there is such a stemmer.
  impl_->idle[thread_slot()].workers.emplace_back(*this);
}

Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

const AnalyzerConfig& Analyzer::config() const { return impl_->config; }

const std::vector<std::string>& Analyzer::unused_stop_words() const {
  return impl_->unused_stop_words;
}

/// Calls use(worker), with one that no other thread has.
template <class F>
void Analyzer::Impl::with_worker(const Analyzer& analyzer, F&& use) {
  // A query has a few words: with one lock for all, the threads that plan a batch would wait for
  // each other.
  Idle& own = idle[thread_slot()];
  std::unique_lock lock(own.mutex);
  if (own.workers.empty()) own.workers.emplace_back(analyzer);
  Worker worker = std::move(own.workers.back());
  own.workers.pop_back();
  lock.unlock();
  use(worker);
  lock.lock();
  own.workers.push_back(std::move(worker));
}

void Analyzer::analyze(std::string_view text, std::vector<std::string>& terms) const {
  impl_->with_worker(*this, [&](Worker& worker) {
    tokenize(text, [&](std::string_view token) {
      const std::string_view term = worker.term_of(token);
      if (!term.empty()) terms.emplace_back(term);
    });
  });
}

std::string Analyzer::fold(std::string_view text) const {
  std::string folded;
  impl_->with_worker(*this, [&](Worker& worker) { folded = worker.fold(text); });
  return folded;
}

}  // namespace gannet::index
