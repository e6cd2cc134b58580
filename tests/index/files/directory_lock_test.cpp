// The lock of a folder, also where a snapshot by hard links shares its file.
#include "index/manifest/directory_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

#include "codecs/base/error.hpp"
#include "index/manifest/directory.hpp"
#include "index/updates/remove.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::read_file;
using ::testing::HasSubstr;

class Locks : public ::testing::Test {
 protected:
  Locks() { test::write_index(path_, collection_); }

  /// As `cp -rl` makes it.
  void make_snapshot() const {
    fs::copy(path_, snapshot_, fs::copy_options::recursive | fs::copy_options::create_hard_links);
    ASSERT_TRUE(fs::equivalent(path_ / kLockName, snapshot_ / kLockName));
  }

  const test::TemporaryDirectory directory_;
  const fs::path path_ = directory_.path() / "index";
  const fs::path snapshot_ = directory_.path() / "snapshot";
  const test::Collection collection_ = test::random_collection(30, 20, 1);
};

TEST_F(Locks, AWriterInASnapshotDoesNotKeepTheIndexWaiting) {
  make_snapshot();
  const DirectoryLock there(snapshot_);
  const DirectoryLock here(path_);
  EXPECT_TRUE(there.stands());
  EXPECT_TRUE(here.stands());
  EXPECT_FALSE(fs::equivalent(path_ / kLockName, snapshot_ / kLockName));
  EXPECT_THROW(DirectoryLock{snapshot_}, UsageError);
  EXPECT_THROW(DirectoryLock{path_}, UsageError);
}

/// The writer's file is the snapshot's, too; only its note tells that it is at work elsewhere.
TEST_F(Locks, ASnapshotThatIsMadeWhileAWriterIsAtWorkCanBeWrittenTo) {
  std::optional<DirectoryLock> writer(path_);
  make_snapshot();
  {
    const DirectoryLock there(snapshot_);
    EXPECT_TRUE(writer->stands());
    EXPECT_THROW(DirectoryLock{path_}, UsageError) << "the index has its own writer";
    EXPECT_THROW(DirectoryLock{snapshot_}, UsageError);
  }
  writer.reset();
  const DirectoryLock here(path_);
}

TEST_F(Locks, OneWriterAFolderAlsoWhereTheFileIsShared) {
  make_snapshot();
  const DirectoryLock there(snapshot_);
  EXPECT_THAT(message_of<UsageError>([&] { const DirectoryLock second(snapshot_); }),
              HasSubstr("another process is writing an index here (process "));
  DocumentRemover remover(path_);
  EXPECT_TRUE(remover.remove(collection_.ids[3]));
  remover.commit();
  EXPECT_EQ(Index::open(path_).deleted_documents(), 1u);
  EXPECT_EQ(Index::open(snapshot_).deleted_documents(), 0u);
}

/// flock(1) leaves no note: who holds the file may be anywhere, so that nobody else writes.
TEST_F(Locks, AHolderThatLeavesNoNoteIsBelieved) {
  make_snapshot();
  const File holder(path_ / kLockName, O_RDWR);
  ASSERT_EQ(::flock(holder.descriptor(), LOCK_EX | LOCK_NB), 0);
  EXPECT_THROW(DirectoryLock{path_}, UsageError);
  EXPECT_THROW(DirectoryLock{snapshot_}, UsageError);
}

TEST_F(Locks, TheFileIsEmptyWhenNobodyWrites) {
  { const DirectoryLock lock(path_); }
  EXPECT_EQ(read_file(path_ / kLockName), "");
  make_snapshot();
  { const DirectoryLock lock(snapshot_); }
  EXPECT_EQ(read_file(snapshot_ / kLockName), "");
  EXPECT_EQ(test::names_in(snapshot_), test::names_in(path_)) << "nothing is left beside it";
}

/// Who keeps the folder locked for longer than a writer does, is waited for in vain.
TEST_F(Locks, AFolderThatSomebodyElseLocksIsNotWaitedForLong) {
  make_snapshot();
  const File folder(snapshot_, O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder.descriptor(), LOCK_EX), 0);
  EXPECT_THAT(message_of<UsageError>([&] { const DirectoryLock lock(snapshot_); }),
              HasSubstr("keeps this folder locked"));
}

}  // namespace
}  // namespace gannet::index
