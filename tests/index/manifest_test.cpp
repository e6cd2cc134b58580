// The manifest: what a reader refuses, and what it tells the user then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/files/checksum.hpp"
#include "index/files/format.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::random_collection;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using test::write_index;

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(OpenIndex, SaysWhatIsMissing) {
  TemporaryDirectory directory;
  EXPECT_THAT([&] { Index::open(directory.path() / "none"); },
              ThrowsMessage<IoError>(AllOf(HasSubstr("no such directory"), HasSubstr("none"))));
  EXPECT_THAT([&] { Index::open(directory.path()); },
              ThrowsMessage<IoError>(AllOf(HasSubstr("manifest.json"), HasSubstr("gannet index"))));
  write_file(directory.path() / "file", "x");
  EXPECT_THAT([&] { Index::open(directory.path() / "file"); },
              ThrowsMessage<IoError>(HasSubstr("not a directory")));
  std::filesystem::create_directory(directory.path() / "manifest.json");
  EXPECT_THAT([&] { Index::open(directory.path()); },
              ThrowsMessage<IoError>(HasSubstr("no index")));
}

/// Root may read everything; a link to itself cannot be looked at by anybody.
TEST(OpenIndex, SaysWhyItCannotLook) {
  TemporaryDirectory directory;
  std::filesystem::create_symlink(directory / "loop", directory / "loop");
  EXPECT_THAT([&] { Index::open(directory / "loop"); },
              ThrowsMessage<IoError>(
                  AllOf(HasSubstr("loop: cannot examine"), HasSubstr("symbolic links"))));
  std::filesystem::create_directory(directory / "index");
  std::filesystem::create_symlink(directory / "loop", directory / "index" / "manifest.json");
  EXPECT_THAT([&] { Index::open(directory / "index"); },
              ThrowsMessage<IoError>(HasSubstr("manifest.json: cannot examine")));
}

class Manifests : public ::testing::Test {
 protected:
  void SetUp() override { write_index(directory_.path(), random_collection(10, 3, 1)); }
  std::string manifest() const { return read_file(directory_.path() / "manifest.json"); }

  /// Replaces one text in the manifest by another, with or without making the checksum right again.
  void replace(const std::string& from, const std::string& to, bool with_checksum = true) {
    std::string json = manifest();
    ASSERT_NE(json.find(from), std::string::npos) << from;
    json.replace(json.find(from), from.size(), to);
    if (with_checksum) {
      const std::size_t body = json.size() - 31;
      json.replace(body + 11, 16, to_hex(xxh3(bytes_of(std::string_view(json).substr(0, body)))));
    }
    write_file(directory_.path() / "manifest.json", json);
  }
  template <class E>
  void expect_refused(const std::string& why) {
    EXPECT_THAT([&] { Index::open(directory_.path()); }, ThrowsMessage<E>(HasSubstr(why)));
  }

  TemporaryDirectory directory_;
};

