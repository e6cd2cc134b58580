// Plans for pages that are not the first.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "query/searcher.hpp"

namespace gannet::test {

/// All hits of a plan, by a search that scores every match.
inline std::vector<query::Hit> all_hits(const query::Searcher& searcher, const query::Plan& plan) {
  const auto documents = static_cast<std::uint32_t>(searcher.index().statistics().documents);
  const query::Plan all = plan.with_k(documents).with_page({});
  const query::Results found =
      searcher.search(std::span(&all, 1), nullptr, {.stop = {}, .exhaustive = true});
  const auto hits = found[0].hits();
  return {hits.begin(), hits.end()};
}

/// A page that begins behind a random hit of the plan, often a late one. Every third page does not
/// know how many hits come before it.
inline query::Plan page_of(const query::Searcher& searcher, const query::Plan& plan,
                           std::mt19937& random) {
  const std::vector<query::Hit> hits = all_hits(searcher, plan);
  if (hits.empty()) return plan;
  const std::size_t most = random() % 2 == 0 ? hits.size() : 1 + hits.size() / 10;
  const std::size_t last = random() % most;
  const bool unknown = random() % 3 == 0;
  return plan.with_page(unknown ? page_after(hits[last]) : page_after(hits[last], last + 1));
}

/// Of plans for hits: every fourth as it is, pages of the others.
inline std::vector<query::Plan> pages_of(const query::Searcher& searcher,
                                         std::vector<query::Plan> plans, unsigned seed) {
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (i % 4 == 0 || plans[i].want() != query::Want::kTopK) continue;
    plans[i] = page_of(searcher, plans[i], random);
  }
  return plans;
}

}  // namespace gannet::test
