// Schemas as options, files and manifests spell them.
#include "index/fields/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "tests/support/errors.hpp"

namespace gannet::index {
namespace {

using test::message_of;
using ::testing::HasSubstr;

std::string refused(std::string_view text) {
  return message_of<UsageError>([&] { parse_field(text); });
}

TEST(ParseField, EveryTypeIsReadAndSpelledAgain) {
  for (const char* text : {"a:i8",
                           "a:i16",
                           "a:i32",
                           "a:i64",
                           "a:u8",
                           "a:u16",
                           "a:u32",
                           "a:u64",
                           "a:decimal(0)",
                           "a:decimal(18)",
                           "a:f32",
                           "a:f64",
                           "a:date",
                           "a:time",
                           "a:bool",
                           "a:keyword",
                           "tag:keyword:multi",
                           "price:f64:cascaded",
                           "x.y-z_1:u8:multi:gpu-for:path=a.b",
                           "tag:keyword:multi:split=;",
                           "n:i32:multi:gpu-for:split= | :path=a:b",
                           "when:time:path=odd:name"}) {
    EXPECT_EQ(to_string(parse_field(text)), text);
  }
  const FieldSpec field = parse_field("n:u16:multi:path=a.b");
  EXPECT_EQ(field.name, "n");
  EXPECT_EQ(field.type, FieldType::kInteger);
  EXPECT_EQ(field.bits, 16u);
  EXPECT_FALSE(field.is_signed);
  EXPECT_TRUE(field.multi);
  EXPECT_EQ(field.codec, "auto");
  EXPECT_EQ(field.source(), "a.b");
  EXPECT_EQ(parse_field("year:i32").source(), "year");
  EXPECT_EQ(parse_field("c:decimal(2)").scale, 2u);
}

TEST(ParseField, SaysWhatIsWrong) {
  EXPECT_THAT(refused("year"), HasSubstr("NAME:TYPE"));
  EXPECT_THAT(refused("year:"), HasSubstr("there is no type ''"));
  EXPECT_THAT(refused("year:int"), AllOf(HasSubstr("'int'"), HasSubstr("i32")));
  EXPECT_THAT(refused("c:decimal(19)"), HasSubstr("there is no type"));
  EXPECT_THAT(refused("c:decimal"), HasSubstr("there is no type"));
  EXPECT_THAT(refused("c:decimal(2"), HasSubstr("there is no type"));
  EXPECT_THAT(refused("year:i32:mutli"), AllOf(HasSubstr("'mutli'"), HasSubstr("gpu-for")));
  EXPECT_THAT(refused("year:i32:path="), HasSubstr("nothing behind path="));
  EXPECT_THAT(refused("year:i32:multi:split="), HasSubstr("nothing behind split="));
  EXPECT_THAT(refused("year:i32:split=;"), HasSubstr("add multi"));
  EXPECT_THAT(refused("year:i32:multi:split=123456789"), HasSubstr("1 to 8 bytes"));
  EXPECT_THAT(refused(":i32"), HasSubstr("no name"));
  EXPECT_THAT(refused("1st:i32"), HasSubstr("a letter first"));
  EXPECT_THAT(refused("a b:i32"), HasSubstr("no name"));
  EXPECT_THAT(refused(std::string(65, 'a') + ":i32"), HasSubstr("1 to 64"));
  EXPECT_THAT(refused("id:keyword"), HasSubstr("path=id"));
  EXPECT_THAT(refused("contents:keyword"), HasSubstr("path=contents"));
  EXPECT_THAT(refused("score:i32"), HasSubstr("path=score"));
  EXPECT_THAT(refused("year:i32:"), HasSubstr("behind the last colon"));
  EXPECT_THAT(refused("year:i32:path=\xff"), HasSubstr("not UTF-8"));
}

TEST(Schema, FindsFieldsAndRefusesWhatCannotBe) {
  const Schema schema({parse_field("a:i8"), parse_field("b:keyword")});
  EXPECT_EQ(schema.find("b"), 1);
  EXPECT_EQ(schema.find("c"), -1);
  EXPECT_TRUE(Schema().empty());
  const auto message = [](std::vector<FieldSpec> fields) {
    return message_of<UsageError>([&] { Schema schema_of(fields); });
  };
  EXPECT_THAT(message({parse_field("a:i8"), parse_field("a:f32")}),
              HasSubstr("'a' is there twice"));
  FieldSpec field = parse_field("a:i8");
  field.bits = 12;
  EXPECT_THAT(message({field}), HasSubstr("8, 16, 32 or 64"));
  field = parse_field("a:f32");
  field.scale = 2;
  EXPECT_THAT(message({field}), HasSubstr("only decimals"));
  field = parse_field("a:f32");
  field.codec = "elias";
  EXPECT_THAT(message({field}), AllOf(HasSubstr("no codec 'elias'"), HasSubstr("cascaded")));
  std::vector<FieldSpec> many;
  for (std::size_t i = 0; i < kMaxFields; ++i) {
    many.push_back(parse_field("f" + std::to_string(i) + ":bool"));
  }
  EXPECT_NO_THROW(Schema{many});
  many.push_back(parse_field("last:bool"));
  EXPECT_THAT(message(many), HasSubstr("at most 128 fields"));
}

TEST(SchemaFile, IsReadAndWrittenAgain) {
  const std::string_view json =
      R"([{"name": "year", "type": "i32"},
          {"name": "tag", "type": "keyword", "multi": true, "codec": "rle", "path": "meta.tags"}])";
  const std::vector<FieldSpec> fields = parse_schema(json, "s.json");
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(to_string(fields[0]), "year:i32");
  EXPECT_EQ(to_string(fields[1]), "tag:keyword:multi:rle:path=meta.tags");
  EXPECT_EQ(parse_schema(schema_json(Schema(fields)), ""), fields);
  EXPECT_TRUE(parse_schema("[]", "").empty());
}

