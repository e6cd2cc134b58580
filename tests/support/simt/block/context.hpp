// A stack of its own to run on, and switching between such stacks without the kernel: about as
// cheap as a call. (swapcontext() asks the kernel for the signal mask, twice a switch.)
#pragma once

#include <cstddef>

namespace gannet::simt {

/// What runs, or waits to be switched to: the host's own stack, or one made here.
class Context {
 public:
  /// The stack that the program is already on.
  Context() = default;
  /// A stack of `bytes`, below it a page that must not be touched. `entry` runs on it when it is
  /// first switched to, and must not return. Contexts that differ in `colour` do not compete for
  /// the same lines of the caches.
  Context(std::size_t bytes, std::size_t colour, void (*entry)());
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Goes on with `next`; returns when somebody switches back. Called by what runs on this context.
  void switch_to(Context& next);
  /// Whether an address lies on a stack that was made here.
  bool holds(const void* address) const {
    const auto* const byte = static_cast<const char*>(address);
    return mapping_ != nullptr && byte >= bottom_ && byte < bottom_ + size_;
  }
  /// To be called first by an entry function: ends the switch that led there.
  static void arrived();

 private:
  void start_switch(Context& next);
  static void finish_switch(void* fake_stack);

  void* stack_pointer_ = nullptr;
  char* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;  ///< with the guard page
  std::size_t mapped_ = 0;
  void* fake_stack_ = nullptr;  ///< of the address sanitizer
};

}  // namespace gannet::simt
