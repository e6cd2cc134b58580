// Going through several lists at the same time: the documents and lists that a set has, at a cost
// that does not grow with the documents that are asked for.
#include "query/postings/union_walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class UnionWalks : public testing::Test {
 protected:
  static constexpr std::uint32_t kDocuments = 6000;

  /// Some of the terms, each once.
  std::vector<std::string> some_terms(std::mt19937& random, std::size_t number) const {
    std::set<std::string> terms;
    for (; number > 0; --number) terms.insert("t" + std::to_string(random() % 40));
    return {terms.begin(), terms.end()};
  }
  UnionWalk walk_of(const std::vector<std::string>& terms) {
    streams_.clear();
    std::vector<PostingStream*> streams;
    const index::Segment& segment = *index_->segments().front();
    for (const std::string& term : terms) {
      streams.push_back(&streams_.emplace_back(segment, segment.find(term).value()));
    }
    return UnionWalk(std::move(streams));
  }
  /// The documents from `docid` on that have any of the terms, and the numbers of those it has.
  std::map<std::uint32_t, std::set<std::uint32_t>> documents(
      const std::vector<std::string>& terms) const {
    std::map<std::uint32_t, std::set<std::uint32_t>> all;
    for (std::uint32_t i = 0; i < terms.size(); ++i) {
      for (std::uint32_t d = 0; d < kDocuments; ++d) {
        if (collection_.frequency(terms[i], d) > 0) all[d].insert(i);
      }
    }
    return all;
  }

  test::TemporaryDirectory folder_;
  test::Collection collection_ = test::random_collection(kDocuments, 40, 9);
  std::shared_ptr<const index::Index> index_ = test::write_index(folder_ / "index", collection_);
  std::deque<PostingStream> streams_;
};

TEST_F(UnionWalks, GiveDocumentsAndTheirLists) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::vector<std::string> terms = some_terms(random, 1 + random() % 30);
    const auto expected = documents(terms);
    UnionWalk walk = walk_of(terms);
    const auto step = static_cast<std::uint32_t>(round % 3 == 0 ? 1 : 1 + random() % 200);
    for (std::uint32_t next = 0;; next += static_cast<std::uint32_t>(random()) % step) {
      const auto at = expected.lower_bound(next);
      ASSERT_EQ(walk.seek(next), at != expected.end());
      if (at == expected.end()) break;
      ASSERT_EQ(walk.docid(), at->first);
      std::set<std::uint32_t> here;
      walk.for_each_here([&](std::uint32_t list) { EXPECT_TRUE(here.insert(list).second); });
      ASSERT_EQ(here, at->second);
      next = at->first + 1;
    }
    std::uint64_t postings = 0;
    for (const std::string& term : terms) postings += collection_.document_frequency(term);
    EXPECT_EQ(walk.postings(), postings);
    EXPECT_LE(walk.moves(), postings) << "each move passes a posting";
  }
}

/// Every document is asked for, of lists that have few of them: lists that are ahead stay there.
TEST_F(UnionWalks, MoveNoListThatIsAhead) {
  std::vector<std::string> rare;
  std::uint64_t postings = 0;
  for (const auto& [term, list] : collection_.frequencies) {
    const std::uint32_t own = collection_.document_frequency(term);
    if (own > 60) continue;
    rare.push_back(term);
    postings += own;
  }
  ASSERT_GT(rare.size(), 5u);
  UnionWalk walk = walk_of(rare);
  for (std::uint32_t d = 0; d < kDocuments; ++d) walk.seek(d);
  EXPECT_LE(walk.moves(), postings);
  EXPECT_LT(walk.moves() * 20, std::uint64_t{kDocuments} * rare.size()) << "documents times lists";
}

}  // namespace
}  // namespace gannet::query
