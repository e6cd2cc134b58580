// Which back end a searcher takes, and what its reports say of that.
#include "query/backend/choose_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::HasSubstr;

TEST(BackendChoice, NamesAreInTheOrderOfTheValues) {
  const auto number_of = [](auto value) { return static_cast<std::size_t>(value); };
  EXPECT_EQ(kBackendNames[number_of(BackendChoice::kAuto)], "auto");
  EXPECT_EQ(kBackendNames[number_of(BackendChoice::kCpu)], "cpu");
  EXPECT_EQ(kBackendNames[number_of(BackendChoice::kCuda)], "cuda");
  EXPECT_EQ(kSpreadNames[number_of(Spread::kCopies)], "copies");
  EXPECT_EQ(kSpreadNames[number_of(Spread::kShards)], "shards");
  EXPECT_EQ(kModeNames[number_of(Mode::kAnd)], "and");
}

TEST(BackendChoice, SearcherNeedsAnIndex) { EXPECT_THROW(Searcher(nullptr), UsageError); }

/// 10 documents; "f" is in 5 of them, "g" in 4.
class ChosenBackend : public testing::Test {
 protected:
  static std::shared_ptr<const index::Index> write(const std::filesystem::path& directory) {
    test::Collection collection;
    collection.lengths.assign(10, 7);
    collection.frequencies["f"] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    collection.frequencies["g"] = {2, 0, 2, 0, 2, 0, 2, 0, 0, 0};
    return test::write_index(directory, collection);
  }

  /// What a search for both terms reports.
  Report report_of(BackendChoice backend) const {
    SearcherOptions options;
    options.backend = backend;
    const Searcher searcher(index_, options);
    Query query;
    query.text = "f g";
    const Plan planned = searcher.plan(query);
    Report report;
    searcher.search(std::span(&planned, 1), &report);
    EXPECT_EQ(report.backend, searcher.backend_name());
    return report;
  }

  MakeBackend cpu() const {
    return [this] { return make_cpu_backend(index_, {}); };
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_ = write(directory_ / "index");
};

TEST_F(ChosenBackend, IsTheCpuIfItIsAskedFor) {
  const Report report = report_of(BackendChoice::kCpu);
  EXPECT_EQ(report.backend, "cpu");
  EXPECT_EQ(report.reason, "it was asked for");
  EXPECT_EQ(report.queries, 1u);
  EXPECT_EQ(report.postings, 9u);
  EXPECT_EQ(report.tiles_total, 2u);
  EXPECT_EQ(report.tiles_decoded, 2u);
}

TEST_F(ChosenBackend, IsTheCpuWhereThereIsNoGpu) {
  std::string why;
  if (cuda_available(&why)) GTEST_SKIP() << "there is a GPU";
  const Report report = report_of(BackendChoice::kAuto);
  EXPECT_EQ(report.backend, "cpu");
  EXPECT_FALSE(why.empty());
  EXPECT_THAT(report.reason, HasSubstr(why));
  EXPECT_THROW(report_of(BackendChoice::kCuda), NoDeviceError);
}

TEST_F(ChosenBackend, IsCudaWhereThereIsAGpu) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  EXPECT_EQ(report_of(BackendChoice::kAuto).backend, "cuda");
  EXPECT_EQ(report_of(BackendChoice::kCuda).backend, "cuda");
}

/// A GPU that another process has for itself, that is broken, too small or not there.
TEST_F(ChosenBackend, IsTheCpuIfTheGpuCannotBeUsed) {
  const auto expect_cpu = [&](const MakeBackend& make_cuda, const std::string& what) {
    const Choice choice = choose_automatically(make_cuda, cpu());
    ASSERT_NE(choice.backend, nullptr);
    EXPECT_EQ(choice.backend->name(), "cpu");
    EXPECT_THAT(choice.reason, HasSubstr(what));
  };
  using Made = std::unique_ptr<Backend>;
  expect_cpu([]() -> Made { throw CudaError("exclusive"); }, "exclusive");
  expect_cpu([]() -> Made { throw DeviceMemoryError("too small"); }, "too small");
  expect_cpu([]() -> Made { throw NoDeviceError("not there"); }, "not there");
}

TEST_F(ChosenBackend, DoesNotHideOtherErrors) {
  using Made = std::unique_ptr<Backend>;
  EXPECT_THROW(choose_automatically([]() -> Made { throw FormatError("damaged"); }, cpu()),
               FormatError);
  EXPECT_THROW(choose_automatically([]() -> Made { throw UsageError("no such device"); }, cpu()),
               UsageError);
}

}  // namespace
}  // namespace gannet::query
