// Positions stay on the host: an index takes the same memory of the device with them as without,
// and answers the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/builder.hpp"
#include "index/positions/positions.hpp"
#include "query/gpu/device/memory/device_budget.hpp"
#include "query/searcher.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using UsedBytes = std::array<std::uint64_t, kMemoryUses>;

/// What is in use of the device, by what for.
UsedBytes used_bytes() {
  UsedBytes used{};
  const MemoryState state = cuda::device_budget(0).state();
  for (std::size_t use = 0; use < kMemoryUses; ++use) {
    used[use] = state.used_by(static_cast<MemoryUse>(use));
  }
  return used;
}

/// An index of the same documents, with positions or without.
std::shared_ptr<const index::Index> build(const std::filesystem::path& path, bool positions) {
  test::VectorSource source(test::random_documents(20'000, 5'000, 120, 21), 1'000);
  index::BuildOptions options;
  options.write.positions = positions;
  index::build_index(source, path, options);
  return std::make_shared<const index::Index>(index::Index::open(path));
}

std::vector<Plan> plans_of(const Searcher& searcher) {
  std::vector<Plan> plans;
  for (int i = 0; i < 200; ++i) {
    const std::string a = "word" + std::to_string(i * 3 % 97);
    const std::string b = "word" + std::to_string(i * i % 1'900);
    plans.push_back(searcher.plan({.text = a + ' ' + b}));
    plans.push_back(searcher.plan({.text = a + " AND " + b}));
  }
  return plans;
}

struct Searched {
  UsedBytes opened{}, after{};
  Results results;
};

Searched search(const std::shared_ptr<const index::Index>& index) {
  Searched searched;
  SearcherOptions options{.backend = BackendChoice::kCuda, .cpu = {}, .cuda = {}};
  const Searcher searcher(index, options);
  searched.opened = used_bytes();
  Report report;
  searched.results = searcher.search(plans_of(searcher), &report);
  EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  searched.after = used_bytes();
  // Buffers of calls depend on which of them ran at the same time.
  searched.after[static_cast<std::size_t>(MemoryUse::kBatches)] = 0;
  return searched;
}

TEST(CudaPositions, TakeNoMemoryOfTheDevice) {
  std::string why;
  if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  const test::TemporaryDirectory directory;
  const auto with = build(directory / "with", true);
  const auto without = build(directory / "without", false);
  ASSERT_NE(with->segments().front()->positions(), nullptr);
  ASSERT_EQ(without->segments().front()->positions(), nullptr);
  ASSERT_GT(with->segments().front()->positions()->file().bytes().size(), 500'000u);
  ASSERT_EQ(cuda::device_budget(0).state().all_used(), 0u);
  const Searched expected = search(without);
  ASSERT_EQ(cuda::device_budget(0).state().all_used(), 0u) << "all goes back";
  const Searched found = search(with);
  EXPECT_GT(found.opened[static_cast<std::size_t>(MemoryUse::kLists)], 0u);
  EXPECT_EQ(found.opened, expected.opened);
  EXPECT_EQ(found.after, expected.after);
  const Searcher host(without, {.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}});
  const std::vector<Plan> plans = plans_of(host);
  ASSERT_EQ(found.results.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    test::expect_same(found.results[i], expected.results[i], plans[i]);
  }
}

}  // namespace
}  // namespace gannet::query
