// JSONL as users have it: a line, a file or an array; malformed records under both policies.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::ReaderOptions;
using test::Documents;
using test::message_of;
using test::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Jsonl : public ::testing::Test {
 protected:
  Documents read(std::string_view text, const ReaderOptions& options = {}) {
    return test::read_all(DocumentFormat::kJsonl, {directory_.write("docs.jsonl", text)}, options);
  }
  std::string error(std::string_view text, const ReaderOptions& options = {}) {
    return message_of<InputError>([&] { read(text, options); });
  }
  TemporaryDirectory directory_;
};

TEST_F(Jsonl, ReadsIdAndContentsAmongOtherFields) {
  EXPECT_THAT(read(R"({"id": "a", "contents": "one"}
{"title": {"x": [1, "}"]}, "contents": "two", "n": 1e3, "id": "b", "t": null}
)")
                  .all,
              ElementsAre(Pair("a", "one"), Pair("b", "two")));
}

TEST_F(Jsonl, UnescapesStrings) {
  EXPECT_THAT(read(R"({"id":"a\"b","contents":"tab\tline\n\u00e9 \ud83d\ude00 \\ \/"})").all,
              ElementsAre(Pair("a\"b", "tab\tline\n\xc3\xa9 \xf0\x9f\x98\x80 \\ /")));
}

TEST_F(Jsonl, AcceptsNumericIds) {
  EXPECT_THAT(read("{\"id\": 17 , \"contents\": \"x\"}\n{\"contents\":\"y\",\"id\":18}").ids(),
              ElementsAre("17", "18"));
}

/// simdjson reads none beyond 64 bits.
TEST_F(Jsonl, NumbersMayBeOfAnySize) {
  EXPECT_THAT(read("{\"id\": 100000000000000000000, \"contents\": \"x\"}\n"
                   "{\"id\": -1.5e+400,\"contents\": \"y\"}")
                  .ids(),
              ElementsAre("100000000000000000000", "-1.5e+400"));
  for (const char* const wrong : {"01", "1.", ".5", "1e", "+1", "0x10", "1_000", "--1", "1e+"}) {
    const std::string record = std::string("{\"id\": ") + wrong + ", \"contents\": \"x\"}";
    EXPECT_THAT(error(record), HasSubstr("JSON")) << wrong;
  }
}

