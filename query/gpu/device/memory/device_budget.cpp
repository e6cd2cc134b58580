#include "query/gpu/device/memory/device_budget.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/device.hpp"

namespace gannet::query::cuda {
namespace {

/// What a driver takes for the kernels of this library when it loads them, and more: 64 MB.
constexpr std::uint64_t kHeadroom = std::uint64_t{64} << 20;

struct Budgets {
  std::mutex mutex;
  std::map<int, std::unique_ptr<MemoryBudget>> of;
};

std::uint64_t free_bytes(int device) {
  const codecs::cuda::DeviceGuard guard(device);
  std::size_t free = 0;
  std::size_t total = 0;
  codecs::cuda::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

}  // namespace

MemoryBudget& device_budget(int device) {
  // Never destroyed: back ends in static storage may give their memory back later than that.
  static Budgets& budgets = *new Budgets;
  const std::lock_guard lock(budgets.mutex);
  std::unique_ptr<MemoryBudget>& budget = budgets.of[device];
  if (budget == nullptr) {
    budget = std::make_unique<MemoryBudget>(
        codecs::cuda::malloc_resource(), [device] { return free_bytes(device); }, kHeadroom);
  }
  return *budget;
}

MemoryBudget& current_budget() { return device_budget(codecs::cuda::current_device()); }

}  // namespace gannet::query::cuda
