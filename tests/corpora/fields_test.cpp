// Values of fields from JSONL, TSV and CSV.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "index/fields/schema.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::ReaderOptions;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// `id: text | field=value field=value` for each document.
struct Read {
  std::vector<std::string> documents;
  std::uint64_t skipped = 0;
};

class FieldValues : public ::testing::Test {
 protected:
  Read read(DocumentFormat format, std::string_view text) {
    const auto source =
        corpora::open_documents(format, {directory_.write("input", text)}, options_);
    Read read;
    while (auto raw = source->read()) {
      const auto batch = source->parse(std::move(raw));
      for (std::size_t i = 0; i < batch->size(); ++i) {
        const index::Document document = (*batch)[i];
        std::string line = std::string(document.id) + ":";
        for (const auto& field : document.fields) line += " " + std::string(field.text);
        line += " |";
        for (const index::FieldText& value : document.values) {
          line += " " + options_.schema.fields()[value.field].name + "=" + std::string(value.text);
        }
        read.documents.push_back(line);
      }
      read.skipped += batch->skipped;
    }
    return read;
  }
  std::string refused(DocumentFormat format, std::string_view text) {
    return message_of<InputError>([&] { read(format, text); });
  }
  void schema(std::initializer_list<const char*> fields) {
    std::vector<index::FieldSpec> specs;
    for (const char* field : fields) specs.push_back(index::parse_field(field));
    options_.schema = index::Schema(std::move(specs));
  }

  test::TemporaryDirectory directory_;
  ReaderOptions options_;
};

using JsonFields = FieldValues;

TEST_F(JsonFields, EveryKindOfValue) {
  schema({"year:i32", "price:f64", "sold:bool", "tag:keyword", "note:keyword"});
  const Read found = read(DocumentFormat::kJsonl,
                          R"({"id": 1, "contents": "a", "year": 1999, "price": -1.5e3, "sold": true}
{"tag": "x \"y\" \u00e9", "id": "2", "year": "2001", "contents": "b", "sold": false, "other": {"year": 3}}
{"id": "3", "contents": "c", "year": null, "tag": 5, "note": true, "price":7 }
{"id": "4", "contents": "d", "tag": ""}
{"id": "5", "contents": "e"}
)");
  EXPECT_THAT(found.documents,
              ElementsAre("1: a | year=1999 price=-1.5e3 sold=true",
                          "2: b | tag=x \"y\" \u00e9 year=2001 sold=false",
                          "3: c | tag=5 note=true price=7", "4: d | tag=", "5: e |"));
}

/// JavaScript writes 1e20 as 100000000000000000000.
TEST_F(JsonFields, NumbersBeyond64Bits) {
  schema({"big:f64", "tags:keyword:multi"});
  const Read found = read(
      DocumentFormat::kJsonl,
      R"({"id": 1, "contents": "a", "big": 100000000000000000000, "tags": [1e400, 123456789012345678901234567890, 7]}
)");
  EXPECT_THAT(found.documents, ElementsAre("1: a | big=100000000000000000000 tags=1e400 "
                                           "tags=123456789012345678901234567890 tags=7"));
}

TEST_F(JsonFields, PathsLeadIntoObjectsAndArrays) {
  schema({"when:date:path=meta.date", "tags:keyword:multi:path=meta.tags",
          "who:keyword:multi:path=authors.name", "deep:i8:path=a.b.c"});
  const Read found = read(
      DocumentFormat::kJsonl,
      R"({"id": "1", "contents": "x", "meta": {"tags": ["a", null, "b"], "x": [1], "date": "2024-02-29"}}
{"id": "2", "contents": "x", "authors": [{"name": "A", "age": 3}, {"age": 4}, {"name": ["B", "C"]}], "meta": {}}
{"id": "3", "contents": "x", "a": {"b": {"c": -1}, "c": 2}, "b": 4, "meta": null, "authors": []}
{"id": "4", "contents": "x", "meta": {"tags": "one"}}
)");
  EXPECT_THAT(found.documents,
              ElementsAre("1: x | tags=a tags=b when=2024-02-29", "2: x | who=A who=B who=C",
                          "3: x | deep=-1", "4: x | tags=one"));
}

