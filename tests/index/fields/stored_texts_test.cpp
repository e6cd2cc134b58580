// Stored fields: texts of any length come back as they were, missing ones stay missing, damage is
// told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/columns.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::build_fields;
using test::change_values;
using test::DocumentValues;
using test::message_of;
using test::schema_of;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Texts = std::vector<std::optional<std::string>>;

/// Words, now and then any bytes; some texts empty, some missing, some longer than a block.
Texts random_texts(std::size_t documents, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Texts texts(documents);
  for (auto& text : texts) {
    const std::uint64_t kind = random() % 20;
    if (kind == 0) continue;
    std::size_t length = random() % 200;
    if (kind == 1) length = 0;
    if (kind == 2) length = 60'000 + random() % 90'000;
    text.emplace();
    while (text->size() < length) {
      if (kind == 3) {
        *text += static_cast<char>(random());
      } else {
        *text += "word" + std::to_string(random() % 50) + ' ';
      }
    }
  }
  return texts;
}

std::vector<DocumentValues> values_of(const Texts& texts) {
  std::vector<DocumentValues> documents;
  for (const auto& text : texts) {
    documents.emplace_back();
    if (text) documents.back().emplace_back(0, *text);
  }
  return documents;
}

void expect_texts(const Index& index, const Texts& texts) {
  const FieldColumn& column = index.segments()[0]->field(0);
  ASSERT_NE(column.texts(), nullptr);
  for (std::uint32_t d = 0; d < texts.size(); ++d) {
    ASSERT_EQ(column.texts()->text(d), texts[d]) << d;
    ASSERT_EQ(index.stored_field(0, d), texts[d]);
    ASSERT_EQ(column.has(d), texts[d].has_value());
  }
}

TEST(StoredTexts, ComeBackInEveryCodecThatTakesBytesSlow) {
  const Texts texts = random_texts(300, 4);
  std::vector<std::string> codecs{"auto"};
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    if (codec.takes(codecs::ValueType::kU8)) codecs.emplace_back(codec.name);
  }
  EXPECT_THAT(codecs, ::testing::Contains("deflate"));
  for (const std::string& codec : codecs) {
    TemporaryDirectory directory;
    const std::string field = "text:stored:" + codec;
    build_fields(directory.path(), schema_of({field.c_str()}), values_of(texts));
    const Index index = Index::open(directory.path());
    expect_texts(index, texts);
    EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty()) << codec;
    if (codec == "auto") continue;
    const FieldColumn& column = index.segments()[0]->field(0);
    for (std::size_t b = 0; b < column.blocks().size(); ++b) EXPECT_EQ(column.codec(b), codec);
    EXPECT_GT(column.blocks().size(), 2u);
  }
}

TEST(StoredTexts, AreThereAreNotThereOrAreEmpty) {
  for (const Texts& texts :
       {Texts{"one"}, Texts{std::nullopt}, Texts{""}, Texts{"", std::nullopt, "three", ""},
        Texts(70, std::nullopt), Texts(64, "same"), Texts{std::string(65'536, 'x'), "y"}}) {
    TemporaryDirectory directory;
    build_fields(directory.path(), schema_of({"text:stored"}), values_of(texts));
    expect_texts(Index::open(directory.path()), texts);
    EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty());
  }
}

TEST(StoredTexts, StandBesideColumns) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"n:i32", "text:stored", "tag:keyword:multi", "more:stored"});
  const auto values = test::random_values(schema, 500, {{0.7, 90, 3}}, 3);
  build_fields(directory.path(), schema, values);
  const Index index = Index::open(directory.path());
  for (std::uint32_t f = 0; f < 4; ++f) {
    EXPECT_EQ(test::values_in(index.segments()[0]->field(f)),
              test::expected_values(schema.fields()[f], f, values));
  }
  EXPECT_THROW(index.stored_field(0, 0), UsageError);
  EXPECT_THROW(index.stored_field(4, 0), UsageError);
  EXPECT_THROW(index.stored_field(1, 500), UsageError);
}

