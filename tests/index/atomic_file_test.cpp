// Files that appear complete or not at all, also when several writers mean the same path.
#include "index/files/atomic_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <string>

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
  const std::set<std::string> others{"o.run.tmp",   "o.run.1.tmp",   "o.run.-1.tmp",
                                     "o.run.1-2",   "p.run.1-2.tmp", "o.run.1-2.tmp.bak",
                                     "o.run1-2.tmp"};
  for (const std::string& name : others) write_file(directory_.path() / name, "kept");
  AtomicFile(directory_.path() / "o.run");
  living.finish();
  living.publish();
  std::set<std::string> expected = others;
  expected.insert("o.run");
  EXPECT_EQ(names_in(directory_.path()), expected);
}

TEST_F(AtomicFiles, NamesOfTemporaryFiles) {
  EXPECT_EQ(target_of_temporary("o.run.12-0.tmp"), "o.run");
  EXPECT_EQ(target_of_temporary("a.1-2.tmp.3-4.tmp"), "a.1-2.tmp");
  for (const char* name :
       {"", ".tmp", "1-2.tmp", ".1-2.tmp", "a.1-.tmp", "a.-2.tmp", "a.1-2", "a1-2.tmp"}) {
    EXPECT_EQ(target_of_temporary(name), "") << name;
  }
}

}  // namespace
}  // namespace gannet::index
