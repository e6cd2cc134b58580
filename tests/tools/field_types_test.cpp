// Every type of fields in what the command prints.
#include <gmock/gmock.h>

#include <algorithm>

#include "index/fields/schema.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/type_samples.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

template <class T>
class PrintedTypes : public ::testing::Test {};
TYPED_TEST_SUITE(PrintedTypes, FieldTypes, FieldTypeNames);

TYPED_TEST(PrintedTypes, JsonHasValuesAsItReadThem) {
  if (TypeParam::traits.storage == index::Storage::kPostings) GTEST_SKIP() << "has no values";
  for (const TypeSample& sample : kTypeSamples<TypeParam>) {
    TemporaryDirectory folder;
    write_file(folder / "in.jsonl", sample_jsonl(TypeParam::traits, sample));
    const Output made = gannet({"index", "--input", folder / "in.jsonl", "--format", "jsonl",
                                "--output", folder / "idx", "--field", "f:" + sample.type});
    ASSERT_EQ(made.code, 0) << made.err;
    const Output found = gannet(
        {"search", "--index", folder / "idx", "--fields", "f", "--k", "100", "--json", "word"});
    ASSERT_EQ(found.code, 0) << found.err;
    const auto values = sample_documents(sample);
    for (std::size_t d = 0; d < values.size(); ++d) {
      const std::string hit = "/hits/" + std::to_string(d);
      ASSERT_EQ(json_at(found.out, hit + "/id"), "\"" + std::to_string(d) + "\"");
      const std::string value = json_at(found.out, hit + "/fields/f");
      if (values[d] == nullptr) {
        EXPECT_EQ(value, "null");
      } else if (TypeParam::traits.form == index::ValueForm::kFloat) {
        EXPECT_EQ(std::stod(value), std::stod(*values[d]));
      } else {
        EXPECT_EQ(value, json_literal(TypeParam::traits, *values[d]));
      }
    }
  }
}

TEST(FieldTypeNamesInHelp, AreThoseOfTheList) {
  std::string help = gannet({"index", "--help"}).out;
  std::ranges::replace(help, '\n', ' ');
  EXPECT_THAT(help, ::testing::HasSubstr(index::type_names()));
}

}  // namespace
}  // namespace gannet::test
