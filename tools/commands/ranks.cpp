#include "tools/commands/ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "codecs/base/error.hpp"

namespace gannet::tools {
namespace {

constexpr const char* kProgram = "gannet-mpi";

}  // namespace

bool asks_for_ranks(Args args) { return std::ranges::find(args, "--mpi") != args.end(); }

int run_as_rank(const std::string& command, Args args) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string program = (self.parent_path() / kProgram).string();
  std::vector<std::string> words{program, command};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  if (errno != ENOENT) throw IoError(program + ": cannot be run: " + std::strerror(errno));
  throw UsageError(
      "--mpi: this gannet was built without MPI (there is no " + program +
      "); install libboost-mpi-dev and openmpi-bin (tools/setup.sh --mpi) and build it again");
}

}  // namespace gannet::tools
