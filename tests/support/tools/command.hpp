// Runs the gannet command as a user does, and keeps what it printed.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

extern char** environ;

namespace gannet::test {

struct Output {
  int code = -1;  ///< exit code; 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

/// A running command. stdin, stdout and stderr are files, so that nothing blocks.
class Process {
 public:
  Process(std::vector<std::string> arguments, std::string_view input) {
    write_file(folder_ / "in", input);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;
    const std::string in = folder_ / "in", out = folder_ / "out", err = folder_ / "err";
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), kCreate, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), kCreate, 0600);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int error = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(error, 0) << arguments[0];
  }

  void signal(int number) const { kill(pid_, number); }
  bool running() {
    if (!ended_) ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
    return !ended_;
  }

  Output wait() {
    while (!ended_) ended_ = waitpid(pid_, &status_, 0) == pid_ || errno != EINTR;
    const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    return {code, read_file(folder_ / "out"), read_file(folder_ / "err")};
  }

 private:
  TemporaryDirectory folder_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

/// gannet with these arguments.
inline Output gannet(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), kCommand);
  return Process(std::move(arguments), input).wait();
}

/// A line of shell, with $GANNET for the command.
inline Output shell(const std::string& line) {
  return Process({"/bin/sh", "-c", std::string("GANNET='") + kCommand + "'; " + line}, {}).wait();
}

/// One line, ended by a newline.
inline bool is_one_line(std::string_view text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

}  // namespace gannet::test
