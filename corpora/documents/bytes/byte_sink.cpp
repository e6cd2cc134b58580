#include "corpora/documents/bytes/byte_sink.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kBytesPerWrite = std::size_t{4} << 20;  // between looks at `stop`

bool may_wait(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode);
}

/// Returns when write() would take something (or fail) at once.
void wait_for_room(int descriptor, const std::stop_token& stop) {
  constexpr int kMilliseconds = 100;
  pollfd writable{descriptor, POLLOUT, 0};
  for (;;) {
    throw_if_stopped(stop);
    const int ready = ::poll(&writable, 1, kMilliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

int open_for_writing(const std::filesystem::path& path, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPause(20);
  for (;;) {
    throw_if_stopped(stop);
    // O_NONBLOCK: to open a pipe that nobody reads yet must not wait beyond all calling.
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int error = errno;
    if (descriptor >= 0) return descriptor;
    std::error_code unknown;
    if (error == ENXIO && std::filesystem::is_fifo(path, unknown)) {
      std::this_thread::sleep_for(kPause);
    } else if (error != EINTR) {
      index::fail_io(path, "open", error);
    }
  }
}

}  // namespace

ByteSink::ByteSink(index::OutputTarget target, std::stop_token stop)
    : target_(std::move(target)),
      stop_(std::move(stop)),
      descriptor_(target_.descriptor >= 0 ? ::fcntl(target_.descriptor, F_DUPFD_CLOEXEC, 0)
                                          : open_for_writing(target_.path, stop_)) {
  if (descriptor_ < 0) index::fail_io(target_.path, "open", errno);
}

ByteSink::~ByteSink() { ::close(descriptor_); }

void ByteSink::write(std::string_view bytes) const {
  write_bytes(descriptor_, target_.path.string(), bytes, stop_);
}

void write_bytes(int descriptor, std::string_view name, std::string_view bytes,
                 const std::stop_token& stop) {
  // A pipe that poll() calls writable takes PIPE_BUF bytes without waiting, and no more for sure.
  const bool ask = stop.stop_possible() && may_wait(descriptor);
  const std::size_t most = ask ? PIPE_BUF : kBytesPerWrite;
  while (!bytes.empty()) {
    throw_if_stopped(stop);
    if (ask) wait_for_room(descriptor, stop);
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), most));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_for_room(descriptor, stop);
    } else if (errno != EINTR) {
      throw IoError("cannot write to " + std::string(name) + ": " + std::strerror(errno));
    }
  }
}

}  // namespace gannet::corpora
