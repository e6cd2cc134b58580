// What is selected from: the finalists of a batch of queries, as the scoring kernels leave them,
// and the result that is right.
#pragma once

#include <cstdint>
#include <vector>

namespace gannet::bench {

/// How the scores of a query's finalists lie.
enum class Scores {
  kSpread,  ///< over a factor of 32: their highest bytes tell most of them apart
  kAlike,   ///< sixteen scores: most of a radix selection goes on into the docids
};

/// Rank keys (query/results/hits.hpp), distinct within a query, in no order.
struct Finalists {
  std::uint32_t queries = 0;
  std::uint32_t room = 0;             ///< for keys, a query
  std::vector<std::uint64_t> keys;    ///< those of query q from q * room on
  std::vector<std::uint32_t> counts;  ///< of each query: more than room / 2, at most room
};

/// The same on every machine. `room` is at least 1.
Finalists make_finalists(std::uint32_t queries, std::uint32_t room, Scores scores);

/// Rows of k: every query's k best keys, best first; where it has fewer, zeros follow.
std::vector<std::uint64_t> best_of(const Finalists& finalists, std::uint32_t k);

}  // namespace gannet::bench
