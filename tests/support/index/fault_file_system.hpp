// A file system that fails on demand, and says what a disk may hold after a crash.
#pragma once

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "index/files/file_system.hpp"

namespace gannet::test {

/// One change that a program asked for, as far as a crash can undo it.
struct FileOperation {
  enum Kind { kCreate, kWrite, kSync, kRename, kRemove, kCreateDirectory, kSyncDirectory };
  Kind kind;
  std::string path;     ///< of the entry, below the root; of a renamed one the old one
  std::string to;       ///< kRename
  int file = 0;         ///< which file, counted from 1: names change, files do not
  std::string bytes{};  ///< kWrite
};

/// Passes everything on to the operating system, and keeps a log of what happened below `root`.
class FaultFileSystem : public index::FileSystem {
 public:
  explicit FaultFileSystem(std::filesystem::path root) : root_(std::move(root)) {}

  /// The call number `call` (from 0, of those that change anything) fails with `error`.
  void fail_at(std::size_t call, int error) {
    failing_call_ = call;
    error_ = error;
  }
  /// write() takes at most so many bytes at a time.
  void limit_writes(std::size_t bytes) { most_bytes_ = bytes; }

  /// Takes what is below the root as it is now, all of it durable: the log begins with what makes
  /// it, and operations that follow may be of any of these files. Nothing may be open for writing.
  void begin_anew() {
    namespace fs = std::filesystem;
    const std::lock_guard lock(mutex_);
    log_.clear();
    files_.clear();
    std::set<fs::path> entries;  // directories come before what is in them
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
      entries.insert(entry.path());
    }
    log_.reserve(4 * entries.size() + 1);
    for (const fs::path& path : entries) {
      const std::string name = *name_of(path);
      if (fs::is_directory(path)) {
        log_.push_back({FileOperation::kCreateDirectory, name, ""});
        continue;
      }
      files_[name] = ++last_file_;
      std::ostringstream bytes;
      bytes << std::ifstream(path, std::ios::binary).rdbuf();
      log_.push_back({FileOperation::kCreate, name, "", last_file_});
      log_.push_back({FileOperation::kWrite, name, "", last_file_, bytes.str()});
      log_.push_back({FileOperation::kSync, name, "", last_file_});
    }
    log_.push_back({FileOperation::kSyncDirectory, "", ""});
    for (const fs::path& path : entries) {
      if (!fs::is_directory(path)) continue;
      log_.push_back({FileOperation::kSyncDirectory, *name_of(path), ""});
    }
  }

  const std::vector<FileOperation>& log() const { return log_; }
  std::size_t calls() const { return calls_; }

  int open(const std::filesystem::path& path, int flags) override {
    const std::lock_guard lock(mutex_);
    const bool creates = (flags & O_CREAT) != 0;
    if (creates && fails()) return -1;
    std::error_code error;
    const bool is_new = creates && !std::filesystem::exists(path, error);
    const int descriptor = FileSystem::open(path, flags);
    if (descriptor < 0) return descriptor;
    if (const auto name = name_of(path)) {
      if (is_new) {
        files_[*name] = ++last_file_;
        log_.push_back({FileOperation::kCreate, *name, "", last_file_});
      }
      open_[descriptor] = *name;
    }
    return descriptor;
  }

  ssize_t write(int descriptor, const void* bytes, std::size_t count) override {
    const std::lock_guard lock(mutex_);
    if (fails()) return -1;
    const ssize_t written = FileSystem::write(descriptor, bytes, std::min(count, most_bytes_));
    if (const auto name = open_.find(descriptor); name != open_.end() && written > 0) {
      log_.push_back(
          {FileOperation::kWrite, name->second, "", files_[name->second],
           std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(written))});
    }
    return written;
  }

  int sync(int descriptor) override {
    const std::lock_guard lock(mutex_);
    if (fails()) return -1;
    const auto name = open_.find(descriptor);
    if (name == open_.end()) return 0;
    const auto file = files_.find(name->second);
    if (file != files_.end()) {
      log_.push_back({FileOperation::kSync, name->second, "", file->second});
    } else {
      log_.push_back({FileOperation::kSyncDirectory, name->second, ""});
    }
    return 0;  // the log is what counts: waiting for a disk would only take time
  }

  int close(int descriptor) override {
    const std::lock_guard lock(mutex_);
    open_.erase(descriptor);
    const int result = FileSystem::close(descriptor);
    return fails() ? -1 : result;
  }

  int rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    const std::lock_guard lock(mutex_);
    if (fails()) return -1;
    const int result = FileSystem::rename(from, to);
    const auto name = name_of(from);
    if (result == 0 && name) {
      const std::string target = *name_of(to);
      log_.push_back({FileOperation::kRename, *name, target, files_[*name]});
      files_[target] = files_[*name];
      files_.erase(*name);
      for (auto& [descriptor, open_name] : open_) {
        if (open_name == *name) open_name = target;
      }
    }
    return result;
  }

  int remove(const std::filesystem::path& path) override {
    const std::lock_guard lock(mutex_);
    if (fails()) return -1;
    const int result = FileSystem::remove(path);
    const auto name = name_of(path);
    if (result == 0 && name) {
      log_.push_back({FileOperation::kRemove, *name, ""});
      files_.erase(*name);
    }
    return result;
  }

  int create_directory(const std::filesystem::path& path) override {
    const std::lock_guard lock(mutex_);
    if (fails()) return -1;
    const int result = FileSystem::create_directory(path);
    const auto name = name_of(path);
    if (result == 0 && name) log_.push_back({FileOperation::kCreateDirectory, *name, ""});
    return result;
  }

 private:
  bool fails() {
    const bool now = calls_++ == failing_call_;
    if (now) errno = error_;
    return now;
  }

  std::optional<std::string> name_of(const std::filesystem::path& path) const {
    std::string name = std::filesystem::absolute(path).lexically_normal().string();
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    const std::string root = root_.string();
    if (name == root) return "";
    if (!name.starts_with(root + "/")) return std::nullopt;
    return name.substr(root.size() + 1);
  }

  const std::filesystem::path root_;
  std::mutex mutex_;
  std::vector<FileOperation> log_;
  std::map<std::string, int> files_;  ///< by their names of now
  std::map<int, std::string> open_;   ///< names, by descriptor
  int last_file_ = 0;
  std::size_t calls_ = 0;
  std::size_t failing_call_ = ~std::size_t{0};
  std::size_t most_bytes_ = ~std::size_t{0};
  int error_ = 0;
};

