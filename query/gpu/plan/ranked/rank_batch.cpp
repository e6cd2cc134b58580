#include "query/gpu/plan/ranked/rank_batch.hpp"

#include <algorithm>
#include <numeric>

#include "codecs/core/tile.hpp"
#include "query/gpu/plan/ranked/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Work of a window without postings, in postings.
constexpr std::uint64_t kWindowCost = 1024;

/// The launch of a query, without items.
RankLaunch launch_of(RankKind kind, std::uint32_t rows, std::uint32_t shared_bytes) {
  const auto& classes = kind.words ? tuning::kRankWordClasses : tuning::kRankClasses;
  const auto* const found =
      std::ranges::find_if(classes, [&](const auto& one) { return rows <= one.rows; });
  RankLaunch launch{kind, found->rows, found->words, 0, 0};
  while (launch.words / 2 >= tuning::kMinRankWords &&
         rank_bytes(kind.words, launch.rows, launch.words) + tuning::kRankFixedBytes >
             shared_bytes) {
    launch.words /= 2;
  }
  return launch;
}

std::uint32_t windows_of(const RankLaunch& launch, std::uint32_t documents) {
  return codecs::ceil_div(documents, launch.words * 64);
}

}  // namespace

void RankSizes::add(const RankTables& tables) {
  match.add(tables.match);
  lists += tables.lists.size();
  for (const RankQuery& query : tables.queries) {
    most_k = std::max(most_k, query.k);
    most_lists = std::max(most_lists, query.lists);
  }
}

std::uint64_t RankSizes::bytes() const {
  const std::uint64_t a_query =
      sizeof(RankQuery) + sizeof(SelectQuery) + sizeof(std::uint64_t) + sizeof(std::uint32_t);
  return match.bytes() + lists * sizeof(RankList) + match.queries * a_query;
}

RankBatch::RankBatch(std::span<const RankSlice> slices, const RankShape& shape) : slices_(slices) {
  for (const RankSlice& slice : slices_) {
    before_.push_back(sizes_);
    sizes_.add(slice.tables);
    plans_.insert(plans_.end(), slice.plans.begin(), slice.plans.end());
    for (std::size_t q = 0; q < slice.tables.queries.size(); ++q) {
      const RankLaunch launch =
          launch_of(slice.tables.kinds[q], slice.tables.match.queries[q].rows, shape.shared_bytes);
      const auto known = std::ranges::find_if(launches_, [&](const RankLaunch& one) {
        return one.kind == launch.kind && one.rows == launch.rows;
      });
      launch_of_.push_back(static_cast<std::uint32_t>(known - launches_.begin()));
      if (known == launches_.end()) launches_.push_back(launch);
    }
  }
  cut_items(shape);
  order_items();
  std::uint32_t most_words = 0;
  for (const RankLaunch& launch : launches_) most_words = std::max(most_words, launch.words);
  const std::uint64_t k = sizes_.most_k;
  capacity_ = std::max(k, std::min<std::uint64_t>(std::max(2 * k, k + tuning::kRankSpare),
                                                  shape.documents)) +
              std::uint64_t{most_words} * 64;
}

/// Cuts queries into items of about the same work: each has up to k finalists, so that there are
/// fewer if k is large.
void RankBatch::cut_items(const RankShape& shape) {
  std::vector<std::uint64_t> costs;
  for (const RankSlice& slice : slices_) {
    for (const std::uint64_t cost : slice.tables.costs) {
      const RankLaunch& launch = launches_[launch_of_[costs.size()]];
      costs.push_back(cost + windows_of(launch, shape.documents) * kWindowCost);
    }
  }
  const std::uint64_t all = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
  const std::uint64_t most = std::min(shape.blocks * tuning::kRankItemsPerBlock,
                                      std::min(shape.finalists, tuning::kMaxRankFinalists) /
                                          std::max<std::uint64_t>(sizes_.most_k, 1));
  const std::uint64_t target = all / std::max<std::uint64_t>(most, 1) + 1;
  std::uint32_t number = 0;
  for (const RankSlice& slice : slices_) {
    for (const RankQuery& query : slice.tables.queries) {
      const std::uint32_t windows = windows_of(launches_[launch_of_[number]], shape.documents);
      const std::uint64_t wanted = most == 0 ? 1 : costs[number] / target + 1;
      const std::uint32_t each = std::max(
          static_cast<std::uint32_t>((windows + wanted - 1) / wanted), tuning::kMinRankWindows);
      first_finalists_.push_back(finalists_);
      for (std::uint32_t begin = 0; begin < windows; begin += each) {
        items_.push_back({number, begin, std::min(begin + each, windows)});
        finalists_ += query.k;
      }
      ++number;
    }
  }
  first_finalists_.push_back(finalists_);
}

/// Orders the items of each launch by documents: queries that run at the same time then read
/// lengths and bitmaps that lie close together, which stay in the cache.
void RankBatch::order_items() {
  std::ranges::stable_sort(items_, [&](const RankItem& a, const RankItem& b) {
    const std::uint32_t of_a = launch_of_[a.query];
    const std::uint32_t of_b = launch_of_[b.query];
    return of_a != of_b ? of_a < of_b : a.begin < b.begin;
  });
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    RankLaunch& launch = launches_[launch_of_[items_[i].query]];
    if (launch.items_end == 0) launch.items_begin = i;
    launch.items_end = i + 1;
  }
}

void RankBatch::fill(std::size_t i, const RankPlaces& places) const {
  const RankTables& tables = slices_[i].tables;
  const RankSizes& before = before_[i];
  place_tables(tables.match, before.match, places.match);
  std::copy(tables.lists.begin(), tables.lists.end(), places.lists + before.lists);
  for (std::size_t q = 0; q < tables.queries.size(); ++q) {
    const std::size_t number = before.match.queries + q;
    places.match.queries[number] = placed_query(tables.match.queries[q], before.match);
    RankQuery query = tables.queries[q];
    query.first_list += before.lists;
    query.first_finalist = first_finalists_[number];
    places.queries[number] = query;
    places.selections[number] = {
        query.first_finalist,
        static_cast<std::uint32_t>(first_finalists_[number + 1] - query.first_finalist), query.k};
  }
}

}  // namespace gannet::query::cuda
