// Folders that have files of several kinds.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "tests/support/compression.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kPicture("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);

class MixedFolder : public ::testing::Test {
 protected:
  MixedFolder() { std::filesystem::create_directory(folder_ / "docs"); }
  Output index(const std::string& words) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; $GANNET index " +
                 words + " -o idx --overwrite");
  }
  void file(const std::string& name, std::string_view bytes) {
    write_file(folder_ / "docs" / name, bytes);
  }
  static std::string document(const std::string& id) {
    return "{\"id\": \"" + id + "\", \"contents\": \"cat\"}\n";
  }

  TemporaryDirectory folder_;
};

TEST_F(MixedFolder, FilesThatNoReaderHasAreLeftOutWithOneNote) {
  file("a.jsonl", document("a"));
  file("b.jsonl.gz", gzip(document("b")));
  file("x.png", kPicture);
  file("y.png", kPicture);
  file("README.rst", "About these documents\n=====\n");
  for (const std::string words : {"docs", "docs -f jsonl"}) {
    const Output made = index(words);
    EXPECT_EQ(made.code, 0) << words << ": " << made.err;
    EXPECT_THAT(made.out, HasSubstr("idx: 2 documents")) << words;
    EXPECT_THAT(made.err, HasSubstr("gannet index: left out files with endings that jsonl does not "
                                    "read: .png (2), .rst (1)\n"))
        << words;
  }
}

TEST_F(MixedFolder, JsonCountsThem) {
  file("a.jsonl", document("a"));
  file("x.png", kPicture);
  EXPECT_EQ(json_at(index("docs --json").out, "/left_out"), "1");
}

TEST_F(MixedFolder, EmptyFilesSayNothing) {
  file("_SUCCESS", "");
  file("part-0", document("a"));
  const Output made = index("docs");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("idx: 1 document,"));
  std::filesystem::remove(folder_ / "docs/part-0");
  EXPECT_EQ(index("docs").code, 2);
}

TEST_F(MixedFolder, AFileThatIsNamedIsRead) {
  file("a.jsonl", document("a"));
  file("x.png", kPicture);
  EXPECT_EQ(index("docs/a.jsonl docs/x.png").code, 2);
  EXPECT_EQ(index("docs/a.jsonl docs/x.png -f jsonl").code, 3);
}

constexpr std::string_view kSchema = "[\n  {\"name\": \"year\", \"type\": \"i32\"}\n]\n";
constexpr std::string_view kSettings = "{\n  \"source\": {\"id\": 7},\n  \"license\": \"CC0\"\n}\n";

TEST_F(MixedFolder, JsonThatHoldsNoDocumentIsPassedOverWithANote) {
  file("a.jsonl", document("a"));
  file("b.json", document("b"));
  file("schema.json", kSchema);
  file("about.json", kSettings);
  for (const std::string words : {"docs", "docs -f jsonl", "docs --schema docs/schema.json"}) {
    const Output made = index(words);
    EXPECT_EQ(made.code, 0) << words << ": " << made.err;
    EXPECT_THAT(made.out, HasSubstr("idx: 2 documents")) << words;
    for (const std::string name : {"schema", "about"}) {
      EXPECT_THAT(made.err, HasSubstr("gannet index: docs/" + name +
                                      ".json: holds no document: no object "
                                      "with 'id' or 'contents' (passed over)\n"))
          << words;
    }
  }
  const Output listed = index("docs --on-error skip --skipped list --json");
  EXPECT_EQ(json_at(listed.out, "/skipped"), "0") << "it is no malformed record";
  EXPECT_THAT(read_file(folder_ / "list"), HasSubstr("docs/schema.json: holds no document"));
}

/// Of what might be a document nothing is lost in silence, or by a note alone.
TEST_F(MixedFolder, JsonThatMayBeADocumentIsNotPassedOver) {
  file("a.jsonl", document("a"));
  const auto refused = [&](std::string_view text, const std::string& words = "docs") {
    file("b.json", text);
    const Output made = index(words);
    EXPECT_EQ(made.code, 3) << text;
    EXPECT_THAT(made.err, HasSubstr("docs/b.json:1: the object"));
    return made.err;
  };
  EXPECT_THAT(refused("{\"docno\": \"b\", \"text\": \"dog\"}"), HasSubstr("--id-field docno"));
  EXPECT_THAT(refused("{\"contents\": \"dog\"}"), HasSubstr("has no 'id'"));
  EXPECT_THAT(refused("{\"id\": \"b\"}"), HasSubstr("no 'contents'"));
  EXPECT_THAT(refused("{\"year\": 1851}", "docs --field year:i32"), HasSubstr("has no 'id'"));
  EXPECT_THAT(refused("{\"title\": \"dog\"}\n{\"title\": \"cat\"}\n"),
              HasSubstr("is no document: it has no 'id' and no 'contents'"));
}

TEST_F(MixedFolder, JsonThatIsNamedOrAloneIsNoDocumentButAnError) {
  file("schema.json", kSettings);
  const Output alone = index("docs");
  EXPECT_EQ(alone.code, 3);
  EXPECT_THAT(alone.err, HasSubstr("docs/schema.json:1: the object is no document: it has no 'id' "
                                   "and no 'contents' (--id-field and --fields name other "
                                   "members)"));
  file("a.jsonl", document("a"));
  const Output named = index("docs/a.jsonl docs/schema.json");
  EXPECT_EQ(named.code, 3);
  EXPECT_THAT(named.err, HasSubstr("docs/schema.json:1: the object is no document"));
}

TEST_F(MixedFolder, AFolderWithNothingToReadIsAnError) {
  file("x.png", kPicture);
  const Output none = index("docs");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("x.png"), HasSubstr("give --format")));
  EXPECT_NE(index("docs -f jsonl").code, 0);
  EXPECT_NE(index("docs -f dir").code, 0);
}

TEST_F(MixedFolder, AnEndingThatNobodyKnowsIsReadWhereItBeginsAsTheFormatDoes) {
  file("a.jsonl", document("a"));
  file("part-1.rows", document("b"));
  file("c.notes", "nothing\n");
  const Output made = index("docs -f jsonl");
  EXPECT_THAT(made.out, HasSubstr("idx: 2 documents")) << made.err;
  EXPECT_THAT(made.err, HasSubstr(".notes (1)"));
}

TEST_F(MixedFolder, CollectionsWithoutEndingsAreReadWhole) {
  const auto news = [](const std::string& id) {
    return "<DOC>\n<DOCNO>" + id + "</DOCNO>\n<TEXT>cat</TEXT>\n</DOC>\n";
  };
  file("fr940104.0", news("a"));
  file("fr940104.1", "\n" + news("b"));
  file("ft911", news("c"));
  const Output made = index("docs -f trectext");
  EXPECT_THAT(made.out, HasSubstr("idx: 3 documents")) << made.err;
  EXPECT_THAT(made.err, Not(HasSubstr("left out")));
}

TEST_F(MixedFolder, TextsAndPicturesAreADirectory) {
  file("a.txt", "cat");
  file("x.png", kPicture);
  const Output made = index("docs --json");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(json_at(made.out, "/documents"), "1");
  EXPECT_EQ(json_at(made.out, "/left_out"), "1");
  EXPECT_THAT(made.err, HasSubstr(".png (1)"));
}

}  // namespace
}  // namespace gannet::test
