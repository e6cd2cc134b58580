#include "index/manifest/output_directory.hpp"

#include <system_error>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/file_system.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/directory.hpp"

namespace gannet::index {

namespace fs = std::filesystem;

OutputDirectory::OutputDirectory(fs::path directory, const OutputOptions& options)
    : directory_(std::move(directory)), lock_(options.lock) {
  if (!directory_.has_filename()) directory_ = directory_.parent_path();  // "index/"
  check(options);
  created_ = make_directories(directory_);
  if (!lock_) lock_ = lock_of(options);
  check(options);  // again: another writer may have been faster
  replaced_ = options.append ? read_manifest(directory_) : readable_manifest(directory_);
  if (options.generation) check_generation(*options.generation);
  remove_unused(replaced_);
  make_scratch();
}

/// A build that fails removes the folder that it made, also while this one waits for its lock.
std::shared_ptr<DirectoryLock> OutputDirectory::lock_of(const OutputOptions& options) {
  for (;;) {
    try {
      return std::make_shared<DirectoryLock>(directory_, options.lock_wait, options.stop);
    } catch (const IoError&) {
      std::error_code error;
      if (options.append || fs::exists(directory_, error) || error) throw;
    }
    created_ = make_directories(directory_);
  }
}

/// A link or a file of this name is nobody's that writes here: runs would go where it leads.
void OutputDirectory::make_scratch() const {
  refuse_link(scratch());
  std::error_code error;
  if (fs::exists(scratch(), error) && !fs::is_directory(scratch(), error)) {
    throw UsageError(scratch().string() +
                     ": is no folder, and Gannet needs this name for its temporary files; nothing "
                     "was changed. Move it away");
  }
  make_directories(scratch());
}

OutputDirectory::~OutputDirectory() {
  try_remove_tree(scratch());
  if (kept_ || !lock_) return;
  // Where there is no index, the lock would say that what others put there later is an index's.
  if (!may_hold_index()) file_system().remove(directory_ / kLockName);
  for (auto made = created_.rbegin(); made != created_.rend(); ++made) {
    file_system().remove(*made);  // not if anybody put something there
  }
}

bool OutputDirectory::may_hold_index() const noexcept {
  try {
    return has_manifest(directory_);
  } catch (const std::exception&) {
    return true;
  }
}

/// A new index wants a directory of its own; who adds to one leaves alone what others put there.
void OutputDirectory::check(const OutputOptions& options) const {
  if (options.append) {
    read_manifest(directory_);  // throws if there is no index
  } else {
    check_destination(directory_, options.overwrite);
  }
}

std::uint64_t OutputDirectory::generation_now() const {
  const auto now = readable_manifest(directory_);
  return now ? now->generation : 0;
}

/// Throws if another writer was here since the index had this generation, which the lock forbids:
/// where it does not hold (some network file systems), or was removed by hand.
void OutputDirectory::check_generation(std::uint64_t generation) const {
  if (generation_now() == generation) return;
  throw IoError(directory_.string() +
                ": another writer has changed the index meanwhile, past the lock; nothing was "
                "written. Let one write at a time, and do it again");
}

void OutputDirectory::keep() {
  kept_ = true;
  sync_made_directories(created_);
}

void OutputDirectory::remove_unused(const std::optional<Manifest>& current) const {
  if (lock_->stands()) remove_leftovers(directory_, current, replaced_);
}

fs::path OutputDirectory::scratch() const { return directory_ / kScratchName; }

}  // namespace gannet::index
