#include "tests/support/simt/launch.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/simt/cuda/device_launch_parameters.h"
#include "tests/support/simt/shared_memory.hpp"

namespace gannet::simt {
namespace {

std::uint64_t count(dim3 size) { return std::uint64_t{size.x} * size.y * size.z; }

void check(const Launch& launch) {
  const std::uint64_t threads = count(launch.block);
  if (threads == 0 || threads > kMaxThreads) {
    throw std::invalid_argument("simt: a block of " + std::to_string(threads) +
                                " threads; it has 1 to 1024");
  }
  if (count(launch.grid) == 0 || count(launch.grid) > 0xffffffffu) {
    throw std::invalid_argument("simt: a grid of " + std::to_string(count(launch.grid)) +
                                " blocks; the emulator runs 1 to 4294967295");
  }
  if (launch.shared_bytes > kMaxSharedBytes) {
    throw std::invalid_argument("simt: " + std::to_string(launch.shared_bytes) +
                                " bytes of dynamic shared memory; a block has at most " +
                                std::to_string(kMaxSharedBytes));
  }
  if (Block::here().is_running()) {
    throw std::invalid_argument("simt: a kernel launches another one, which is not supported");
  }
}

}  // namespace

void launch_kernel(const Launch& launch, const Kernel& kernel) {
  check(launch);
  Order order(launch.seed);
  SharedMemory shared(kernel.address, launch.shared_bytes);
  constexpr std::uint32_t kPattern = 0xcdcdcdcd;
  Block::here().begin_launch(launch.check_races);
  blockDim = launch.block;
  gridDim = launch.grid;
  const auto blocks = static_cast<std::uint32_t>(count(launch.grid));
  const std::vector<std::uint32_t> sequence = order.sequence(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    const std::uint32_t block = sequence.empty() ? i : sequence[i];
    blockIdx = {block % launch.grid.x, block / launch.grid.x % launch.grid.y,
                block / launch.grid.x / launch.grid.y};
    shared.fill(order.shuffled() ? order.random() : kPattern);
    Block::here().run(kernel, launch.block, order);
  }
}

}  // namespace gannet::simt
