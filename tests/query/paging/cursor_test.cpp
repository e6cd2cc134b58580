// What a cursor's text says, and when it is refused.
#include "query/cursor.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/paging.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::HasSubstr;

class Cursors : public ::testing::Test {
 protected:
  Plan plan(const Query& query) const { return searcher_.plan(query); }
  Cursor cursor(const Query& query, const std::vector<SortKey>& sort = {}) const {
    return make_cursor(*index_, plan(query), sort, {17, 1.5f}, 10);
  }
  static Query words(const std::string& text) { return {.text = text}; }

  test::TemporaryDirectory folder_;
  test::Collection collection_ = test::random_collection(2000, test::kTerms, 5);
  std::shared_ptr<const index::Index> index_ =
      test::write_segments(folder_ / "a", collection_, {500, 2000});
  Searcher searcher_{index_, {.backend = BackendChoice::kCpu}};
};

TEST_F(Cursors, AreTextAndBack) {
  const Cursor made = cursor(words("t1 t2"));
  const std::string text = to_string(made);
  EXPECT_EQ(text.size(), 64u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  EXPECT_EQ(parse_cursor(text), made);
}

TEST_F(Cursors, WithAMistakeAreRefused) {
  const std::string text = to_string(cursor(words("t1 t2")));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string wrong = text;
    wrong[i] = wrong[i] == '7' ? '8' : '7';
    EXPECT_THROW(parse_cursor(wrong), UsageError) << wrong;
    EXPECT_THROW(parse_cursor(text.substr(0, i)), UsageError) << i;
    wrong[i] = 'x';
    EXPECT_THROW(parse_cursor(wrong), UsageError) << wrong;
  }
  for (const std::string& wrong :
       {text + "0", " " + text, std::string(64, '0'), std::string("10")}) {
    EXPECT_THROW(parse_cursor(wrong), UsageError) << wrong;
  }
}

TEST_F(Cursors, AreOfOneQueryWhateverTheNumberOfHits) {
  const Query query = words("t1 t2");
  const Cursor made = cursor(query);
  Query more = query;
  more.k = 500;
  EXPECT_NO_THROW(check_cursor(made, plan(more), {}));
  std::vector<Query> others(7, query);
  others[0].text = "t1 t3";
  others[1].text = "t2 t1";
  others[2].text = "t1 t2^2";
  others[3].mode = Mode::kAnd;
  others[4].scorer = bm25(1.2f, 0.4f);
  others[5].text = "t1 +t2";
  others[6].text = "t1";
  for (const Query& other : others) {
    EXPECT_THROW(check_cursor(made, plan(other), {}), UsageError) << other.text;
  }
  const std::vector<SortKey> sort{{.field = "", .descending = true}};
  EXPECT_THROW(check_cursor(made, plan(query), sort), UsageError);
  EXPECT_NO_THROW(check_cursor(cursor(query, sort), plan(query), sort));
  const std::vector<SortKey> other{{.field = "", .descending = false}};
  EXPECT_THROW(check_cursor(cursor(query, sort), plan(query), other), UsageError);
}

TEST_F(Cursors, StayWhenDocumentsAreDeletedOrAdded) {
  const Cursor made = cursor(words("t1 t2"));
  EXPECT_EQ(index_at(made, *index_).segments(), index_->segments());
  const auto less = test::with_deleted(*index_, test::random_deletions(2000, 0.2, 1));
  EXPECT_EQ(index_at(made, *less).deleted_documents(), less->deleted_documents());
  const Searcher later(less, {.backend = BackendChoice::kCpu});
  EXPECT_NO_THROW(check_cursor(made, later.plan(words("t1 t2")), {}));
  const Cursor before = make_cursor(index_->part(0, 1), plan(words("t1 t2")), {}, {17, 1.5f}, 10);
  EXPECT_EQ(index_at(before, *index_).statistics().documents, 500u);
}

TEST_F(Cursors, AreRefusedWhereDocumentsHaveOtherNumbers) {
  const Cursor made = cursor(words("t1 t2"));
  const auto merged = test::write_index(folder_ / "b", collection_);
  const auto swapped = test::write_segments(folder_ / "c", collection_, {1500, 2000});
  const auto first = std::make_shared<const index::Index>(index_->part(0, 1));
  for (const auto& other : {merged, swapped, first}) {
    EXPECT_THAT(test::message_of<UsageError>([&] { index_at(made, *other); }),
                HasSubstr("start again from the first page"));
  }
  const auto again = test::write_segments(folder_ / "d", collection_, {500, 2000});
  EXPECT_EQ(index_at(made, *again).segments(), again->segments()) << "a copy is as good";
}

TEST_F(Cursors, StandBehindFullPagesThatMayNotBeTheLast) {
  const Plan all = plan(words("t1 t2"));
  const std::vector<Hit> hits{{3, 2}, {4, 1}};
  const auto next = [&](std::uint32_t wanted, std::optional<std::uint64_t> total) {
    return next_page(page_request(wanted, 0, ""), *index_, all, {}, hits, total).has_value();
  };
  EXPECT_TRUE(next(2, {}));
  EXPECT_TRUE(next(2, 3));
  EXPECT_FALSE(next(2, 2));
  EXPECT_FALSE(next(3, {}));
  EXPECT_FALSE(next_page(page_request(0, 0, ""), *index_, all, {}, {}, 7).has_value());
}

TEST_F(Cursors, ExcludeOffsetsAndGroups) {
  const std::string text = to_string(cursor(words("t1 t2")));
  EXPECT_THROW(page_request(10, 3, text), UsageError);
  ColumnQuery groups;
  groups.group = GroupRequest{.field = "tag"};
  EXPECT_THROW(plan_of(page_request(10, 0, text), plan(words("t1 t2")), groups), UsageError);
  EXPECT_THROW(plan_of(page_request(10, 3, ""), plan(words("t1 t2")), groups), UsageError);
}

}  // namespace
}  // namespace gannet::query