TEST_F(Jsonl, AcceptsByteOrderMarkCrlfBlankLinesAndAMissingLastLineEnd) {
  EXPECT_THAT(read("\xef\xbb\xbf{\"id\":\"a\",\"contents\":\"1\"}\r\n\r\n  "
                   "\n{\"id\":\"b\",\"contents\":\"2\"}")
                  .all,
              ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST_F(Jsonl, ReadsOneObjectOverManyLines) {
  EXPECT_THAT(read("{\n  \"id\": \"a\",\n  \"contents\": \"one {two] \\\" three\"\n}\n").all,
              ElementsAre(Pair("a", "one {two] \" three")));
}

TEST_F(Jsonl, ReadsObjectsOverManyLinesOneAfterTheOther) {
  EXPECT_THAT(
      read("{\n\"id\": \"a\",\"contents\":\"1\"}\n{\"id\": \"b\",\n\"contents\":\"2\"}").ids(),
      ElementsAre("a", "b"));
}

TEST_F(Jsonl, ReadsAnArray) {
  const char* text =
      "[{\"id\":\"a\",\"contents\":\"1\"},\n {\"id\":\"b\",\"contents\":\"2, ]\"}\n]\n";
  EXPECT_THAT(read(text).all, ElementsAre(Pair("a", "1"), Pair("b", "2, ]")));
  EXPECT_TRUE(read("[]").all.empty());
  EXPECT_TRUE(read(" [ \n ] ").all.empty());
}

TEST_F(Jsonl, EmptyFilesHoldNoDocuments) {
  EXPECT_EQ(read(""), Documents());
  EXPECT_EQ(read("\n\r\n \n"), Documents());
  EXPECT_EQ(read("\xef\xbb\xbf"), Documents());
}

TEST_F(Jsonl, JoinsTheChosenFieldsInTheirOrder) {
  ReaderOptions options;
  options.fields = {"title", "contents"};
  EXPECT_THAT(read(R"({"id":1,"contents":"body","title":"head"}
{"id":2,"contents":"only body"}
{"id":3,"title":"only head","contents":null})",
                   options)
                  .all,
              ElementsAre(Pair("1", "head\nbody"), Pair("2", "only body"), Pair("3", "only head")));
}

TEST_F(Jsonl, KeepsDocumentsWithoutText) {
  EXPECT_THAT(read(R"({"id":"a","contents":""})").all, ElementsAre(Pair("a", "")));
}

struct Broken {
  const char* record;
  const char* reason;
};

class MalformedJson : public Jsonl, public ::testing::WithParamInterface<Broken> {};

TEST_P(MalformedJson, StopsWithFileLineAndReason) {
  const std::string good = R"({"id":"a","contents":"1"})";
  const std::string text = good + "\n\n" + GetParam().record + "\n" + good;
  EXPECT_THAT(error(text), AllOf(HasSubstr("docs.jsonl:3: "), HasSubstr(GetParam().reason)));
}

TEST_P(MalformedJson, IsSkippedAndCounted) {
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  const std::string text = std::string("{\"id\":\"a\",\"contents\":\"1\"}\n") + GetParam().record +
                           "\n{\"id\":\"b\",\"contents\":\"2\"}\n";
  const Documents documents = read(text, options);
  EXPECT_THAT(documents.all, ElementsAre(Pair("a", "1"), Pair("b", "2")));
  EXPECT_EQ(documents.skipped, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Records, MalformedJson,
    ::testing::Values(Broken{R"({"contents":"x"})", "no 'id'"},
                      Broken{R"({"id":"","contents":"x"})", "'id' is empty"},
                      Broken{R"({"id":"x"})", "no 'contents'"},
                      Broken{R"({"id":"x","contents":null})", "no 'contents'"},
                      Broken{R"({"id":"x","contents":5})", "'contents' is not a string"},
                      Broken{R"({"id":["x"],"contents":"x"})", "'id' is neither"},
                      Broken{R"({"id":true,"contents":"x"})", "'id' is neither"},
                      Broken{R"({"id":12x,"contents":"x"})", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x")", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x)", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x"}})", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x"} {"id":"y","contents":"y"})", "JSON"},
                      Broken{R"({"id":"x","contents":"\q"})", "not a valid JSON object"},
                      Broken{R"({"id" "x"})", "not a valid JSON object"},
                      Broken{R"(["x"])", "not a valid JSON object"},
                      Broken{R"("text")", "not a valid JSON object"},
                      Broken{"plain text", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x","m":nul})", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x","m":truex})", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x","m":01})", "not a valid JSON object"},
                      Broken{R"({"id":"x","contents":"x","m":"\q"})", "not a valid JSON object"},
                      Broken{R"({"m":[1,{"a":}],"id":"x","contents":"x"})", "JSON object"},
                      Broken{R"({"m":[1 2],"id":"x","contents":"x"})", "JSON object"},
                      Broken{R"({"m":{"a" 2},"id":"x","contents":"x"})", "JSON object"},
                      Broken{R"({"m":{"a":[true,flase]},"id":"x","contents":"x"})", "JSON object"},
                      Broken{R"({"id":"x","contents":"x","contents":"y"})",
                             "'contents' occurs twice in one object"},
                      Broken{R"({"id":"x","contents":"x","id":"x"})", "'id' occurs twice"},
                      Broken{R"({"id":"x","contents":"x"} more)", "trailing content"},
                      Broken{"{\"id\":\"x\",\"contents\":\"\xff\xfe\"}",
                             "byte 23 (0xff) is not UTF-8; name the encoding"}));

/// Of a file whose first line is broken, the others are read, whatever it lacks.
TEST_F(Jsonl, ABrokenFirstLineIsOneRecord) {
  const std::string rest =
      "{\"id\":\"2\",\"contents\":\"two\"}\n {\"id\":\"3\",\"contents\":\"three\"}\n";
  for (const char* const first : {R"({"id":"1","contents":"one")", R"({"id":"1","contents":)",
                                  R"({"id":"1","contents":"one",)", R"({"id":"1","m":[)",
                                  R"({"id":"1","m":[1,)", "{", R"({"id":"1","contents":"one)"}) {
    for (const std::size_t batch : {1u, 64u, 1u << 20}) {
      ReaderOptions options;
      options.malformed = Malformed::kSkip;
      options.batch_bytes = batch;
      const Documents documents = read(first + ("\n" + rest), options);
      EXPECT_THAT(documents.all, ElementsAre(Pair("2", "two"), Pair("3", "three"))) << first;
      EXPECT_EQ(documents.skipped, 1u) << first;
    }
    EXPECT_THAT(error(first + ("\n" + rest)), HasSubstr("docs.jsonl:1: ")) << first;
  }
  // As large as it is: no more than the first lines are held.
  ReaderOptions options;
  options.batch_bytes = 100;
  options.max_record_bytes = 1000;
  options.malformed = Malformed::kSkip;
  std::string lines = "{\"id\":\"1\",\"contents\":\"one\"\n";
  for (int i = 0; i < 100; ++i) lines += rest;
  EXPECT_EQ(read(lines, options).all.size(), 200u);
}

