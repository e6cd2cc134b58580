// Counts and docids of random plans on the CPU, against brute force.
#include "tests/support/query/random_matches.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "query/searcher.hpp"

namespace gannet::query {
namespace {

using test::MatchCase;

std::vector<CpuOptions> ways() {
  return {{.threads = 1, .bitmap_bits = 1000},
          {.threads = 4, .bitmap_bits = 3},
          {.threads = 3, .bitmap_bits = 0},
          {.threads = 1, .bitmap_bits = 1000, .simd = codecs::SimdLevel::kPortable}};
}

/// All plans together, and some each by itself.
void check(const MatchCase& matches, const Searcher& searcher, bool live) {
  const std::vector<Plan> plans = matches.plans(live);
  const Results results = searcher.search(plans);
  const Results again = searcher.search(plans, nullptr, {.exhaustive = true});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    matches.expect(results[i], i, live);
    matches.expect(again[i], i, live);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (std::size_t i = 0; i < 20; ++i) {
    const Results alone = searcher.search({&plans[i], 1});
    matches.expect(alone[0], i, live);
  }
}

void check(const MatchCase& matches) {
  for (const CpuOptions& options : ways()) {
    check(matches, Searcher(matches.index(), {.backend = BackendChoice::kCpu, .cpu = options}),
          false);
    check(matches, Searcher(matches.deleted(), {.backend = BackendChoice::kCpu, .cpu = options}),
          true);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomMatches, OfSmallSegments) {
  check(MatchCase(
      {.documents = 900, .terms = 60, .ends = {1, 64, 65, 400, 900}, .plans = 300, .seed = 1}));
}

TEST(RandomMatches, OfManyTerms) {
  check(
      MatchCase({.documents = 6000, .terms = 210, .ends = {4096, 6000}, .plans = 120, .seed = 2}));
}

/// Windows have up to 65,536 documents.
TEST(RandomMatches, OfSeveralWindows) {
  check(MatchCase(
      {.documents = 150'000, .terms = 24, .ends = {131'072, 150'000}, .plans = 60, .seed = 3}));
}

}  // namespace
}  // namespace gannet::query
