// What a later version added to an index - streams of lists, kinds of file, sections, members of
// the manifest - survives what leaves the segments' files alone, and stops what would lose it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "index/manifest/manifest.hpp"
#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::change_file;
using test::change_manifest;
using test::read_file;
using test::snapshot;
using test::TemporaryDirectory;
using test::TextDocument;
using test::VectorSource;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class UnknownParts : public ::testing::Test {
 protected:
  UnknownParts() {
    build(0, 200, false);
    build(200, 300, true);
  }

  void build(std::size_t begin, std::size_t end, bool append) {
    BuildOptions options = append ? options_to_add_to(index_) : BuildOptions();
    options.write.append = append;
    options.threads = 1;
    VectorSource source({documents_.begin() + static_cast<std::ptrdiff_t>(begin),
                         documents_.begin() + static_cast<std::ptrdiff_t>(end)},
                        1000);
    build_index(source, index_, options);
  }

  /// A file of a kind that only this test knows.
  void add_file() {
    test::write_file(index_ / kFile, "places of the future");
    change_manifest(index_, [](Manifest& m) {
      m.segments[0].files.push_back(
          {"places", {20, xxh3(bytes_of("places of the future")), 0}, 0, R"({"of":["a",2.5]})"});
    });
  }

  void expect_refused(const std::string& what) {
    const auto before = snapshot(index_);
    const fs::path output = folder_.path() / "out";
    const DocumentOrder order = parse_order("id");
    const std::vector<std::function<void()>> commands{
        [&] { merge_index(index_, {.threads = 1}); },
        [&] { merge_index(index_, {.tier = 2, .threads = 1}); },
        [&] { merge_into(index_, output, false, {.threads = 1}); },
        [&] { reorder_index(index_, order, {.threads = 1}); },
        [&] { reorder_index(index_, order, {.output = output, .threads = 1}); },
        [&] { split_index(index_, output, 2, {.threads = 1}); },
        [&] { repair_index(index_, output, {.threads = 1}); }};
    for (std::size_t i = 0; i < commands.size(); ++i) {
      EXPECT_THAT(commands[i],
                  ThrowsMessage<VersionError>(AllOf(HasSubstr(what), HasSubstr("would lose"),
                                                    HasSubstr(library_version()))))
          << "command " << i;
      EXPECT_TRUE(snapshot(index_) == before) << "command " << i;
      EXPECT_FALSE(fs::exists(output)) << "command " << i;
    }
  }

  /// Adds and deletes: the first segment's record, but for its live documents, stays as it is.
  void expect_kept() {
    const Manifest before = read_manifest(index_);
    build(300, 310, true);
    {
      DocumentRemover remover(index_);
      remover.remove("doc-7");
      remover.commit();
    }
    const Manifest after = read_manifest(index_);
    EXPECT_EQ(after.segments.size(), 3u);
    EXPECT_EQ(after.other, before.other);
    EXPECT_EQ(after.segments[0].other, before.segments[0].other);
    ASSERT_EQ(after.segments[0].streams.size(), before.segments[0].streams.size());
    for (std::size_t i = 0; i < before.segments[0].streams.size(); ++i) {
      EXPECT_EQ(after.segments[0].streams[i].name, before.segments[0].streams[i].name);
      EXPECT_EQ(after.segments[0].streams[i].other, before.segments[0].streams[i].other);
    }
    EXPECT_EQ(after.segments[0].files.size(), before.segments[0].files.size() + 1);
    for (std::size_t i = 0; i < before.segments[0].files.size(); ++i) {
      EXPECT_EQ(after.segments[0].files[i].kind, before.segments[0].files[i].kind);
      EXPECT_EQ(after.segments[0].files[i].other, before.segments[0].files[i].other);
    }
    EXPECT_THAT(verify_index(index_, 1).problems, IsEmpty());
    const Index index = Index::open(index_);
    EXPECT_EQ(index.find_document("doc-305"), 305u);
    EXPECT_EQ(index.find_document("doc-7"), std::nullopt);
  }

  static constexpr const char* kFile = "segment-00000001.places";
  TemporaryDirectory folder_;
  fs::path index_ = folder_.path() / "idx";
  std::vector<TextDocument> documents_ = test::random_documents(310, 100, 40, 8);
};

TEST_F(UnknownParts, AStreamIsKeptByAddingAndDeleting) {
  test::add_unknown_stream(index_);
  expect_kept();
  EXPECT_THAT(read_file(index_ / kManifestName), HasSubstr("of-the-future"));
}
TEST_F(UnknownParts, AStreamStopsWhatWouldLoseIt) {
  test::add_unknown_stream(index_);
  expect_refused("segment-00000001 has a stream 'payloads'");
}

TEST_F(UnknownParts, AFileIsKeptByAddingAndDeleting) {
  add_file();
  expect_kept();
  EXPECT_EQ(read_file(index_ / kFile), "places of the future");
}
TEST_F(UnknownParts, AFileStopsWhatWouldLoseIt) {
  add_file();
  expect_refused("segment-00000001 has a file of kind 'places'");
}
TEST_F(UnknownParts, AFileGoesWithAnIndexThatIsReplaced) {
  add_file();
  BuildOptions options;
  options.write.overwrite = true;
  VectorSource source(documents_, 1000);
  build_index(source, index_, options);
  EXPECT_FALSE(fs::exists(index_ / kFile));
}

TEST_F(UnknownParts, ASectionStopsWhatWouldLoseIt) {
  change_file(index_, kPostingsFile, [](auto& sections) {
    sections.insert(sections.begin() + 1, {Tag("UBND"), 0, "bounds of the future"});
  });
  expect_kept();
  expect_refused("section 'UBND' of segment-00000001.postings");
}

TEST_F(UnknownParts, MembersOfTheManifestAreKeptByAddingAndDeleting) {
  change_manifest(index_, [](Manifest& m) {
    m.other = R"({"colour":{"a":[1,2.5,null]}})";
    m.segments[0].other = R"({"sorted by":"price"})";
  });
  expect_kept();
  expect_refused("");
}
TEST_F(UnknownParts, MembersOfNoSegmentStopWhatWouldLoseThem) {
  change_manifest(index_, [](Manifest& m) { m.other = R"({"colour":1})"; });
  expect_refused("members 'colour'");
}

TEST_F(UnknownParts, MembersOfAnyShardStopJoining) {
  const fs::path set = folder_.path() / "set";
  {
    ShardSetWriter writer(set, 2);
    for (const std::size_t i : {0u, 1u}) merge_into(index_, writer.shard(i), false, {.threads = 1});
    change_manifest(writer.shard(1), [](Manifest& m) { m.other = R"({"colour":1})"; });
    writer.commit();
  }
  EXPECT_THAT([&] { join_shards(set, folder_.path() / "out", {.threads = 1}); },
              ThrowsMessage<VersionError>(AllOf(HasSubstr("shard-0001"), HasSubstr("'colour'"))));
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

}  // namespace
}  // namespace gannet::index
