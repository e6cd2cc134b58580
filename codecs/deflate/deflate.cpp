#include "codecs/deflate/deflate.hpp"

#include <zlib.h>

#include <new>

namespace gannet::codecs::deflate {
namespace {

/// zlib's state for one raw stream.
class Stream {
 public:
  explicit Stream(std::uint32_t level) {
    constexpr int kRaw = -15;  // no zlib header; the largest window
    constexpr int kMemory = 9;
    const int status = deflateInit2(&stream_, static_cast<int>(level), Z_DEFLATED, kRaw, kMemory,
                                    Z_DEFAULT_STRATEGY);
    if (status != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { deflateEnd(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  z_stream& operator*() { return stream_; }

 private:
  z_stream stream_{};
};

}  // namespace

void compress(std::span<const std::uint8_t> bytes, std::uint32_t level,
              std::vector<std::uint32_t>& words) {
  Stream stream(level);
  const std::size_t first = words.size();
  // Some versions' bound is too low for the shortest streams at level 0.
  const std::size_t most = deflateBound(&*stream, static_cast<uLong>(bytes.size())) + 64;
  words.resize(first + (most + 3) / 4);
  (*stream).next_in = const_cast<Bytef*>(bytes.data());
  (*stream).avail_in = static_cast<uInt>(bytes.size());
  (*stream).next_out = reinterpret_cast<Bytef*>(words.data() + first);
  (*stream).avail_out = static_cast<uInt>((words.size() - first) * 4);
  if (::deflate(&*stream, Z_FINISH) != Z_STREAM_END) throw std::bad_alloc();
  words.resize(first + ((*stream).total_out + 3) / 4);
}

}  // namespace gannet::codecs::deflate
