// Fields of documents, built and read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "codecs/base/error.hpp"
#include "codecs/choose.hpp"
#include "codecs/columns.hpp"
#include "index/fields/build/field_collector.hpp"
#include "index/index.hpp"
#include "index/index_writer.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/expect_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::build_fields;
using test::codes_in;
using test::DocumentValues;
using test::expect_fields;
using test::Filling;
using test::message_of;
using test::random_values;
using test::schema_of;
using test::TemporaryDirectory;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Schema every_type() {
  return schema_of({"i8:i8",
                    "i16:i16",
                    "i32:i32",
                    "i64:i64",
                    "u8:u8",
                    "u16:u16",
                    "u32:u32",
                    "u64:u64",
                    "dec:decimal(2)",
                    "f32:f32",
                    "f64:f64",
                    "date:date",
                    "time:time",
                    "bool:bool",
                    "ip:ipv4",
                    "key:keyword",
                    "ints:i32:multi",
                    "floats:f64:multi",
                    "keys:keyword:multi",
                    "flags:bool:multi",
                    "ips:ipv4:multi",
                    "text:stored"});
}

TEST(Fields, AllTypesComeBackAsTheyWere) {
  const Schema schema = every_type();
  const std::vector<std::vector<Filling>> fillings{
      {{1, 100, 5}}, {{0.5, 1'000'000, 3}, {1, 1, 1}, {0.001, 50, 70}}, {{0, 1, 1}}};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    TemporaryDirectory directory;
    const std::size_t documents = std::vector<std::size_t>{1, 63, 64, 65, 1000, 3000}[seed];
    const auto values = random_values(schema, documents, fillings[seed % 3], seed);
    build_fields(directory.path(), schema, values);
    const Index index = Index::open(directory.path());
    EXPECT_EQ(index.schema(), schema);
    expect_fields(index, values);
    EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty());
  }
}

TEST(Fields, ManyBlocksWithBoundsSlow) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"n:u32", "gap:i64", "many:u16:multi", "key:keyword"});
  const auto values = random_values(
      schema, 150'000, {{1, 1'000'000, 1}, {0.3, 40, 1}, {0.7, 1000, 3}, {0.9, 5000, 1}}, 5);
  build_fields(directory.path(), schema, values);
  const Index index = Index::open(directory.path());
  expect_fields(index, values);
  for (std::size_t f = 0; f < schema.fields().size(); ++f) {
    const FieldColumn& column = index.segments()[0]->field(f);
    const std::vector<std::uint64_t> codes = codes_in(column);
    EXPECT_EQ(column.codes(), codes.size());
    EXPECT_EQ(column.blocks().size(), (codes.size() + kFieldBlock - 1) / kFieldBlock);
    EXPECT_GE(column.blocks().size(), 3u);
    std::uint64_t largest = 0;
    for (const FieldBlock& block : column.blocks()) {
      std::set<std::uint64_t> own;
      for (std::uint64_t i = block.first; i < block.first + block.count; ++i) {
        if (column.multi() || column.has(static_cast<std::uint32_t>(i))) own.insert(codes[i]);
      }
      EXPECT_EQ(block.least, *own.begin());
      EXPECT_EQ(block.greatest, *own.rbegin());
      largest = std::max(largest, block.greatest);
    }
    EXPECT_EQ(column.code_limit(), largest + 1);
    std::vector<std::uint32_t> narrow(column.blocks()[1].count);
    column.decode(1, narrow.data());
    EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), codes.begin() + kFieldBlock));
  }
}

TEST(Fields, BaseAndUnitAreTakenOut) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"a:i64", "b:time", "c:f64", "d:i8:multi", "e:i32"});
  const std::vector<DocumentValues> documents{
      {{0, "-1000"}, {1, "2020-01-01"}, {2, "0.5"}, {3, "5"}, {3, "-5"}, {4, "7"}},
      {{0, "-400"}, {1, "2020-01-03"}, {2, "0.5"}, {3, "5"}, {3, "5"}},
      {{0, "-700"}, {1, "2020-01-02"}, {2, "0.5"}}};
  build_fields(directory.path(), schema, documents);
  const Index index = Index::open(directory.path());
  expect_fields(index, documents);
  const Segment& segment = *index.segments()[0];
  EXPECT_THAT(codes_in(segment.field(0)), ElementsAre(0, 2, 1));
  EXPECT_EQ(segment.field(0).keys().unit, 300u);
  EXPECT_EQ(segment.field(0).code_limit(), 3u);
  EXPECT_TRUE(segment.field(0).present().empty());
  EXPECT_THAT(codes_in(segment.field(1)), ElementsAre(0, 2, 1));
  EXPECT_EQ(segment.field(1).keys().unit, 86'400'000u);
  EXPECT_EQ(segment.field(2).code_limit(), 1u);
  EXPECT_THAT(codes_in(segment.field(3)), ElementsAre(0, 1, 1));
  EXPECT_THAT(segment.field(3).starts(), ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(segment.field(3).present(), ElementsAre(3));
  EXPECT_THAT(segment.field(4).present(), ElementsAre(1));
}

