// Files that appear complete or not at all, also when several writers mean the same path.
#include "index/files/atomic_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <string>

#include "codecs/base/error.hpp"
#include "index/files/format.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::names_in;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;

class AtomicFiles : public ::testing::Test {
 protected:
  static void write(AtomicFile& file, std::string_view text) { file.append(bytes_of(text)); }

  TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "o.run";
};

TEST_F(AtomicFiles, ReplaceFilesAlone) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THROW(AtomicFile{path_}, IoError);
  EXPECT_TRUE(std::filesystem::is_fifo(path_));
  EXPECT_THROW(AtomicFile{directory_.path()}, IoError);
  EXPECT_EQ(names_in(directory_.path()).size(), 1u);
}

TEST_F(AtomicFiles, TwoWritersDoNotMix) {
  AtomicFile first(path_);
  AtomicFile second(path_);
  write(first, "first\n");
  write(second, "second, longer\n");
  first.finish();
  second.finish();
  EXPECT_FALSE(std::filesystem::exists(path_));
  second.publish();
  EXPECT_EQ(read_file(path_), "second, longer\n");
  first.publish();
  EXPECT_EQ(read_file(path_), "first\n");
  EXPECT_EQ(names_in(directory_.path()), (std::set<std::string>{"o.run"}));
}

TEST_F(AtomicFiles, AWriterThatFailsTakesItsFileWithIt) {
  {
    AtomicFile file(path_);
    write(file, "half");
    file.finish();
    EXPECT_EQ(names_in(directory_.path()).size(), 1u);
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
  EXPECT_TRUE(names_in(directory_.path()).empty());
}

TEST_F(AtomicFiles, WhatADeadWriterLeftIsRemovedAndNothingElse) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path_);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(names_in(directory_.path()).size(), 1u);
  AtomicFile living(path_);
  EXPECT_EQ(names_in(directory_.path()).size(), 1u);  // its own
  const std::set<std::string> others{"o.run.tmp",
                                     "o.run.1.gannet.tmp",
                                     "o.run.-1.gannet.tmp",
                                     "o.run.1-2",
                                     "o.run.1-2.tmp",
                                     "p.run.1-2.gannet.tmp",
                                     "o.run.1-2.gannet.tmp.bak",
                                     "o.run1-2.gannet.tmp",
                                     "o.run.1-2gannet.tmp"};
  for (const std::string& name : others) write_file(directory_.path() / name, "kept");
  AtomicFile(directory_.path() / "o.run");
  living.finish();
  living.publish();
  std::set<std::string> expected = others;
  expected.insert("o.run");
  EXPECT_EQ(names_in(directory_.path()), expected);
}

TEST_F(AtomicFiles, LinksAreFollowed) {
  namespace fs = std::filesystem;
  const fs::path folder = directory_.path();
  fs::create_directory(folder / "there");
  write_file(folder / "there/file", "old");
  fs::create_symlink("there/file", folder / "link");
  fs::create_symlink(folder / "link", folder / "second");
  fs::create_symlink("there/new", folder / "dangling");
  fs::create_symlink("circle", folder / "circle");
  for (const char* const name : {"link", "second", "there/file"}) {
    const OutputTarget target = output_target(folder / name);
    EXPECT_EQ(fs::weakly_canonical(target.path), fs::canonical(folder / "there/file")) << name;
    EXPECT_FALSE(target.in_place);
  }
  EXPECT_EQ(output_target("some/name").path, "some/name");
  EXPECT_THROW(output_target(folder / "circle"), IoError);

  for (const char* const name : {"second", "dangling"}) {
    AtomicFile file(file_to_replace(folder / name));
    write(file, name);
    file.finish();
    file.publish();
    EXPECT_TRUE(fs::is_symlink(folder / name));
    EXPECT_EQ(read_file(folder / name), name);
  }
  EXPECT_EQ(names_in(folder / "there"), (std::set<std::string>{"file", "new"}));
}

TEST_F(AtomicFiles, StreamsAreNotReplaced) {
  namespace fs = std::filesystem;
  fs::create_symlink("/proc/self/fd/1", directory_.path() / "link");
  for (const fs::path& name : {fs::path("/dev/stdout"), fs::path("/dev/fd/1"),
                               fs::path("/proc/self/fd/1"), directory_.path() / "link"}) {
    const OutputTarget target = output_target(name);
    EXPECT_TRUE(target.in_place) << name;
    EXPECT_EQ(target.descriptor, 1) << name;
    EXPECT_THROW(file_to_replace(name), IoError) << name;
  }
  for (const fs::path& name : {fs::path("/dev/null"), directory_.path()}) {
    EXPECT_TRUE(output_target(name).in_place) << name;
    EXPECT_EQ(output_target(name).descriptor, -1) << name;
  }
}

TEST_F(AtomicFiles, NamesOfTemporaryFiles) {
  EXPECT_EQ(target_of_temporary("o.run.12-0.gannet.tmp"), "o.run");
  EXPECT_EQ(target_of_temporary("a.1-2.gannet.tmp.3-4.gannet.tmp"), "a.1-2.gannet.tmp");
  for (const char* name :
       {"", ".gannet.tmp", "1-2.gannet.tmp", ".1-2.gannet.tmp", "a.1-.gannet.tmp",
        "a.-2.gannet.tmp", "a.1-2", "a1-2.gannet.tmp", "a.1-2.tmp"}) {
    EXPECT_EQ(target_of_temporary(name), "") << name;
  }
}

}  // namespace
}  // namespace gannet::index
