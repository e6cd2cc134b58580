#include "codecs/base/cuda/memory_resource.hpp"

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/device.hpp"

namespace gannet::codecs::cuda {
namespace {

class CudaPool : public MemoryResource {
 public:
  void* allocate_async(std::size_t bytes, std::size_t, Stream stream) override {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream), "cudaMallocAsync");
    return memory;
  }
  void deallocate_async(void* memory, std::size_t, std::size_t, Stream stream) noexcept override {
    cudaFreeAsync(memory, stream);
  }
};

class CudaMalloc : public MemoryResource {
 public:
  void* allocate_async(std::size_t bytes, std::size_t, Stream) override {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    return memory;
  }
  void deallocate_async(void* memory, std::size_t, std::size_t, Stream) noexcept override {
    cudaFree(memory);
  }
};

}  // namespace

// Neither is ever destroyed: what is in static storage may free its memory when all else is gone.
MemoryResource& malloc_resource() {
  static MemoryResource& resource = *new CudaMalloc;
  return resource;
}

MemoryResource& default_resource() {
  static MemoryResource& pool = *new CudaPool;
  return pool;
}

DeviceBuffer::DeviceBuffer(std::size_t bytes, Stream stream, MemoryResource& resource)
    : bytes_(bytes), stream_(stream), resource_(&resource), device_(current_device()) {
  if (bytes > 0) data_ = resource.allocate_async(bytes, kMemoryAlignment, stream);
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ == nullptr) return;
  int before = device_;
  cudaGetDevice(&before);
  if (before != device_) cudaSetDevice(device_);
  resource_->deallocate_async(data_, bytes_, kMemoryAlignment, stream_);
  if (before != device_) cudaSetDevice(before);
}

}  // namespace gannet::codecs::cuda
