#include "tests/support/simt/block/context.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "tests/support/simt/block/sanitizer.hpp"

#if defined(GANNET_SIMT_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

// gannet_simt_switch(where to keep this stack's pointer, the other stack's pointer): pushes the
// registers that a called function must preserve, changes stacks, takes those of the other one from
// there. Rounding modes are not among them: kernels do not change them.
extern "C" void gannet_simt_switch(void** kept, void* next);

#if defined(__x86_64__)
__asm__(R"(
.text
.p2align 4
.globl gannet_simt_switch
.hidden gannet_simt_switch
.type gannet_simt_switch, @function
gannet_simt_switch:
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size gannet_simt_switch, . - gannet_simt_switch
)");
#elif defined(__aarch64__)
__asm__(R"(
.text
.p2align 4
.globl gannet_simt_switch
.hidden gannet_simt_switch
.type gannet_simt_switch, %function
gannet_simt_switch:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  ret
.size gannet_simt_switch, . - gannet_simt_switch
)");
#else
#error "tests/support/simt runs on x86-64 and ARM64; write gannet_simt_switch for this processor"
#endif

namespace gannet::simt {
namespace {

#if defined(__x86_64__)
constexpr std::size_t kReturnWord = 6;    // after r15 r14 r13 r12 rbx rbp
constexpr std::size_t kInitialWords = 8;  // and no caller, which leaves the stack as a call does
#else
constexpr std::size_t kReturnWord = 1;  // after x29
constexpr std::size_t kInitialWords = 20;
#endif

}  // namespace

#if defined(GANNET_SIMT_ASAN)
namespace {
/// Whose switch is under way.
thread_local Context* leaving = nullptr;
}  // namespace

/// The address sanitizer tells on arrival which stack was left: the only way to learn the host's.
void Context::start_switch(Context& next) {
  leaving = this;
  __sanitizer_start_switch_fiber(&fake_stack_, next.bottom_, next.size_);
}

void Context::finish_switch(void* fake_stack) {
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
  leaving->bottom_ = static_cast<char*>(const_cast<void*>(bottom));
  leaving->size_ = size;
}
#else
void Context::start_switch(Context&) {}
void Context::finish_switch(void*) {}
#endif

Context::Context(std::size_t bytes, std::size_t colour, void (*entry)()) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  size_ = (bytes + 2 * page - 1) / page * page;  // a page more, in which colours differ
  mapped_ = size_ + page;
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping_ == MAP_FAILED || mprotect(mapping_, page, PROT_NONE) != 0) {
    throw std::system_error(errno, std::generic_category(), "simt: no memory for a thread's stack");
  }
  bottom_ = static_cast<char*>(mapping_) + page;
  constexpr std::size_t kLine = 64;
  auto* const top =
      reinterpret_cast<std::uintptr_t*>(bottom_ + size_ - colour * 7 % (page / kLine) * kLine);
  std::uintptr_t* const first = top - kInitialWords;
  first[kReturnWord] = reinterpret_cast<std::uintptr_t>(entry);
  stack_pointer_ = first;
}

Context::~Context() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

void Context::switch_to(Context& next) {
  start_switch(next);
  gannet_simt_switch(&stack_pointer_, next.stack_pointer_);
  finish_switch(fake_stack_);
}

void Context::arrived() { finish_switch(nullptr); }

}  // namespace gannet::simt
