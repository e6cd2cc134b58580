// Shards: an index in pieces, and the pieces as the index again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/shards/shard_set_layout.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/index/fields_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::Crash;
using test::FieldsSource;
using test::segment_files;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ShardSets : public ::testing::Test {
 protected:
  /// Documents up to each of `ends`, a segment after the other.
  fs::path build(const std::string& name, const std::vector<std::size_t>& ends,
                 std::size_t begin = 0) {
    const fs::path path = folder_.path() / name;
    BuildOptions options;
    options.threads = 2;
    options.write.store_text = true;
    options.write.schema = FieldsSource::schema();
    for (bool first = true; const std::size_t end : ends) {
      FieldsSource source(documents_, begin, end);
      if (first) build_index(source, path, options);
      if (!first) add_documents(source, path, options_to_add_to(path));
      begin = end;
      first = false;
    }
    return path;
  }

  std::vector<ShardRecord> split(const fs::path& path, std::size_t shards) {
    return split_index(path, folder_.path() / "set", shards, {.threads = 2});
  }

  test::TemporaryDirectory folder_;
  fs::path set_ = folder_.path() / "set";
  std::vector<test::TextDocument> documents_ = test::random_documents(400, 150, 25, 9);
};

TEST_F(ShardSets, HaveTheBytesOfTheirDocumentsAndJoinedThoseOfTheWhole) {
  const fs::path whole = build("whole", {400});
  for (std::size_t shards = 1; shards <= 5; ++shards) {
    SCOPED_TRACE(shards);
    const auto records = split(whole, shards);
    ASSERT_EQ(records.size(), shards);
    for (std::size_t i = 0; i < shards; ++i) {
      const std::size_t begin = 400 * i / shards, end = 400 * (i + 1) / shards;
      EXPECT_EQ(records[i].docid_base, begin);
      EXPECT_EQ(records[i].documents, end - begin);
      const fs::path built = build("built", {end}, begin);
      EXPECT_EQ(segment_files(set_ / shard_name(i)), segment_files(built));
      EXPECT_TRUE(verify_index(set_ / shard_name(i), 1).problems.empty());
      fs::remove_all(built);
    }
    EXPECT_EQ(read_shard_set(set_), records);
    const Statistics joined = join_shards(set_, folder_.path() / "joined", {});
    EXPECT_EQ(joined.documents, 400u);
    EXPECT_EQ(segment_files(folder_.path() / "joined"), segment_files(whole));
    EXPECT_EQ(test::read_file(folder_.path() / "joined" / "manifest.json"),
              test::read_file(whole / "manifest.json"));
    fs::remove_all(set_);
    fs::remove_all(folder_.path() / "joined");
  }
}

TEST_F(ShardSets, AreOfAnyHistory) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<std::size_t> ends;
    for (std::size_t end = 1 + random() % 150; end < 400; end += 1 + random() % 120) {
      ends.push_back(end);
    }
    ends.push_back(400);
    const std::string name = std::to_string(seed);
    const fs::path path = build(name, ends);
    {
      DocumentRemover remover(path);
      for (std::size_t d = 0; d < 400; ++d) {
        // Also whole segments, and words of the bitmap.
        if (random() % 3 == 0 || (d >= 100 && d < 230)) remover.remove(documents_[d].id);
      }
      remover.commit();
    }
    split(path, 1 + seed);
    join_shards(set_, folder_.path() / "joined", {});
    std::uint64_t documents = 0;
    for (const ShardRecord& shard : read_shard_set(set_)) {
      EXPECT_EQ(shard.docid_base, documents);
      documents += shard.documents;
      EXPECT_TRUE(verify_index(set_ / shard.name, 1).problems.empty());
    }
    merge_index(path, {});
    EXPECT_EQ(segment_files(folder_.path() / "joined"), segment_files(path));
    fs::remove_all(set_);
    fs::remove_all(folder_.path() / "joined");
  }
}

TEST_F(ShardSets, OpenAsOneIndex) {
  const fs::path whole = build("whole", {400});
  split(whole, 3);
  const Index expected = Index::open(whole), found = Index::open(set_);
  EXPECT_EQ(found.segments().size(), 3u);
  EXPECT_EQ(found.statistics().documents, 400u);
  EXPECT_EQ(found.statistics().tokens, expected.statistics().tokens);
  for (Docid d = 0; d < 400; ++d) {
    ASSERT_EQ(found.document_id(d), expected.document_id(d));
    ASSERT_EQ(found.stored_text(d), expected.stored_text(d));
    ASSERT_EQ(found.stored_field(5, d), expected.stored_field(5, d));
    ASSERT_EQ(found.find_document(documents_[d].id), d);
  }
  EXPECT_EQ(Index::open(set_, found).segments(), found.segments()) << "shared";
}

