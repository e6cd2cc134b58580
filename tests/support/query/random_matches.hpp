// Random plans that want counts and docids, with what they match by brute force: OR, AND, NOT and
// nested, with filters, predicates and deletions, over all codecs, segments of all sizes, and lists
// from none to all documents.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codecs/registry.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/fields.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {

/// A byte for each document: 1 if it is in.
using DocumentSet = std::vector<std::uint8_t>;

struct MatchSettings {
  std::uint32_t documents;
  std::uint32_t terms;
  std::vector<std::uint32_t> ends;
  std::size_t plans;
  unsigned seed;
  query::ScorerSpec scorer = {};
};

/// Random plans, and what they match.
class MatchCase {
  using Node = query::Node;
  using Plan = query::Plan;

 public:
  explicit MatchCase(const MatchSettings& settings)
      : random_(settings.seed),
        collection_(random_collection(settings.documents, settings.terms, settings.seed)),
        fields_(random_fields(settings.documents, settings.seed)),
        oracle_(fields_),
        filters_(fields_, settings.seed),
        gone_(random_deletions(settings.documents, .05, settings.seed, 700, 900)),
        scorer_(settings.scorer) {
    std::vector<std::string> codecs;
    for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
      codecs.emplace_back(codec.name);
    }
    std::shuffle(codecs.begin(), codecs.end(), random_);
    index_ = with_fields(*write_segments(folder_ / "index", collection_, settings.ends, codecs),
                         fields_);
    deleted_ = with_deleted(*index_, gone_);
    for (std::size_t i = 0; i < settings.plans; ++i) add_plan();
  }

  const std::shared_ptr<const index::Index>& index() const { return index_; }
  /// The index without some of its documents.
  const std::shared_ptr<const index::Index>& deleted() const { return deleted_; }
  const std::vector<bool>& gone() const { return gone_; }
  const FilterOracle& oracle() const { return oracle_; }
  /// Plans over index() or, with `live`, over deleted().
  std::vector<Plan> plans(bool live) const {
    std::vector<Plan> plans;
    for (const Plan& plan : plans_) plans.push_back(live ? plan.with_live() : plan);
    return plans;
  }
  /// What plan `i` matches, ascending.
  std::vector<index::Docid> matches(std::size_t i, bool live) const {
    std::vector<index::Docid> docids;
    for (std::uint32_t d = 0; d < matches_[i].size(); ++d) {
      if (matches_[i][d] != 0 && !(live && gone_[d])) docids.push_back(d);
    }
    return docids;
  }

  /// Whether a result is that of plan `i`.
  void expect(const query::ResultView& result, std::size_t i, bool live) const {
    std::vector<index::Docid> docids = matches(i, live);
    ASSERT_EQ(result.count, docids.size()) << to_string(plans_[i]);
    if (plans_[i].want() == query::Want::kCount) docids.clear();
    ASSERT_TRUE(std::ranges::equal(result.docids, docids)) << to_string(plans_[i]);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  void add_plan() {
    constexpr std::array<std::uint32_t, 8> kSizes{1, 2, 2, 3, 4, 8, 40, 200};
    Plan::Parts parts;
    parts.want = below(2) == 0 ? query::Want::kCount : query::Want::kDocids;
    parts.collection = {collection_.documents(), 1u << 30};
    parts.scorer = scorer_;
    const std::uint32_t terms = std::min<std::uint32_t>(
        kSizes[below(kSizes.size())], static_cast<std::uint32_t>(collection_.frequencies.size()));
    std::vector<std::uint32_t> numbers(collection_.frequencies.size() + 2);  // two are unknown
    for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    std::shuffle(numbers.begin(), numbers.end(), random_);
    for (std::uint32_t i = 0; i < terms; ++i) {
      const std::string term = "t" + std::to_string(numbers[i]);
      parts.terms.push_back({.text = term,
                             .document_frequency = collection_.document_frequency(term),
                             .weight = below(3) == 0 ? 0.0f : 1.0f});
    }
    if (below(3) == 0) parts.filter = filters_.next(2);
    DocumentSet matches = below(3) == 0 ? formula(parts, 3) : flat(parts);
    for (std::uint32_t d = 0; d < matches.size(); ++d) {
      if (matches[d] != 0 && !oracle_.passes(parts.filter, d)) matches[d] = 0;
    }
    plans_.emplace_back(std::move(parts));
    matches_.push_back(std::move(matches));
  }

  DocumentSet documents_of(const std::string& term) const {
    DocumentSet set(collection_.documents());
    const auto found = collection_.frequencies.find(term);
    if (found == collection_.frequencies.end()) return set;
    for (std::size_t d = 0; d < set.size(); ++d) set[d] = found->second[d] > 0 ? 1 : 0;
    return set;
  }

  static void join(Node::Kind kind, const DocumentSet& more, DocumentSet& set) {
    for (std::size_t d = 0; d < set.size(); ++d) {
      set[d] = kind == Node::Kind::kAnd ? set[d] & more[d] : set[d] | more[d];
    }
  }

  /// The OR or AND of all terms.
  DocumentSet flat(Plan::Parts& parts) {
    const Node::Kind kind = below(3) == 0 ? Node::Kind::kAnd : Node::Kind::kOr;
    const auto terms = static_cast<std::uint32_t>(parts.terms.size());
    DocumentSet set = documents_of(parts.terms[0].text);
    for (std::uint32_t i = 0; i < terms; ++i) {
      parts.expression.push_back({Node::Kind::kTerm, i});
      if (i > 0) join(kind, documents_of(parts.terms[i].text), set);
    }
    parts.expression.push_back({kind, terms});
    return set;
  }

  DocumentSet formula(Plan::Parts& parts, int depth) {
    const std::uint32_t shape = depth == 0 ? 9 : below(10);
    if (shape >= 8) return leaf(parts);
    if (shape >= 6) {
      DocumentSet set = formula(parts, depth - 1);
      for (std::uint8_t& in : set) in ^= 1;
      parts.expression.push_back({Node::Kind::kNot, 1});
      return set;
    }
    const Node::Kind kind = shape < 3 ? Node::Kind::kAnd : Node::Kind::kOr;
    const std::uint32_t operands = 2 + below(3);
    DocumentSet set = formula(parts, depth - 1);
    for (std::uint32_t i = 1; i < operands; ++i) join(kind, formula(parts, depth - 1), set);
    parts.expression.push_back({kind, operands});
    return set;
  }

  DocumentSet leaf(Plan::Parts& parts) {
    if (below(6) > 0) {
      const std::uint32_t term = below(static_cast<std::uint32_t>(parts.terms.size()));
      parts.expression.push_back({Node::Kind::kTerm, term});
      return documents_of(parts.terms[term].text);
    }
    parts.expression.push_back(
        {Node::Kind::kPredicate, static_cast<std::uint32_t>(parts.predicates.size())});
    parts.predicates.push_back(filters_.next(1));
    DocumentSet set(collection_.documents());
    for (std::size_t d = 0; d < set.size(); ++d) {
      set[d] = oracle_.passes(parts.predicates.back(), d) ? 1 : 0;
    }
    return set;
  }

  std::mt19937 random_;
  TemporaryDirectory folder_;
  Collection collection_;
  std::vector<FieldValues> fields_;
  FilterOracle oracle_;
  RandomFilters filters_;
  std::vector<bool> gone_;
  query::ScorerSpec scorer_;
  std::shared_ptr<const index::Index> index_;
  std::shared_ptr<const index::Index> deleted_;
  std::vector<Plan> plans_;
  std::vector<DocumentSet> matches_;  ///< by plan
};

}  // namespace gannet::test
