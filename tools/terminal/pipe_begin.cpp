#include "tools/terminal/pipe_begin.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"

namespace gannet::tools {
namespace {

[[noreturn]] void fail_to_read(const std::string& name) {
  throw IoError(name + ": cannot be read: " + std::strerror(errno));
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR) return false;
    if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

struct Begin {
  std::string bytes;
  bool ended = false;  ///< nothing follows: a terminal must not be asked again
};

Begin read_begin(int descriptor, const std::string& name, std::size_t size) {
  std::string begin(size, '\0');
  bool ended = false;
  std::size_t filled = 0;
  while (filled < size) {
    const std::size_t got =
        corpora::read_bytes(descriptor, name, begin.data() + filled, size - filled);
    ended = got == 0;
    if (ended) break;
    filled += got;
  }
  begin.resize(filled);
  return {std::move(begin), ended};
}

/// read() that waits. Less than 0: errno says why there is no more.
ssize_t read_some(int descriptor, std::string& buffer) {
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
    pollfd readable{descriptor, POLLIN, 0};
    if (errno == EAGAIN) ::poll(&readable, 1, -1);
  }
}

/// Gives `to` the beginning, and then what `from` has.
void pass_on(int from, int to, const Begin& begin) {
  std::string buffer(std::size_t{1} << 16, '\0');
  bool open = write_all(to, begin.bytes) && !begin.ended;
  while (open) {
    const ssize_t got = read_some(from, buffer);
    if (got < 0) corpora::fail_at_end(to, errno);
    open = got > 0 && write_all(to, {buffer.data(), static_cast<std::size_t>(got)});
  }
  ::close(to);
  ::close(from);
}

/// Makes the descriptor a pipe with the beginning and all that follows.
void give_back(int descriptor, const std::string& name, Begin begin) {
  int ends[2];
  const int from = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (from < 0 || ::pipe2(ends, O_CLOEXEC) != 0 || ::dup2(ends[0], descriptor) < 0) {
    fail_to_read(name);
  }
  ::close(ends[0]);
  // Signals are for the threads that look at them.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([from, to = ends[1], begin = std::move(begin)] {
    pass_on(from, to, begin);
  }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// A file without a name, open until the process ends.
std::filesystem::path file_of(const std::string& name, std::string_view bytes) {
  const int file = ::memfd_create("begin", MFD_CLOEXEC);
  if (file < 0 || !write_all(file, bytes)) fail_to_read(name);
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

std::optional<int> descriptor_named(const std::string& name) {
  if (name == "-" || name == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int descriptor = -1;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + folder.size(), end, descriptor);
    if (error == std::errc() && rest == end && descriptor >= 0) return descriptor;
  }
  return std::nullopt;
}

std::filesystem::path pipe_begin(int descriptor, const std::string& name, std::size_t size) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail_to_read(name);
  // A file is opened anew each time.
  if (S_ISREG(status.st_mode)) return "/dev/fd/" + std::to_string(descriptor);
  Begin begin = read_begin(descriptor, name, size);
  std::filesystem::path file = file_of(name, begin.bytes);
  give_back(descriptor, name, std::move(begin));
  return file;
}

}  // namespace gannet::tools
