#include "tools/building/scratch_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>

#include "codecs/base/error.hpp"
#include "index/files/posix_file.hpp"
#include "index/files/unfinished_mark.hpp"
#include "index/manifest/directory.hpp"
#include "tools/building/output_paths.hpp"

namespace gannet::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScratchMark = ".building-";
constexpr std::size_t kScratchLetters = 6;  ///< letters that mkdtemp() chooses
constexpr const char* kScratchIndex = "index";
constexpr const char* kScratchDocuments = "documents";

bool is_scratch_name(const std::string& name, const std::string& lead) {
  return name.size() == lead.size() + kScratchLetters && name.starts_with(lead);
}

/// Whether it is a ScratchFolder of this user, with nothing of others in it. The name alone does
/// not tell: six letters are soon a word.
bool is_own_scratch(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  if (status.st_uid != ::geteuid()) return false;
  if (!index::is_marked_unfinished(path)) return false;
  return std::ranges::all_of(index::names_in(path), [&](const std::string& name) {
    if (name == kScratchIndex) return index::holds_only_own(path / name);
    return name == index::kLockName || name == index::kUnfinishedName || name == kScratchDocuments;
  });
}

/// Throws UsageError while the folder's process lives.
void remove_left_folder(const fs::path& path) {
  if (!is_own_scratch(path)) return;
  const index::DirectoryLock lock(path);
  index::remove_tree(path);
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& output) {
  remove_left_scratch(output);
  const std::string form = beside(output, std::string(kScratchMark) + "XXXXXX").string();
  const fs::path parent = fs::path(form).parent_path();
  if (!parent.empty()) made_ = index::make_directories(parent);
  std::string name = form;
  if (mkdtemp(name.data()) == nullptr) index::fail_io(form, "create the folder", errno);
  path_ = name;
  try {
    lock_.emplace(path_);  // before the mark: who sees that, asks whether the lock is held
    index::mark_unfinished(path_);
  } catch (...) {
    remove();
    throw;
  }
}

ScratchFolder::~ScratchFolder() { remove(); }

void ScratchFolder::remove() noexcept {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) {
    fs::remove(*made, ignored);  // not if the output is there
  }
}

void remove_left_scratch(const fs::path& output) noexcept {
  try {
    const fs::path lead = beside(output, kScratchMark);
    const fs::path parent = lead.has_parent_path() ? lead.parent_path() : ".";
    for (const std::string& name : index::names_in(parent)) {
      if (!is_scratch_name(name, lead.filename().string())) continue;
      try {
        remove_left_folder(parent / name);
      } catch (const std::exception&) {
        // At work, or of somebody else: it stays.
      }
    }
  } catch (const std::exception&) {
    // A parent that is not there, or cannot be read, has none.
  }
}

}  // namespace gannet::tools
