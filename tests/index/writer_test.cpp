// Writers that fail, are killed, or meet each other: the index that was there stays whole.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <random>

#include "index/files/atomic_file.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/manifest.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::add_documents;
using test::add_lists;
using test::Collection;
using test::expect_holds;
using test::names_in;
using test::random_collection;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using test::write_index;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

const WriteOptions kOverwrite = [] {
  WriteOptions options;
  options.positions = false;
  options.overwrite = true;
  return options;
}();

std::set<std::string> files_of_generation(int generation) {
  const std::string segment = "segment-0000000" + std::to_string(generation);
  return {"gannet.lock", "manifest.json", segment + ".documents", segment + ".lexicon",
          segment + ".postings"};
}

class IndexWriting : public ::testing::Test {
 protected:
  void expect_intact(const Collection& collection) {
    expect_holds(Index::open(path_), collection);
    // By one thread: a child of a process with several may find a lock of the allocator taken.
    EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
  }

  /// Runs `work` in a child process; returns how that ended.
  template <class F>
  int in_child(F&& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      ::_exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }

  TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "index";
  const Collection old_ = random_collection(300, 20, 1);
  const Collection new_ = random_collection(400, 30, 2);
};

TEST_F(IndexWriting, CreatesTheDirectoryAndItsParents) {
  write_index(path_ / "a" / "b", old_);
  expect_holds(Index::open(path_ / "a" / "b"), old_);
  write_index(path_.string() + "/c/", old_);
  expect_holds(Index::open(path_.string() + "/c/"), old_);
}

TEST_F(IndexWriting, LeavesTheFilesOfOneGeneration) {
  write_index(path_, old_);
  EXPECT_EQ(names_in(path_), files_of_generation(1));
  write_index(path_, new_, kOverwrite);
  EXPECT_EQ(names_in(path_), files_of_generation(2));
  expect_intact(new_);
}

TEST_F(IndexWriting, KeepsAnIndexUnlessToldToReplaceIt) {
  write_index(path_, old_);
  const std::string manifest = read_file(path_ / "manifest.json");
  EXPECT_THAT(
      [&] { IndexWriter(path_, {}); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("--overwrite"), HasSubstr(path_.string()))));
  EXPECT_EQ(read_file(path_ / "manifest.json"), manifest);
  EXPECT_EQ(names_in(path_), files_of_generation(1));
}

TEST_F(IndexWriting, ANewIndexHasNoSegmentsToReplace) {
  IndexWriter writer(path_, {.positions = false});
  EXPECT_THROW(writer.replace(0, 1), UsageError);
}

TEST_F(IndexWriting, KeepsTheOldIndexUntilCommit) {
  write_index(path_, old_);
  {
    IndexWriter writer(path_, kOverwrite);
    add_documents(writer, new_);
    add_lists(writer, new_);
    expect_intact(old_);
  }
  expect_intact(old_);
  EXPECT_EQ(names_in(path_), files_of_generation(1));
}

TEST_F(IndexWriting, ReadersKeepWhatTheyHaveOpened) {
  write_index(path_, old_);
  const Index before = Index::open(path_);
  write_index(path_, new_, kOverwrite);
  expect_holds(before, old_);
  expect_intact(new_);
}

TEST_F(IndexWriting, DoesNotMixWithOtherFiles) {
  std::filesystem::create_directory(path_);
  write_file(path_ / "thesis.txt", "text");
  EXPECT_THAT([&] { IndexWriter(path_, kOverwrite); },
              ThrowsMessage<UsageError>(HasSubstr("thesis.txt")));
  EXPECT_EQ(names_in(path_), (std::set<std::string>{"thesis.txt"}));
  std::filesystem::remove(path_ / "thesis.txt");
  write_file(path_ / "manifest.json", "{\"name\": \"a web page\"}");
  EXPECT_THAT([&] { IndexWriter(path_, kOverwrite); },
              ThrowsMessage<UsageError>(HasSubstr("not that of a Gannet index")));
  EXPECT_EQ(names_in(path_), (std::set<std::string>{"manifest.json"}));
  write_file(directory_.path() / "file", "");
  EXPECT_THAT([&] { IndexWriter(directory_.path() / "file", kOverwrite); },
              ThrowsMessage<UsageError>(HasSubstr("not a directory")));
  EXPECT_THROW(IndexWriter(directory_.path() / "file" / "index", {}), IoError);
}