TEST_F(JsonFields, AMemberMayBeTextAndValue) {
  schema({"title_key:keyword:path=title", "again:keyword:path=title", "key:keyword:path=id"});
  options_.fields = {"title", "body"};
  const Read found = read(DocumentFormat::kJsonl,
                          "{\"id\": 7, \"title\": \"T\\n\", \"body\": \"B\"}\n"
                          "{\"title\": null, \"body\": \"B\", \"id\": \"8\"}\n");
  EXPECT_THAT(found.documents,
              ElementsAre("7: T\n B | key=7 title_key=T\n again=T\n", "8: B | key=8"));
}

TEST_F(JsonFields, ErrorsNameFileLineFieldAndValue) {
  schema({"year:i32", "tag:keyword:path=m.t"});
  const std::string good = R"({"id": "1", "contents": "x", "year": 1})"
                           "\n";
  const auto message = [&](const std::string& members) {
    return refused(DocumentFormat::kJsonl,
                   good + R"({"id": "2", "contents": "x", )" + members + "}\n");
  };
  EXPECT_THAT(message(R"("year": "MM")"),
              AllOf(HasSubstr("input:2: field 'year': 'MM' must be a whole number"),
                    HasSubstr("--on-error skip")));
  EXPECT_THAT(message(R"("year": 2.5)"), HasSubstr("'2.5'"));
  EXPECT_THAT(message(R"("year": 3000000000)"), HasSubstr("to 2147483647"));
  EXPECT_THAT(message(R"("year": true)"), HasSubstr("'true'"));
  EXPECT_THAT(message(R"("year": [1, 2])"), HasSubstr("'year' has several values"));
  EXPECT_THAT(message(R"("year": 1, "year": 2)"), HasSubstr("occurs twice"));
  EXPECT_THAT(message(R"("year": {"a": 1})"), HasSubstr("'year' is an object"));
  EXPECT_THAT(message(R"("m": 5)"), HasSubstr("'m' is not an object"));
  EXPECT_THAT(message(R"("m": {"t": "x})"), HasSubstr("not a valid JSON"));
}

TEST_F(JsonFields, MalformedRecordsCanBeSkipped) {
  schema({"year:i32"});
  options_.malformed = Malformed::kSkip;
  const Read found = read(DocumentFormat::kJsonl,
                          R"({"id": "1", "contents": "x", "year": "?"}
{"id": "2", "contents": "x", "year": 2}
{"id": "3", "contents": "x", "year": [3, 4]}
)");
  EXPECT_THAT(found.documents, ElementsAre("2: x | year=2"));
  EXPECT_EQ(found.skipped, 2u);
}

using TableFields = FieldValues;

TEST_F(TableFields, ColumnsOfTsv) {
  schema({"year:i32", "kind:keyword:path=type"});
  options_.header = true;
  EXPECT_THAT(
      read(DocumentFormat::kTsv, "id\ttitle\tyear\ttype\n1\tA\t1999\tx\n2\tB\t\t\n").documents,
      ElementsAre("1: A | year=1999 kind=x", "2: B |"));
  EXPECT_THAT(refused(DocumentFormat::kTsv, "id\ttitle\tyear\ttype\n1\tA\t1999\tx\n2\tB\tx\tx\n"),
              HasSubstr("input:3: field 'year': 'x'"));
  EXPECT_THAT(refused(DocumentFormat::kTsv, "id\ttitle\tyear\n1\tA\t1999\n"),
              HasSubstr("no column 'type'"));
  options_.fields = {"year", "title"};
  EXPECT_THAT(read(DocumentFormat::kTsv, "id\ttitle\tyear\ttype\n1\tA\t1999\tx\n").documents,
              ElementsAre("1: 1999 A | year=1999 kind=x"));
  options_.fields = {};
  options_.header = false;
  EXPECT_THAT(message_of<UsageError>([&] { read(DocumentFormat::kTsv, "1\tA\n"); }),
              HasSubstr("first line"));
  EXPECT_THAT(message_of<UsageError>([&] { read(DocumentFormat::kTrecText, ""); }),
              HasSubstr("no values of fields"));
}

