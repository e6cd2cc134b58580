#include "query/expansion/expand.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/expansion/document_vectors.hpp"
#include "query/expansion/expanded_plan.hpp"
#include "query/expansion/feedback.hpp"

namespace gannet::query {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The documents whose terms are gathered in one pass have at most so many tokens together, unless
/// they are those of one query: 20 bytes a distinct term of a document then stay below 700 MB.
constexpr std::uint64_t kTokensPerPass = std::uint64_t{1} << 25;

void check_plan(const Plan& plan, const index::Index& index) {
  if (plan.want() != Want::kTopK) {
    throw UsageError("query expansion: only ranked queries can be expanded, not counts and docids");
  }
  if (!plan.words().empty()) {
    throw UsageError(
        "query expansion: bm25f scores words by several texts, and new words are of "
        "the main text alone; expand with bm25");
  }
  const index::Statistics& known = index.statistics();
  if (plan.collection().documents != known.documents || plan.collection().tokens != known.tokens) {
    throw UsageError(
        "query expansion: the plan was made for another index; make it for the one that is "
        "searched, whose statistics the new terms have");
  }
}

class ExpansionBatch {
 public:
  ExpansionBatch(const Backend& backend, const index::Index& index, std::span<const Plan> plans,
                 const Expansion& expansion, const SearchOptions& options, ExpansionReport& report)
      : backend_(backend),
        index_(index),
        plans_(plans),
        expansion_(expansion),
        options_(options),
        report_(report) {}

  std::vector<Plan> run() {
    std::vector<Plan> expanded(plans_.begin(), plans_.end());
    if (expansion_.terms == 0 || plans_.empty()) return expanded;
    std::vector<Plan> first_pass;
    first_pass.reserve(plans_.size());
    for (const Plan& plan : plans_) {
      first_pass.push_back(plan.with_k(expansion_.documents).with_page({}));
    }
    results_ = backend_.run(first_pass, options_, report_.first_pass);
    for (std::size_t begin = 0; begin < plans_.size();) {
      const std::size_t end = end_of_pass(begin);
      expand_range(begin, end, expanded);
      begin = end;
    }
    return expanded;
  }

 private:
  /// The end of the queries, from `begin` on, whose documents are gathered together.
  std::size_t end_of_pass(std::size_t begin) const {
    std::uint64_t tokens = 0;
    for (std::size_t i = begin; i < plans_.size(); ++i) {
      for (const std::uint32_t docid : results_[i].docids) tokens += length_of(docid);
      if (tokens > kTokensPerPass && i > begin) return i;
    }
    return plans_.size();
  }

  std::uint32_t length_of(index::Docid docid) const {
    std::size_t segment = index_.segments().size() - 1;
    while (index_.docid_base(segment) > docid) --segment;
    return index_.segments()[segment]->document_lengths()[docid - index_.docid_base(segment)];
  }

  void expand_range(std::size_t begin, std::size_t end, std::vector<Plan>& expanded) {
    const std::vector<index::Docid> documents = documents_of(begin, end);
    const auto start = Clock::now();
    const DocumentVectors vectors =
        gather_document_vectors(index_, documents, max_document_frequency(), options_.stop);
    report_.gather_seconds += since(start);
    report_.documents += documents.size();
    report_.terms += vectors.terms.size();
    report_.tiles_total += vectors.tiles_total;
    report_.tiles_decoded += vectors.tiles_decoded;
    const std::vector<char> usable =
        usable_terms(vectors.vocabulary, expansion_, index_.statistics().documents);
    tbb::enumerable_thread_specific<Feedback> feedbacks(
        [&] { return Feedback(vectors, usable, expansion_); });
    tbb::parallel_for(begin, end, [&](std::size_t i) {
      throw_if_stopped(options_.stop);
      if (results_[i].docids.empty()) return;  // nothing to learn from
      expanded[i] = expand(i, documents, vectors, feedbacks.local());
    });
  }

  /// Distinct, ascending.
  std::vector<index::Docid> documents_of(std::size_t begin, std::size_t end) const {
    std::vector<index::Docid> documents(
        results_.docids.begin() + static_cast<std::ptrdiff_t>(results_.offsets[begin]),
        results_.docids.begin() + static_cast<std::ptrdiff_t>(results_.offsets[end]));
    std::ranges::sort(documents);
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    return documents;
  }

  std::uint64_t max_document_frequency() const {
    return static_cast<std::uint64_t>(expansion_.max_document_share *
                                      static_cast<double>(index_.statistics().documents));
  }

  Plan expand(std::size_t number, std::span<const index::Docid> documents,
              const DocumentVectors& vectors, Feedback& feedback) const {
    std::vector<FeedbackDocument> best;
    for (const Hit hit : results_[number].hits()) {
      const auto at = std::ranges::lower_bound(documents, hit.docid);
      best.push_back({static_cast<std::size_t>(at - documents.begin()), hit.score});
    }
    const Plan& plan = plans_[number];
    std::vector<ExpansionTerm> terms;
    for (const WeightedTerm& term : feedback(best, unscored_terms(plan, vectors))) {
      const VocabularyTerm& known = vectors.vocabulary[term.term];
      terms.push_back({known.text, known.document_frequency, term.weight});
    }
    if (terms.empty()) return plan;
    return expanded_plan(index_, plan, expansion_, terms);
  }

  /// What the user excluded, or gave the weight 0. The words of a phrase were not excluded with it.
  static std::vector<std::uint32_t> unscored_terms(const Plan& plan,
                                                   const DocumentVectors& vectors) {
    std::vector<std::uint32_t> numbers;
    for (const PlanTerm& term : plan.terms()) {
      if (term.scored() || term.field != index::kMainText || !term.phrase.empty()) continue;
      for (const std::string& word : term.words()) {
        const auto at =
            std::ranges::lower_bound(vectors.vocabulary, word, {}, &VocabularyTerm::text);
        if (at == vectors.vocabulary.end() || at->text != word) continue;
        numbers.push_back(static_cast<std::uint32_t>(at - vectors.vocabulary.begin()));
      }
    }
    return numbers;
  }

  const Backend& backend_;
  const index::Index& index_;
  std::span<const Plan> plans_;
  const Expansion& expansion_;
  const SearchOptions& options_;
  ExpansionReport& report_;
  Results results_;  ///< of the first pass
};

}  // namespace

std::vector<Plan> expand_plans(const Backend& backend, const index::Index& index,
                               std::span<const Plan> plans, const Expansion& expansion,
                               const SearchOptions& options, ExpansionReport& report) {
  const auto start = Clock::now();
  if (const auto problem = expansion_problem(expansion)) {
    throw UsageError("query expansion: " + *problem);
  }
  for (const Plan& plan : plans) check_plan(plan, index);
  std::vector<Plan> expanded =
      ExpansionBatch(backend, index, plans, expansion, options, report).run();
  report.seconds = since(start);
  return expanded;
}

}  // namespace gannet::query