/// A value that lacks brackets or quotes ends where the next one begins a line.
TEST_F(Jsonl, ABrokenValueOfManyLinesIsOneRecord) {
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  const std::string good = "{\n\"id\":\"a\",\n\"contents\":\"1\"\n}";
  const std::string next = "{\n\"id\":\"b\",\n\"contents\":\"2\"\n}";
  for (const char* const broken :
       {"{\n\"id\":\"x\"\n", "{\n\"id\":\"x\",\n\"contents\":\"y\n}", "{\n\"m\":{\n}\n",
        "{\n\"id\":\"x\",\"contents\":\"two\nlines\"\n}"}) {
    for (const std::string& separator : {std::string("\n"), std::string(",\n")}) {
      const bool array = separator[0] == ',';
      const std::string text =
          (array ? "[" : "") + good + separator + broken + separator + next + (array ? "]" : "");
      const Documents documents = read(text, options);
      EXPECT_THAT(documents.ids(), ElementsAre("a", "b")) << text;
      EXPECT_EQ(documents.skipped, 1u) << text;
    }
  }
  // Objects may begin lines where JSON has them.
  EXPECT_THAT(read("{\"m\":[\n{\"a\":1}\n,\n{\"a\":2}],\n\"o\":\n{\"b\":1},\n\"id\":\"a\","
                   "\"contents\":\"1\"}\n" +
                   next)
                  .ids(),
              ElementsAre("a", "b"));
}

TEST_F(Jsonl, Utf16WithoutAMarkIsNamed) {
  std::string text;
  for (const char c : std::string("{\"id\":\"a\",\"contents\":\"one\"}\n")) text += {c, '\0'};
  EXPECT_THAT(error(text), ::testing::AllOf(HasSubstr("docs.jsonl: this looks like UTF-16LE"),
                                            HasSubstr("--encoding utf-16le")));
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  EXPECT_EQ(read(text, options).skipped, 1u);
  options.encoding = "utf-16le";
  EXPECT_THAT(read(text, options).ids(), ElementsAre("a"));
}

