// Merging segments: the bytes of one build, whatever the history.
#include "index/updates/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge/merge_plan.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/index/fields_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::Crash;
using test::FaultFileSystem;
using test::FieldsSource;
using test::segment_files;
using test::TemporaryDirectory;
using test::TextDocument;

class MergedSegments : public ::testing::Test {
 protected:
  void build(const fs::path& path, const std::vector<std::size_t>& ends, bool fields = true) {
    BuildOptions options;
    options.threads = 2;
    options.write.store_text = true;
    if (fields) options.write.schema = FieldsSource::schema();
    test::build_segments(path, documents_, ends, options);
  }

  TemporaryDirectory folder_;
  std::vector<TextDocument> documents_ = test::random_documents(400, 150, 25, 9);
};

TEST_F(MergedSegments, HaveTheBytesOfOneBuild) {
  build(folder_.path() / "whole", {400});
  const auto expected = segment_files(folder_.path() / "whole");
  ASSERT_EQ(expected.size(), 6u);
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<std::size_t> ends;
    for (std::size_t end = 1 + random() % 150; end < 400; end += 1 + random() % 120) {
      ends.push_back(end);
    }
    ends.push_back(400);
    const fs::path path = folder_.path() / std::to_string(seed);
    build(path, ends);
    const MergeReport report = merge_index(path, {.threads = 1 + seed % 2});
    EXPECT_EQ(report.segments_before, ends.size());
    EXPECT_EQ(report.segments, 1u);
    EXPECT_EQ(report.documents, 400u);
    const auto merged = segment_files(path);
    for (const auto& [kind, bytes] : expected) EXPECT_EQ(merged.at(kind), bytes) << kind;
    EXPECT_EQ(merged.size(), expected.size()) << "the old ones are gone";
    EXPECT_TRUE(verify_index(path, 1).problems.empty());
  }
}

TEST_F(MergedSegments, AreAsManyAsAskedFor) {
  build(folder_.path() / "idx", {200, 210, 215, 300, 310, 400});
  const MergeReport report = merge_index(folder_.path() / "idx", {.max_segments = 3});
  EXPECT_EQ(report.segments, 3u);
  const Index index = Index::open(folder_.path() / "idx");
  std::vector<std::uint64_t> sizes;
  for (const auto& segment : index.segments()) sizes.push_back(segment->statistics().documents);
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{200, 110, 90}));
  for (Docid d = 0; d < 400; ++d) ASSERT_EQ(index.document_id(d), documents_[d].id);
  EXPECT_TRUE(verify_index(folder_.path() / "idx", 1).problems.empty());
  // Nothing is written where there is nothing to do.
  const auto before = segment_files(folder_.path() / "idx");
  EXPECT_EQ(merge_index(folder_.path() / "idx", {.max_segments = 3}).documents_merged, 0u);
  EXPECT_EQ(segment_files(folder_.path() / "idx"), before);
}

TEST_F(MergedSegments, ReadersKeepWhatTheyHave) {
  build(folder_.path() / "idx", {100, 400});
  const Index before = Index::open(folder_.path() / "idx");
  merge_index(folder_.path() / "idx", {});
  EXPECT_EQ(before.segments().size(), 2u);
  EXPECT_EQ(before.document_id(399), "doc-399");
  EXPECT_EQ(before.stored_text(399), documents_[399].text);
}

TEST_F(MergedSegments, ACrashLeavesOneOrTheOther) {
  const fs::path root = folder_.path() / "disk";
  FaultFileSystem faults(root);
  std::size_t first = 0;
  {
    const ReplacedFileSystem replaced(faults);
    faults.create_directory(root);
    build(root / "idx", {30, 50, 60}, false);
    first = faults.log().size();
    merge_index(root / "idx", {});
  }
  std::set<std::size_t> seen;
  for (std::size_t count = first; count <= faults.log().size(); ++count) {
    for (const Crash crash : test::kCrashes) {
      for (unsigned seed = 0; seed < (crash == Crash::kRandom ? 4u : 1u); ++seed) {
        const TemporaryDirectory disk;
        write_crashed(faults.log(), count, crash, seed, disk.path());
        const Index index = Index::open(disk.path() / "idx");
        ASSERT_EQ(index.statistics().documents, 60u);
        ASSERT_TRUE(verify_index(disk.path() / "idx", 1).problems.empty()) << count;
        seen.insert(index.segments().size());
      }
    }
  }
  EXPECT_EQ(seen, (std::set<std::size_t>{1, 3}));
}

TEST_F(MergedSegments, CanBeStopped) {
  build(folder_.path() / "idx", {100, 400});
  const auto before = segment_files(folder_.path() / "idx");
  std::stop_source stop;
  MergeOptions options{.stop = stop.get_token()};
  options.progress = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
    if (stage == "merging lists") stop.request_stop();
  };
  EXPECT_THROW(merge_index(folder_.path() / "idx", options), CancelledError);
  EXPECT_EQ(segment_files(folder_.path() / "idx"), before);
  EXPECT_THROW(merge_index(folder_.path() / "idx", {.max_segments = 0}), UsageError);
}

TEST(MergePlan, TakesTheSmallestNeighbours) {
  using Runs = std::vector<SegmentRun>;
  const std::vector<std::uint64_t> sizes{100, 1, 2, 50, 3, 3};
  EXPECT_EQ(plan_merges(sizes, 6), Runs{});
  EXPECT_EQ(plan_merges(sizes, 5), (Runs{{1, 2}}));
  EXPECT_EQ(plan_merges(sizes, 4), (Runs{{1, 2}, {4, 2}}));
  EXPECT_EQ(plan_merges(sizes, 3), (Runs{{1, 3}, {4, 2}}));
  EXPECT_EQ(plan_merges(sizes, 2), (Runs{{1, 5}}));
  EXPECT_EQ(plan_merges(sizes, 1), (Runs{{0, 6}}));
  EXPECT_EQ(plan_merges({}, 1), Runs{});
}

}  // namespace
}  // namespace gannet::index
