// Bounds' least counts, asked for by tasks that wait for each other.
#include "query/bounds/least_counts.hpp"

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/bounds/dense_lists.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::query {
namespace {

/// A segment with so many lists that several tasks count them.
class LeastCountsTest : public testing::Test {
 protected:
  LeastCountsTest() {
    test::Collection collection = test::random_collection(2000, 14, 5);
    index::WriteOptions options;
    options.positions = false;
    options.analyzer.stemmer = "none";
    index::IndexWriter writer(directory_.path(), options);
    for (const std::uint32_t length : collection.lengths) writer.add_document({}, length);
    const auto add = [&](const std::string& term, std::span<const index::Docid> docids) {
      const std::vector<std::uint32_t> ones(docids.size(), 1);
      writer.add_list(index::encode_list(term, docids, ones, writer.document_lengths(),
                                         writer.docid_codec(), writer.freq_codec()));
    };
    std::vector<index::Docid> all(2000);
    std::iota(all.begin(), all.end(), index::Docid{0});
    for (std::uint32_t i = 0; i < 100'000; ++i) {
      const std::uint32_t length = i % 1000 == 0 ? 200 + i / 100 : 1;
      add(std::to_string(1'000'000 + i), std::span(all).first(length));
    }
    writer.commit();
    index_ = std::make_shared<const index::Index>(index::Index::open(directory_.path()));
  }

  const index::Segment& segment() const { return *index_->segments().front(); }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(LeastCountsTest, AreThoseOfTheSegments) {
  for (const double bits : {0.0, 0.5, 2.5, 100.0}) {
    LeastCounts counts(bits);
    const std::uint32_t expected = least_dense_count(segment(), bits, {});
    EXPECT_EQ(counts.of(3, segment(), {}), expected);
    EXPECT_EQ(counts.of(3, segment(), {}), expected);
    EXPECT_EQ(counts.of(0, segment(), {}), expected);
  }
}

/// A task that counts waits for tasks of its own, and may take up another caller's meanwhile: if it
/// held the lock that this one wants, it would wait for itself for ever.
TEST_F(LeastCountsTest, TasksOfAnArenaMayAllAsk) {
  const test::Watchdog watchdog("tasks that ask for least counts");
  const std::uint32_t expected = least_dense_count(segment(), 2.5, {});
  tbb::task_arena arena(2);
  for (int round = 0; round < 40; ++round) {
    LeastCounts counts(2.5);
    std::atomic<int> wrong = 0;
    arena.execute([&] {
      tbb::parallel_for(0, 64, [&](int i) {
        if (counts.of(static_cast<std::size_t>(i) % 2, segment(), {}) != expected) ++wrong;
      });
    });
    ASSERT_EQ(wrong, 0);
  }
}

TEST_F(LeastCountsTest, AreCountedByTheNextCallerAfterAStop) {
  LeastCounts counts(2.5);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(counts.of(0, segment(), source.get_token()), CancelledError);
  EXPECT_EQ(counts.of(0, segment(), {}), least_dense_count(segment(), 2.5, {}));
}

}  // namespace
}  // namespace gannet::query
