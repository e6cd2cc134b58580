// A model-based soak: histories of an index with everything at once, seconds of them here, hours by
// tools/soak.sh.
#include <gtest/gtest.h>

#include "tests/soak/settings.hpp"
#include "tests/support/sanitizers.hpp"

namespace gannet::soak {
namespace {

TEST(Soak, AnyHistoryIsWhatAModelSays) {
  unsigned rounds = 0;
  const Rounds more(test::kSanitized ? 1 : 3);
  const HistoryReport report = run_histories(
      [](unsigned seed) {
        HistoryOptions options;
        options.seed = seed;
        return options;
      },
      [&](unsigned number, const HistoryReport& so_far) {
        rounds = number;
        return more(number, so_far);
      });
  std::cout << rounds << " rounds\n";
  print("steps", report.steps);
  print("crashes", report.crashes);
  std::cout << "readers beside them: " << report.questions << " questions, " << report.refreshes
            << " snapshots" << std::endl;
  if (HasFailure()) return;
  EXPECT_GT(report.steps.size(), 10u);
  EXPECT_GT(report.questions, 0u);
  EXPECT_GT(report.refreshes, 0u);
}

/// Every change crashes, at any operation and in any way.
TEST(Crashes, NoneLosesACommitAndNoneOpensWrong) {
  const unsigned wanted = setting("GANNET_SOAK_CRASHES", test::kSanitized ? 30 : 300);
  const Rounds more(1000);
  const auto crashes_of = [](const HistoryReport& report) {
    std::uint64_t sum = 0;
    for (const auto& [kind, count] : report.crashes) sum += count;
    return sum;
  };
  const HistoryReport report = run_histories(
      [](unsigned seed) {
        HistoryOptions options;
        options.seed = seed;
        options.readers = 0;
        options.steps = 40;
        options.crash_one_in = 1;
        options.crashes_at_once = 4;
        options.failures = false;
        return options;
      },
      [&](unsigned number, const HistoryReport& so_far) {
        return crashes_of(so_far) < wanted && more(number, so_far);
      });
  print("crashes", report.crashes);
  if (HasFailure()) return;
  EXPECT_GT(crashes_of(report), 0u);
  if (crashes_of(report) < 150) return;  // not every kind need be among so few
  for (const char* kind : {"build", "add", "update", "delete", "commit", "merge"}) {
    EXPECT_TRUE(report.crashes.contains(kind)) << kind;
  }
}

}  // namespace
}  // namespace gannet::soak
