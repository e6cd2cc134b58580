#include "index/files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/file_system.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
/// Our mark: other programs name their temporary files otherwise.
constexpr std::string_view kTemporaryEnd = ".gannet.tmp";

std::atomic<std::uint64_t> temporary_files{0};

/// Takes the digits at the end of `text`; false if there are none.
bool drop_digits(std::string_view& text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::size_t left = last == std::string_view::npos ? 0 : last + 1;
  const bool any = left < text.size();
  text = text.substr(0, left);
  return any;
}

bool drop(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

/// Whether it is a file, of this user, with no other name: what a writer makes.
bool may_be_ours(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid() && status.st_nlink == 1;
}

/// Removes a temporary file unless its writer is at work (or cannot be asked).
void remove_if_left(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return;
  if (may_be_ours(descriptor) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    file_system().remove(path);
  }
  ::close(descriptor);
}

void remove_left_files(const fs::path& path) {
  const std::string target = path.filename().string();
  std::error_code error;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    if (target_of_temporary(entry->path().filename().string()) == target) {
      left.push_back(entry->path());
    }
  }
  for (const fs::path& file : left) remove_if_left(file);
}

/// Whether the folder's entries stand for a process's open descriptors.
bool holds_descriptors(const fs::path& folder) {
  return folder.filename() == "fd" && *std::next(folder.begin()) == "proc";
}

[[noreturn]] void fail_to_replace(const fs::path& path) {
  throw IoError(path.string() +
                ": cannot be replaced by a file, since it is no regular one; write elsewhere");
}

/// The descriptor of this process that an entry of such a folder stands for, or -1.
int own_descriptor(const fs::path& folder, const std::string& name) {
  std::error_code error;
  if (folder != fs::canonical("/proc/self/fd", error) &&
      folder != fs::canonical("/proc/thread-self/fd", error)) {
    return -1;
  }
  int descriptor = -1;
  std::from_chars(name.data(), name.data() + name.size(), descriptor);
  return descriptor;
}

}  // namespace

fs::path new_temporary_name(fs::path path) {
  path += "." + std::to_string(::getpid()) + "-" + std::to_string(temporary_files++);
  path += kTemporaryEnd;
  return path;
}

OutputTarget output_target(fs::path path) {
  constexpr int kMaxLinks = 40;
  std::error_code error;
  const fs::path name = path;
  for (int links = 0; links < kMaxLinks; ++links) {
    const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
    const fs::path folder = fs::canonical(parent, error);
    if (!error && holds_descriptors(folder)) {
      const int descriptor = own_descriptor(folder, path.filename().string());
      return {std::move(path), true, descriptor};
    }
    if (!fs::is_symlink(fs::symlink_status(path, error))) {
      const fs::file_status status = fs::status(path, error);
      return {std::move(path), fs::exists(status) && !fs::is_regular_file(status), -1};
    }
    path = parent / fs::read_symlink(path, error);  // an absolute one replaces the parent
    if (error) fail_io(name, "follow the link", error.value());
  }
  fail_io(name, "follow the link", ELOOP);
}

fs::path file_to_replace(const fs::path& path) {
  OutputTarget target = output_target(path);
  if (target.in_place) fail_to_replace(path);
  return std::move(target.path);
}

std::string_view target_of_temporary(std::string_view name) {
  const bool temporary = drop(name, kTemporaryEnd) && drop_digits(name) && drop(name, "-") &&
                         drop_digits(name) && drop(name, ".");
  return temporary ? name : std::string_view{};
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  const fs::file_status there = fs::symlink_status(path_, error);
  if (fs::exists(there) && !fs::is_regular_file(there) && !fs::is_symlink(there)) {
    fail_to_replace(path_);
  }
  remove_left_files(path_);
  create();
}

void AtomicFile::create() {
  // Another writer may take the file for left over between open and lock; then start anew.
  do {
    temporary_ = new_temporary_name(path_);
    file_ = File::create_new(temporary_, path_);
    if (!file_.is_open()) continue;
    while (::flock(file_.descriptor(), LOCK_EX) != 0 && errno == EINTR) continue;
  } while (!file_.is_open() || !is_still_named(file_, temporary_));
}

AtomicFile::~AtomicFile() {
  if (!published_) try_remove_tree(temporary_);
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (bytes.size() >= kBufferBytes) {
    flush();
    hasher_.update(bytes);
    file_.write(bytes);
    return;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::flush() {
  hasher_.update(buffer_);
  file_.write(buffer_);
  buffer_.clear();
}

void AtomicFile::finish() {
  flush();
  file_.sync();
}

void AtomicFile::publish_new() {
  std::error_code error;
  const fs::file_status there = fs::symlink_status(path_, error);
  if (there.type() != fs::file_type::not_found) {
    if (fs::exists(there)) fail_io(path_, "give a new file this name", EEXIST);
    fail_io(path_, "examine", error.value());
  }
  publish();
}

/// Under the first free name of path.1, path.2, ...; throws that it was done.
void AtomicFile::publish_beside() {
  constexpr int kMax = 1000;
  for (int number = 1; number <= kMax; ++number) {
    fs::path other = path_;
    other += "." + std::to_string(number);
    if (file_system().rename_new(temporary_, other) == 0) {
      published_ = true;
      file_ = File();
      throw IoError(path_.string() + ": a file has appeared there meanwhile, which is kept; the " +
                    "result is in " + other.string());
    }
    if (errno != EEXIST) return;
  }
}

void AtomicFile::publish(Existing existing) {
  const bool keep = existing == Existing::kKeep;
  if ((keep ? file_system().rename_new(temporary_, path_)
            : file_system().rename(temporary_, path_)) != 0) {
    if (keep && errno == EEXIST) publish_beside();
    fail_io(path_, "put the finished file in its place", errno);
  }
  published_ = true;
  // finish() has synced it: an error of close() would tell nothing about what it holds, and must
  // not make a caller take back what others see already.
  file_ = File();
}

}  // namespace gannet::index