/// What of the changes that were not synced a crash leaves.
enum class Crash {
  kLosesAll,          ///< nothing
  kLosesNothing,      ///< everything
  kLosesContents,     ///< names, but not what was written to the files
  kLosesNames,        ///< what was written, but not the names
  kKeepsTheLastName,  ///< of the names the last change alone, and no contents
  kKeepsRemovals,     ///< of the names the removals alone
  kRandom,            ///< any of the names, any length of the contents
};
inline constexpr Crash kCrashes[] = {
    Crash::kLosesAll,         Crash::kLosesNothing,  Crash::kLosesContents, Crash::kLosesNames,
    Crash::kKeepsTheLastName, Crash::kKeepsRemovals, Crash::kRandom};

/// Writes to the empty directory `target` what a disk holds that was given the first `count`
/// operations of a log and then lost power. A sync of a file makes its contents durable, a sync of
/// a directory the names in it, and nothing else does. `ignored`: the number of a sync in the log
/// that did not happen.
inline void write_crashed(const std::vector<FileOperation>& log, std::size_t count, Crash crash,
                          unsigned seed, const std::filesystem::path& target,
                          std::size_t ignored = ~std::size_t{0}) {
  struct Contents {
    std::string written;
    std::size_t durable = 0;
  };
  std::map<int, Contents> contents;
  std::vector<bool> is_durable(count, false);
  const auto parent_of = [](const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
  };
  const auto names = [](const FileOperation& op) {
    return op.kind == FileOperation::kCreate || op.kind == FileOperation::kRename ||
           op.kind == FileOperation::kRemove || op.kind == FileOperation::kCreateDirectory;
  };
  std::optional<std::size_t> last_name;
  for (std::size_t i = 0; i < count; ++i) {
    const FileOperation& op = log[i];
    if (op.kind == FileOperation::kWrite) contents[op.file].written += op.bytes;
    if (op.kind == FileOperation::kSync && i != ignored) {
      contents[op.file].durable = contents[op.file].written.size();
    }
    if (op.kind == FileOperation::kSyncDirectory && i != ignored) {
      for (std::size_t earlier = 0; earlier < i; ++earlier) {
        if (names(log[earlier]) && parent_of(log[earlier].path) == op.path) {
          is_durable[earlier] = true;
        }
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (names(log[i]) && !is_durable[i]) last_name = i;
  }
  std::mt19937 random(seed);
  const auto survives = [&](std::size_t i) {
    switch (crash) {
      case Crash::kLosesNothing:
      case Crash::kLosesContents:
        return true;
      case Crash::kKeepsTheLastName:
        return last_name == i;
      case Crash::kKeepsRemovals:
        return log[i].kind == FileOperation::kRemove;
      case Crash::kRandom:
        return random() % 2 == 0;
      default:
        return false;
    }
  };
  const auto length_of = [&](const Contents& file) {
    switch (crash) {
      case Crash::kLosesNothing:
      case Crash::kLosesNames:
        return file.written.size();
      case Crash::kRandom:
        return file.durable + random() % (file.written.size() - file.durable + 1);
      default:
        return file.durable;
    }
  };
  std::map<std::string, int> files;  // 0: a directory
  for (std::size_t i = 0; i < count; ++i) {
    const FileOperation& op = log[i];
    if (!names(op) || !(is_durable[i] || survives(i))) continue;
    files.erase(op.path);
    if (op.kind == FileOperation::kRename) files[op.to] = op.file;
    if (op.kind == FileOperation::kCreate) files[op.path] = op.file;
    if (op.kind == FileOperation::kCreateDirectory) files[op.path] = 0;
  }
  for (const auto& [path, file] : files) {  // directories come before what is in them
    std::error_code error;
    if (!std::filesystem::is_directory((target / path).parent_path(), error)) continue;
    if (file == 0) {
      std::filesystem::create_directory(target / path);
    } else {
      std::ofstream(target / path, std::ios::binary)
          << contents[file].written.substr(0, length_of(contents[file]));
    }
  }
}

}  // namespace gannet::test
