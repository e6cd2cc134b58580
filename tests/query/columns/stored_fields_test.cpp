// Stored fields in queries: shown with hits, asked whether they are there, and nothing else.
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/field_values.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StoredFields : public ::testing::Test {
 protected:
  /// 200,000 documents, so that there are chunks of filters; each third has a text.
  static std::shared_ptr<const index::Index> build(const std::filesystem::path& path) {
    std::vector<test::DocumentValues> values(kDocuments);
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      values[d].emplace_back(1, std::to_string(d % 10));
      if (d % 3 == 0) values[d].emplace_back(0, "text of " + std::to_string(d));
    }
    test::build_fields(path, test::schema_of({"text:stored", "n:i32"}), values);
    return std::make_shared<const index::Index>(index::Index::open(path));
  }
  std::uint64_t count(const std::string& query) const {
    const Plan plan = searcher_.plan({.text = query, .want = Want::kCount});
    return searcher_.search({&plan, 1}).counts[0];
  }

  static constexpr std::uint32_t kDocuments = 200'000;
  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_ = build(folder_.path());
  Searcher searcher_{index_, {.backend = BackendChoice::kCpu}};
};

TEST_F(StoredFields, AreShownWithHits) {
  const std::vector<std::size_t> fields{1, 0};
  const std::vector<std::uint32_t> docids{199'998, 1, 3};
  const auto values = field_values(*index_, fields, docids);
  EXPECT_THAT(values[0][1], ElementsAre("text of 199998"));
  EXPECT_THAT(values[1][1], IsEmpty());
  EXPECT_THAT(values[2][1], ElementsAre("text of 3"));
  EXPECT_THAT(values[2][0], ElementsAre("3"));
}

TEST_F(StoredFields, AreThereOrNot) {
  const std::uint64_t with = (kDocuments + 2) / 3;
  EXPECT_EQ(count("text:*"), with);
  EXPECT_EQ(count("NOT text:*"), kDocuments - with);
  EXPECT_EQ(count("text:* AND n:0"), (kDocuments + 29) / 30);
  EXPECT_EQ(count("word AND text:*"), with);
}

TEST_F(StoredFields, AreNotSearchedSortedOrCounted) {
  const auto planning = [&](const std::string& query) {
    return test::message_of<UsageError>([&] { searcher_.plan({.text = query}); });
  };
  EXPECT_THAT(planning("text:word"), HasSubstr("field 'text' is only stored"));
  EXPECT_THAT(planning("text:wo*"), HasSubstr("field 'text' is only stored"));
  EXPECT_THAT(planning("text:[a TO b]"), HasSubstr("field 'text' is only stored"));
  EXPECT_THAT(test::message_of<UsageError>(
                  [&] { searcher_.plan({.text = "word", .filter = Filter::equal("text", "a")}); }),
              HasSubstr("field 'text' is only stored"));
  const auto columns = [&](const ColumnQuery& query) {
    return test::message_of<UsageError>([&] { check(query, index_->schema()); });
  };
  EXPECT_THAT(columns({.sort = {{.field = "text"}}}), HasSubstr("sort: field 'text' is only"));
  EXPECT_THAT(columns({.facets = {{"text"}}}), HasSubstr("facet: field 'text' is only stored"));
  EXPECT_THAT(columns({.histograms = {{.field = "text", .width = "1"}}}), HasSubstr("only stored"));
  EXPECT_THAT(columns({.aggregates = {"text"}}), HasSubstr("only stored"));
  EXPECT_THAT(columns({.group = GroupRequest{"text"}}), HasSubstr("only stored"));
}

}  // namespace
}  // namespace gannet::query
