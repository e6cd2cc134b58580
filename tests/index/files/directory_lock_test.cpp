// The lock of a folder, also where a snapshot by hard links shares its file.
#include "index/manifest/directory_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/manifest/busy_error.hpp"
#include "index/manifest/directory.hpp"
#include "index/manifest/output_directory.hpp"
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
using test::write_file;
using ::testing::AllOf;
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

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr double kLong = 60;

TEST_F(Locks, AWriterWaitsForAsLongAsItIsTold) {
  std::optional<DirectoryLock> writer(path_);
  const double waited = seconds_of([&] {
    EXPECT_THAT(message_of<BusyError>([&] { const DirectoryLock second(path_, 0.3); }),
                AllOf(HasSubstr("another process is writing an index here (process "),
                      HasSubstr("also after 0.3 s of waiting")));
  });
  EXPECT_GE(waited, 0.3);
  EXPECT_LT(waited, kLong / 2);
  EXPECT_THAT(message_of<BusyError>([&] { const DirectoryLock second(path_); }),
              HasSubstr("--wait SECONDS"));
  std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    writer.reset();
  });
  EXPECT_LT(seconds_of([&] { const DirectoryLock second(path_, kLong); }), kLong / 2);
}

TEST_F(Locks, OfSeveralThatWaitEachHasItsTurn) {
  std::optional<DirectoryLock> writer(path_);
  std::atomic<int> inside{0};
  std::atomic<int> done{0};
  {
    std::vector<std::jthread> waiting;
    for (int i = 0; i < 4; ++i) {
      waiting.emplace_back([&] {
        const DirectoryLock lock(path_, kLong);
        EXPECT_EQ(++inside, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        --inside;
        ++done;
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(done, 0);
    writer.reset();
  }
  EXPECT_EQ(done, 4);
}

TEST_F(Locks, AFileThatIsReplacedMeanwhileIsNotWaitedForInVain) {
  std::optional<DirectoryLock> writer(path_);
  std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fs::remove(path_ / kLockName);
    write_file(path_ / kLockName, "");
    writer.reset();
  });
  const DirectoryLock second(path_, kLong);
  EXPECT_TRUE(second.stands());
}

/// A build that fails removes the folder that it made.
TEST_F(Locks, AFolderThatGoesWhileABuildWaitsIsMadeAnew) {
  const fs::path made = directory_.path() / "new";
  fs::create_directory(made);
  std::optional<DirectoryLock> writer(made);
  std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fs::remove_all(made);
    writer.reset();
  });
  OutputOptions options;
  options.lock_wait = kLong;
  const OutputDirectory output(made, options);
  EXPECT_TRUE(fs::exists(made / kLockName));
}

TEST_F(Locks, AStopEndsTheWait) {
  const DirectoryLock writer(path_);
  std::stop_source stop;
  std::jthread stops([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const double waited = seconds_of([&] {
    EXPECT_THROW((DirectoryLock{path_, kLong, stop.get_token()}), CancelledError);
  });
  EXPECT_LT(waited, kLong / 2);
}

TEST_F(Locks, WhoeverChangesAnIndexCanWait) {
  std::optional<DirectoryLock> writer(path_);
  std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    writer.reset();
  });
  DocumentRemover remover(path_, {}, kLong);
  EXPECT_TRUE(remover.remove(Docid{3}));
  EXPECT_THROW(DocumentRemover(path_, {}, 0.01), BusyError) << "while this one is at work";
  remover.commit();
  EXPECT_EQ(Index::open(path_).deleted_documents(), 1u);
}

}  // namespace
}  // namespace gannet::index
