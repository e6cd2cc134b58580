// Whatever an index has been through, queries find what an index that was built at once of its
// documents finds: the same hits, with the same bits of scores, on both back ends.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "index/split/split.hpp"
#include "index/updates/merge.hpp"
#include "query/backend/backend.hpp"
#include "tests/soak/model/checks.hpp"
#include "tests/soak/settings.hpp"
#include "tests/support/sanitizers.hpp"

namespace gannet::soak {
namespace {

namespace fs = std::filesystem;
using query::BackendChoice;

class Equality : public ::testing::TestWithParam<BackendChoice> {
 protected:
  void SetUp() override {
    std::string why;
    if (GetParam() == BackendChoice::kCuda && !query::cuda_available(&why)) {
      GTEST_SKIP() << "no GPU: " << why;
    }
  }

  /// All questions of one index are a case each.
  void check(const fs::path& path, const Archive& archive, const Documents& documents,
             std::mt19937& random) {
    constexpr unsigned kQuestions = 16;
    const auto index = std::make_shared<const index::Index>(index::Index::open(path));
    const Snapshot snapshot = read_snapshot(*index, archive);
    expect_documents(snapshot.alive(), documents);
    check_against_one_build(index, snapshot, random, kQuestions, GetParam());
    check_answers(searcher_of(index, random, GetParam()), snapshot, random, kQuestions);
    cases_ += 2 * kQuestions;
  }

  /// An index at the end of its history, cut into shards, and merged.
  void check_all(const fs::path& path, const Archive& archive, const Documents& documents,
                 unsigned seed) {
    std::mt19937 random(seed);
    check(path, archive, documents, random);
    const std::size_t shards = 1 + random() % 5;
    const fs::path set = path.parent_path() / "shards";
    index::split_index(path, set, shards, {.threads = 2});
    check(set, archive, documents, random);
    index::merge_index(path, {.threads = 2});
    check(path, archive, documents, random);
  }

  std::uint64_t cases_ = 0;
};

TEST_P(Equality, OfAnyHistoryWithOneBuild) {
  const Rounds more(test::kSanitized ? 1 : 6);
  const HistoryReport report = run_histories(
      [&](unsigned seed) {
        HistoryOptions options;
        options.seed = seed;
        options.readers = 0;
        options.steps = 30;
        options.crash_one_in = 0;
        options.failures = false;
        options.at_end = [this, seed](const fs::path& path, const Archive& archive,
                                      const Documents& documents) {
          check_all(path, archive, documents, seed);
        };
        return options;
      },
      more);
  print("steps", report.steps);
  std::cout << cases_ << " cases" << std::endl;
  EXPECT_GT(cases_, 0u);
}

INSTANTIATE_TEST_SUITE_P(Backends, Equality,
                         ::testing::Values(BackendChoice::kCpu, BackendChoice::kCuda),
                         [](const ::testing::TestParamInfo<BackendChoice>& test) {
                           return test.param == BackendChoice::kCpu ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace gannet::soak