TEST(StoredTexts, AreOneADocumentAndInCodecsOfBytes) {
  EXPECT_THAT(message_of<UsageError>([] { parse_field("text:stored:multi"); }),
              HasSubstr("a document has one stored text"));
  EXPECT_THAT(message_of<UsageError>([] { parse_field("text:stored:wah"); }),
              AllOf(HasSubstr("'wah'"), HasSubstr("deflate")));
  EXPECT_THAT(message_of<UsageError>(
                  [] { Schema({{.name = "text", .type = FieldType::kStored, .codec = "wah"}}); }),
              HasSubstr("no codec 'wah' for it"));
  EXPECT_EQ(to_string(parse_field("text:stored:deflate:path=a.b")), "text:stored:deflate:path=a.b");
  EXPECT_THAT(
      message_of<InputError>([] {
        TemporaryDirectory directory;
        build_fields(directory.path(), schema_of({"text:stored"}), {{{0, "one"}, {0, "two"}}});
      }),
      HasSubstr("several values"));
}

class DamagedTexts : public ::testing::Test {
 protected:
  DamagedTexts() {
    build_fields(path(), schema_of({"text:stored:deflate"}), values_of(random_texts(100, 9)));
  }
  const std::filesystem::path& path() const { return directory_.path(); }

  /// What is said of a section that was changed, with right checksums: by reading, or by verify.
  template <class T>
  std::string problem_of(Tag tag, const std::function<void(std::vector<T>&)>& change) {
    const auto before = test::snapshot(path());
    change_values<T>(path(), kFieldsFile, tag, change);
    std::string problem;
    try {
      const Index index = Index::open(path());
      for (std::uint32_t d = 0; d < 100; ++d) index.stored_field(0, d);
    } catch (const FormatError& error) {
      problem = error.what();
    }
    EXPECT_THAT(verify_index(path(), 1).problems, ::testing::Not(IsEmpty())) << problem;
    for (const auto& [name, bytes] : before) test::write_file(path() / name, bytes);
    return problem;
  }

  TemporaryDirectory directory_;
};

TEST_F(DamagedTexts, AreToldWithTheField) {
  const auto offsets = [&](const std::function<void(std::vector<std::uint64_t>&)>& change) {
    return problem_of<std::uint64_t>(field_tag(FieldSection::kOffsets, 0), change);
  };
  EXPECT_THAT(offsets([](auto& o) { o[0] = 1; }), HasSubstr("field 'text': the offsets"));
  EXPECT_THAT(offsets([](auto& o) { o.back() += 1; }), HasSubstr("do not fit"));
  EXPECT_THAT(offsets([](auto& o) { o[50] = ~std::uint64_t{0}; }), HasSubstr("out of place"));
  EXPECT_THAT(offsets([](auto& o) { o.pop_back(); }), HasSubstr("O000"));
  const auto row = [&](const std::function<void(FieldRow&)>& change) {
    return problem_of<FieldRow>(kFieldRows, [&](auto& rows) { change(rows[0]); });
  };
  EXPECT_THAT(row([](FieldRow& r) { r.codes += 1; }), HasSubstr("do not fit"));
  EXPECT_THAT(row([](FieldRow& r) { r.base = 1; }), HasSubstr("its row"));
  EXPECT_THAT(row([](FieldRow& r) { r.unit = 2; }), HasSubstr("its row"));
  EXPECT_THAT(row([](FieldRow& r) { r.strings = 2; }), HasSubstr("its row"));
  EXPECT_THAT(row([](FieldRow& r) { r.code_limit = 300; }), HasSubstr("limit of 300"));
  EXPECT_THAT(row([](FieldRow& r) { r.having = 101; }), HasSubstr("101 of 100"));
  EXPECT_THAT(row([](FieldRow& r) { r.having -= 1; }), HasSubstr("bitmap"));
  EXPECT_THAT(problem_of<std::uint64_t>(field_tag(FieldSection::kPresent, 0),
                                        [](auto& words) { words[0] = ~words[0]; }),
              HasSubstr("field 'text'"));
  // The column file within the section has checksums of its own.
  EXPECT_THAT(problem_of<char>(field_tag(FieldSection::kCodes, 0),
                               [](auto& bytes) { bytes[200] = static_cast<char>(~bytes[200]); }),
              HasSubstr("the texts of field 'text'"));
}

}  // namespace
}  // namespace gannet::index