TEST_F(ShardSets, MayHaveMoreShardsThanDocuments) {
  const fs::path whole = build("whole", {3});
  const auto records = split(whole, 7);
  std::vector<std::uint64_t> sizes;
  for (const ShardRecord& shard : records) sizes.push_back(shard.documents);
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{0, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(open_shards(set_).document_id(2), "doc-2");
  join_shards(set_, folder_.path() / "joined", {});
  EXPECT_EQ(segment_files(folder_.path() / "joined"), segment_files(whole));
}

TEST_F(ShardSets, OfDifferentCollectionsAreNotMixed) {
  const fs::path one = build("one", {400});
  const fs::path other = build("other", {399}, 0);
  split_index(other, folder_.path() / "others", 2, {});
  split(one, 2);
  fs::remove_all(set_ / "shard-0001");
  fs::copy(folder_.path() / "others" / "shard-0001", set_ / "shard-0001");
  EXPECT_THAT([&] { open_shards(set_); },
              ThrowsMessage<FormatError>(
                  AllOf(HasSubstr("shard-0001"), HasSubstr("not the one that its set"))));
  EXPECT_THROW(join_shards(set_, folder_.path() / "joined", {}), FormatError);
  EXPECT_FALSE(fs::exists(folder_.path() / "joined"));
  fs::remove_all(set_ / "shard-0001");
  EXPECT_THROW(open_shards(set_), DamageError);
}

TEST_F(ShardSets, AreNotOpenedOnceAShardHasChanged) {
  split(build("whole", {400}), 2);
  DocumentRemover remover(set_ / "shard-0000");
  EXPECT_TRUE(remover.remove("doc-3"));
  remover.commit();
  EXPECT_THAT([&] { open_shards(set_); }, ThrowsMessage<FormatError>(HasSubstr("changed since")));
}

TEST_F(ShardSets, RefuseWhatTheyCannotDo) {
  const fs::path whole = build("whole", {50});
  EXPECT_THROW(split(whole, 0), UsageError);
  EXPECT_THROW(split(whole, kMaxShards + 1), UsageError);
  EXPECT_FALSE(fs::exists(set_));
  EXPECT_THROW(split(folder_.path() / "no", 2), IoError);
  EXPECT_THROW(open_shards(whole), IoError);
  EXPECT_THROW(split_index(whole, whole, 2, {}), UsageError);
  split(whole, 2);
  EXPECT_THAT([&] { split(whole, 2); }, ThrowsMessage<UsageError>(HasSubstr("shards already")));
  EXPECT_EQ(open_shards(set_).statistics().documents, 50u);
  EXPECT_THROW(join_shards(set_, whole, {}), UsageError);
  EXPECT_THAT([&] { merge_index(set_, {}); },
              ThrowsMessage<UsageError>(HasSubstr("set of shards")));
  test::write_file(folder_.path() / "file", "x");
  EXPECT_THROW(split_index(whole, folder_.path() / "file", 2, {}), UsageError);
  fs::create_directory(folder_.path() / "mine");
  test::write_file(folder_.path() / "mine" / "shard-0000", "x");
  EXPECT_THAT([&] { split_index(whole, folder_.path() / "mine", 2, {}); },
              ThrowsMessage<UsageError>(HasSubstr("holds other files")));
  EXPECT_TRUE(fs::exists(folder_.path() / "mine" / "shard-0000"));
}

TEST_F(ShardSets, DamageIsFound) {
  split(build("whole", {50}), 2);
  const std::string good = test::read_file(set_ / "shards.json");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    test::write_file(set_ / "shards.json", bad);
    ASSERT_THROW(open_shards(set_), FormatError) << at;
    test::write_file(set_ / "shards.json", good.substr(0, at));
    ASSERT_THROW(open_shards(set_), FormatError) << at;
  }
}

