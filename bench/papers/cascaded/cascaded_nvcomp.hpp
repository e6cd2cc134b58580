// nvCOMP's cascaded codec as a peer in benchmarks: its shared library is opened when the program
// runs, where there is one. Declarations after the documentation of its C interface, version 5
// ("low-level batched API"), the last in which a plan can be given.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/frame/verify.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/cascaded/format.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {

/// What nvCOMP took and how fast it was; seconds are medians.
struct NvcompResult {
  double compressed_bytes = 0;
  double compress_seconds = 0;
  double decompress_seconds = 0;
  std::string verified = "yes";  ///< or what went wrong
};

/// The library. Throws UsageError if it cannot be used.
class Nvcomp {
 public:
  explicit Nvcomp(const std::string& path) : library_(dlopen(path.c_str(), RTLD_NOW)) {
    if (library_ == nullptr) throw UsageError("cannot open " + path + ": " + dlerror());
    struct Properties {
      std::uint32_t version;
      std::uint32_t runtime;
    } properties{};
    function<int (*)(Properties*)>("nvcompGetProperties")(&properties);
    version_ = properties.version;
    if (version_ / 1000 != 5) {
      throw UsageError(path + " is nvCOMP " + version() + "; only version 5 takes plans");
    }
    max_output_ = function<MaxOutput>("nvcompBatchedCascadedCompressGetMaxOutputChunkSize");
    compress_ = function<Compress>("nvcompBatchedCascadedCompressAsync");
    decompress_ = function<Decompress>("nvcompBatchedCascadedDecompressAsync");
    room_ = function<Room>("nvcompBatchedCascadedDecompressGetTempSizeAsync");
  }
  ~Nvcomp() { dlclose(library_); }
  Nvcomp(const Nvcomp&) = delete;
  Nvcomp& operator=(const Nvcomp&) = delete;

  std::string version() const {
    return std::to_string(version_ / 1000) + "." + std::to_string(version_ % 1000 / 100) + "." +
           std::to_string(version_ % 100);
  }

  /// Compresses `values` (device memory) in pieces of `piece` bytes by `plan`, decompresses them
  /// and compares; each timed `repeats` times.
  NvcompResult measure(const std::int32_t* values, std::size_t count,
                       const codecs::CascadedPlan& plan, std::size_t piece, int repeats) const {
    using codecs::cuda::DeviceArray;
    const std::size_t bytes = count * sizeof(std::int32_t);
    const std::size_t pieces = (bytes + piece - 1) / piece;
    CompressOptions options{};
    options.internal_chunk_bytes = 4096;
    options.type = 4;  // int
    options.rles = static_cast<int>(plan.rles);
    options.deltas = static_cast<int>(plan.deltas);
    options.bitpack = static_cast<int>(plan.bitpack);
    std::size_t most = 0;
    check(max_output_(piece, options, &most));
    most = (most + 15) / 16 * 16;
    const DecompressOptions plain{2, {}};  // by CUDA
    std::size_t room_bytes = 0;
    check(room_(pieces, piece, plain, &room_bytes, bytes));
    DeviceArray<std::uint8_t> room(room_bytes);
    DeviceArray<std::uint8_t> packed(most * pieces);
    DeviceArray<std::int32_t> decoded(count);
    poison(packed.data(), packed.bytes());
    poison(decoded.data(), decoded.bytes());
    const auto sources = addresses(values, piece, pieces);
    const auto targets = addresses(packed.data(), most, pieces);
    const auto results = addresses(decoded.data(), piece, pieces);
    std::vector<std::size_t> sizes(pieces, piece);
    sizes.back() = bytes - (pieces - 1) * piece;
    const auto size = codecs::cuda::upload(std::span<const std::size_t>(sizes));
    DeviceArray<std::size_t> packed_size(pieces);
    DeviceArray<std::size_t> decoded_size(pieces);
    DeviceArray<int> packed_status(pieces);
    DeviceArray<int> status(pieces);
    const codecs::cuda::OwnedStream stream;
    NvcompResult result;
    result.compress_seconds = measure::time_each(stream, repeats, [&](int) {
      check(compress_(sources.data(), size.data(), piece, pieces, nullptr, 0, targets.data(),
                      packed_size.data(), options, packed_status.data(), stream));
    });
    result.decompress_seconds = measure::time_each(stream, repeats, [&](int) {
      check(decompress_(targets.data(), packed_size.data(), size.data(), decoded_size.data(),
                        pieces, room.data(), room_bytes, results.data(), plain, status.data(),
                        stream));
    });
    stream.wait();
    const auto faults = host_copy(status.data(), pieces);
    const auto packed_faults = host_copy(packed_status.data(), pieces);
    const auto is_fault = [](int one) { return one != 0; };
    const auto fault = std::find_if(faults.begin(), faults.end(), is_fault);
    const auto packed_fault = std::find_if(packed_faults.begin(), packed_faults.end(), is_fault);
    for (const std::size_t bytes_of_piece : host_copy(packed_size.data(), pieces)) {
      result.compressed_bytes += static_cast<double>(bytes_of_piece);
    }
    if (packed_fault != packed_faults.end()) {
      result.verified = "NO: compression's status " + std::to_string(*packed_fault);
    } else if (fault != faults.end()) {
      result.verified = "NO: status " + std::to_string(*fault);
    } else if (host_copy(decoded_size.data(), pieces) != sizes) {
      result.verified = "NO: a size";
    } else if (host_copy(values, count) != host_copy(decoded.data(), count)) {
      result.verified = "NO";
    }
    return result;
  }