TEST(Fields, WideCodes) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"a:u64", "b:i64", "c:f64:multi"});
  const std::vector<DocumentValues> documents{
      {{0, "0"}, {1, "-9223372036854775807"}, {2, "1e308"}, {2, "-1e308"}},
      {{0, "18446744073709551614"}, {1, "9223372036854775807"}, {2, "3.14"}},
      {{0, "1"}, {1, "2"}}};
  build_fields(directory.path(), schema, documents);
  const Index index = Index::open(directory.path());
  expect_fields(index, documents);
  const FieldColumn& column = index.segments()[0]->field(0);
  EXPECT_EQ(column.code_limit(), ~std::uint64_t{0});
  EXPECT_EQ(index.segments()[0]->field(1).code_limit(), ~std::uint64_t{0});
  std::vector<std::uint32_t> narrow(3);
  EXPECT_THROW(column.decode(0, narrow.data()), UsageError);
  EXPECT_THROW(column.decode(1, narrow.data()), UsageError);
}

/// A limit of 2^64 is no number, so that a column cannot hold all values of 64 bits. Refused with
/// the document, and not when segments meet that have one of them each.
TEST(Fields, AnExtremeOf64BitsIsRefusedWithItsDocument) {
  const std::vector<std::pair<const char*, const char*>> extremes{
      {"a:u64", "18446744073709551615"},
      {"a:i64", "-9223372036854775808"},
      {"a:i64:multi", "-9223372036854775808"},
      {"a:decimal(2)", "-92233720368547758.08"}};
  for (const auto& [field, value] : extremes) {
    const char* const extreme = value;
    TemporaryDirectory directory;
    const Schema schema = schema_of({field});
    EXPECT_THAT(message_of<InputError>([&] {
                  build_fields(directory.path(), schema, {{{0, "1"}}, {{0, extreme}}});
                }),
                AllOf(HasSubstr("document"), HasSubstr("field 'a'"), HasSubstr(extreme),
                      HasSubstr("which no column can hold beside the others")))
        << field;
    const std::vector<FieldText> values{{0, extreme}};
    EXPECT_THAT(FieldCheck(schema).problem(values).value_or(""), HasSubstr(extreme)) << field;
  }
  TemporaryDirectory directory;
  build_fields(directory.path(), schema_of({"a:i32", "b:u8"}),
               {{{0, "-2147483648"}, {1, "255"}}, {{0, "2147483647"}, {1, "0"}}});
}

TEST(Fields, EveryCodecOfTheLibrary) {
  const Schema plain = schema_of({"a:u16", "b:keyword:multi", "c:i64"});
  const auto values =
      random_values(plain, 3000, {{1, 500, 1}, {0.8, 30, 4}, {0.5, 1'000'000'000'000'000, 1}}, 9);
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    if (!codec.takes(codecs::ValueType::kU32)) continue;
    // Codecs of different types may share a name.
    const auto all = codecs::all_codecs();
    const bool wide = std::any_of(all.begin(), all.end(), [&](const codecs::Codec& other) {
      return other.name == codec.name && other.takes(codecs::ValueType::kU64);
    });
    std::vector<FieldSpec> fields = plain.fields();
    for (FieldSpec& field : fields) field.codec = codec.name;
    if (!wide) fields[2].codec = "auto";
    TemporaryDirectory directory;
    build_fields(directory.path(), Schema(fields), values);
    const Index index = Index::open(directory.path());
    expect_fields(index, values);
    EXPECT_EQ(index.segments()[0]->field(0).codec(0), codec.name);
    EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty()) << codec.name;
    if (wide) continue;
    fields[2].codec = codec.name;
    const BuildReport report = build_fields(directory.path(), Schema(fields), values);
    EXPECT_EQ(report.fallbacks, (std::vector<CodecFallback>{{"c", std::string(codec.name), "auto",
                                                             "its codes take 64 bits"}}));
    expect_fields(Index::open(directory.path()), values);
  }
}

TEST(Fields, AutoTakesTheSmallestOfEachBlock) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"n:u32"});
  const auto values = random_values(schema, 100'000, {{1, 700, 1}}, 2);
  build_fields(directory.path(), schema, values);
  const Index index = Index::open(directory.path());
  const FieldColumn& column = index.segments()[0]->field(0);
  const std::vector<std::uint64_t> codes = codes_in(column);
  for (std::size_t b = 0; b < column.blocks().size(); ++b) {
    std::vector<std::uint32_t> block(column.blocks()[b].count);
    column.decode(b, block.data());
    std::size_t best = ~std::size_t{0};
    for (const codecs::Codec* codec : codecs::auto_candidates(codecs::ValueType::kU32)) {
      std::vector<std::uint32_t> words;
      codec->encode(codecs::ValueType::kU32, std::as_bytes(std::span(block)), {}, words);
      best = std::min(best, words.size() * sizeof words[0]);
    }
    EXPECT_EQ(column.bytes(b), best);
  }
}