/// What no damage of the disk is: somebody wrote it so.
TEST_F(ShardSets, WhatIsWrongWithTheirFileIsToldByName) {
  const auto said = [](const std::string& shards, const std::string& version = "2") {
    const std::string json =
        R"({"format": "gannet shards", "version": )" + version + R"(, "shards": )" + shards + "}";
    try {
      return std::to_string(parse_shard_set(json, "shards.json").size());
    } catch (const VersionError&) {
      throw;
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
  };
  const auto shard = [](int number, const std::string& base, const std::string& documents) {
    return R"({"name": ")" + shard_name(static_cast<std::size_t>(number)) + R"(", "docid_base": )" +
           base + R"(, "documents": )" + documents + R"(, "manifest": "0123456789abcdef"})";
  };
  EXPECT_EQ(said("[" + shard(0, "0", "5") + "," + shard(1, "5", "4294967290") + "]"), "2");
  EXPECT_THAT(said("[]"), HasSubstr("\"shards\""));
  EXPECT_THAT(said("7"), HasSubstr("\"shards\""));
  EXPECT_THAT(said("[7]"), HasSubstr("no object"));
  EXPECT_THAT(said("[" + shard(1, "0", "5") + "]"), HasSubstr("\"name\""));
  EXPECT_THAT(said("[" + shard(0, "1", "5") + "]"), HasSubstr("\"docid_base\""));
  EXPECT_THAT(said("[" + shard(0, "-1", "5") + "]"), HasSubstr("\"docid_base\""));
  EXPECT_THAT(said("[" + shard(0, "0", "5.5") + "]"), HasSubstr("\"documents\""));
  EXPECT_THAT(said("[" + shard(0, "0", "4294967296") + "]"), HasSubstr("too large"));
  EXPECT_THAT(said("[" + shard(0, "0", "5") + "," + shard(1, "5", "4294967291") + "]"),
              HasSubstr("too large"));
  EXPECT_THAT(said("[{}]"), HasSubstr("is missing"));
  EXPECT_THAT(said("[" + shard(0, "0", "5") + "]", "0"), HasSubstr("\"version\""));
  EXPECT_THROW(said("[" + shard(0, "0", "5") + "]", "99"), VersionError);
  EXPECT_THROW(said("[" + shard(0, "0", R"(5, "colour": 1)") + "]"), VersionError);
  EXPECT_THAT(said(std::string(5000, '[')), HasSubstr("not valid JSON"));
}

TEST_F(ShardSets, AStoppedSplitLeavesNothing) {
  const fs::path whole = build("whole", {400});
  std::stop_source stop;
  ShardOptions options{.stop = stop.get_token()};
  int lists = 0;
  options.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t) {
    if (stage == "reading documents" && done == 0 && ++lists == 2) stop.request_stop();
  };
  EXPECT_THROW(split_index(whole, set_, 3, options), CancelledError);
  EXPECT_EQ(lists, 2);
  EXPECT_FALSE(fs::exists(set_));
}

TEST_F(ShardSets, OnlyWhatAKilledWriterLeftIsRemoved) {
  const fs::path whole = build("whole", {50});
  for (const std::string name :
       {"shard-0000/notes.txt", "shard-0001", "shards.json.1-2.gannet.tmp/x"}) {
    SCOPED_TRACE(name);
    const test::TemporaryDirectory folder;
    test::write_file(folder.path() / "gannet.lock", "");
    fs::create_directories((folder.path() / name).parent_path());
    test::write_file(folder.path() / name, "mine");
    EXPECT_THAT([&] { split_index(whole, folder.path(), 2, {}); },
                ThrowsMessage<UsageError>(HasSubstr("holds other files")));
    EXPECT_EQ(test::read_file(folder.path() / name), "mine");
  }
}

TEST_F(ShardSets, NothingIsMadeWithinAnIndex) {
  const fs::path whole = build("whole", {50});
  split(whole, 2);
  const auto before = test::snapshot(whole);
  const auto refused = ThrowsMessage<UsageError>(HasSubstr("lies in the index"));
  for (const fs::path& inside : {whole / "sub", whole / "sub/sub/", whole / "../whole/sub"}) {
    EXPECT_THAT([&] { split_index(whole, inside, 2, {}); }, refused);
    EXPECT_THAT([&] { join_shards(set_, inside, {}); }, refused);
    EXPECT_THAT([&] { merge_into(whole, inside, true, {}); }, refused);
  }
  EXPECT_EQ(test::snapshot(whole), before);
}

