#include "tools/terminal/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>

#include "codecs/base/error.hpp"

namespace gannet::tools {
namespace {

constexpr char kSignalled = 's';
constexpr char kDone = 'd';

/// What the handler writes and the guard's thread reads. Made once and never closed, so that a
/// handler that is slow cannot write to a descriptor that has become another file's.
struct SignalPipe {
  SignalPipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
      throw IoError(std::string("cannot make a pipe for signals: ") + std::strerror(errno));
    }
    read_end = ends[0];
    write_end = ends[1];
  }

  /// Waits for a byte.
  char take() const {
    char byte = 0;
    pollfd readable{read_end, POLLIN, 0};
    while (::read(read_end, &byte, 1) != 1) poll(&readable, 1, -1);
    return byte;
  }
  void put(char byte) const {
    while (::write(write_end, &byte, 1) < 0 && errno == EINTR) {
    }
  }
  void drain() const {
    std::array<char, 16> bytes{};
    while (::read(read_end, bytes.data(), bytes.size()) > 0) {
    }
  }

  int read_end = -1;
  int write_end = -1;
};

const SignalPipe& signal_pipe() {
  static const SignalPipe pipe;
  return pipe;
}

// All that the handler touches: lock-free atomics, write(), signal() and raise().
std::atomic<bool> guarded{false};
std::atomic<bool> interrupted{false};
std::atomic<int> pipe_for_handler{-1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

/// Of the guard that lives.
std::stop_token& living_token() {
  static std::stop_token token;
  return token;
}

extern "C" void note_interrupt(int signal) {
  const int error = errno;
  if (interrupted.exchange(true)) {  // the second one: its default effect, as soon as we return
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  } else if (::write(pipe_for_handler, &kSignalled, 1) < 0) {
    // Nothing to be done here; check_interrupted() knows it all the same.
  }
  errno = error;
}

/// The action of one signal, replaced while the object lives.
class HandledSignal {
 public:
  explicit HandledSignal(int signal) : signal_(signal) {
    sigaction(signal, nullptr, &before_);
    if (before_.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESTART);
    sigemptyset(&action.sa_mask);
    replaced_ = sigaction(signal, &action, nullptr) == 0;
  }
  ~HandledSignal() {
    if (replaced_) sigaction(signal_, &before_, nullptr);
  }
  HandledSignal(const HandledSignal&) = delete;
  HandledSignal& operator=(const HandledSignal&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
  bool replaced_ = false;
};

}  // namespace

struct InterruptGuard::Impl {
  // request_stop() takes locks and runs callbacks, which no signal handler may do: a thread does.
  Impl()
      : waiting([this] {
          if (signal_pipe().take() == kSignalled) source.request_stop();
        }) {}
  ~Impl() {
    signal_pipe().put(kDone);
    waiting.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::stop_source source;
  std::thread waiting;
  HandledSignal interrupt{SIGINT};
  HandledSignal terminate{SIGTERM};
};

InterruptGuard::InterruptGuard() {
  const SignalPipe& pipe = signal_pipe();
  if (guarded.exchange(true)) throw UsageError("another object guards the signals already");
  pipe.drain();
  pipe_for_handler = pipe.write_end;
  interrupted = false;
  impl_ = std::make_unique<Impl>();
  living_token() = token();
}

InterruptGuard::~InterruptGuard() {
  living_token() = {};
  impl_.reset();
  guarded = false;
}

std::stop_token InterruptGuard::token() const { return impl_->source.get_token(); }

std::stop_token interrupt_token() { return living_token(); }

void check_interrupted() {
  if (interrupted) throw CancelledError("cancelled");
}

}  // namespace gannet::tools
