// Fields from rows beside documents and beside posting lists.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "index/builder.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/expect_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::DocumentValues;
using test::expect_fields;
using test::FieldSource;
using test::message_of;
using test::snapshot;
using test::TemporaryDirectory;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Documents without names, and one list that has them all.
class OneList final : public InvertedSource {
 public:
  explicit OneList(std::uint64_t documents) : documents_(documents) {}

  std::uint64_t documents() const override { return documents_; }
  std::uint32_t length(std::uint64_t) const override { return 3; }
  std::string document_id(std::uint64_t) const override { return {}; }
  std::uint64_t lists() const override { return 1; }
  std::string term(std::uint64_t) const override { return "word"; }
  std::uint64_t postings(std::uint64_t) const override { return documents_; }
  void list(std::uint64_t, std::vector<std::uint32_t>& docids,
            std::vector<std::uint32_t>& freqs) const override {
    docids.resize(documents_);
    for (std::uint32_t i = 0; i < documents_; ++i) docids[i] = i;
    freqs.assign(documents_, 1);
  }

 private:
  std::uint64_t documents_;
};

class JoinedRows : public ::testing::Test {
 protected:
  JoinedRows() {
    options_.write.overwrite = true;
    options_.write.schema = schema_;
  }
  static std::vector<DocumentValues> values(std::size_t rows, std::uint64_t seed = 1) {
    return test::random_values(schema_, rows, {{0.7, 50, 4}}, seed);
  }
  std::string refused(std::size_t rows, std::size_t documents) {
    const auto all = values(rows);
    FieldSource source(all, 3);
    options_.rows = &source;
    return message_of<InputError>(
        [&] { build_inverted(OneList(documents), directory_ / "i", options_); });
  }

  static inline const Schema schema_ =
      test::schema_of({"n:i32", "price:decimal(2)", "tags:keyword:multi", "key:keyword"});
  TemporaryDirectory directory_;
  BuildOptions options_;
};

TEST_F(JoinedRows, GiveListsTheirFields) {
  for (const std::size_t count : {0, 1, 299, 300, 301, 70'000}) {
    const auto all = values(count, count);
    FieldSource rows(all);
    options_.rows = &rows;
    const BuildReport report = build_inverted(OneList(count), directory_ / "i", options_);
    EXPECT_EQ(report.statistics.documents, count);
    const Index index = Index::open(directory_ / "i");
    EXPECT_EQ(index.schema(), schema_);
    expect_fields(index, all);
    EXPECT_THAT(verify_index(directory_ / "i").problems, IsEmpty());
  }
}

TEST_F(JoinedRows, GiveTheBytesThatDocumentsWithTheSameValuesGive) {
  const auto all = values(5'000);
  test::build_fields(directory_ / "own", schema_, all);
  const std::vector<DocumentValues> none(all.size());
  FieldSource documents(none, 77);
  FieldSource rows(all, 1'000);
  options_.rows = &rows;
  build_index(documents, directory_ / "joined", options_);
  EXPECT_TRUE(snapshot(directory_ / "own") == snapshot(directory_ / "joined"));
}

TEST_F(JoinedRows, ThreadsAndMemoryDoNotChangeTheBytesSlow) {
  std::vector<DocumentValues> all(60'000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    // More than a budget of 64 MB leaves room for.
    all[i] = {{3, std::to_string(i * 7919 % 50'000) + std::string(600, 'x')},
              {0, std::to_string(i % 1'000)}};
  }
  for (const std::uint64_t megabytes : {2'048, 64}) {
    FieldSource rows(all);
    options_.rows = &rows;
    options_.memory = megabytes << 20;
    options_.threads = megabytes == 64 ? 1 : 0;
    build_inverted(OneList(all.size()), directory_ / std::to_string(megabytes), options_);
  }
  // Their bytes are no message.
  EXPECT_TRUE(snapshot(directory_ / "2048") == snapshot(directory_ / "64"));
  expect_fields(Index::open(directory_ / "64"), all);
}

TEST_F(JoinedRows, AreAsManyAsDocuments) {
  EXPECT_THAT(refused(11, 12), HasSubstr("11 rows for 12 documents"));
  EXPECT_THAT(refused(12, 11), HasSubstr("12 rows for 11 documents"));
  EXPECT_THAT(refused(0, 1), HasSubstr("0 rows for 1 documents"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "i"));
  const std::vector<DocumentValues> none(20);
  const auto all = values(19);
  FieldSource documents(none), rows(all);
  options_.rows = &rows;
  EXPECT_THAT(message_of<InputError>([&] { build_index(documents, directory_ / "i", options_); }),
              HasSubstr("19 rows for 20 documents"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "i"));
}

TEST_F(JoinedRows, AndDocumentsDoNotBothHaveValues) {
  const auto all = values(20);
  FieldSource documents(all), rows(all);
  options_.rows = &rows;
  EXPECT_THAT(message_of<UsageError>([&] { build_index(documents, directory_ / "i", options_); }),
              HasSubstr("has values of fields, but rows are to have them"));
}

TEST_F(JoinedRows, NeedASchemaAndASchemaNeedsThem) {
  EXPECT_THAT(
      message_of<UsageError>([&] { build_inverted(OneList(2), directory_ / "i", options_); }),
      HasSubstr("give rows"));
  const auto all = values(2);
  FieldSource rows(all), documents(all);
  options_.rows = &rows;
  options_.write.schema = {};
  EXPECT_THAT(
      message_of<UsageError>([&] { build_inverted(OneList(2), directory_ / "i", options_); }),
      HasSubstr("the schema has none"));
  EXPECT_THROW(build_index(documents, directory_ / "i", options_), UsageError);
}

TEST_F(JoinedRows, AreRefusedByConverterAndCountedWhereTheSourcePassesOver) {
  const std::vector<DocumentValues> wrong{{{0, "1"}}, {{0, "one"}}};
  FieldSource rows(wrong);
  options_.rows = &rows;
  EXPECT_THAT(
      message_of<InputError>([&] { build_inverted(OneList(2), directory_ / "i", options_); }),
      AllOf(HasSubstr("field 'n'"), HasSubstr("'one'")));
  test::VectorSource skipping({{"", ""}, {"", ""}}, 1);
  skipping.skipped_per_batch = 3;
  options_.rows = &skipping;
  EXPECT_EQ(build_inverted(OneList(2), directory_ / "i", options_).skipped, 6u);
}

TEST_F(JoinedRows, AreReadUntilTheBuildIsCancelled) {
  const auto all = values(5'000);
  FieldSource rows(all, 10);
  options_.rows = &rows;
  std::stop_source stop;
  options_.stop = stop.get_token();
  std::set<std::string> stages;
  options_.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    stages.emplace(stage);
    EXPECT_LE(done, total);
    stop.request_stop();
  };
  EXPECT_THROW(build_inverted(OneList(5'000), directory_ / "i", options_), CancelledError);
  EXPECT_THAT(stages, ::testing::ElementsAre("reading rows"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "i"));
}

}  // namespace
}  // namespace gannet::index
