// Tables as spreadsheets write them: their line ends, and separators that are none of ours.
#include <gmock/gmock.h>

#include <algorithm>

#include "codecs/base/error.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::ReaderOptions;
using test::Documents;
using test::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Tables : public ::testing::Test {
 protected:
  Documents read(DocumentFormat format, const std::string& text,
                 const ReaderOptions& options = {}) {
    return test::read_all(format, {directory_.write("table", text)}, options);
  }
  std::string refused(DocumentFormat format, const std::string& text,
                      const ReaderOptions& options = {}) {
    return message_of<InputError>([&] { read(format, text, options); });
  }
  static ReaderOptions with_header(std::size_t batch_bytes = std::size_t{1} << 20) {
    ReaderOptions options;
    options.header = true;
    options.batch_bytes = batch_bytes;
    return options;
  }
  test::TemporaryDirectory directory_;
};

/// `text` with other line ends.
std::string with_ends(std::string text, std::string_view end) {
  for (std::size_t at = text.find('\n'); at != std::string::npos;
       at = text.find('\n', at + end.size())) {
    text.replace(at, 1, end);
  }
  return text;
}

TEST_F(Tables, LinesMayEndInAnyOfThreeWays) {
  const std::string csv = "id,body\na,one\n\nb,\"two, \"\"2\"\"\"\nc,three\n";
  const std::string tsv = "id\tbody\na\tone\n\nb\ttwo\nc\tthree";
  const std::string lines = "a\tone\nb\ttwo\n";
  for (const std::string_view end : {"\n", "\r\n", "\r"}) {
    for (const std::size_t batch : {1u, 7u, 1u << 20}) {
      ReaderOptions options;
      options.batch_bytes = batch;
      EXPECT_THAT(read(DocumentFormat::kCsv, with_ends(csv, end), options).all,
                  ElementsAre(Pair("a", "one"), Pair("b", "two, \"2\""), Pair("c", "three")));
      EXPECT_THAT(read(DocumentFormat::kTsv, with_ends(lines, end), options).all,
                  ElementsAre(Pair("a", "one"), Pair("b", "two")));
      EXPECT_THAT(read(DocumentFormat::kTsv, with_ends(tsv, end), with_header(batch)).all,
                  ElementsAre(Pair("a", "one"), Pair("b", "two"), Pair("c", "three")));
      options.columns = {"id", "body"};
      EXPECT_THAT(read(DocumentFormat::kCsv, with_ends("a,one\nb,two\n", end), options).all,
                  ElementsAre(Pair("a", "one"), Pair("b", "two")));
    }
  }
}

TEST_F(Tables, LineEndsOfOtherKindsInValuesAreData) {
  EXPECT_THAT(read(DocumentFormat::kCsv, "id,body\ra,\"x\ny\"\rb,z\r").all,
              ElementsAre(Pair("a", "x\ny"), Pair("b", "z")));
  EXPECT_THAT(read(DocumentFormat::kCsv, "id,body\na,\"x\ry\"\nb,z\n").all,
              ElementsAre(Pair("a", "x\ry"), Pair("b", "z")));
  EXPECT_THAT(read(DocumentFormat::kTsv, "a\tx\ry\nb\tz\n").all,
              ElementsAre(Pair("a", "x\ry"), Pair("b", "z")));
}

TEST_F(Tables, MessagesCountTheLinesThatThereAre) {
  EXPECT_THAT(refused(DocumentFormat::kCsv, "id,body\ra,x\rb\r"),
              HasSubstr("table:3: 1 value, but"));
  ReaderOptions options;
  options.batch_bytes = 1;
  EXPECT_THAT(refused(DocumentFormat::kTsv, "a\tx\rb\ty\rc\r", options),
              HasSubstr("table:3: no tab"));
}

/// Large enough that it is read in several pieces, whatever these hold.
TEST_F(Tables, ManyLinesThatEndInCrAloneAreRead) {
  std::string text = "id,body\r";
  for (int i = 0; i < 20'000; ++i)
    text += std::to_string(i) + ",\"text, " + std::to_string(i) + "\"\r";
  ReaderOptions options;
  options.batch_bytes = 10'000;
  const Documents documents = read(DocumentFormat::kCsv, text, options);
  ASSERT_EQ(documents.all.size(), 20'000u);
  EXPECT_THAT(documents.all[12'345], Pair("12345", "text, 12345"));
}

TEST_F(Tables, ATableWithOtherSeparatorsIsRefused) {
  EXPECT_THAT(refused(DocumentFormat::kCsv, "id;body\na;one\n"),
              AllOf(HasSubstr("table: the first line names no column but that of the ids"),
                    HasSubstr("'id;body'"), HasSubstr("separated by ';'")));
  EXPECT_THAT(refused(DocumentFormat::kCsv, "id\tbody\na\tone\n"), HasSubstr("--format tsv"));
  EXPECT_THAT(refused(DocumentFormat::kTsv, "id,body\na,one\n", with_header()),
              HasSubstr("--format csv"));
  ReaderOptions fields;
  fields.fields = {"body"};
  EXPECT_THAT(refused(DocumentFormat::kCsv, "id;body\na;one\n", fields),
              AllOf(HasSubstr("names no column 'body' but one"), HasSubstr("separated by ';'")));
}

TEST_F(Tables, IdsInAnotherColumnThanTheFirstAreNotPassedOver) {
  for (const char* const name : {"docno", "_id", "Doc_ID"}) {
    EXPECT_THAT(refused(DocumentFormat::kCsv, "title," + std::string(name) + "\na,one\n"),
                AllOf(HasSubstr("the first line names no column 'id', but '" + std::string(name)),
                      HasSubstr("--id-field " + std::string(name) + " takes that for the id"),
                      HasSubstr("--id-field 'title' the first column")));
    EXPECT_THAT(read(DocumentFormat::kCsv, std::string(name) + ",title\na,one\n").ids(),
                ElementsAre("a"));
    ReaderOptions first;
    first.id_field = "title";
    EXPECT_THAT(read(DocumentFormat::kCsv, "title," + std::string(name) + "\na,one\n", first).ids(),
                ElementsAre("a"));
  }
  EXPECT_THAT(read(DocumentFormat::kCsv, "title,docno,id\na,one,x\n").ids(), ElementsAre("x"));
}

TEST_F(Tables, ATableOfIdsAloneIsRefused) {
  EXPECT_THAT(refused(DocumentFormat::kCsv, "id\na\nb\n"),
              HasSubstr("names no column but that of the ids, 'id'"));
  ReaderOptions values;
  values.schema = index::Schema({index::parse_field("year:i32")});
  EXPECT_THAT(read(DocumentFormat::kCsv, "id,year\na,1999\n", values).ids(), ElementsAre("a"));
}

}  // namespace
}  // namespace gannet
