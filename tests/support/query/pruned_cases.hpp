// Collections and queries that are hard for searches that prune, for the back ends' tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"

namespace gannet::test {

/// Terms of these collections: t0 .. t13.
inline constexpr std::uint32_t kTerms = 14;

/// Queries of every shape over the terms t0 .. t13, for each k.
class Queries {
 public:
  explicit Queries(unsigned seed) : random_(seed) {}

  std::vector<query::Plan> plans(const query::Searcher& searcher, std::size_t number,
                                 const std::vector<std::uint32_t>& ks,
                                 const std::optional<query::ScorerSpec>& scorer = {},
                                 const std::vector<query::SearchField>& fields = {}) {
    std::vector<query::Plan> plans;
    for (std::size_t i = 0; i < number; ++i) {
      query::Query query;
      query.scorer = scorer;
      query.search_fields = fields;
      query.text = text(i % 10);
      query.mode = i % 3 == 0 ? query::Mode::kAnd : query::Mode::kOr;
      query.k = ks[i % ks.size()];
      plans.push_back(searcher.plan(query));
    }
    return plans;
  }

 private:
  std::string word() { return "t" + std::to_string(random_() % (kTerms + 1)); }  // one is unknown

  std::string words(std::uint32_t n, const char* sign = "") {
    std::string text;
    for (std::uint32_t i = 0; i < n; ++i) text += sign + word() + ' ';
    return text;
  }

  std::string text(std::size_t shape) {
    const auto n = static_cast<std::uint32_t>(1 + random_() % 5);
    switch (shape) {
      case 0:
        return words(n) + "-" + word();
      case 1:
        return "+" + word() + " " + words(n);
      case 2:
        return words(2, "+") + words(n) + "-" + word();
      case 3:
        return "(" + word() + " OR " + word() + ") AND (" + word() + " OR " + word() + ")";
      case 4:
        return word() + " OR (" + word() + " AND NOT " + word() + ")";
      case 5:
        return words(12);  // with repeated terms
      case 6:              // terms that match and do not score
        return word() + "^0 " + words(n) + (n % 2 == 0 ? "+" : "") + word() + "^0";
      case 7:
        return "+(" + word() + "^0 " + word() + "^0) +" + word() + "^1e-6 " + word() + "^1e9";
      default:
        return words(n);
    }
  }

  std::mt19937 random_;
};

inline const std::vector<std::uint32_t> kAnyK{1, 2, 10, 64, 65, 100, 500, 1000, 1500, 100000};

/// Expects of `searcher` what the other one finds exhaustively.
inline void expect_exact(const query::Searcher& searcher, const query::Searcher& oracle,
                         std::span<const query::Plan> plans, query::Report* report = nullptr) {
  const query::Results expected = oracle.search(plans, nullptr, {.stop = {}, .exhaustive = true});
  const query::Results results = searcher.search(plans, report);
  ASSERT_EQ(results.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    expect_same(results[i], expected[i], plans[i]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// A collection in which the documents of list t are those for which has(t, d) is > 0.
inline Collection collection_of(
    std::uint32_t documents, std::uint32_t length,
    const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& has) {
  Collection collection;
  collection.lengths.assign(documents, length);
  for (std::uint32_t t = 0; t < kTerms; ++t) {
    std::vector<std::uint32_t> list(documents);
    for (std::uint32_t d = 0; d < documents; ++d) list[d] = has(t, d);
    if (std::ranges::any_of(list, [](std::uint32_t f) { return f > 0; })) {
      collection.frequencies["t" + std::to_string(t)] = std::move(list);
    }
  }
  return collection;
}

/// A collection of so many segments, which end at `ends`, each with 32 terms that no other one has.
inline Collection terms_of_their_own(std::uint32_t segments, std::vector<std::uint32_t>& ends) {
  constexpr std::uint32_t kTermsEach = 32, kEach = 300;
  Collection collection;
  collection.lengths.assign(segments * kEach, 60);
  for (std::uint32_t s = 0; s < segments; ++s) ends.push_back((s + 1) * kEach);
  for (std::uint32_t t = 0; t < segments * kTermsEach; ++t) {
    std::vector<std::uint32_t> list(segments * kEach);
    const std::uint32_t first = t / kTermsEach * kEach;
    for (std::uint32_t d = first; d < first + kEach; ++d) {
      if ((t + d) % 2 == 0 || d % 7 == t % 7) list[d] = 1 + (t * d) % 5;
    }
    collection.frequencies["t" + std::to_string(t)] = std::move(list);
  }
  return collection;
}

/// A collection by its name, for messages.
struct NamedCollection {
  std::string name;
  Collection collection;
};

/// Collections with something that a search may trip over.
inline std::vector<NamedCollection> hard_collections() {
  std::vector<NamedCollection> all;
  all.push_back({"all scores equal", collection_of(9000, 50, [](std::uint32_t t, std::uint32_t d) {
                   return d % (t + 1) == 0 ? 1u : 0u;
                 })});
  all.push_back(
      {"one document in all lists", collection_of(30000, 80, [](std::uint32_t t, std::uint32_t d) {
         return d == 20123 || d % kTerms == t ? 1u + d % 3 : 0u;
       })});
  all.push_back({"lists of one beside a huge one",
                 collection_of(20000, 80, [](std::uint32_t t, std::uint32_t d) {
                   return t == 0 || d == 1500 * t ? 1 + d % 7 : 0;
                 })});
  Collection lengths = random_collection(12000, kTerms, 4);
  for (std::uint32_t d = 0; d < lengths.documents(); d += 3) lengths.lengths[d] = 0;
  all.push_back({"documents of length 0", lengths});
  std::ranges::fill(lengths.lengths, 0u);
  all.push_back({"all documents of length 0", lengths});
  Collection large = random_collection(12000, kTerms, 6);
  std::mt19937 random(6);
  for (auto& [term, list] : large.frequencies) {
    for (std::uint32_t& frequency : list) {
      if (frequency > 0 && random() % 8 == 0) frequency = 1u << random() % 20;
    }
  }
  for (std::uint32_t& length : large.lengths) length = 1u << random() % 24;
  all.push_back({"frequencies and lengths of any size", large});
  all.push_back({"clusters, and empty ranges at the end",
                 collection_of(50000, 60, [](std::uint32_t t, std::uint32_t d) {
                   return d < 40000 - 1000 * t && d / 700 % kTerms == t ? 1u + d % 5 : 0u;
                 })});
  return all;
}

}  // namespace gannet::test
