// Reads of the manifest that fail: a writer that does not know what an index consists of removes
// nothing of it, and uses no name again.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/file_system.hpp"
#include "index/index_writer.hpp"
#include "index/reorder.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Opening the manifest for reading fails once.
class FailingManifest : public FileSystem {
 public:
  FailingManifest(int call, int error) : call_(call), error_(error) {}
  int open(const fs::path& path, int flags) override {
    if (path.filename() != "manifest.json" || (flags & O_ACCMODE) != O_RDONLY ||
        calls_++ != call_) {
      return FileSystem::open(path, flags);
    }
    errno = error_;
    return -1;
  }
  bool failed() const { return calls_ > call_; }

 private:
  int call_, error_;
  int calls_ = 0;
};

class UnreadableManifests : public ::testing::Test {
 protected:
  using Change = std::function<void(const fs::path&)>;

  /// An index of two segments, one of which has a deleted document.
  UnreadableManifests() {
    test::write_index(whole_, test::random_collection(30, 20, 1));
    append(whole_, 2);
    remove(whole_, 3);
  }

  static void append(const fs::path& path, unsigned seed) {
    const test::Collection added = test::random_collection(10, 5, seed);
    IndexWriter writer(path, write_options_of(path));
    for (std::size_t i = 0; i < added.lengths.size(); ++i) {
      writer.add_document("new-" + std::to_string(seed) + added.ids[i], added.lengths[i]);
    }
    test::add_lists(writer, added);
    writer.commit();
  }
  static void remove(const fs::path& path, Docid docid) {
    DocumentRemover remover(path);
    remover.remove(docid);
    remover.commit();
  }
  static void overwrite(const fs::path& path) {
    WriteOptions options;
    options.overwrite = true;
    test::write_index(path, test::random_collection(25, 5, 7), options);
  }
  static std::pair<std::uint64_t, std::size_t> state_of(const fs::path& path) {
    const Index index = Index::open(path);
    EXPECT_THAT(verify_index(path, 1).problems, ::testing::IsEmpty());
    return {index.statistics().documents - index.deleted_documents(), index.segments().size()};
  }

  /// Each opening of the manifest fails once: what is left is the index as it was, or changed.
  void expect_old_or_new(const Change& change) {
    fs::copy(whole_, path_, fs::copy_options::recursive);
    const auto before = state_of(path_);
    change(path_);
    const auto after = state_of(path_);
    EXPECT_NE(before, after);
    for (const int error : {EIO, EMFILE}) {
      for (int call = 0;; ++call) {
        SCOPED_TRACE(call);
        fs::remove_all(path_);
        fs::copy(whole_, path_, fs::copy_options::recursive);
        FailingManifest failing(call, error);
        try {
          const ReplacedFileSystem replaced(failing);
          change(path_);
        } catch (const IoError&) {
        }
        ASSERT_THAT(state_of(path_), ::testing::AnyOf(before, after));
        if (!failing.failed()) break;
      }
    }
  }

  const test::TemporaryDirectory directory_;
  const fs::path whole_ = directory_.path() / "whole";
  const fs::path path_ = directory_.path() / "index";
};

TEST_F(UnreadableManifests, LoseNothingWhenDocumentsAreAdded) {
  expect_old_or_new([](const fs::path& path) { append(path, 3); });
}

TEST_F(UnreadableManifests, LoseNothingWhenDocumentsAreDeleted) {
  expect_old_or_new([](const fs::path& path) { remove(path, 7); });
}

TEST_F(UnreadableManifests, LoseNothingWhenSegmentsAreMerged) {
  expect_old_or_new([](const fs::path& path) { merge_index(path, {}); });
}

TEST_F(UnreadableManifests, LoseNothingWhenDocumentsAreReordered) {
  expect_old_or_new([](const fs::path& path) { reorder_index(path, parse_order("id"), {}); });
}

TEST_F(UnreadableManifests, LoseNothingWhenTheIndexIsReplaced) { expect_old_or_new(overwrite); }

/// A generation that was used once, for live documents alone, is not used again.
TEST_F(UnreadableManifests, GenerationsAreNotUsedTwice) {
  EXPECT_TRUE(fs::exists(whole_ / "segment-00000001.live-00000003"));
  test::write_file(whole_ / "manifest.json", "damaged");
  overwrite(whole_);
  EXPECT_EQ(Index::open(whole_).generation(), 4u);
}

/// Files of an index never replace one another.
TEST_F(UnreadableManifests, ANameThatIsThereIsNotPublishedOver) {
  IndexWriter writer(whole_, write_options_of(whole_));
  const test::Collection added = test::random_collection(10, 5, 3);
  for (std::size_t i = 0; i < added.lengths.size(); ++i) {
    writer.add_document("other-" + added.ids[i], added.lengths[i]);
  }
  test::add_lists(writer, added);
  test::write_file(whole_ / "segment-00000004.postings", "theirs");
  EXPECT_THAT([&] { writer.commit(); },
              ::testing::ThrowsMessage<IoError>(::testing::HasSubstr("segment-00000004.postings")));
  EXPECT_EQ(test::read_file(whole_ / "segment-00000004.postings"), "theirs");
  EXPECT_EQ(state_of(whole_), std::pair(std::uint64_t{39}, std::size_t{2}));
}

}  // namespace
}  // namespace gannet::index
