// Codecs of fields while an index grows: what a segment's values fitted, those of all may not. An
// index that was added to can be merged, whatever its fields are coded by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "index/files/file_system.hpp"
#include "index/manifest/manifest.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/updates/set_codec.hpp"
#include "index/updates/writer.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/index/fields_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::build_fields;
using test::DocumentValues;
using test::message_of;
using test::schema_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CodecsOfFields : public ::testing::Test {
 protected:
  void build(const std::vector<std::string>& fields, const std::vector<DocumentValues>& documents) {
    std::vector<FieldSpec> specs;
    for (const std::string& field : fields) specs.push_back(parse_field(field));
    build_fields(path_, Schema(specs), documents);
    all_ = documents;
  }
  BuildReport add(const std::vector<DocumentValues>& documents) {
    test::FieldSource source(documents, 300, "added" + std::to_string(all_.size()) + "-");
    const BuildReport report = add_documents(source, path_, options_to_add_to(path_));
    all_.insert(all_.end(), documents.begin(), documents.end());
    return report;
  }
  MergeReport merge() {
    const MergeReport report = merge_index(path_, {});
    expect_sound();
    return report;
  }
  void expect_sound() {
    const Index index = Index::open(path_);
    auto next = all_.begin();
    for (const auto& segment : index.segments()) {
      const auto end = next + static_cast<std::ptrdiff_t>(segment->statistics().documents);
      const FieldSpec& field = index.schema().fields()[0];
      EXPECT_EQ(test::values_in(segment->field(0)),
                test::expected_values(field, 0, std::vector<DocumentValues>(next, end)));
      next = end;
    }
    EXPECT_EQ(next, all_.end());
    EXPECT_THAT(verify_index(path_).problems, IsEmpty());
  }
  std::string codec_of(std::size_t segment) const {
    return std::string(Index::open(path_).segments()[segment]->field(0).codec(0));
  }

  const test::TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "index";
  std::vector<DocumentValues> all_;
};

std::vector<DocumentValues> numbered(std::uint64_t first, std::size_t count) {
  std::vector<DocumentValues> documents;
  for (std::size_t i = 0; i < count; ++i) documents.push_back({{0, std::to_string(first + i)}});
  return documents;
}

/// Milliseconds of 49.7 days have 32 bits.
TEST_F(CodecsOfFields, MergedTimesThatAreFartherApartGoToAWiderCodec) {
  for (const std::string codec : {"gpu-for", "gpu-bp128"}) {
    build({"when:time:" + codec}, {{{0, "2020-01-01T00:00:00.001Z"}}, {{0, "2020-01-02"}}});
    EXPECT_TRUE(add({{{0, "2021-01-01T00:00:00.002Z"}}, {{0, "2021-01-02"}}}).fallbacks.empty());
    EXPECT_EQ(merge().fallbacks,
              (std::vector<CodecFallback>{{"when", codec, "auto", "its codes take 64 bits"}}));
    EXPECT_EQ(read_manifest(path_).schema.fields()[0].codec, codec) << "what was asked for stays";
  }
}