/// Everything below a directory: paths and contents.
std::map<std::string, std::string> tree_of(const std::filesystem::path& directory) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    tree[entry.path().string()] = entry.is_regular_file() ? read_file(entry.path()) : "";
  }
  return tree;
}

/// Names like those of ours that are not ours: refused, and nothing is touched.
TEST_F(IndexWriting, TouchesNoFilesOfOthers) {
  const std::vector<std::string> names{"segment-1.ts",
                                       "segment-00002.ts",
                                       "segment-00000003.ts",
                                       "segment-00000003.text.bak",
                                       "segment-0000003.text",
                                       "segment-+00000003.text",
                                       "segment-99999999999999999999.text",
                                       "segment-00000003.text.tmp",
                                       "segment-00000003.ts.1-2.tmp",
                                       "segment-00000003.text.1.tmp",
                                       "manifest.json.tmp",
                                       "manifest.json.1-.tmp",
                                       "1-2.tmp",
                                       "scratch.tmp"};
  for (const bool beside_an_index : {false, true}) {
    for (const std::string& name : names) {
      for (const bool is_directory : {false, true}) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directory(path_);
        if (beside_an_index) write_index(path_, old_);
        if (is_directory) std::filesystem::create_directory(path_ / name);
        write_file(is_directory ? path_ / name / "film" : path_ / name, "a film");
        const auto before = tree_of(path_);
        EXPECT_THAT([&] { IndexWriter(path_, kOverwrite); },
                    ThrowsMessage<UsageError>(HasSubstr("holds other files")))
            << name;
        EXPECT_EQ(tree_of(path_), before) << name;
      }
    }
  }
}

/// Our names, but no index and no lock: not ours. Neither are directories with such names.
TEST_F(IndexWriting, NeedsMoreThanANameToCallAFileItsOwn) {
  std::filesystem::create_directory(path_);
  write_file(path_ / "segment-00000001.text", "subtitles");
  EXPECT_THROW(IndexWriter(path_, kOverwrite), UsageError);
  EXPECT_EQ(read_file(path_ / "segment-00000001.text"), "subtitles");
  std::filesystem::remove(path_ / "segment-00000001.text");
  write_index(path_, old_);
  for (const char* name : {"segment-00000007.text", "manifest.json.1-2.gannet.tmp"}) {
    std::filesystem::create_directory(path_ / name);
    EXPECT_THROW(IndexWriter(path_, kOverwrite), UsageError) << name;
    std::filesystem::remove(path_ / name);
  }
  std::filesystem::create_symlink(directory_.path() / "elsewhere", path_ / "gannet-scratch.tmp");
  EXPECT_THROW(IndexWriter(path_, kOverwrite), UsageError);
}

TEST_F(IndexWriting, ReplacesADamagedIndex) {
  write_index(path_, old_);
  std::string manifest = read_file(path_ / "manifest.json");
  manifest[manifest.size() / 2] ^= 1;
  write_file(path_ / "manifest.json", manifest);
  EXPECT_THROW(Index::open(path_), Error);
  EXPECT_THROW(IndexWriter(path_, {}), UsageError);
  write_index(path_, new_, kOverwrite);
  expect_intact(new_);
  EXPECT_EQ(names_in(path_), files_of_generation(2));
}

TEST_F(IndexWriting, OneAtATime) {
  write_index(path_, old_);
  IndexWriter first(path_, kOverwrite);
  EXPECT_THAT([&] { IndexWriter(path_, kOverwrite); },
              ThrowsMessage<UsageError>(HasSubstr("another process is writing")));
  add_documents(first, new_);
  add_lists(first, new_);
  first.commit();
  expect_intact(new_);
}

