// What several devices say of columns, as one.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "query/columns/access/known_columns.hpp"
#include "query/multi_gpu/shards_backend.hpp"
#include "tests/support/query/fake_fields.hpp"

namespace gannet::query {
namespace {

using test::FakeField;

constexpr std::uint32_t kShardDocuments = 4;  // of a segment, all of which match

DocumentBitmap all_match() {
  DocumentBitmap bitmap(kShardDocuments);
  for (std::uint32_t d = 0; d < kShardDocuments; ++d) bitmap.add(d);
  return bitmap;
}

/// Answers as a GPU does: with the first, or with the matches where that is not known or wanted.
class FakeShard : public Backend {
 public:
  explicit FakeShard(std::optional<std::vector<FirstDocument>> first) : first_(std::move(first)) {}

  std::string name() const override { return "fake"; }
  Results run(std::span<const Plan>, const SearchOptions&, Report&) const override {
    throw std::logic_error("nothing is searched here");
  }
  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Found& found, const SearchOptions&) const override {
    std::vector<LeftPlan> left;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const bool busy = busy_when_asked_again && work.matches;
      if (busy || std::ranges::count(left_plans, i) > 0) {
        left.push_back({i});
        left.back().reasons.add(busy ? ColumnReason::kDeviceMemory : reason);
        continue;
      }
      SegmentFindings findings;
      findings.count = kShardDocuments;
      if (work.first) findings.first = first_;
      if (work.matches || !findings.first) findings.matches = all_match();
      found(i, std::vector{findings});
    }
    return left;
  }

  std::vector<std::size_t> left_plans;
  ColumnReason reason = ColumnReason::kUnions;  ///< why they are left
  bool busy_when_asked_again = false;

 private:
  std::optional<std::vector<FirstDocument>> first_;
};

/// The field `year` of eight documents in two segments: of the first segment's, one has a value.
class ShardColumns : public ::testing::Test {
 protected:
  ShardColumns() {
    FakeField year;
    year.spec.name = "year";
    year.spec.type = index::FieldType::kInteger;
    year.keys = {{9}, {}, {}, {}, {1}, {2}, {3}, {4}};
    index_.emplace(test::fake_index({year}, {kShardDocuments, 2 * kShardDocuments}));
    query_.sort.push_back({"year", false, false});
  }

  std::vector<index::Docid> docids_of(const ColumnResults& results) {
    std::vector<index::Docid> docids;
    for (const auto& hit : results.hits) docids.push_back(hit.docid);
    return docids;
  }

  std::optional<index::Index> index_;
  ColumnQuery query_{.k = 3};
};

TEST_F(ShardColumns, WhoKnowsAllIsAskedForMatchesWhereAnotherDoesNot) {
  const ColumnWork work = work_of(query_, *index_);
  std::vector<Shard> shards;
  shards.push_back({std::make_unique<FakeShard>(std::nullopt), 0});
  auto knowing =
      std::make_unique<FakeShard>(std::vector<FirstDocument>{{0, {0}}, {1, {1}}, {2, {2}}});
  FakeShard& second = *knowing;
  shards.push_back({std::move(knowing), kShardDocuments});
  const ShardsBackend backend(std::move(shards));

  std::vector<ColumnFindings> findings;
  const auto keep = [&](std::size_t, ColumnFindings&& one) { findings.push_back(std::move(one)); };
  const std::vector<Plan> plans(1);
  EXPECT_TRUE(backend.look_at_columns(plans, work, keep, {}).empty());
  ASSERT_EQ(findings.size(), 1u);
  const ColumnResults found = look_at_columns(*index_, {work, std::move(findings[0])}, query_, 1);
  Matches matches;
  matches.segments = {all_match(), all_match()};
  const ColumnResults expected = run_columns(*index_, matches, query_, {});
  EXPECT_EQ(docids_of(expected), (std::vector<index::Docid>{4, 5, 6}));
  EXPECT_EQ(docids_of(found), docids_of(expected));

  second.busy_when_asked_again = true;
  const auto left = backend.look_at_columns(plans, work, keep, {});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].plan, 0u);
  EXPECT_TRUE(left[0].reasons.has(ColumnReason::kDeviceMemory));
  EXPECT_EQ(findings.size(), 1u);
}

TEST_F(ShardColumns, PlansThatShardsLeaveAreLeftOnceWithAllReasons) {
  const ColumnWork work = work_of(query_, *index_);
  std::vector<Shard> shards;
  for (std::size_t s = 0; s < 2; ++s) {
    auto shard =
        std::make_unique<FakeShard>(std::vector<FirstDocument>{{0, {0}}, {1, {1}}, {2, {2}}});
    shard->left_plans = s == 0 ? std::vector<std::size_t>{3, 5} : std::vector<std::size_t>{5, 700};
    shard->reason = s == 0 ? ColumnReason::kUnions : ColumnReason::kDeviceMemory;
    shards.push_back({std::move(shard), static_cast<index::Docid>(s * kShardDocuments)});
  }
  const ShardsBackend backend(std::move(shards));
  const std::vector<Plan> plans(1000);
  std::vector<int> found(plans.size());
  const auto left = backend.look_at_columns(plans, work,
                                            [&](std::size_t i, ColumnFindings&& findings) {
                                              found[i] += 1;
                                              EXPECT_EQ(findings.size(), 2u);
                                            },
                                            {});
  // Shards are asked for 256 plans at a time, and leave two of each; one of them both shards.
  std::vector<std::size_t> numbers;
  HostColumns counted;
  for (const LeftPlan& one : left) {
    numbers.push_back(one.plan);
    counted.add(one.reasons);
  }
  EXPECT_EQ(numbers, (std::vector<std::size_t>{3, 5, 259, 261, 515, 517, 771, 773}));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], i % 256 == 3 || i % 256 == 5 ? 0 : 1) << i;
  }
  EXPECT_EQ(counted[ColumnReason::kUnions], 8u);
  EXPECT_EQ(counted[ColumnReason::kDeviceMemory], 4u);
}

/// No back end may do so; hits would be missing.
TEST_F(ShardColumns, MatchesOfSomeSegmentsAloneAreRefused) {
  const ColumnWork work = work_of(query_, *index_);
  ColumnFindings findings(2);
  findings[0].matches = all_match();
  findings[1].first = std::vector<FirstDocument>{{0, {0}}, {1, {1}}, {2, {2}}};
  EXPECT_THROW(look_at_columns(*index_, {work, std::move(findings)}, query_, 1), std::logic_error);
}

}  // namespace
}  // namespace gannet::query