TEST_F(CodecsOfFields, KeywordsThatAreTooManyForBitmapsGoToAnotherCodec) {
  build({"tag:keyword:wah"}, numbered(10'000, 3000));
  EXPECT_TRUE(add(numbered(20'000, 3000)).fallbacks.empty());
  EXPECT_EQ(codec_of(0), "wah");
  const MergeReport merged = merge();
  ASSERT_EQ(merged.fallbacks.size(), 1u);
  EXPECT_EQ(merged.fallbacks[0].used, "auto");
  EXPECT_THAT(merged.fallbacks[0].why, HasSubstr("6000 different values"));
  EXPECT_NE(codec_of(0), "wah");
}

/// The tables of a segment had the two of them with 2^64 - 1 for their unit, and met other values
/// when they were merged.
TEST_F(CodecsOfFields, ExtremesThatSegmentsBringTogetherFitOneColumn) {
  for (const auto& [field, least, greatest] :
       {std::tuple("n:i64", "-9223372036854775807", "9223372036854775807"),
        std::tuple("n:u64", "0", "18446744073709551614"),
        std::tuple("n:decimal(2)", "-92233720368547758.07", "92233720368547758.07")}) {
    build({field}, {{{0, least}}, {{0, greatest}}});
    add({{{0, "5"}}});
    merge();
  }
}

TEST_F(CodecsOfFields, ACommitThatCannotBeMergedIsACommit) {
  build({"n:i32"}, numbered(0, 3));
  WriterOptions options;
  options.merge_tier = 2;
  Writer writer(path_, options);
  // Damage that only merging reads.
  const Manifest manifest = read_manifest(path_);
  const std::filesystem::path file = path_ / file_name(manifest.segments[0], "postings");
  const std::string sound = test::read_file(file);
  std::string damaged = sound;
  for (std::size_t i = 64; i < 68; ++i) damaged[i] ^= 0x55;  // the only list
  const FieldText value{0, "7"};
  writer.add({.id = "new", .values = {&value, 1}});
  test::write_file(file, damaged);
  const CommitReport report = writer.commit();
  EXPECT_EQ(report.added, 1u);
  EXPECT_THAT(report.merge_problem, HasSubstr("segment-00000001"));
  EXPECT_EQ(writer.index()->segments().size(), 2u);
  test::write_file(file, sound);
  writer.add({.id = "newer", .values = {&value, 1}});
  const CommitReport after = writer.commit();
  EXPECT_EQ(after.merge_problem, "");
  EXPECT_EQ(writer.index()->segments().size(), 1u);
}

TEST_F(CodecsOfFields, SetCodecRewritesAField) {
  build({"n:i32:gpu-for", "tag:keyword"}, numbered(0, 500));
  add(numbered(700, 300));
  const auto before = Index::open(path_).statistics();
  const SetCodecReport report = set_codec(path_, "n", "wah");
  EXPECT_EQ(report.before, "gpu-for");
  EXPECT_EQ(report.written.segments, 2u);
  EXPECT_EQ(report.written.documents_merged, 800u);
  EXPECT_TRUE(report.written.fallbacks.empty());
  EXPECT_EQ(codec_of(0), "wah");
  EXPECT_EQ(codec_of(1), "wah");
  expect_sound();
  const auto after = Index::open(path_).statistics();
  EXPECT_EQ(after.documents, before.documents);
  EXPECT_EQ(after.postings, before.postings);
  EXPECT_EQ(add(numbered(2000, 3)).fallbacks.size(), 0u);
  EXPECT_EQ(codec_of(2), "wah") << "what is added has it";
  merge();
  EXPECT_EQ(codec_of(0), "wah");
}

/// An index in another codec is the one that was built with it.
TEST_F(CodecsOfFields, SetCodecGivesTheBytesOfABuild) {
  const test::TemporaryDirectory other;
  build({"n:i32:gpu-for", "tag:keyword"}, numbered(0, 500));
  set_codec(path_, "n", "gpu-bp128");
  build_fields(other.path(), schema_of({"n:i32:gpu-bp128", "tag:keyword"}), all_);
  EXPECT_EQ(test::segment_files(path_), test::segment_files(other.path()));
}

TEST_F(CodecsOfFields, SetCodecTellsWhatItCannotTake) {
  build({"n:u64", "t:text"}, {{{0, "0"}}, {{0, "1"}}, {{0, "9000000000"}}});
  const SetCodecReport report = set_codec(path_, "n", "gpu-for");
  ASSERT_EQ(report.written.fallbacks.size(), 1u);
  EXPECT_EQ(report.written.fallbacks[0].wanted, "gpu-for");
  expect_sound();
  EXPECT_FALSE(set_codec(path_, "n", "gpu-for").written.changed()) << "it has it already";
  EXPECT_THAT(message_of<UsageError>([&] { set_codec(path_, "m", "auto"); }),
              AllOf(HasSubstr("no field 'm'"), HasSubstr("n, t")));
  EXPECT_THAT(message_of<UsageError>([&] { set_codec(path_, "n", "zip"); }),
              HasSubstr("no codec 'zip'"));
  EXPECT_THAT(message_of<UsageError>([&] { set_codec(path_, "t", "gpu-for"); }),
              HasSubstr("texts have no codec"));
  expect_sound();
}

TEST_F(CodecsOfFields, SetCodecLeavesDeletedDocumentsOut) {
  build({"n:i32:gpu-for"}, numbered(0, 5));
  {
    DocumentRemover remover(path_);
    remover.remove(Docid{1});
    remover.commit();
  }
  EXPECT_EQ(set_codec(path_, "n", "auto").written.dropped, 1u);
  all_.erase(all_.begin() + 1);
  expect_sound();
}

/// Does something when the index's lock is opened for the first time: between whatever the next
/// writer did before, and its lock.
class BeforeTheLock : public FileSystem {
 public:
  explicit BeforeTheLock(std::function<void()> work) : work_(std::move(work)) {}
  int open(const std::filesystem::path& path, int flags) override {
    if (path.filename() == "gannet.lock") {
      if (const auto work = std::exchange(work_, {})) work();
    }
    return FileSystem::open(path, flags);
  }

 private:
  std::function<void()> work_;
};

/// Two commands at once: the second one begins with what the first has written.
TEST_F(CodecsOfFields, ThatOthersSetMeanwhileStay) {
  build({"a:u32", "b:u32"}, numbered(0, 50));
  BeforeTheLock other([&] { set_codec(path_, "a", "wah"); });
  const ReplacedFileSystem replaced(other);
  set_codec(path_, "b", "wah");
  const Index index = Index::open(path_);
  EXPECT_EQ(index.schema().fields()[0].codec, "wah");
  EXPECT_EQ(index.schema().fields()[1].codec, "wah");
}

TEST_F(CodecsOfFields, ThatOthersSetMeanwhileAreNoObstacle) {
  for (const std::string what : {"delete", "merge"}) {
    SCOPED_TRACE(what);
    std::filesystem::remove_all(path_);
    build({"a:u32"}, numbered(0, 50));
    BeforeTheLock other([&] { set_codec(path_, "a", "wah"); });
    const ReplacedFileSystem replaced(other);
    EXPECT_NO_THROW(what == "merge" ? static_cast<void>(merge_index(path_, {}))
                                    : static_cast<void>(DocumentRemover(path_).removed()));
    EXPECT_EQ(Index::open(path_).schema().fields()[0].codec, "wah");
  }
}

}  // namespace
}  // namespace gannet::index