TEST_F(IndexWriting, AFailedFirstBuildLeavesNothing) {
  { const IndexWriter writer(path_.string() + "/", {}); }
  EXPECT_FALSE(std::filesystem::exists(path_));
  std::filesystem::create_directory(path_);
  { const IndexWriter writer(path_, {.positions = false}); }
  EXPECT_EQ(names_in(path_), std::set<std::string>{})
      << "a lock would make the index's own what others put there";
}

/// FORMAT.md: readers ignore files of kinds that they do not know. Writers remove them with the
/// index that has them.
TEST_F(IndexWriting, ReplacesFilesOfUnknownKinds) {
  write_index(path_, old_);
  Manifest manifest = read_manifest(path_);
  const std::string name = file_name(manifest.segments[0], "vectors");
  AtomicFile file(path_ / name);
  file.append(std::as_bytes(std::span(std::string_view("of a later version"))));
  file.finish();
  manifest.segments[0].files.push_back({"vectors", {file.size(), file.checksum(), 0}});
  file.publish();
  write_file(path_ / kManifestName, to_json(manifest));
  expect_intact(old_);
  write_index(path_, new_, kOverwrite);
  EXPECT_EQ(names_in(path_), files_of_generation(2));
  write_index(path_, old_, kOverwrite);
  EXPECT_EQ(names_in(path_), files_of_generation(3));
}

TEST_F(IndexWriting, ScratchIsThereAndGoes) {
  std::filesystem::path scratch;
  {
    IndexWriter writer(path_, {.positions = false});
    scratch = writer.scratch();
    write_file(scratch / "run-1", "spilled");
    add_documents(writer, old_);
    add_lists(writer, old_);
    writer.commit();
  }
  EXPECT_FALSE(std::filesystem::exists(scratch));
  expect_intact(old_);
}

TEST_F(IndexWriting, KilledBeforeCommit) {
  write_index(path_, old_);
  for (int steps = 0; steps < 3; ++steps) {
    const int status = in_child([&] {
      IndexWriter writer(path_, kOverwrite);
      write_file(writer.scratch() / "run-1", "spilled");
      if (steps > 0) add_documents(writer, new_);
      if (steps > 1) add_lists(writer, new_);
      ::kill(::getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_TRUE(std::filesystem::exists(path_ / "gannet-scratch.tmp" / "run-1"));
    EXPECT_THAT(names_in(path_),
                Contains(AllOf(StartsWith("segment-00000002.postings."), EndsWith(".tmp"))));
    expect_intact(old_);
  }
  write_index(path_, new_, kOverwrite);
  expect_intact(new_);
  EXPECT_EQ(names_in(path_), files_of_generation(2));
}

/// What stands in the directory between any two operations of commit(): files under their temporary
/// names, some or all of them renamed, and the manifest under its temporary name.
TEST_F(IndexWriting, KilledDuringCommit) {
  TemporaryDirectory other;
  write_index(other.path(), old_);
  write_index(other.path(), new_, kOverwrite);
  const std::vector<std::string> files{"segment-00000002.lexicon", "segment-00000002.documents",
                                       "segment-00000002.postings", "manifest.json"};
  for (std::size_t renamed = 0; renamed < files.size(); ++renamed) {
    std::filesystem::remove_all(path_);
    write_index(path_, old_);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string name = files[i] + (i < renamed ? "" : ".123-4.gannet.tmp");
      std::filesystem::copy_file(other.path() / files[i], path_ / name);
    }
    expect_intact(old_);
    const Collection third = random_collection(50, 5, 3);
    write_index(path_, third, kOverwrite);
    expect_intact(third);
    EXPECT_EQ(names_in(path_), files_of_generation(2)) << renamed;
  }
}

TEST_F(IndexWriting, KilledAtRandomTimes) {
  write_index(path_, old_);
  const Collection large = random_collection(3000, 200, 5);
  std::mt19937 random(3);
  int finished = 0;
  for (int round = 0; round < 40; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      write_index(path_, round % 2 == 0 ? large : old_, kOverwrite);
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(random() % 30'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    finished += WIFEXITED(status) ? 1 : 0;
    const Index index = Index::open(path_);
    expect_holds(index, index.statistics().documents == 3000 ? large : old_);
    // By one thread: a child of a process with several may find a lock of the allocator taken.
    EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
  }
  EXPECT_LT(finished, 40);  // else the kills came too late to show anything
  write_index(path_, new_, kOverwrite);
  expect_intact(new_);
  EXPECT_EQ(names_in(path_).size(), 5u);
}

TEST_F(IndexWriting, ReadersSeeTheOldOrTheNewIndex) {
  write_index(path_, old_);
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0; i < 60; ++i) write_index(path_, i % 2 == 0 ? new_ : old_, kOverwrite);
    ::_exit(0);
  }
  int opened = 0;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const Index index = Index::open(path_);
    EXPECT_TRUE(index.statistics().documents == 300 || index.statistics().documents == 400);
    ++opened;
  }
  EXPECT_GT(opened, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(IndexWriting, VerifyChecksTheOldOrTheNewIndex) {
  write_index(path_, old_);
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0; i < 60; ++i) write_index(path_, i % 2 == 0 ? new_ : old_, kOverwrite);
    ::_exit(0);
  }
  int verified = 0;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    // What a writer removes while the check runs is still there for the check.
    EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
    ++verified;
  }
  EXPECT_GT(verified, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/// Files can grow to `bytes` only: what a full disk does, with EFBIG in the place of ENOSPC.
void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
}

