#include "tools/terminal/interrupt.hpp"

#include <csignal>

namespace gannet::tools {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int /*signal*/) { interrupted = 1; }

void install(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // SA_RESETHAND: the second signal has its default effect.
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  install(SIGINT, note_interrupt);
  install(SIGTERM, note_interrupt);
}

InterruptGuard::~InterruptGuard() {
  install(SIGINT, SIG_DFL);
  install(SIGTERM, SIG_DFL);
}

void check_interrupted() {
  if (interrupted != 0) throw Interrupted("interrupted");
}

}  // namespace gannet::tools