/// Whole shards are no leftovers: of a set that lost its shards.json, or indexes that are called
/// so.
TEST_F(ShardSets, WholeShardsOfOthersStay) {
  const fs::path whole = build("whole", {50});
  split(whole, 2);
  fs::remove(set_ / "shards.json");
  const auto before = test::snapshot(set_);
  EXPECT_THAT([&] { split(whole, 3); }, ThrowsMessage<UsageError>(HasSubstr("holds other files")));
  EXPECT_EQ(test::snapshot(set_), before);
  fs::remove_all(set_);
  fs::create_directory(set_);
  fs::copy(whole, set_ / "shard-0000", fs::copy_options::recursive);
  test::write_file(set_ / "gannet.lock", "");
  test::write_file(set_ / "gannet-unfinished.txt", "notes of mine");
  const auto mine = test::snapshot(set_);
  EXPECT_THAT([&] { split(whole, 2); }, ThrowsMessage<UsageError>(HasSubstr("holds other files")));
  EXPECT_EQ(test::snapshot(set_), mine);
}

TEST_F(ShardSets, AKilledWriterLeavesWhatTheNextOneRemoves) {
  const fs::path whole = build("whole", {50});
  {
    ShardSetWriter writer(set_, 2);
    fs::copy(whole, writer.shard(0), fs::copy_options::recursive);
    fs::copy(set_, folder_.path() / "killed", fs::copy_options::recursive);
  }
  EXPECT_FALSE(fs::exists(set_));
  fs::rename(folder_.path() / "killed", set_);
  split(whole, 1);
  EXPECT_EQ(test::names_in(set_),
            (std::set<std::string>{"gannet.lock", "shard-0000", "shards.json"}));
}

TEST_F(ShardSets, MayLoseTheirFolderMeanwhile) {
  auto writer = std::make_unique<ShardSetWriter>(set_, 2);
  fs::remove_all(set_);
  EXPECT_THROW(writer->commit(), IoError);
  writer.reset();
  EXPECT_FALSE(fs::exists(set_));
}

/// A folder may be entered by who may not open it.
class ClosedFolder : public FileSystem {
 public:
  explicit ClosedFolder(fs::path folder) : folder_(std::move(folder)) {}
  int open(const fs::path& path, int flags) override {
    if (path != folder_) return FileSystem::open(path, flags);
    errno = EACCES;
    return -1;
  }

 private:
  fs::path folder_;
};

/// The mark cannot be made: there is no room.
class FullDisk : public FileSystem {
 public:
  int open(const fs::path& path, int flags) override {
    if (!path.filename().string().starts_with("gannet-unfinished")) {
      return FileSystem::open(path, flags);
    }
    errno = ENOSPC;
    return -1;
  }
};

TEST_F(ShardSets, AWriterThatCannotBeginLeavesNothing) {
  FullDisk full;
  const ReplacedFileSystem replaced(full);
  EXPECT_THROW(ShardSetWriter(set_, 2), IoError);
  EXPECT_FALSE(fs::exists(set_));
}

TEST_F(ShardSets, AreThereThoughTheParentCannotBeSynced) {
  const fs::path whole = build("whole", {40});
  ClosedFolder closed(set_.parent_path());
  const ReplacedFileSystem replaced(closed);
  EXPECT_NO_THROW(split(whole, 2));
  EXPECT_EQ(open_shards(set_).statistics().documents, 40u);
}

TEST_F(ShardSets, ANameThatNoFileCanHaveIsAnError) {
  EXPECT_THROW(open_shards(folder_.path() / std::string(300, 'x')), IoError);
}

TEST_F(ShardSets, ACrashLeavesAWholeSetOrNone) {
  const fs::path root = folder_.path() / "disk";
  const fs::path whole = build("whole", {40});
  test::FaultFileSystem faults(root);
  {
    const ReplacedFileSystem replaced(faults);
    faults.create_directory(root);
    split_index(whole, root / "set", 2, {.threads = 1});
  }
  bool none = false, all = false;
  for (std::size_t count = 0; count <= faults.log().size(); ++count) {
    for (const Crash crash : test::kCrashes) {
      const test::TemporaryDirectory disk;
      write_crashed(faults.log(), count, crash, 1, disk.path());
      const fs::path set = disk.path() / "set";
      if (is_shard_set(set)) {
        all = true;
        ASSERT_EQ(open_shards(set).statistics().documents, 40u) << count;
        ASSERT_TRUE(verify_index(set / "shard-0001", 1).problems.empty()) << count;
      } else {
        none = true;
        if (count % 7 != 0) continue;
        // What is left is no obstacle.
        split_index(whole, set, 3, {.threads = 1});
        ASSERT_EQ(read_shard_set(set).size(), 3u) << count;
      }
    }
  }
  EXPECT_TRUE(none);
  EXPECT_TRUE(all);
}

}  // namespace
}  // namespace gannet::index
