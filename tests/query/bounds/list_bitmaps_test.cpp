// Which lists have bitmaps, what these say, and what they take.
#include "query/bounds/list_bitmaps.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class ListBitmapsTest : public testing::Test {
 protected:
  ListBitmapsTest()
      : collection_(test::random_collection(20'000, 30, 3)),
        index_(test::write_segments(folder_ / "index", collection_, {15'000, 20'000})) {}

  const index::Segment& segment(std::size_t i) const { return *index_->segments()[i]; }
  std::vector<WantedBitmap> all_with_bitmaps(ListBitmaps& bitmaps) const {
    std::vector<WantedBitmap> wanted;
    for (std::size_t s = 0; s < 2; ++s) {
      const KeptLists kept = bitmaps.of(s, {});
      for (index::TermId id = 0; id < segment(s).statistics().terms; ++id) {
        if (kept.has(id, segment(s).document_frequency(id))) wanted.push_back({s, id});
      }
    }
    return wanted;
  }
  Searcher searcher(double bits) const {
    return Searcher(index_, {.backend = BackendChoice::kCpu, .cpu = {.bitmap_bits = bits}});
  }
  Report report_of(const Searcher& searcher, Want want, bool exhaustive = false) const {
    const Plan plan = searcher.plan(Query{.text = "t1 t3 t4 t13", .want = want});
    Report report;
    searcher.search({&plan, 1}, &report, {.exhaustive = exhaustive});
    return report;
  }

  test::TemporaryDirectory folder_;
  test::Collection collection_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(ListBitmapsTest, HaveTheDocumentsOfTheirLists) {
  ListBitmaps bitmaps(index_, 1000);
  const std::vector<WantedBitmap> wanted = all_with_bitmaps(bitmaps);
  ASSERT_GT(wanted.size(), 20u);
  for (const WantedBitmap& one : wanted) {
    EXPECT_EQ(bitmaps.of(one.segment, {}).find(one.term), nullptr);
  }
  bitmaps.make(wanted, {});
  for (const auto& [s, id] : wanted) {
    const std::uint64_t* const words = bitmaps.of(s, {}).find(id);
    ASSERT_NE(words, nullptr);
    const std::uint32_t first = s == 0 ? 0 : 15'000;
    for (std::uint32_t d = 0; d < segment(s).statistics().documents; ++d) {
      const bool has = collection_.frequency(segment(s).term(id), first + d) > 0;
      ASSERT_EQ((words[d / 64] >> d % 64 & 1) != 0, has) << segment(s).term(id) << ' ' << d;
    }
  }
}

TEST_F(ListBitmapsTest, TakeNoMoreThanTheyMay) {
  const std::uint64_t postings = index_->statistics().postings;
  for (const double bits : {0.0, 2.5, 8.0}) {
    ListBitmaps bitmaps(index_, bits);
    const auto wanted = all_with_bitmaps(bitmaps);
    bitmaps.make(wanted, {});
    EXPECT_LE(static_cast<double>(bitmaps.bytes()), bits / 8 * static_cast<double>(postings));
    EXPECT_EQ(wanted.empty(), bits == 0);
    const std::uint64_t before = bitmaps.bytes();
    bitmaps.make(wanted, {});
    EXPECT_EQ(bitmaps.bytes(), before) << "they are kept once";
  }
}

TEST_F(ListBitmapsTest, AreMadeByCountsAlone) {
  const Searcher counting = searcher(1000);
  EXPECT_EQ(report_of(counting, Want::kTopK).bitmap_bytes, 0u);
  EXPECT_EQ(report_of(counting, Want::kCount, true).bitmap_bytes, 0u);
  const Report first = report_of(counting, Want::kCount);
  EXPECT_GT(first.bitmap_bytes, 4 * 20'000u / 8);
  const Report second = report_of(counting, Want::kDocids);
  EXPECT_EQ(second.bitmap_bytes, first.bitmap_bytes);
  EXPECT_EQ(second.tiles_decoded, 0u) << "of lists that have bitmaps";
  EXPECT_EQ(report_of(counting, Want::kTopK).bitmap_bytes, first.bitmap_bytes) << "they are kept";
  EXPECT_EQ(report_of(searcher(0), Want::kCount).bitmap_bytes, 0u);
}

TEST_F(ListBitmapsTest, AreMadeByTheNextCallerAfterAStop) {
  ListBitmaps bitmaps(index_, 1000);
  const auto wanted = all_with_bitmaps(bitmaps);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(bitmaps.make(wanted, source.get_token()), CancelledError);
  bitmaps.make(wanted, {});
  for (const auto& [s, id] : wanted) EXPECT_NE(bitmaps.of(s, {}).find(id), nullptr);
}

TEST_F(ListBitmapsTest, BitsAreChecked) {
  EXPECT_THROW(searcher(-1), UsageError);
  EXPECT_THROW(searcher(1025), UsageError);
}

}  // namespace
}  // namespace gannet::query
