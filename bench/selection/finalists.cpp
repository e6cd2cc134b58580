#include "bench/selection/finalists.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "bench/frame/data.hpp"
#include "query/results/hits.hpp"

namespace gannet::bench {
namespace {

float score(std::uint64_t random, Scores scores) {
  if (scores == Scores::kAlike) return 8.0f + static_cast<float>(random % 16) / 16.0f;
  return 1.0f + 31.0f * static_cast<float>(random >> 40) * 0x1p-24f;
}

/// Calls work(query) for every query, on all threads.
template <class Work>
void for_queries(std::uint32_t queries, const Work& work) {
  const std::size_t threads = std::min<std::size_t>(all_threads(), queries);
  in_parallel(threads, [&](std::size_t t) {
    for (std::size_t q = t; q < queries; q += threads) work(q);
  });
}

}  // namespace

Finalists make_finalists(std::uint32_t queries, std::uint32_t room, Scores scores) {
  Finalists made{queries, room, std::vector<std::uint64_t>(std::size_t{queries} * room),
                 std::vector<std::uint32_t>(queries)};
  for_queries(queries, [&](std::size_t q) {
    Mixer random(q);
    made.counts[q] = room - static_cast<std::uint32_t>(random.below((room + 1) / 2));
    std::uint64_t* const keys = made.keys.data() + q * room;
    for (std::uint32_t i = 0; i < made.counts[q]; ++i) {
      // An odd factor: no two docids are the same.
      const std::uint32_t docid = i * 0x9e3779b1u;
      keys[i] = query::rank_key(std::bit_cast<std::uint32_t>(score(random(), scores)), docid);
    }
  });
  return made;
}

std::vector<std::uint64_t> best_of(const Finalists& finalists, std::uint32_t k) {
  std::vector<std::uint64_t> rows(std::size_t{finalists.queries} * k);
  for_queries(finalists.queries, [&](std::size_t q) {
    const std::uint64_t* const first = finalists.keys.data() + q * finalists.room;
    std::uint64_t* const row = rows.data() + q * k;
    std::partial_sort_copy(first, first + finalists.counts[q], row, row + k, std::greater<>());
  });
  return rows;
}

}  // namespace gannet::bench
