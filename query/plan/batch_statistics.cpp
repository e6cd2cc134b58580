#include "query/plan/batch_statistics.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"

namespace gannet::query {
namespace {

[[noreturn]] void fail_other() {
  throw UsageError(
      "the statistics of shards are of different queries; plan the same batch on every shard, and "
      "where words are inexact (wing~1), which stand for other terms on each shard, expand them "
      "for "
      "the whole collection before (expand_words(), Query::expansions)");
}

/// A part of a key, so that no two lists of parts give the same one.
std::string part(std::string_view text) {
  return std::to_string(text.size()) + ":" + std::string(text);
}

/// How often a term occurs is known only to plans whose scorer asks: they do not share the number
/// with others.
std::string term_key(const Plan& plan, const PlanTerm& term) {
  const ScorerInfo* const scorer = find_scorer(plan.scorer().id);
  const bool occurrences = scorer != nullptr && scorer->needs_occurrences;
  const bool is_union = !term.any_of.empty() && !term.constant && term.phrase.empty();
  return std::string(is_union ? "union " : "") + (occurrences ? "occurrences " : "term ") +
         part(term.key());
}

/// Word `i` of a phrase. The terms of an inexact one may differ from shard to shard.
std::string phrase_word_key(const PlanTerm& term, std::size_t i) {
  const PhraseWord& word = term.phrase.words[i];
  if (!word.text.empty()) return "inexact word " + part(index::text_key(term.field, word.text));
  std::string key = "phrase word ";
  for (const std::string& one : word.any_of) key += part(index::text_key(term.field, one));
  return key;
}

/// How many documents have the words of phrases is known only to plans whose scorer asks: they do
/// not share the numbers with others, as which plan of a batch comes first would decide.
bool counts_phrase_words(const Plan& plan) {
  const ScorerInfo* const scorer = find_scorer(plan.scorer().id);
  return scorer != nullptr && scorer->adds_idf;
}

std::string word_key(const Plan& plan, const QueryWord& word) {
  std::string key = "word ";
  for (const WordTerm& term : word.terms) key += part(plan.terms()[term.term].key());
  return key;
}

/// What does not depend on the query.
std::vector<std::uint64_t> common_numbers(const PlanStatistics& statistics) {
  std::vector<std::uint64_t> numbers{statistics.collection.documents, statistics.collection.tokens};
  for (const index::TextStatistics& text : statistics.texts) {
    numbers.push_back(text.documents);
    numbers.push_back(text.tokens);
  }
  return numbers;
}

}  // namespace

BatchStatistics::BatchStatistics(std::span<const Plan> plans) {
  if (plans.empty()) return;
  numbers_ = common_numbers(plans.front().statistics());
  texts_ = plans.front().texts().size();
  for (const Plan& plan : plans) gather(plan);
}

void BatchStatistics::gather(const Plan& plan) {
  const PlanStatistics statistics = plan.statistics();
  const std::vector<std::uint64_t> common = common_numbers(statistics);
  if (statistics.texts.size() != texts_ ||
      !std::equal(common.begin(), common.end(), numbers_.begin())) {
    throw UsageError("the plans of a batch were made for different indexes");
  }
  const bool with_phrase_words = counts_phrase_words(plan);
  auto of_phrase_word = statistics.phrase_words.begin();
  for (std::size_t i = 0; i < plan.terms().size(); ++i) {
    const std::array term{statistics.terms[i].documents, statistics.terms[i].occurrences};
    set(term_key(plan, plan.terms()[i]), term);
    for (std::size_t w = 0; w < plan.terms()[i].phrase.words.size(); ++w, ++of_phrase_word) {
      if (!with_phrase_words) continue;
      set(phrase_word_key(plan.terms()[i], w), std::span(&*of_phrase_word, 1));
    }
  }
  for (std::size_t i = 0; i < plan.words().size(); ++i) {
    set(word_key(plan, plan.words()[i]), std::span(&statistics.words[i], 1));
  }
}

void BatchStatistics::set(const std::string& key, std::span<const std::uint64_t> numbers) {
  const auto [entry, is_new] = places_.emplace(key, numbers_.size());
  if (!is_new) return;
  keys_.push_back(key);
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
}

const std::uint64_t* BatchStatistics::find(const std::string& key) const {
  const auto found = places_.find(key);
  if (found == places_.end()) fail_other();
  return numbers_.data() + found->second;
}

void BatchStatistics::add(const BatchStatistics& shard) {
  if (keys_ != shard.keys_ || texts_ != shard.texts_ || numbers_.size() != shard.numbers_.size()) {
    fail_other();
  }
  std::ranges::transform(numbers_, shard.numbers_, numbers_.begin(), std::plus<>());
}

std::uint64_t BatchStatistics::fingerprint() const {
  std::string all = std::to_string(texts_) + " ";
  for (const std::string& key : keys_) all += part(key);
  return index::xxh3(std::as_bytes(std::span(all)));
}

PlanStatistics BatchStatistics::statistics_of(const Plan& plan) const {
  if (plan.texts().size() != texts_) fail_other();
  PlanStatistics statistics;
  statistics.collection = {numbers_[0], numbers_[1]};
  for (std::size_t i = 0; i < texts_; ++i) {
    statistics.texts.push_back({numbers_[2 + 2 * i], numbers_[3 + 2 * i]});
  }
  const bool with_phrase_words = counts_phrase_words(plan);
  for (const PlanTerm& term : plan.terms()) {
    const std::uint64_t* const numbers = find(term_key(plan, term));
    statistics.terms.push_back({numbers[0], numbers[1]});
    for (std::size_t w = 0; w < term.phrase.words.size(); ++w) {
      statistics.phrase_words.push_back(with_phrase_words ? *find(phrase_word_key(term, w)) : 0);
    }
  }
  for (const QueryWord& word : plan.words())
    statistics.words.push_back(*find(word_key(plan, word)));
  return statistics;
}

std::vector<Plan> BatchStatistics::apply(std::span<const Plan> plans) const {
  if (numbers_.empty() && !plans.empty()) fail_other();
  std::vector<Plan> applied;
  applied.reserve(plans.size());
  for (const Plan& plan : plans) applied.push_back(plan.with_statistics(statistics_of(plan)));
  return applied;
}

}  // namespace gannet::query
