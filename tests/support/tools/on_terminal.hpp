// Runs the gannet command on a pseudo-terminal, as a person does.
#pragma once

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/paths.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {

/// A pseudo-terminal and what it runs with: 0 columns are an unknown width.
struct TerminalSetup {
  unsigned short columns = 0;
  const char* variable = nullptr;  ///< NAME=VALUE
  std::string_view typed = {};     ///< '\4' at the beginning of a line is Ctrl-D
  std::string folder = ".";        ///< where the command runs
};

/// What a person sees who types the command: stdout and stderr of a pseudo-terminal, and what is
/// typed.
inline Output on_terminal(std::vector<std::string> arguments, const TerminalSetup& setup = {}) {
  arguments.insert(arguments.begin(), kCommand);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int terminal = -1;
  winsize size{};
  size.ws_row = setup.columns == 0 ? 0 : 24;
  size.ws_col = setup.columns;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (setup.variable != nullptr)
      putenv(const_cast<char*>(setup.variable));  // NOLINT: of a literal
    if (chdir(setup.folder.c_str()) != 0) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  EXPECT_GT(child, 0);
  EXPECT_EQ(write(terminal, setup.typed.data(), setup.typed.size()),
            static_cast<ssize_t>(setup.typed.size()));
  Output output;
  char block[4096];
  // At the end of the command a read fails (EIO).
  for (ssize_t n = 0; (n = read(terminal, block, sizeof(block))) > 0;) {
    output.out.append(block, static_cast<std::size_t>(n));
  }
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace gannet::test
