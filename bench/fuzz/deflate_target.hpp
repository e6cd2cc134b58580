// What the target `deflate` tries: for any bytes, our decoders and zlib accept and refuse alike,
// give the same bytes, and take as many.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "codecs/deflate/deflate.hpp"

namespace gannet::fuzz {

namespace deflate = codecs::deflate;
using codecs::SerialLanes;
using Bytes = std::vector<std::uint8_t>;

/// Windows that are far smaller than usual, so that short inputs have several.
inline constexpr deflate::Shape kSmall{1, 32, 4, 2};

inline void agree(bool holds) { need(holds, "zlib and our decoders do not agree"); }

/// Whether zlib finds a stream that ends within `most` bytes; `taken` and `out` are what it is.
inline bool zlib_inflates(const std::vector<std::uint32_t>& words, std::size_t most,
                          std::size_t& taken, Bytes& out) {
  z_stream stream{};
  agree(inflateInit2(&stream, -15) == Z_OK);
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

inline void check_serial(const std::vector<std::uint32_t>& words, std::uint32_t most, bool good,
                         std::size_t taken, const Bytes& expected) {
  static deflate::Tables tables;
  static deflate::HeadSpace space;
  Bytes out(most);
  deflate::ByteOutput output(out.data());
  const auto count = static_cast<std::uint32_t>(words.size());
  const std::uint32_t bits =
      deflate::inflate_words(words.data(), count, most, tables, space, output);
  agree((bits != 0) == good);
  if (!good) return;
  agree((bits + 7) / 8 == taken && output.position() == expected.size());
  agree(std::equal(expected.begin(), expected.end(), out.begin()));
}

template <class Inflate>
void check_form(const std::vector<std::uint32_t>& words, std::size_t size, bool good,
                const Bytes& expected, Inflate inflate) {
  Bytes out(size);
  const bool ours = inflate(words.data(), static_cast<std::uint32_t>(words.size()), out.data(),
                            static_cast<std::uint32_t>(size));
  agree(ours == good);
  if (good) agree(out == expected);
}

/// Input: a byte that chooses how much room the output has, then the stream.
inline void try_deflate(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  const std::uint32_t most = input[0] < 128 ? input[0] : 70000;
  input = input.subspan(1);
  std::vector<std::uint32_t> words((input.size() + 3) / 4);
  if (!input.empty()) std::memcpy(words.data(), input.data(), input.size());
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
}

}  // namespace gannet::fuzz
