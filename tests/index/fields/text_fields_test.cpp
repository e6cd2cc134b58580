// Fields of type text: their spelling, what an index holds of them, what verify finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "index/index.hpp"
#include "index/text/text_options.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::build_texts;
using test::change_manifest;
using test::random_texts;
using test::TemporaryDirectory;
using test::TextCounts;
using test::TextsDocument;
using test::TextsSource;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string problem(const char* field) {
  try {
    parse_field(field);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(TextSpec, IsSpelledAsItIsRead) {
  for (const char* text :
       {"title:text", "title:text:weight=2.5", "title:text:weight=0:stemmer=german",
        "t:text:tokenizer=whitespace:stop-words=english:keep-case:fold-accents:path=meta.title",
        "t:text:keep-case=no:fold-accents=no"}) {
    const FieldSpec field = parse_field(text);
    EXPECT_EQ(to_string(field), text);
    const Schema schema({field});
    EXPECT_TRUE(schema.has_text());
    EXPECT_EQ(Schema(parse_schema(schema_json(schema), "a test")), schema) << schema_json(schema);
  }
  EXPECT_THAT(problem("t:text:multi"), HasSubstr("no option of a text"));
  EXPECT_THAT(problem("t:text:gpu-for"), HasSubstr("no option of a text"));
  EXPECT_THAT(problem("t:text:weight=-1"), HasSubstr("weight"));
  EXPECT_THAT(problem("t:text:weight=x"), HasSubstr("weight"));
  EXPECT_THAT(problem("t:text:stemmer=klingon"), HasSubstr("klingon"));
  EXPECT_THAT(problem("t:text:tokenizer=verbatim"), HasSubstr("main texts only"));
  EXPECT_THAT(problem("t:keyword:weight=2"), HasSubstr("weight=2"));
  EXPECT_THROW(parse_schema(R"([{"name": "t", "type": "text", "weight": "2"}])", "x"), InputError);
  EXPECT_THROW(parse_schema(R"([{"name": "t", "type": "i8", "weight": 2}])", "x"), InputError);
}

class TextIndex : public ::testing::Test {
 protected:
  TextIndex()
      : documents_(random_texts(3000, 2, 5)), counts_(documents_), schema_(test::texts_schema(2)) {}

  std::filesystem::path build(const char* name, std::uint64_t memory, unsigned threads) {
    BuildOptions options = test::texts_options(schema_);
    options.memory = memory;
    options.threads = threads;
    TextsSource source(documents_, 0, documents_.size());
    build_index(source, folder_ / name, options);
    return folder_ / name;
  }

  TemporaryDirectory folder_;
  std::vector<TextsDocument> documents_;
  TextCounts counts_;
  Schema schema_;
};

TEST_F(TextIndex, HoldsLengthsStatisticsAndLists) {
  const std::filesystem::path path = build("one", std::uint64_t{256} << 20, 2);
  const Index index = Index::open(path);
  const Segment& segment = *index.segments().front();
  for (std::uint32_t field = 0; field < 2; ++field) {
    TextStatistics expected;
    const auto lengths = segment.text_lengths(field);
    ASSERT_EQ(lengths.size(), documents_.size());
    for (std::size_t d = 0; d < documents_.size(); ++d) {
      const double length = counts_.length(d, field + 1);
      ASSERT_EQ(lengths[d], length);
      expected.documents += length > 0 ? 1 : 0;
      expected.tokens += static_cast<std::uint64_t>(length);
    }
    EXPECT_EQ(index.text_statistics(field), expected);
    const auto id = segment.find(text_key(field, "w2"));
    ASSERT_TRUE(id);
    const PostingList list = segment.list(*id);
    std::vector<std::uint32_t> docids(list.count + codecs::kTile);
    std::vector<std::uint32_t> freqs(docids.size());
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    for (std::uint32_t i = 0; i < list.count; ++i) {
      ASSERT_EQ(freqs[i], counts_.frequency(docids[i], field + 1, "w2"));
    }
  }
  EXPECT_THROW(segment.text_lengths(2), UsageError);
  EXPECT_THAT(verify_index(path).problems, IsEmpty());
}

TEST_F(TextIndex, BytesDoNotDependOnMemoryAndThreads) {
  const auto one = build("one", std::uint64_t{256} << 20, 1);
  const auto other = build("other", std::uint64_t{64} << 20, 3);
  for (const auto& file : std::filesystem::directory_iterator(one)) {
    const auto name = file.path().filename();
    EXPECT_EQ(test::read_file(file.path()), test::read_file(other / name)) << name;
  }
}

TEST_F(TextIndex, VerifyFindsWrongStatistics) {
  const auto path = build("one", std::uint64_t{256} << 20, 2);
  change_manifest(path, [](Manifest& manifest) { ++manifest.segments[0].texts[1].tokens; });
  EXPECT_THAT(verify_index(path).problems, testing::ElementsAre(HasSubstr("text 'f1' has")));
  change_manifest(path, [](Manifest& manifest) {
    manifest.segments[0].texts[0].documents = manifest.statistics.documents + 1;
  });
  EXPECT_THROW(Index::open(path), FormatError);
}

/// Terms that stand under the key of a field that is none.
TEST_F(TextIndex, VerifyFindsTermsOfNoField) {
  const auto path = build("one", std::uint64_t{256} << 20, 2);
  change_manifest(path, [](Manifest& manifest) {
    manifest.schema = Schema({parse_field("f0:text:weight=2"), parse_field("f1:u32")});
    manifest.segments[0].texts.resize(2);
  });
  const std::vector<std::string> problems = verify_index(path).problems;
  EXPECT_THAT(problems, testing::Contains(HasSubstr("is of no text field")));
}

TEST_F(TextIndex, ImpactsHaveNoTextFields) {
  BuildOptions options = test::texts_options(schema_);
  options.write.defaults.payload.impacts = true;
  TextsSource source(documents_, 0, 10);
  EXPECT_THROW(build_index(source, folder_ / "impacts", options), UsageError);
}

}  // namespace
}  // namespace gannet::index
