// Fuzzes inflating: for any bytes, our decoders and zlib must accept and refuse alike, give the
// same bytes, and take as many. The first byte chooses how much room the output has.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "gannet/codecs/deflate.hpp"
#include "gannet/codecs/deflate_codag.hpp"

namespace {

namespace deflate = gannet::codecs::deflate;
using gannet::codecs::DecodeBy;
using gannet::codecs::SerialLanes;
using Bytes = std::vector<std::uint8_t>;

/// Windows that are far smaller than usual, so that short inputs have several.
constexpr deflate::Shape kSmall{1, 32, 4, 2};

void need(bool holds) {
  if (!holds) std::abort();
}

/// Whether zlib finds a stream that ends within `most` bytes; `taken` and `out` are what it is.
bool zlib_inflates(const std::vector<std::uint32_t>& words, std::size_t most, std::size_t& taken,
                   Bytes& out) {
  z_stream stream{};
  need(inflateInit2(&stream, -15) == Z_OK);
  out.resize(most + 1);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::uint32_t*>(words.data()));
  stream.avail_in = static_cast<uInt>(4 * words.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const bool ended = inflate(&stream, Z_FINISH) == Z_STREAM_END;
  const bool good = ended && stream.total_out <= most;
  taken = stream.total_in;
  out.resize(good ? stream.total_out : 0);
  inflateEnd(&stream);
  return good;
}

void check_serial(const std::vector<std::uint32_t>& words, std::uint32_t most, bool good,
                  std::size_t taken, const Bytes& expected) {
  static deflate::Tables tables;
  static deflate::HeadSpace space;
  Bytes out(most);
  deflate::ByteOutput output(out.data());
  const auto count = static_cast<std::uint32_t>(words.size());
  const std::uint32_t bits =
      deflate::inflate_words(words.data(), count, most, tables, space, output);
  need((bits != 0) == good);
  if (!good) return;
  need((bits + 7) / 8 == taken && output.position() == expected.size());
  need(std::equal(expected.begin(), expected.end(), out.begin()));
}

template <class Inflate>
void check_form(const std::vector<std::uint32_t>& words, std::size_t size, bool good,
                const Bytes& expected, Inflate inflate) {
  Bytes out(size);
  const bool ours = inflate(words.data(), static_cast<std::uint32_t>(words.size()), out.data(),
                            static_cast<std::uint32_t>(size));
  need(ours == good);
  if (good) need(out == expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint32_t most = data[0] < 128 ? data[0] : 70000;
  std::vector<std::uint32_t> words((size + 2) / 4);
  if (size > 1) std::memcpy(words.data(), data + 1, size - 1);
  std::size_t taken = 0;
  Bytes expected;
  const bool good = zlib_inflates(words, most, taken, expected);
  check_serial(words, most, good, taken, expected);
  const std::size_t room = good ? expected.size() : most;
  check_form(words, room, good, expected, [](auto... arguments) {
    static deflate::Space<deflate::kUsualShape> space;
    return deflate::ParallelInflate<SerialLanes, deflate::kUsualShape>({}, arguments..., space)
        .run();
  });
  check_form(words, room, good, expected, [](auto... arguments) {
    static deflate::Space<kSmall> space;
    return deflate::ParallelInflate<SerialLanes, kSmall>({}, arguments..., space).run();
  });
  check_form(words, room, good, expected, [](auto... arguments) {
    static deflate::CodagSpace space;
    return deflate::codag_inflate<DecodeBy::kLane0, deflate::Buffer::kShared>(SerialLanes{},
                                                                              arguments..., space);
  });
  return 0;
}
