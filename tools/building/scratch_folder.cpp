#include "tools/building/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "index/files/posix_file.hpp"

namespace gannet::tools {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(fs::path output) {
  if (!output.has_filename()) output = output.parent_path();  // "index/"
  if (output.has_parent_path()) made_ = index::make_directories(output.parent_path());
  std::string name = output.string() + ".building-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) index::fail_io(name, "create the folder", errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) {
    fs::remove(*made, ignored);  // not if the output is there
  }
}

}  // namespace gannet::tools