TEST(SchemaFile, ATypeThatIsNamedTwiceLeavesNothingOfTheFirst) {
  for (const char* first : {"i8", "u16", "decimal(2)", "text"}) {
    const std::string json =
        std::string(R"([{"name": "x", "type": ")") + first + R"(", "type": "f32"}])";
    EXPECT_EQ(parse_schema(json, ""), std::vector{parse_field("x:f32")}) << first;
  }
}

TEST(SchemaFile, SaysWhereItIsWrong) {
  const auto message = [](std::string_view json) {
    return message_of<InputError>([&] { parse_schema(json, "s.json"); });
  };
  EXPECT_THAT(message("["), AllOf(HasSubstr("s.json"), HasSubstr("not valid JSON")));
  EXPECT_THAT(message("{}"), HasSubstr("must be an array"));
  EXPECT_THAT(message("[1]"), AllOf(HasSubstr("field 1"), HasSubstr("an object")));
  EXPECT_THAT(message(R"([{"name": "a", "type": "i8"}, {"name": "b"}])"),
              AllOf(HasSubstr("field 2"), HasSubstr("'b'"), HasSubstr("\"type\"")));
  EXPECT_THAT(message(R"([{"name": "a", "type": "i9"}])"), HasSubstr("no type 'i9'"));
  EXPECT_THAT(message(R"([{"name": "a", "type": "i8", "multi": 1}])"), HasSubstr("true or false"));
  EXPECT_THAT(message(R"([{"name": "a", "type": "i8", "codec": 1}])"), HasSubstr("a string"));
  EXPECT_THAT(message(R"([{"name": "a", "type": "i8", "codec": "x"}])"), HasSubstr("no codec 'x'"));
  EXPECT_THAT(message(R"([{"name": "a", "type": "i8", "kind": 1}])"), HasSubstr("\"kind\""));
  EXPECT_THAT(message(R"([{"name": "id", "type": "i8"}])"), HasSubstr("path=id"));
}

}  // namespace
}  // namespace gannet::index