using Csv = FieldValues;

TEST_F(Csv, QuotedValues) {
  schema({"year:i32"});
  EXPECT_THAT(read(DocumentFormat::kCsv,
                   "id,title,year\r\n"
                   "1,\"a, b\",1999\r\n"
                   "\r\n"
                   "\"2\",\"say \"\"hi\"\"\nthere\",\"2000\"\r\n"
                   "3,,\n"
                   "4,\"\",\"\"\n"
                   "5, x ,7")
                  .documents,
              ElementsAre("1: a, b | year=1999", "2: say \"hi\"\nthere | year=2000", "3:  |",
                          "4:  |", "5:  x  | year=7"));
}

TEST_F(Csv, WithoutASchema) {
  EXPECT_THAT(read(DocumentFormat::kCsv, "name,text\na,one\nb,two\n").documents,
              ElementsAre("a: one |", "b: two |"));
  EXPECT_THAT(read(DocumentFormat::kCsv, "text,id\n\"one\"\"\",a\n").documents,
              ElementsAre("a: one\" |"));
  EXPECT_THAT(read(DocumentFormat::kCsv, "id,text\n").documents, IsEmpty());
  EXPECT_THAT(read(DocumentFormat::kCsv, "").documents, IsEmpty());
  EXPECT_THAT(read(DocumentFormat::kCsv, "\n \n").documents, IsEmpty());
  EXPECT_THAT(read(DocumentFormat::kCsv, "\"id\",\"the \"\"text\"\"\"\na,b").documents,
              ElementsAre("a: b |"));
}

TEST_F(Csv, WhatIsMalformedIsNamedByItsFirstLine) {
  const std::string good = "id,text\n1,\"two\nlines\"\n";
  const auto message = [&](const std::string& more) {
    return refused(DocumentFormat::kCsv, good + more);
  };
  EXPECT_THAT(message("2,a\"b\n"), HasSubstr("input:4: a quote within a value"));
  EXPECT_THAT(message("2,\"a\"b\n"), HasSubstr("input:4: something stands behind"));
  EXPECT_THAT(message("2,\"a\n3,b\n"), HasSubstr("input:4: a quoted value does not end"));
  EXPECT_THAT(message("2,\"a\nb\",\"c\n"),
              HasSubstr("input:4: a quoted value does not end: the quote that is opened in line 5 "
                        "takes all up to the end"));
  EXPECT_THAT(message("2\n"), HasSubstr("input:4: 1 value, but the first line names 2 columns"));
  EXPECT_THAT(message("2,a,b\n"), HasSubstr("3 values"));
  EXPECT_THAT(message(",a\n"), HasSubstr("the id is empty"));
  EXPECT_THAT(refused(DocumentFormat::kCsv, "i\"d,text\n1,a\n"), HasSubstr("names of the columns"));
  options_.fields = {"body"};
  EXPECT_THAT(refused(DocumentFormat::kCsv, good), HasSubstr("no column 'body'"));
  options_.fields = {};
  options_.malformed = Malformed::kSkip;
  const Read found = read(DocumentFormat::kCsv, good + "2,a\"b\n3,\"x\"y\n4\n5,e\n");
  EXPECT_THAT(found.documents, ElementsAre("1: two\nlines |", "5: e |"));
  EXPECT_EQ(found.skipped, 3u);
}

TEST_F(Csv, BatchesDoNotShow) {
  schema({"n:u32"});
  std::string text = "id,text,n\n";
  for (int i = 0; i < 300; ++i) {
    text += std::to_string(i) + ",\"line\n" + std::string(static_cast<std::size_t>(i % 40), ',') +
            "\"\"\"," + std::to_string(i * i) + "\r\n";
  }
  const Read whole = read(DocumentFormat::kCsv, text);
  ASSERT_EQ(whole.documents.size(), 300u);
  for (const std::size_t bytes : {1u, 7u, 64u, 1000u}) {
    options_.batch_bytes = bytes;
    EXPECT_EQ(read(DocumentFormat::kCsv, text).documents, whole.documents) << bytes;
  }
}

}  // namespace
}  // namespace gannet
