// Writers whose lock does not hold: none takes what is another one's for left over, and nothing is
// named that is not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "codecs/base/error.hpp"
#include "index/files/file_system.hpp"
#include "index/index_writer.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/updates/add.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class PastTheLock : public ::testing::Test {
 protected:
  PastTheLock() { test::write_index(path_, old_); }

  const test::TemporaryDirectory directory_;
  const fs::path path_ = directory_.path() / "index";
  const test::Collection old_ = test::random_collection(30, 20, 1);
};

TEST_F(PastTheLock, WhoseLockWasRemovedTidiesUpNothing) {
  const fs::path file = path_ / "segment-00000009.lexicon";
  const fs::path temporary = path_ / "segment-00000009.postings.1-2.gannet.tmp";
  for (const bool removed : {true, false}) {
    WriteOptions options = write_options_of(path_);
    options.lock = std::make_shared<DirectoryLock>(path_);
    if (removed) fs::remove(path_ / "gannet.lock");
    test::write_file(file, "theirs");
    test::write_file(temporary, "theirs");
    const IndexWriter writer(path_, options);
    EXPECT_EQ(fs::exists(file), removed);
    EXPECT_EQ(fs::exists(temporary), removed);
  }
}

/// Removes a file when the directory is synced: after the files have their names, before the
/// manifest has.
class Tidying : public FileSystem {
 public:
  Tidying(fs::path directory, fs::path file)
      : directory_(std::move(directory)), file_(std::move(file)) {}
  int open(const fs::path& path, int flags) override {
    if (path == directory_) fs::remove(file_);
    return FileSystem::open(path, flags);
  }

 private:
  fs::path directory_, file_;
};

TEST_F(PastTheLock, NothingIsNamedThatIsGone) {
  for (const std::string kind : {"lexicon", "documents", "postings"}) {
    SCOPED_TRACE(kind);
    IndexWriter writer(path_, write_options_of(path_));
    const auto added = test::random_collection(10, 5, 2);
    for (std::size_t i = 0; i < added.lengths.size(); ++i) {
      writer.add_document("new-" + added.ids[i], added.lengths[i]);
    }
    test::add_lists(writer, added);
    Tidying other(path_, path_ / ("segment-00000002." + kind));
    const ReplacedFileSystem replaced(other);
    EXPECT_THAT([&] { writer.commit(); }, ThrowsMessage<IoError>(HasSubstr("another writer")));
    test::expect_holds(Index::open(path_), old_);
  }
}

}  // namespace
}  // namespace gannet::index