/// Strings beyond the budget go to disk as sorted runs; nothing shows of that.
TEST(Fields, BytesDoNotDependOnThreadsOrMemorySlow) {
  const Schema schema = schema_of({"key:keyword", "n:i32", "keys:keyword:multi", "few:keyword"});
  std::vector<DocumentValues> values = random_values(
      schema, 60'000, {{0.9, 1'000'000, 1}, {1, 100, 1}, {1, 900'000, 4}, {1, 9, 1}}, 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i].emplace_back(2, std::string(200, 'x') + std::to_string(i * 7919 % 60'000));
  }
  TemporaryDirectory one;
  BuildOptions options;
  options.threads = 1;
  EXPECT_EQ(build_fields(one.path(), schema, values, options).runs, 0u);
  TemporaryDirectory two;
  options.threads = 4;
  options.memory = std::uint64_t{64} << 20;
  EXPECT_GT(build_fields(two.path(), schema, values, options).runs, 1u);
  EXPECT_TRUE(test::snapshot(one.path()) == test::snapshot(two.path()));
  expect_fields(Index::open(two.path()), values);
  EXPECT_THAT(verify_index(two.path()).problems, IsEmpty());
}

TEST(Fields, KeywordsAreSortedAndFound) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"a:keyword", "b:keyword"});
  build_fields(directory.path(), schema,
               {{{0, "b"}}, {{0, ""}}, {{0, "\xff"}}, {{0, "ab"}}, {{0, "b"}, {1, "z"}}, {}});
  const Index index = Index::open(directory.path());
  const FieldColumn& column = index.segments()[0]->field(0);
  const KeywordDictionary& dictionary = *column.dictionary();
  ASSERT_EQ(dictionary.size(), 4u);
  EXPECT_EQ(dictionary.text(0), "");
  EXPECT_EQ(dictionary.text(1), "ab");
  EXPECT_EQ(dictionary.text(3), "\xff");
  EXPECT_EQ(dictionary.lower_bound("a"), 1u);
  EXPECT_EQ(dictionary.lower_bound("b"), 2u);
  EXPECT_EQ(dictionary.lower_bound("c"), 3u);
  EXPECT_EQ(dictionary.lower_bound("\xff\x01"), 4u);
  EXPECT_EQ(index.segments()[0]->field(1).dictionary()->text(0), "z");
  EXPECT_EQ(test::values_in(column)[5], std::vector<std::string>());
}

TEST(Fields, ADictionaryIsReadInOrderAsItIsLookedUp) {
  std::vector<test::DocumentValues> documents;
  for (int d = 0; d < 500; ++d) documents.push_back({{0, "word " + std::to_string(d * 37 % 500)}});
  const test::TemporaryDirectory directory;
  test::build_fields(directory.path(), test::schema_of({"tag:keyword"}), documents);
  const Index index = Index::open(directory.path());
  const KeywordDictionary& dictionary = *index.segments()[0]->field(0).dictionary();
  ASSERT_EQ(dictionary.size(), 500u);
  for (const std::uint32_t step : {1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 100u, 499u}) {
    const auto reader = dictionary.reader();
    for (std::uint32_t number = 0; number < dictionary.size(); number += step) {
      ASSERT_EQ(reader->go_to(number), dictionary.text(number)) << step;
      ASSERT_EQ(reader->go_to(number), dictionary.text(number)) << "the same again";
    }
  }
}