TEST_F(IndexWriting, AFullDiskIsAnErrorAndHarmless) {
  write_index(path_, old_);
  const Collection large = random_collection(30'000, 60, 5);
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{100}, rlim_t{70'000}, rlim_t{200'000}}) {
    const int status = in_child([&] {
      limit_file_size(bytes);
      try {
        write_index(path_, large, kOverwrite);
      } catch (const IoError& error) {
        const std::string message = error.what();
        ::_exit(message.find("raise the limit of file sizes") != std::string::npos ? 0 : 1);
      } catch (...) {
        ::_exit(2);
      }
      ::_exit(4);
    });
    EXPECT_EQ(WEXITSTATUS(status), 0) << bytes;
    EXPECT_EQ(names_in(path_), files_of_generation(1)) << bytes;
    expect_intact(old_);
  }
}

TEST_F(IndexWriting, ADiskThatFillsUpDuringCommit) {
  write_index(path_, old_);
  const int status = in_child([&] {
    IndexWriter writer(path_, kOverwrite);
    add_documents(writer, new_);
    add_lists(writer, new_);
    limit_file_size(600);  // less than any segment file, more than nothing
    try {
      writer.commit();
    } catch (const IoError&) {
      try {
        writer.commit();
      } catch (const UsageError&) {
        return;
      }
    }
    ::_exit(1);
  });
  EXPECT_EQ(status, 0);
  expect_intact(old_);
}

TEST_F(IndexWriting, ADirectoryWithoutWritePermission) {
  std::filesystem::create_directory(path_);
  std::filesystem::permissions(directory_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(path_, std::filesystem::perms(0555));
  const int status = in_child([&] {
    constexpr uid_t kNobody = 65534;  // root may write everywhere
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(3);
    try {
      IndexWriter(path_, {});
    } catch (const IoError& error) {
      ::_exit(std::string(error.what()).find("permissions") != std::string::npos ? 0 : 1);
    }
    ::_exit(2);
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(names_in(path_).empty());
}

/// Nobody made the folder for temporary files, so that nobody is told to.
TEST_F(IndexWriting, AFolderThatIsMovedAwayIsNamed) {
  EXPECT_THAT([&] { fail_io(path_ / "moved/gannet-scratch.tmp/run", "create", ENOENT); },
              ThrowsMessage<IoError>(AllOf(HasSubstr("moved: the folder was moved or removed"),
                                           ::testing::Not(HasSubstr("make it first")))));
}

}  // namespace
}  // namespace gannet::index
