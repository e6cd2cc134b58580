#include "tests/support/simt/running.hpp"

#include "tests/support/simt/block/block.hpp"
#include "tests/support/simt/cuda/device_launch_parameters.h"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace gannet::simt {

std::uint64_t collective(const Call& call) { return Block::here().collective(call); }
void pause() { Block::here().pause(); }
void note_access(const MemoryAccess& access) {
  if (Block* const block = Block::running()) block->note(access);
}
void begin_atomic(const void* address, std::size_t bytes, const void* code) {
  Block::here().begin_atomic(address, bytes, code);
}
void fence() { Block::here().fence(); }
bool is_local(const void* address) { return Block::here().is_local(address); }
void copy_later(void* to, const void* from, std::size_t bytes, std::size_t zeros) {
  Block::here().copies().add(to, from, bytes, zeros);
}
void commit_copies() { Block::here().copies().commit(); }
void finish_copies(std::size_t newer, const void* code) {
  Block::here().copies().finish(newer, [&](void* to, const void* from, std::size_t bytes) {
    note_access({from, bytes, false, false, code});
    note_access({to, bytes, true, false, code});
  });
}

}  // namespace gannet::simt
