// A file that appears complete or not at all: written under a temporary name, synced, then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "index/files/checksum.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {

/// The name that a file under way with this name had: `NAME` for `NAME.PROCESS-COUNTER.gannet.tmp`,
/// where process and counter are decimal numbers; empty for any other name.
std::string_view target_of_temporary(std::string_view name);

/// Such a name for `path` that no other file under way in this process has.
std::filesystem::path new_temporary_name(std::filesystem::path path);

/// What a name for output stands for.
struct OutputTarget {
  std::filesystem::path path;  ///< where its links lead, also if nothing is there
  bool in_place = false;       ///< a descriptor, pipe, device or folder: no file to be replaced
  int descriptor = -1;         ///< of this process, if the name stands for one (/dev/stdout)
};

/// Follows symbolic links. Throws IoError where they lead round in circles.
OutputTarget output_target(std::filesystem::path path);

/// The path to give to an AtomicFile so that a link stays one and the file that it names is
/// replaced. Throws IoError if it is no regular file.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

/// What becomes of a file that has the name of a new one.
enum class Existing {
  kReplace,
  kKeep,  ///< the new file gets another name
};

/// Order of calls: append()..., finish(), publish(). Not thread-safe. Destroyed before publish(),
/// it leaves nothing behind. Several writers of one path do not meet: each has a temporary file of
/// its own, and the last one to publish wins. A writer holds a lock (flock) on its temporary file;
/// one that nobody holds is left over from a killed process. The next writer of the path removes
/// it if it is a regular file of this user under no other name. Errors name `path`, never the
/// temporary file.
class AtomicFile {
 public:
  /// Creates a temporary file beside `path`; publish() replaces a link, too (file_to_replace()
  /// follows links). Throws IoError, also for a pipe, a device or a folder.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Bytes appended so far.
  std::uint64_t size() const { return size_; }

  void append(std::span<const std::byte> bytes);
  /// Writes what is buffered and syncs. The file still has its temporary name.
  void finish();
  /// XXH3-64 of the whole file, after finish().
  std::uint64_t checksum() const { return hasher_.digest(); }
  /// Gives the file its name. The caller syncs the directory, once for all of its files. With
  /// kKeep, throws IoError if a file is there already: the new one stays beside it, and the message
  /// says under which name.
  void publish(Existing existing = Existing::kReplace);
  /// publish() for a name that nothing has. If something has it, throws IoError and leaves that.
  void publish_new();

 private:
  void create();
  void flush();
  void publish_beside();

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  File file_;
  Hasher hasher_;
  std::vector<std::byte> buffer_;
  std::uint64_t size_ = 0;
  bool published_ = false;
};

}  // namespace gannet::index
