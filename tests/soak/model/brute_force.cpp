#include "tests/soak/model/brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "query/scoring/scorer.hpp"

namespace gannet::soak {
namespace {

constexpr float kK1 = 0.9f, kB = 0.4f;  ///< the defaults

}  // namespace

BruteForce::BruteForce(const Snapshot& snapshot) : snapshot_(snapshot) {
  for (const int t : {0, 1}) {
    Text& text = texts_[t];
    double tokens = 0, having = 0;
    for (const VersionPointer& version : snapshot.documents) {
      const std::vector<unsigned>& words = t == 0 ? version->words : version->title;
      std::vector<std::uint32_t>& own = text.frequencies.emplace_back(kWords + 1);
      for (const unsigned word : words) ++own[word];
      text.lengths.push_back(static_cast<std::uint32_t>(words.size()));
      tokens += static_cast<double>(words.size());
      // Of the main text all documents count, of a field those that have it.
      having += t == 0 || !words.empty() ? 1 : 0;
    }
    text.average = having == 0 ? 0 : tokens / having;
  }
}

bool BruteForce::has(const Clause& clause, std::size_t docid) const {
  return text_of(clause).frequencies[docid][clause.word] > 0;
}

bool BruteForce::matches(const Question& question, std::size_t docid) const {
  const Version& version = *snapshot_.documents[docid];
  if (!snapshot_.live[docid]) return false;
  if (question.tag && version.tag != question.tag) return false;
  if (question.numbers &&
      (version.number < question.numbers->first || version.number > question.numbers->second)) {
    return false;
  }
  bool any_must = false, any_plain = false, one = false, all = true;
  for (const Clause& clause : question.clauses) {
    const bool there = has(clause, docid);
    if (clause.sign == '-' && there) return false;
    if (clause.sign == '+' && !there) return false;
    any_must = any_must || clause.sign == '+';
    if (clause.sign != ' ') continue;
    any_plain = true;
    one = one || there;
    all = all && there;
  }
  if (any_must || !any_plain) return true;
  return question.mode == query::Mode::kAnd ? all : one;
}

double BruteForce::document_frequency(const Clause& clause) const {
  double sum = 0;
  for (std::size_t d = 0; d < snapshot_.documents.size(); ++d) sum += has(clause, d) ? 1 : 0;
  return sum;
}

float BruteForce::weight_of(const Clause& clause) const {
  const auto n = static_cast<double>(snapshot_.documents.size());
  const double df = document_frequency(clause);
  const double idf = std::log1p((n - df + 0.5) / (df + 0.5));
  return static_cast<float>(idf * (double{kK1} + 1.0) * double{clause.weight});
}

/// Float operations one by one.
float BruteForce::contribution(const Clause& clause, float weight, std::size_t docid) const {
  const Text& text = text_of(clause);
  const auto constant = static_cast<float>(double{kK1} * (1.0 - double{kB}));
  const auto slope = static_cast<float>(double{kK1} * double{kB} / text.average);
  const auto tf = static_cast<float>(text.frequencies[docid][clause.word]);
  const volatile float scaled = slope * static_cast<float>(text.lengths[docid]);
  const volatile float norm = constant + scaled;
  const volatile float divisor = tf + norm;
  const volatile float product = weight * tf;
  return product / divisor;
}

float BruteForce::score(const Question& question, const std::vector<float>& weights,
                        std::size_t docid) const {
  float sum = 0;
  for (std::size_t i = 0; i < question.clauses.size(); ++i) {
    const Clause& clause = question.clauses[i];
    if (clause.sign == '-' || !has(clause, docid)) continue;
    const volatile float added = sum + contribution(clause, weights[i], docid);
    sum = added;
  }
  return sum;
}

query::Result BruteForce::answer(const Question& question) const {
  std::vector<float> weights;
  for (const Clause& clause : question.clauses) weights.push_back(weight_of(clause));
  std::vector<std::pair<float, std::uint32_t>> found;
  for (std::size_t d = 0; d < snapshot_.documents.size(); ++d) {
    if (!matches(question, d)) continue;
    const bool scored = question.want == query::Want::kTopK && question.k > 0;
    found.emplace_back(scored ? -score(question, weights, d) : 0.0f, static_cast<std::uint32_t>(d));
  }
  query::Result result;
  if (question.want == query::Want::kCount) {
    result.count = found.size();
    return result;
  }
  if (question.want == query::Want::kTopK) {
    std::ranges::sort(found);
    found.resize(std::min<std::size_t>(found.size(), question.k));
  }
  for (const auto& [score, docid] : found) {
    result.docids.push_back(docid);
    if (question.want == query::Want::kTopK) result.scores.push_back(-score);
  }
  result.count = result.docids.size();
  return result;
}

}  // namespace gannet::soak
