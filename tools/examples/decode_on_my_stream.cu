// Decoding columns on a stream of one's own, with device memory from an allocator of one's own:
// columns that the host encoded, and one that the device encodes. Nothing but bytes is passed
// along. Without a GPU it says so.
#include <cuda_runtime.h>
#include <gannet/codecs/base/cuda/check.hpp>
#include <gannet/codecs/base/cuda/device.hpp>
#include <gannet/codecs/columns.hpp>
#include <gannet/codecs/described_column.hpp>
#include <gannet/codecs/device/batch.hpp>
#include <gannet/codecs/device/column_encoder.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace codecs = gannet::codecs;
namespace cuda = gannet::codecs::cuda;

namespace {

/// Stands for a program's own allocator; here CUDA's pool, with a count of what is in use.
class CountingResource : public cuda::MemoryResource {
 public:
  void* allocate_async(std::size_t bytes, std::size_t alignment, cuda::Stream stream) override {
    in_use_ += bytes;
    return cuda::default_resource().allocate_async(bytes, alignment, stream);
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
                        cuda::Stream stream) noexcept override {
    in_use_ -= bytes;
    cuda::default_resource().deallocate_async(memory, bytes, alignment, stream);
  }
  std::size_t in_use() const { return in_use_; }

 private:
  std::size_t in_use_ = 0;
};

/// Decodes columns `a` and `b` (device memory) of `count` values each; throws unless both come back
/// as `values`.
void decode_and_compare(codecs::CodecId codec, const std::vector<std::uint32_t>& values,
                        const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes,
                        cudaStream_t stream, cuda::MemoryResource& resource) {
  const std::size_t bytes = values.size() * sizeof values[0];
  const cuda::DeviceBuffer out_a(bytes, stream, resource);
  const cuda::DeviceBuffer out_b(bytes, stream, resource);
  const std::vector<cuda::BatchItem> items{{a, a_bytes, out_a.data(), bytes},
                                           {b, b_bytes, out_b.data(), bytes}};
  const cuda::DeviceBatch batch(items, stream, resource);
  batch.decode_async({codec, codecs::ValueType::kU32, values.size()});
  batch.wait_and_check();
  for (const cuda::DeviceBuffer* out : {&out_a, &out_b}) {
    std::vector<std::uint32_t> got(values.size());
    cuda::check(cudaMemcpyAsync(got.data(), out->data(), bytes, cudaMemcpyDeviceToHost, stream),
                "cudaMemcpyAsync");
    cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    if (got != values) throw gannet::FormatError("the values are not those that were encoded");
  }
}

void run(cudaStream_t stream) {
  CountingResource resource;
  std::vector<std::uint32_t> values(10'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint32_t>(i / 100 * 3 + i * 7919 % 100);
  }
  const std::size_t bytes = values.size() * sizeof values[0];
  const auto type = codecs::ValueType::kU32;
  const codecs::Codec& codec = codecs::codec_named("gpu-for", type);

  // Encoded on the host: what is sent is all that decoding needs.
  const std::vector<std::uint32_t> encoded =
      codecs::encode_column(codec, type, std::as_bytes(std::span(values)));
  const std::size_t encoded_bytes = encoded.size() * sizeof encoded[0];
  const cuda::DeviceBuffer sent(encoded_bytes, stream, resource);
  cuda::check(
      cudaMemcpyAsync(sent.data(), encoded.data(), encoded_bytes, cudaMemcpyHostToDevice, stream),
      "cudaMemcpyAsync");

  // Encoded on the device, to the same bytes.
  const cuda::DeviceBuffer source(bytes, stream, resource);
  cuda::check(cudaMemcpyAsync(source.data(), values.data(), bytes, cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync");
  cuda::DeviceColumnEncoder encoder(codec.id, type, values.size());
  const cuda::DeviceBuffer made(encoder.max_bytes(values.size()), stream, resource);
  const cuda::DeviceBuffer size(sizeof(std::uint64_t), stream, resource);
  encoder.encode_async(source.data(), values.size(), made.data(), size.as<std::uint64_t>(), stream);

  decode_and_compare(codec.id, values, sent.data(), encoded_bytes, made.data(), made.size(), stream,
                     resource);
  std::printf("%zu values of %zu bytes, encoded in %zu bytes, came back; %zu bytes in use\n",
              values.size(), sizeof values[0], encoded_bytes, resource.in_use());
}

}  // namespace

int main() try {
  std::string why;
  if (!cuda::available(&why)) {
    std::printf("no GPU: %s\n", why.c_str());
    return 0;
  }
  cudaStream_t stream = nullptr;
  cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  run(stream);
  return cudaStreamDestroy(stream) == cudaSuccess ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "decode_on_my_stream: %s\n", error.what());
  return 1;
}