TEST_F(Manifests, NewerVersionsAreNamed) {
  replace("\"version\": 2", "\"version\": 12");
  EXPECT_THAT([&] { Index::open(directory_.path()); },
              ThrowsMessage<VersionError>(AllOf(HasSubstr("version 12"), HasSubstr("version 2;"))));
}
TEST_F(Manifests, OlderVersionsAreToBeBuiltAgain) {
  replace("\"version\": 2", "\"version\": 1");
  expect_refused<VersionError>("older format; build the index again");
}
/// A bit that flipped is no other version.
TEST_F(Manifests, ADamagedVersionIsDamage) {
  replace("\"version\": 2", "\"version\": 3", false);
  expect_refused<DamageError>("checksum");
}
TEST_F(Manifests, ADamagedFeatureIsDamage) {
  replace("\"requires\": []", "\"requires\": [\"x\"]", false);
  expect_refused<DamageError>("checksum");
}
/// `gannet repair` goes by the manifest: it is of no help for this file.
TEST_F(Manifests, DamageIsNotToBeRepaired) {
  replace("\"k1\": 0.9", "\"k1\": 0.8", false);
  try {
    Index::open(directory_.path());
    FAIL();
  } catch (const DamageError& error) {
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("gannet repair")));
    EXPECT_THAT(error.what(), HasSubstr("from a backup"));
  }
}
/// What a writer would not keep.
TEST_F(Manifests, UnknownMembersOfInnerObjectsAreNamed) {
  const std::string whole = manifest();
  for (const auto& [of, before] :
       std::vector<std::pair<std::string, std::string>>{{"analyzer", "\"tokenizer\""},
                                                        {"scoring", "\"k1\""},
                                                        {"statistics", "\"documents\""},
                                                        {"codec", "\"id\": 1"}}) {
    SCOPED_TRACE(of);
    write_file(directory_.path() / "manifest.json", whole);
    replace(before, "\"colour\": 1, " + before);
    expect_refused<VersionError>("\"" + of + "\" has members 'colour'");
  }
}
TEST_F(Manifests, VersionZero) {
  replace("\"version\": 2", "\"version\": 0");
  expect_refused<FormatError>("version");
}
TEST_F(Manifests, UnknownFeatures) {
  replace("\"requires\": []", "\"requires\": [\"deletions\"]");
  expect_refused<VersionError>("'deletions'");
}
TEST_F(Manifests, UnknownCodecs) {
  replace("\"name\": \"gpu-bp128\"", "\"name\": \"gpu-new\"");
  expect_refused<VersionError>("'gpu-new'");
}
TEST_F(Manifests, CodecsUnderAnotherId) {
  replace("\"id\": 1", "\"id\": 2");
  expect_refused<VersionError>("'gpu-bp128' (id 2)");
}
TEST_F(Manifests, UnknownMembersAreIgnored) {
  replace("\"generation\"", "\"colour\": {\"a\": [1, 2.5, null]},\n  \"generation\"");
  EXPECT_NO_THROW(Index::open(directory_.path()));
}
TEST_F(Manifests, MissingMembers) {
  replace("\"analyzer\"", "\"analyser\"");
  expect_refused<FormatError>("\"analyzer\" is missing");
}
TEST_F(Manifests, MembersOfAnotherType) {
  replace("\"documents\": 10", "\"documents\": \"10\"");
  expect_refused<FormatError>("\"documents\" is not of the type");
}
TEST_F(Manifests, NegativeAndFractionalNumbers) {
  replace("\"tokens\": ", "\"tokens\": -");
  expect_refused<FormatError>("\"tokens\" is not of the type");
}
TEST_F(Manifests, ScoringThatNoQueryMayHave) {
  replace("\"k1\": 0.9", "\"k1\": 2e9");
  expect_refused<FormatError>("\"k1\" is out of range");
  WriteOptions options;
  const TemporaryDirectory other;
  for (const ScoringDefaults wrong : {ScoringDefaults{2e9f, 0.4f}, ScoringDefaults{0.9f, 1.5f}}) {
    options.defaults = wrong;
    EXPECT_THROW(IndexWriter(other / "index", options), UsageError);
    EXPECT_THROW(index::Index({}, AnalyzerConfig{}, wrong), UsageError);
  }
  options.defaults = {kMaxK1, 1.0f};
  EXPECT_NO_THROW(IndexWriter(other / "index", options));
}
TEST_F(Manifests, EditedByHand) {
  replace("\"k1\": 0.9", "\"k1\": 0.8", false);
  expect_refused<FormatError>("checksum");
}
TEST_F(Manifests, AnotherFormat) {
  replace("gannet index", "gannet indes", false);
  expect_refused<FormatError>("format");
}
TEST_F(Manifests, NoJson) {
  for (const char* bad : {"", "{", "[]", "null", "{}", "\xff", "{\"format\": \"gannet index\"}"}) {
    write_file(directory_.path() / "manifest.json", bad);
    EXPECT_THROW(Index::open(directory_.path()), FormatError) << bad;
  }
  write_file(directory_.path() / "manifest.json", std::string(100'000, '['));
  expect_refused<FormatError>("JSON");
}

}  // namespace
}  // namespace gannet::index