 private:
  struct CompressOptions {
    std::size_t internal_chunk_bytes;
    int type;
    int rles;
    int deltas;
    int bitpack;
    char reserved[40];
  };
  struct DecompressOptions {
    int backend;
    char reserved[60];
  };
  using MaxOutput = int (*)(std::size_t, CompressOptions, std::size_t*);
  using Compress = int (*)(const void* const*, const std::size_t*, std::size_t, std::size_t, void*,
                           std::size_t, void* const*, std::size_t*, CompressOptions, int*,
                           cudaStream_t);
  using Decompress = int (*)(const void* const*, const std::size_t*, const std::size_t*,
                             std::size_t*, std::size_t, void*, std::size_t, void* const*,
                             DecompressOptions, int*, cudaStream_t);

  using Room = int (*)(std::size_t, std::size_t, DecompressOptions, std::size_t*, std::size_t);

  static void check(int status) {
    if (status != 0) throw CudaError("nvCOMP reports status " + std::to_string(status));
  }

  template <class F>
  F function(const char* name) const {
    void* symbol = dlsym(library_, name);
    if (symbol == nullptr) throw UsageError(std::string("nvCOMP has no function ") + name);
    return reinterpret_cast<F>(symbol);
  }

  /// Device memory with the addresses of `count` pieces that lie `step` bytes apart.
  template <class T>
  static codecs::cuda::DeviceArray<void*> addresses(const T* first, std::size_t step,
                                                    std::size_t count) {
    std::vector<void*> list(count);
    auto* at = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(first));
    for (std::size_t i = 0; i < count; ++i) list[i] = at + i * step;
    return codecs::cuda::upload(std::span<void* const>(list));
  }

  template <class T>
  static std::vector<T> host_copy(const T* data, std::size_t count) {
    std::vector<T> copy(count);
    codecs::cuda::check(cudaMemcpy(copy.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost),
                        "cudaMemcpy from the device");
    return copy;
  }

  void* library_;
  std::uint32_t version_ = 0;
  MaxOutput max_output_ = nullptr;
  Compress compress_ = nullptr;
  Decompress decompress_ = nullptr;
  Room room_ = nullptr;
};

}  // namespace gannet::bench
