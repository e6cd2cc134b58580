// Links that others have put into an index's folder: nothing follows them, and what they lead to
// stays as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "codecs/base/error.hpp"
#include "index/files/atomic_file.hpp"
#include "index/index_writer.hpp"
#include "index/manifest/directory.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/shard_set.hpp"
#include "index/updates/add.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::names_in;
using test::read_file;
using test::write_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PlantedLinks : public ::testing::Test {
 protected:
  PlantedLinks() {
    test::write_index(path_, old_);
    write_file(victim_, kPrecious);
  }

  void add() const {
    WriteOptions options = write_options_of(path_);
    IndexWriter writer(path_, options);
    test::add_documents(writer, new_);
    test::add_lists(writer, new_);
    writer.commit();
  }

  static constexpr const char* kPrecious = "what the user needs";
  const test::TemporaryDirectory directory_;
  const fs::path path_ = directory_.path() / "index";
  const fs::path victim_ = directory_.path() / "victim";
  const test::Collection old_ = test::random_collection(30, 20, 1);
  const test::Collection new_ = test::random_collection(30, 20, 2);
};

TEST_F(PlantedLinks, TheLockIsNoWayToAnotherFile) {
  for (const bool symbolic : {true, false}) {
    fs::remove(path_ / kLockName);
    symbolic ? fs::create_symlink(victim_, path_ / kLockName)
             : fs::create_hard_link(victim_, path_ / kLockName);
    EXPECT_THAT(
        message_of<UsageError>([&] { const DirectoryLock lock(path_); }),
        AllOf(HasSubstr("gannet.lock"), HasSubstr(symbolic ? "symbolic link" : "did not write"),
              HasSubstr("Move it away")));
    EXPECT_THROW(add(), UsageError);
    EXPECT_EQ(read_file(victim_), kPrecious);
  }
  fs::remove(path_ / kLockName);
  add();
  EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
}

/// Not even made, where it leads to nothing.
TEST_F(PlantedLinks, TheLockMakesNoFileElsewhere) {
  fs::remove(path_ / kLockName);
  fs::create_symlink(directory_.path() / "new", path_ / kLockName);
  EXPECT_THROW(DirectoryLock{path_}, UsageError);
  EXPECT_FALSE(fs::exists(directory_.path() / "new"));
}

TEST_F(PlantedLinks, ALockThatIsNoFileIsRefusedWithoutWaiting) {
  fs::remove(path_ / kLockName);
  ASSERT_EQ(::mkfifo((path_ / kLockName).c_str(), 0600), 0);
  EXPECT_THAT(message_of<UsageError>([&] { const DirectoryLock lock(path_); }),
              HasSubstr("no regular file"));
  fs::remove(path_ / kLockName);
  fs::create_directory(path_ / kLockName);
  EXPECT_THAT(message_of<UsageError>([&] { const DirectoryLock lock(path_); }),
              HasSubstr("no regular file"));
}

TEST_F(PlantedLinks, TemporaryFilesGoToNoOtherFolder) {
  fs::create_directory(directory_.path() / "other");
  write_file(directory_.path() / "other/run-1", kPrecious);
  fs::create_directory_symlink(directory_.path() / "other", path_ / kScratchName);
  EXPECT_THAT(message_of<UsageError>([&] { add(); }),
              AllOf(HasSubstr("gannet-scratch.tmp"), HasSubstr("symbolic link")));
  EXPECT_EQ(names_in(directory_.path() / "other"), std::set<std::string>{"run-1"});
  EXPECT_EQ(read_file(directory_.path() / "other/run-1"), kPrecious);
  fs::remove(path_ / kScratchName);
  write_file(path_ / kScratchName, kPrecious);
  EXPECT_THAT(message_of<UsageError>([&] { add(); }), HasSubstr("is no folder"));
  EXPECT_EQ(read_file(path_ / kScratchName), kPrecious);
}

/// Files of the next segment, temporary names of all kinds, and the manifest.
TEST_F(PlantedLinks, WhatIsWrittenReplacesLinksAndFollowsNone) {
  const std::string victim_manifest = read_file(path_ / "manifest.json");
  write_file(directory_.path() / "manifest", victim_manifest);
  fs::remove(path_ / "manifest.json");
  fs::create_symlink(directory_.path() / "manifest", path_ / "manifest.json");
  for (const char* name :
       {"segment-00000002.lexicon", "segment-00000002.documents", "segment-00000003.postings",
        "segment-00000002.fields", "segment-00000002.live-00000002", "manifest.json.1-2.gannet.tmp",
        "segment-00000002.postings.1-2.gannet.tmp", "gannet.lock.1-1.gannet.tmp"}) {
    fs::create_symlink(victim_, path_ / name);
  }
  add();
  EXPECT_EQ(read_file(victim_), kPrecious);
  EXPECT_EQ(read_file(directory_.path() / "manifest"), victim_manifest);
  EXPECT_FALSE(fs::is_symlink(path_ / "manifest.json"));
  EXPECT_EQ(Index::open(path_).statistics().documents, 60u);
}

TEST_F(PlantedLinks, ASetOfShardsFollowsNone) {
  const fs::path set = directory_.path() / "set";
  for (const char* name : {"gannet.lock", "shards.json", "shards.json.1-2.gannet.tmp"}) {
    fs::remove_all(set);
    fs::create_directory(set);
    if (std::string(name) != "gannet.lock") write_file(set / "gannet.lock", "");
    fs::create_symlink(victim_, set / name);
    EXPECT_THROW(ShardSetWriter(set, 2), UsageError) << name;
    EXPECT_EQ(read_file(victim_), kPrecious) << name;
    EXPECT_TRUE(fs::is_symlink(set / name)) << name;
  }
}

/// Other programs name their files so, too: a mark tells ours.
TEST_F(PlantedLinks, TemporaryFilesOfOthersStay) {
  const fs::path folder = directory_.path() / "outputs";
  fs::create_directory(folder);
  write_file(folder / "run.txt.2026-11.tmp", kPrecious);
  fs::create_symlink(victim_, folder / "run.txt.1-1.gannet.tmp");
  fs::create_hard_link(victim_, folder / "run.txt.1-2.gannet.tmp");
  fs::create_directory(folder / "run.txt.1-3.gannet.tmp");
  write_file(folder / "run.txt.1-4.gannet.tmp", "left by a process that was killed");
  AtomicFile file(folder / "run.txt");
  file.finish();
  file.publish();
  EXPECT_EQ(names_in(folder),
            (std::set<std::string>{"run.txt", "run.txt.2026-11.tmp", "run.txt.1-1.gannet.tmp",
                                   "run.txt.1-2.gannet.tmp", "run.txt.1-3.gannet.tmp"}));
  EXPECT_EQ(read_file(folder / "run.txt.2026-11.tmp"), kPrecious);
  EXPECT_EQ(read_file(victim_), kPrecious);
}

TEST_F(PlantedLinks, MessagesNameTheFileThatWasAskedFor) {
  const fs::path folder = directory_.path() / "no" / "folder";
  EXPECT_THAT(
      message_of<IoError>([&] { AtomicFile file(folder / "lists.docs"); }),
      AllOf(HasSubstr((folder / "lists.docs").string() + ": cannot create"),
            HasSubstr("no folder '" + folder.string() + "'"), ::testing::Not(HasSubstr(".tmp"))));
}

}  // namespace
}  // namespace gannet::index
