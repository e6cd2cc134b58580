#include "query/gpu/plan/matching/match_batch.hpp"

#include <algorithm>
#include <array>

#include "codecs/core/tile.hpp"
#include "query/gpu/plan/matching/tuning.hpp"

namespace gannet::query::cuda {
namespace {

using tuning::kMatchClasses;

std::size_t class_of(const MatchQuery& query) {
  std::size_t number = 0;
  while (kMatchClasses[number].rows < query.rows) ++number;
  return number;
}

}  // namespace

void MatchSizes::add(const MatchTables& tables) {
  queries += tables.queries.size();
  steps += tables.steps.size();
  lists += tables.lists.size();
  nodes += tables.nodes.size();
  bitmaps += tables.bitmaps.size();
}

std::uint64_t MatchSizes::bytes() const {
  return queries * (sizeof(MatchQuery) + sizeof(std::uint64_t)) + steps * sizeof(MatchStep) +
         lists * sizeof(MatchList) + nodes * sizeof(Node) + bitmaps * sizeof(void*);
}

void place_tables(const MatchTables& tables, const MatchSizes& before, const MatchPlaces& places) {
  const auto copy = [](const auto& from, auto* to) { std::copy(from.begin(), from.end(), to); };
  copy(tables.steps, places.steps + before.steps);
  copy(tables.lists, places.lists + before.lists);
  copy(tables.nodes, places.nodes + before.nodes);
  copy(tables.bitmaps, places.bitmaps + before.bitmaps);
}

MatchQuery placed_query(MatchQuery query, const MatchSizes& before) {
  query.first_list += before.lists;
  query.first_node += before.nodes;
  query.first_bitmap += before.bitmaps;
  query.first_step += before.steps;
  return query;
}

MatchBatch::MatchBatch(std::span<const MatchSlice> slices, std::uint32_t documents,
                       std::uint32_t blocks)
    : slices_(slices) {
  std::array<std::uint32_t, kMatchClasses.size()> counts{};
  for (const MatchSlice& slice : slices_) {
    before_.push_back(sizes_);
    sizes_.add(slice.tables);
    for (const MatchQuery& query : slice.tables.queries) ++counts[class_of(query)];
  }
  std::array<std::uint32_t, kMatchClasses.size()> next{};
  const std::uint32_t words = codecs::ceil_div(documents, 64u);
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    next[i] = first;
    if (counts[i] == 0) continue;
    MatchLaunch launch{first, counts[i], kMatchClasses[i].rows, kMatchClasses[i].words, 0, items_};
    const auto windows = [&] { return codecs::ceil_div(words, launch.words); };
    while (launch.words > tuning::kMinMatchWords &&
           std::uint64_t{windows()} * launch.queries < blocks) {
      launch.words /= 2;
    }
    launch.windows = windows();
    launches_.push_back(launch);
    items_ += std::uint64_t{launch.windows} * launch.queries;
    first += counts[i];
  }
  plans_.resize(sizes_.queries);
  query_of_.reserve(sizes_.queries);
  for (const MatchSlice& slice : slices_) {
    for (std::size_t q = 0; q < slice.plans.size(); ++q) {
      query_of_.push_back(next[class_of(slice.tables.queries[q])]++);
      plans_[query_of_.back()] = slice.plans[q];
    }
  }
}

void MatchBatch::fill(std::size_t i, const MatchPlaces& places) const {
  const MatchTables& tables = slices_[i].tables;
  const MatchSizes& before = before_[i];
  place_tables(tables, before, places);
  for (std::size_t q = 0; q < tables.queries.size(); ++q) {
    places.queries[query_of_[before.queries + q]] = placed_query(tables.queries[q], before);
  }
}

}  // namespace gannet::query::cuda
