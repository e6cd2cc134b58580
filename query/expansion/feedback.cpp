#include "query/expansion/feedback.hpp"

#include <algorithm>
#include <cmath>

namespace gannet::query {
namespace {

/// Code points of UTF-8: the bytes that do not continue one.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

bool is_ascii_word(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

}  // namespace

std::vector<char> usable_terms(const std::vector<VocabularyTerm>& vocabulary,
                               const Expansion& expansion, std::uint64_t documents) {
  const double most = expansion.max_document_share * static_cast<double>(documents);
  std::vector<char> usable;
  usable.reserve(vocabulary.size());
  for (const VocabularyTerm& term : vocabulary) {
    const std::size_t length = characters(term.text);
    usable.push_back(static_cast<double>(term.document_frequency) <= most &&
                     length >= expansion.min_length && length <= expansion.max_length &&
                     (!expansion.ascii_only || is_ascii_word(term.text)));
  }
  return usable;
}

Feedback::Feedback(const DocumentVectors& vectors, const std::vector<char>& usable,
                   const Expansion& expansion)
    : vectors_(vectors),
      usable_(usable),
      expansion_(expansion),
      sums_(vectors.vocabulary.size(), 0) {}

std::vector<WeightedTerm> Feedback::operator()(std::span<const FeedbackDocument> documents,
                                               std::span<const std::uint32_t> excluded) {
  for (const FeedbackDocument& document : documents) add(document);
  for (const std::uint32_t term : excluded) sums_[term] = 0;
  std::vector<WeightedTerm> terms;
  for (const std::uint32_t term : touched_) {
    if (sums_[term] > 0) terms.push_back({term, sums_[term]});
    sums_[term] = 0;  // a term that was touched twice comes once
  }
  touched_.clear();
  take_largest(terms);
  if (expansion_.method == ExpansionMethod::kRocchio) {
    for (WeightedTerm& term : terms) term.weight /= static_cast<double>(documents.size());
  }
  scale(terms);
  return terms;
}

void Feedback::choose_terms(std::size_t document) {
  chosen_.clear();
  for (const DocumentTerm& term : vectors_.of(document)) {
    if (usable_[term.term] != 0) chosen_.push_back(term);
  }
  const std::size_t most = expansion_.document_terms;
  if (expansion_.method != ExpansionMethod::kRm3 || most == 0 || chosen_.size() <= most) return;
  std::ranges::nth_element(chosen_, chosen_.begin() + static_cast<std::ptrdiff_t>(most),
                           [](const DocumentTerm& a, const DocumentTerm& b) {
                             return a.frequency != b.frequency ? a.frequency > b.frequency
                                                               : a.term < b.term;
                           });
  chosen_.resize(most);
}

void Feedback::add(const FeedbackDocument& document) {
  choose_terms(document.number);
  const bool rm3 = expansion_.method == ExpansionMethod::kRm3;
  double norm = 0;  // sums of whole numbers: exact in any order
  for (const DocumentTerm& term : chosen_) {
    const double frequency = term.frequency;
    norm += rm3 ? frequency : frequency * frequency;
  }
  if (!rm3) norm = std::sqrt(norm);
  const double factor = rm3 ? double{document.score} : 1;
  for (const DocumentTerm& term : chosen_) {
    if (sums_[term.term] == 0) touched_.push_back(term.term);
    sums_[term.term] += term.frequency / norm * factor;
  }
}

void Feedback::take_largest(std::vector<WeightedTerm>& terms) const {
  const std::size_t taken = std::min<std::size_t>(terms.size(), expansion_.terms);
  std::ranges::partial_sort(terms, terms.begin() + static_cast<std::ptrdiff_t>(taken),
                            [](const WeightedTerm& a, const WeightedTerm& b) {
                              return a.weight != b.weight ? a.weight > b.weight : a.term < b.term;
                            });
  terms.resize(taken);
}

void Feedback::scale(std::vector<WeightedTerm>& terms) const {
  const bool rm3 = expansion_.method == ExpansionMethod::kRm3;
  double norm = 0;
  for (const WeightedTerm& term : terms) norm += rm3 ? term.weight : term.weight * term.weight;
  if (!rm3) norm = std::sqrt(norm);
  for (WeightedTerm& term : terms) term.weight /= norm;
}

}  // namespace gannet::query
