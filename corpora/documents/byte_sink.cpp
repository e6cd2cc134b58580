#include "corpora/documents/byte_sink.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "codecs/core/cancellation.hpp"
#include "codecs/error.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kMostAtATime = std::size_t{4} << 20;  // between looks at `stop`

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

}  // namespace

void write_bytes(int descriptor, std::string_view name, std::string_view bytes,
                 const std::stop_token& stop) {
  // A pipe that poll() calls writable takes PIPE_BUF bytes without waiting, and no more for sure.
  const bool ask = stop.stop_possible() && may_wait(descriptor);
  const std::size_t most = ask ? PIPE_BUF : kMostAtATime;
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
