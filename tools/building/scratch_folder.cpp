#include "tools/building/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "index/files/posix_file.hpp"
#include "tools/building/output_paths.hpp"

namespace gannet::tools {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& output) {
  std::string name = beside(output, ".building-XXXXXX").string();
  const fs::path parent = fs::path(name).parent_path();
  if (!parent.empty()) made_ = index::make_directories(parent);
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