TEST(Fields, ValuesThatAreNoneAreNamed) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"year:i32", "tag:keyword:multi"});
  const auto message = [&](const DocumentValues& values) {
    return message_of<InputError>([&] { build_fields(directory.path(), schema, {{}, values}); });
  };
  EXPECT_THAT(message({{0, "MMXX"}}),
              AllOf(HasSubstr("document 'd1'"), HasSubstr("field 'year'"), HasSubstr("'MMXX'")));
  EXPECT_THAT(message({{0, "1"}, {0, "2"}}),
              AllOf(HasSubstr("document 'd1'"), HasSubstr("several values")));
  EXPECT_THAT(message({{1, std::string(65'536, 'x')}}), HasSubstr("at most 65535 bytes"));
  EXPECT_THAT(message({{2, "1"}}), HasSubstr("no field 2"));
  EXPECT_NO_THROW(
      build_fields(directory.path(), schema, {{{1, std::string(65'535, 'x')}, {1, "y"}}}));
}

TEST(Fields, AnIndexWithoutFieldsSaysNothingOfThem) {
  TemporaryDirectory directory;
  build_fields(directory.path(), {}, {{}, {}});
  const Index index = Index::open(directory.path());
  EXPECT_TRUE(index.schema().empty());
  EXPECT_THROW(index.segments()[0]->field(0), UsageError);
  EXPECT_THAT(test::read_file(directory / "manifest.json"), Not(HasSubstr("schema")));
  EXPECT_THAT(test::names_in(directory.path()), Each(Not(HasSubstr("fields"))));
}

TEST(Fields, NoDocumentsAtAll) {
  TemporaryDirectory directory;
  const Schema schema = every_type();
  build_fields(directory.path(), schema, {});
  const Index index = Index::open(directory.path());
  for (std::size_t f = 0; f < schema.fields().size(); ++f) {
    EXPECT_EQ(index.segments()[0]->field(f).codes(), 0u);
    EXPECT_EQ(index.segments()[0]->field(f).multi(), schema.fields()[f].multi);
  }
  EXPECT_THROW(index.segments()[0]->field(schema.fields().size()), UsageError);
  EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty());
}

TEST(Fields, EverySegmentHasItsOwn) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.schema = schema_of({"n:i32", "key:keyword"});
  IndexWriter writer(directory.path(), options);
  const auto add = [&](std::string_view number, std::string_view key) {
    FieldBatch batch;
    writer.fields()->converter().start(batch);
    const std::vector<FieldText> values{{0, number}, {1, key}};
    writer.fields()->converter().add("d", values, batch);
    writer.fields()->add(batch);
    writer.add_document("", 0);
  };
  add("5", "b");
  writer.add_document("", 0);  // without values
  writer.next_segment();
  add("700", "a");
  writer.commit();
  const Index index = Index::open(directory.path());
  ASSERT_EQ(index.segments().size(), 2u);
  EXPECT_THAT(test::values_in(index.segments()[0]->field(0)),
              ElementsAre(ElementsAre("5"), IsEmpty()));
  EXPECT_THAT(test::values_in(index.segments()[1]->field(0)), ElementsAre(ElementsAre("700")));
  EXPECT_THAT(test::values_in(index.segments()[1]->field(1)), ElementsAre(ElementsAre("a")));
  EXPECT_EQ(index.segments()[1]->field(1).dictionary()->size(), 1u);
}

TEST(CodesOf, RangesOfKeys) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"n:i32", "none:i32", "wide:u64"});
  build_fields(directory.path(), schema,
               {{{0, "10"}, {2, "0"}}, {{0, "30"}}, {{0, "70"}, {2, "18446744073709551614"}}});
  const Index index = Index::open(directory.path());
  const FieldColumn& column = index.segments()[0]->field(0);
  const auto key = [&](int value) { return *key_of(column.spec(), std::to_string(value)); };
  const auto codes = [&](int least, int greatest) {
    const CodeRange range = codes_of(column, key(least), key(greatest));
    return range.empty() ? std::pair<std::uint64_t, std::uint64_t>{0, 0}
                         : std::pair{range.first, range.end};
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  ASSERT_EQ(column.keys().unit, 20u);
  EXPECT_EQ(codes(10, 70), Pair(0, 4));
  EXPECT_EQ(codes(-5, 1000), Pair(0, 4));
  EXPECT_EQ(codes(11, 69), Pair(1, 3));
  EXPECT_EQ(codes(30, 30), Pair(1, 2));
  EXPECT_EQ(codes(31, 49), Pair(0, 0));
  EXPECT_EQ(codes(71, 1000), Pair(0, 0));
  EXPECT_EQ(codes(-5, 9), Pair(0, 0));
  EXPECT_EQ(codes(70, 10), Pair(0, 0));
  EXPECT_TRUE(codes_of(index.segments()[0]->field(1), 0, ~std::uint64_t{0}).empty());
  const CodeRange all = codes_of(index.segments()[0]->field(2), 0, ~std::uint64_t{0});
  EXPECT_EQ(all.end, index.segments()[0]->field(2).code_limit());
}

}  // namespace
}  // namespace gannet::index