/// Whatever the depth, in members that are read and in those that are not.
TEST_F(Jsonl, RefusesWhatIsNestedTooDeep) {
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  options.schema = index::Schema({index::parse_field("tag:keyword:multi:path=m")});
  const auto record = [](const char* member, std::size_t depth, char open, char close) {
    std::string inside;
    for (std::size_t i = 0; i < depth; ++i) inside += open == '[' ? "[" : "{\"m\":";
    inside += "1" + std::string(depth, close);
    return std::string("{\"id\":\"deep\",\"contents\":\"x\",\"") + member + "\":" + inside + "}\n";
  };
  const std::string good = "{\"id\":\"a\",\"contents\":\"1\"}\n";
  for (const char* const member : {"m", "other"}) {
    EXPECT_THAT(error(record(member, 80'000, '[', ']')),
                HasSubstr("docs.jsonl:1: objects and arrays are nested deeper than 256 levels"));
    EXPECT_THAT(read(record(member, 100'000, '[', ']') + good, options).ids(), ElementsAre("a"));
    EXPECT_THAT(read(record(member, 80'000, '{', '}') + good, options).ids(), ElementsAre("a"));
    EXPECT_THAT(read(record(member, 256, '[', ']') + good, options).ids(), ElementsAre("a"));
    EXPECT_THAT(read(record(member, 255, '[', ']') + good, options).ids(),
                ElementsAre("deep", "a"));
  }
}

TEST_F(Jsonl, AMemberMaySpellItsPathWithDots) {
  ReaderOptions options;
  options.schema = index::Schema(
      {index::parse_field("v:keyword:path=m.v"), index::parse_field("deep:i32:multi:path=a.b.c")});
  const auto values = [&](const char* members) {
    const auto all = read(std::string("{\"id\":1,\"contents\":\"\",") + members + "}", options).all;
    return all.empty() ? std::string() : all[0].second;
  };
  EXPECT_EQ(values(R"("m.v":"x")"), values(R"("m":{"v":"x"})"));
  EXPECT_EQ(values(R"("m.v":"x")"), "\n#0=x");
  for (const char* const spelling :
       {R"("a":{"b":{"c":7}})", R"("a.b":{"c":7})", R"("a":{"b.c":7})", R"("a.b.c":7)"}) {
    EXPECT_EQ(values(spelling), "\n#1=7") << spelling;
  }
  EXPECT_EQ(values(R"("a.b.c":7,"a":{"b":{"c":[8]}})"), "\n#1=7\n#1=8");
  EXPECT_EQ(values(R"("m.w":"x","m.":"y",".v":"z","m.v.w":1)"), "");
}

TEST_F(Jsonl, AMemberOfAFieldMayOccurOnceInItsObject) {
  ReaderOptions options;
  options.schema = index::Schema({index::parse_field("v:keyword:multi:path=m.v")});
  const auto problem = [&](const char* members) {
    return error(std::string("{\"id\":1,\"contents\":\"\",") + members + "}", options);
  };
  EXPECT_THAT(problem(R"("m":{"v":"x","v":"y"})"), HasSubstr("'v' occurs twice in one object"));
  EXPECT_THAT(problem(R"("m":{"v":"x"},"m":{"v":"y"})"), HasSubstr("'m' occurs twice"));
  // In several objects, or where nobody asks for it, it does no harm.
  EXPECT_EQ(
      read(R"({"id":1,"contents":"","m":[{"v":"x"},{"v":"y"}],"q":1,"q":2})", options).all.size(),
      1u);
}

TEST_F(Jsonl, AnArrayThatDoesNotEndIsMalformed) {
  EXPECT_THAT(error("[\n{\"id\":\"a\",\"contents\":\"1\"},"), HasSubstr("docs.jsonl:1: "));
  EXPECT_THAT(error("[{\"id\":\"a\",\"contents\":\"1\"},\n{\"id\":\"b\",\"con"),
              HasSubstr("docs.jsonl:2: "));
  EXPECT_THAT(error("[5]"), HasSubstr("docs.jsonl:1: "));
}

TEST_F(Jsonl, ReadsUtf16WithAMark) {
  std::string text = "\xff\xfe";
  for (const char c : std::string(R"({"id":"a","contents":"one"})")) text += {c, '\0'};
  EXPECT_THAT(read(text).all, ElementsAre(Pair("a", "one")));
}

TEST_F(Jsonl, RefusesARecordBeyondTheLimit) {
  ReaderOptions options;
  options.batch_bytes = 100;
  options.max_record_bytes = 1000;
  const std::string line = "{\"id\":\"a\",\"contents\":\"" + std::string(5000, 'x') + "\"}\n";
  EXPECT_THAT(error(line, options), HasSubstr("no end of a record within 1000 bytes"));
}

TEST_F(Jsonl, ReadsHugeLines) {
  const std::string text(20'000'000, 'x');
  const std::string line = "{\"id\":\"a\",\"contents\":\"" + text + "\"}\n";
  const Documents documents = read(line + "{\"id\":\"b\",\"contents\":\"y\"}");
  ASSERT_EQ(documents.all.size(), 2u);
  EXPECT_EQ(documents.all[0].second, text);
  EXPECT_EQ(documents.all[1].second, "y");
}

TEST_F(Jsonl, FieldsKeepTheirNames) {
  ReaderOptions options;
  options.fields = {"title", "body"};
  const auto file = directory_.write("f.jsonl", R"({"id":"x","body":"B","title":"T","more":"M"}
{"id":"y","body":"only"})");
  const auto source = corpora::open_documents(DocumentFormat::kJsonl, {file}, options);
  const auto batch = source->parse(source->read());
  ASSERT_EQ(batch->size(), 2u);
  ASSERT_EQ((*batch)[0].fields.size(), 2u);
  EXPECT_EQ((*batch)[0].fields[0].name, "title");
  EXPECT_EQ((*batch)[0].fields[1].text, "B");
  ASSERT_EQ((*batch)[1].fields.size(), 1u);
  EXPECT_EQ((*batch)[1].fields[0].name, "body");
}

}  // namespace
}  // namespace gannet
