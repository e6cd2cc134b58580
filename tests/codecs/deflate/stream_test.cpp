// Deflate streams: those of zlib in all its ways, and those made by hand from RFC 1951.
#include <gtest/gtest.h>

#include "tests/support/codecs/byte_values.hpp"
#include "tests/support/codecs/deflate_forms.hpp"
#include "tests/support/codecs/deflate_streams.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

TEST(DeflateStreams, EveryFormInflatesWhatZlibEncodes) {
  for (const StreamCase& one : stream_cases()) {
    expect_inflates(words_of(one.stream), one.bytes, one.name);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(DeflateStreams, EveryLevel) {
  Bytes bytes = text_bytes(60000, 5);
  const Bytes noise = random_bytes(5000);
  bytes.insert(bytes.begin() + 30000, noise.begin(), noise.end());
  for (int level = 0; level <= 9; ++level) {
    expect_inflates(words_of(zlib_deflate(bytes, {.level = level})), bytes,
                    "level " + std::to_string(level));
  }
}

TEST(DeflateStreams, EveryShortLength) {
  const Bytes text = text_bytes(700, 9);
  for (std::size_t size = 0; size < 700; size += size < 70 ? 1 : 13) {
    const Bytes bytes(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    expect_inflates(words_of(zlib_deflate(bytes, {})), bytes, std::to_string(size));
  }
}

TEST(DeflateStreams, ZlibInflatesWhatWeEncode) {
  for (const Bytes& bytes : {Bytes(), text_bytes(50000), random_bytes(9000), Bytes(3000, 1)}) {
    for (std::uint32_t level = 0; level <= 9; ++level) {
      Words words{123};
      codecs::deflate::compress(bytes, level, words);
      EXPECT_EQ(words[0], 123u);
      const auto* stream = reinterpret_cast<const std::uint8_t*>(words.data() + 1);
      const ZlibResult result = zlib_inflate({stream, 4 * words.size() - 4}, bytes.size());
      EXPECT_TRUE(result.good) << bytes.size() << " bytes at level " << level;
      EXPECT_EQ(result.bytes, bytes);
      EXPECT_EQ((result.taken + 3) / 4, words.size() - 1);
    }
  }
}

/// Writes a stream bit by bit.
class StreamWriter {
 public:
  /// A number, lowest bit first.
  StreamWriter& put(std::uint32_t value, std::uint32_t bits) {
    for (std::uint32_t i = 0; i < bits; ++i) bit(i < 32 ? value >> i & 1 : 0);
    return *this;
  }
  /// A Huffman code, highest bit first.
  StreamWriter& code(std::uint32_t value, std::uint32_t bits) {
    for (std::uint32_t i = bits; i-- > 0;) bit(value >> i & 1);
    return *this;
  }
  /// A literal or length symbol of the fixed code.
  StreamWriter& fixed(std::uint32_t symbol) {
    if (symbol < 144) return code(0x30 + symbol, 8);
    if (symbol < 256) return code(0x190 + symbol - 144, 9);
    if (symbol < 280) return code(symbol - 256, 7);
    return code(0xc0 + symbol - 280, 8);
  }
  StreamWriter& text(std::string_view text) {
    for (const char c : text) fixed(static_cast<std::uint8_t>(c));
    return *this;
  }
  StreamWriter& align(std::uint32_t filling = 0) {
    while (bits_ % 8 != 0) bit(filling);
    return *this;
  }
  /// The head of a dynamic block. Every length of the length code is given with its own code of 5
  /// bits (lengths 0..15 and 16, 17, 18 as symbols), so `symbols` are written as they are.
  StreamWriter& dynamic(bool last, std::uint32_t literals, std::uint32_t distances) {
    put(last ? 1 : 0, 1).put(2, 2).put(literals - 257, 5).put(distances - 1, 5).put(15, 4);
    // 13 symbols of 4 bits and 6 of 5 are complete: 13/16 + 6/32. The order is 16 17 18 0 8 ...;
    // canonical: symbols 0..12 have codes 0..12, 13..18 codes 26..31.
    for (const int symbol : {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}) {
      put(symbol < 13 ? 4 : 5, 3);
    }
    return *this;
  }
  StreamWriter& length(std::uint32_t symbol) {
    return symbol < 13 ? code(symbol, 4) : code(26 + symbol - 13, 5);
  }
  StreamWriter& zeros(std::uint32_t times) {
    for (; times >= 11; times -= std::min(times, 138u)) {
      length(18).put(std::min(times, 138u) - 11, 7);
    }
    for (; times > 0; --times) length(0);
    return *this;
  }

  const Bytes& bytes() const { return bytes_; }
  Words words() const { return words_of(bytes_); }

 private:
  void bit(std::uint32_t value) {
    if (bits_ % 8 == 0) bytes_.push_back(0);
    bytes_.back() |= static_cast<std::uint8_t>(value << bits_ % 8);
    ++bits_;
  }
  Bytes bytes_;
  std::uint32_t bits_ = 0;
};

Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

/// All forms and zlib give `expected`.
void expect_stream(const StreamWriter& stream, const Bytes& expected, const std::string& what) {
  const ZlibResult zlib = zlib_inflate(stream.bytes(), expected.size());
  EXPECT_TRUE(zlib.good) << what;
  EXPECT_EQ(zlib.bytes, expected) << what;
  expect_inflates(stream.words(), expected, what);
}

/// All forms and zlib refuse it.
void expect_no_stream(const StreamWriter& stream, const std::string& what) {
  EXPECT_FALSE(zlib_inflate(stream.bytes(), 200000).good) << what;
  expect_refused(stream.words(), what);
}

TEST(DeflateGolden, BytesByHand) {
  expect_inflates(words_of(Bytes{0x03, 0x00}), {}, "empty");
  expect_inflates(words_of(Bytes{0x4b, 0x04, 0x00}), bytes_of("a"), "a");
  expect_inflates(words_of(Bytes{0x4b, 0x4c, 0x4a, 0x06, 0x00}), bytes_of("abc"), "abc");
  expect_inflates(words_of(Bytes{0x01, 0x02, 0x00, 0xfd, 0xff, 'h', 'i'}), bytes_of("hi"), "hi");
}

TEST(DeflateGolden, LongestAndShortestMatches) {
  StreamWriter s;
  s.put(1, 1).put(1, 2).text("ab");
  s.fixed(257).code(0, 5);                                 // 3 bytes, distance 1
  s.fixed(285).code(1, 5);                                 // 258 bytes, distance 2
  s.fixed(284).put(31, 5).code(1, 5);                      // 227 + 31: 258 as well
  s.fixed(264).code(3, 5);                                 // 10 bytes, distance 4
  s.fixed(265).put(1, 1).code(4, 5).put(1, 1).fixed(256);  // 12 bytes, distance 6
  Bytes expected = bytes_of("abbbb");
  const auto copy = [&](std::size_t length, std::size_t distance) {
    for (std::size_t i = 0; i < length; ++i)
      expected.push_back(expected.end()[-std::ptrdiff_t(distance)]);
  };
  copy(258, 2);
  copy(258, 2);
  copy(10, 4);
  copy(12, 6);
  expect_stream(s, expected, "matches");
}

TEST(DeflateGolden, LargestDistance) {
  const Bytes stored = random_bytes(32768);
  for (const std::size_t missing : {0u, 1u}) {
    StreamWriter s;
    const auto size = static_cast<std::uint32_t>(stored.size() - missing);
    s.put(0, 1).put(0, 2).align().put(size, 16).put(~size & 0xffff, 16);
    for (std::size_t i = missing; i < stored.size(); ++i) s.put(stored[i], 8);
    s.put(1, 1).put(1, 2).fixed(260).code(29, 5).put(8191, 13).fixed(256);
    if (missing == 0) {
      Bytes expected = stored;
      expected.insert(expected.end(), stored.begin(), stored.begin() + 6);
      expect_stream(s, expected, "distance 32768");
    } else {
      expect_no_stream(s, "distance 32768 after 32767 bytes");
    }
  }
}

TEST(DeflateGolden, DistanceBeforeTheStart) {
  expect_no_stream(StreamWriter().put(1, 1).put(1, 2).fixed(257).code(0, 5).fixed(256), "nothing");
  expect_no_stream(StreamWriter().put(1, 1).put(1, 2).text("ab").fixed(257).code(2, 5).fixed(256),
                   "3 of 2");
}

TEST(DeflateGolden, StoredBlocks) {
  StreamWriter s;
  s.put(0, 1).put(0, 2).align().put(0, 16).put(0xffff, 16);
  s.put(0, 1).put(1, 2).text("x").fixed(256);
  s.put(0, 1).put(0, 2).align(1).put(2, 16).put(0xfffd, 16).put('y', 8).put('z', 8);
  s.put(1, 1).put(1, 2).fixed(257).code(2, 5).fixed(256);
  expect_stream(s, bytes_of("xyzxyz"), "stored");
  Bytes large = random_bytes(65535);
  StreamWriter t;
  t.put(1, 1).put(0, 2).align().put(65535, 16).put(0, 16);
  for (const std::uint8_t byte : large) t.put(byte, 8);
  expect_stream(t, large, "65535 stored");
  expect_no_stream(StreamWriter().put(1, 1).put(0, 2).align().put(1, 16).put(0xffff, 16).put(0, 8),
                   "the complement is wrong");
  expect_no_stream(StreamWriter().put(1, 1).put(0, 2).align().put(9, 16).put(0xfff6, 16).put(0, 8),
                   "stored bytes are missing");
}

TEST(DeflateGolden, BlocksWithoutContent) {
  StreamWriter s;
  for (int i = 0; i < 40; ++i) s.put(0, 1).put(1, 2).fixed(256);
  s.put(1, 1).put(1, 2).text("end").fixed(256);
  expect_stream(s, bytes_of("end"), "40 empty blocks");
}

TEST(DeflateGolden, SymbolsThatNeverOccur) {
  for (const std::uint32_t symbol : {286u, 287u}) {
    expect_no_stream(
        StreamWriter().put(1, 1).put(1, 2).text("aaaa").fixed(symbol).code(0, 5).fixed(256),
        "length symbol " + std::to_string(symbol));
  }
  for (const std::uint32_t code : {30u, 31u}) {
    expect_no_stream(
        StreamWriter().put(1, 1).put(1, 2).text("aaaa").fixed(257).code(code, 5).fixed(256),
        "distance code " + std::to_string(code));
  }
  expect_no_stream(StreamWriter().put(1, 1).put(3, 2).put(0, 30), "block type 3");
}

/// 'a', the end and one length of 3 bytes in two bits each, literal 'b' in two: complete.
StreamWriter& small_literals(StreamWriter& s) {
  s.zeros(97).length(2).length(2).zeros(256 - 99).length(2).length(2);
  return s;
}

TEST(DeflateGolden, OneDistanceCode) {
  StreamWriter s;
  small_literals(s.dynamic(true, 258, 1)).length(1);
  s.code(0, 2).code(1, 2).code(3, 2).code(0, 1).code(2, 2);
  expect_stream(s, bytes_of("abbbb"), "one distance code");
  StreamWriter bad;
  small_literals(bad.dynamic(true, 258, 1)).length(1);
  bad.code(0, 2).code(1, 2).code(3, 2).code(1, 1).code(2, 2);
  expect_no_stream(bad, "the other bit");
}

TEST(DeflateGolden, NoDistanceCode) {
  StreamWriter s;
  small_literals(s.dynamic(true, 258, 1)).length(0);
  s.code(0, 2).code(1, 2).code(2, 2);
  expect_stream(s, bytes_of("ab"), "no distance code");
  StreamWriter bad;
  small_literals(bad.dynamic(true, 258, 1)).length(0);
  bad.code(0, 2).code(1, 2).code(3, 2).code(0, 1).code(2, 2);
  expect_no_stream(bad, "a length all the same");
}

TEST(DeflateGolden, OnlyTheEnd) {
  StreamWriter s;
  s.dynamic(true, 257, 1).zeros(256).length(1).length(0).code(0, 1);
  expect_stream(s, {}, "only the end of the block");
  StreamWriter bad;
  bad.dynamic(true, 257, 1).zeros(256).length(1).length(0).code(1, 1).put(0, 20);
  expect_no_stream(bad, "the other bit");
}

TEST(DeflateGolden, CodesThatAreNone) {
  const auto make = [](std::uint32_t b, std::uint32_t end, std::uint32_t d0, std::uint32_t d1) {
    StreamWriter s;
    s.dynamic(true, 257, 2).zeros(97).length(1).length(b).zeros(256 - 99).length(end);
    s.length(d0).length(d1).code(0, 1).code(3, 2).put(0, 40);
    return s;
  };
  expect_stream(make(2, 2, 0, 0), bytes_of("a"), "complete");
  expect_stream(make(2, 2, 1, 1), bytes_of("a"), "two distances");
  expect_no_stream(make(2, 3, 0, 0), "incomplete literals");
  expect_no_stream(make(2, 1, 0, 0), "over-subscribed literals");
  expect_no_stream(make(1, 0, 0, 0), "no end of block");
  expect_no_stream(make(2, 2, 0, 2), "one distance of two bits");
  expect_no_stream(make(2, 2, 2, 2), "incomplete distances");
}

TEST(DeflateGolden, OverSubscribedDistances) {
  StreamWriter s;
  small_literals(s.dynamic(true, 258, 3)).length(1).length(1).length(1).code(2, 2);
  expect_no_stream(s, "three distances of a bit");
}

TEST(DeflateGolden, TooManyCodes) {
  const auto head = [](std::uint32_t literals, std::uint32_t distances) {
    return StreamWriter().put(1, 1).put(2, 2).put(literals, 5).put(distances, 5).put(0, 200);
  };
  expect_no_stream(head(30, 0), "287 literals");
  expect_no_stream(head(31, 0), "288 literals");
  expect_no_stream(head(0, 30), "31 distances");
  expect_no_stream(head(0, 31), "32 distances");
}

TEST(DeflateGolden, Repeats) {
  StreamWriter first;
  first.dynamic(true, 257, 1).length(16).put(0, 2).zeros(300);
  expect_no_stream(first, "nothing to repeat");
  StreamWriter beyond;
  beyond.dynamic(true, 257, 1).zeros(256).length(1).length(18).put(0, 7).code(0, 1);
  expect_no_stream(beyond, "a repeat beyond the end");
  // 254 zeros, then lengths 2 2 | 2 of the literals and 2 2 2 2 of the distances, by one repeat.
  StreamWriter across;
  across.dynamic(true, 257, 4).zeros(253).length(2).length(16).put(3, 2).length(2);
  across.code(0, 2).code(1, 2).code(2, 2).code(3, 2);
  expect_stream(across, {253, 254, 255}, "a repeat across both codes");
}

TEST(DeflateGolden, LongestCodes) {
  // Lengths 1, 2, ... 14, 15, 15 for literals 0..14 and the end.
  StreamWriter s;
  s.dynamic(true, 257, 1);
  for (std::uint32_t l = 1; l <= 15; ++l) s.length(l);
  s.zeros(256 - 15).length(15).length(0);
  Bytes expected;
  for (int times = 0; times < 50; ++times) {
    for (std::uint32_t l = 1; l <= 15; ++l) {
      s.code((1u << l) - 2, l);
      expected.push_back(static_cast<std::uint8_t>(l - 1));
    }
  }
  s.code(0x7fff, 15);
  expect_stream(s, expected, "codes of all lengths");
}

TEST(DeflateGolden, LengthCodeMustBeComplete) {
  StreamWriter s;
  s.put(1, 1).put(2, 2).put(0, 5).put(0, 5).put(0, 4).put(1, 3).put(0, 9).put(0, 300);
  expect_no_stream(s, "one length code");
}

/// Lengths of a complete code of `symbols` symbols, at random, from flat to as skewed as 15 bits
/// allow.
std::vector<std::uint32_t> random_code(Random& random, std::uint32_t symbols) {
  std::vector<std::uint32_t> lengths{0};
  const std::uint32_t skew = random() % 4;
  while (lengths.size() < symbols) {
    std::size_t split = random() % lengths.size();
    for (std::uint32_t i = 0; i < skew; ++i) {
      const std::size_t other = random() % lengths.size();
      if (lengths[other] > lengths[split] && lengths[other] < 15) split = other;
    }
    if (lengths[split] == 15) continue;
    ++lengths[split];
    lengths.push_back(lengths[split]);
  }
  std::shuffle(lengths.begin(), lengths.end(), random);
  return lengths;
}

/// The canonical codes of RFC 1951, 3.2.2.
std::vector<std::uint32_t> canonical_codes(const std::vector<std::uint32_t>& lengths) {
  std::uint32_t next[17] = {};
  for (std::uint32_t l = 1; l <= 15; ++l) {
    const auto shorter = std::count(lengths.begin(), lengths.end(), l - 1);
    next[l] = (next[l - 1] + (l == 1 ? 0 : static_cast<std::uint32_t>(shorter))) << 1;
  }
  std::vector<std::uint32_t> codes;
  for (const std::uint32_t length : lengths) codes.push_back(length == 0 ? 0 : next[length]++);
  return codes;
}

TEST(DeflateGolden, RandomCodes) {
  Random random(12);
  for (int round = 0; round < 60; ++round) {
    const auto literals = random_code(random, 286);
    const auto distances = random_code(random, 30);
    const auto literal_codes = canonical_codes(literals);
    const auto distance_codes = canonical_codes(distances);
    StreamWriter s;
    s.dynamic(true, 286, 30);
    for (const std::uint32_t length : literals) s.length(length);
    for (const std::uint32_t length : distances) s.length(length);
    Bytes expected;
    for (int i = 0; i < 1500; ++i) {
      const std::uint32_t symbol = random() % 3 == 0 ? 257 + random() % 29 : random() % 256;
      const std::uint32_t distance = random() % 30;
      const std::uint32_t extra = random();
      const std::uint32_t least = codecs::deflate::distance_base(distance);
      const std::uint32_t back =
          least + (extra & codecs::low_mask(codecs::deflate::distance_extra(distance)));
      if (symbol > 256 && back > expected.size()) continue;
      s.code(literal_codes[symbol], literals[symbol]);
      if (symbol < 256) {
        expected.push_back(static_cast<std::uint8_t>(symbol));
        continue;
      }
      const std::uint32_t more = codecs::deflate::length_extra(symbol - 257);
      s.put(extra >> 16 & codecs::low_mask(more), more);
      s.code(distance_codes[distance], distances[distance]);
      s.put(extra & codecs::low_mask(codecs::deflate::distance_extra(distance)),
            codecs::deflate::distance_extra(distance));
      const std::uint32_t length =
          codecs::deflate::length_base(symbol - 257) + (extra >> 16 & codecs::low_mask(more));
      for (std::uint32_t k = 0; k < length; ++k)
        expected.push_back(expected[expected.size() - back]);
    }
    s.code(literal_codes[256], literals[256]);
    expect_stream(s, expected, "round " + std::to_string(round));
    if (HasFatalFailure()) return;
  }
}

/// The streams with which zlib's own tests reach its errors and corners, in hexadecimal.
TEST(DeflateGolden, WhatZlibTestsItselfWith) {
  const char* streams[] = {
      "00 00 00 00 00",
      "03 00",
      "06",
      "01 01 00 fe ff 00",
      "fc 00 00",
      "04 00 fe ff",
      "04 00 24 49 00",
      "04 00 24 e9 ff ff",
      "04 00 24 e9 ff 6d",
      "04 80 49 92 24 49 92 24 71 ff ff 93 11 00",
      "04 80 49 92 24 49 92 24 0f b4 ff ff c3 84",
      "04 c0 81 08 00 00 00 00 20 7f eb 0b 00 00",
      "02 7e ff ff",
      "0c c0 81 00 00 00 00 00 90 ff 6b 04 00",
      "ed cf c1 b1 2c 47 10 c4 30 fa 6f 35 1d 01 82 59 3d fb be 2e 2a fc 0f 0c",
      ("ed c0 81 00 00 00 00 80 a0 fd a9 17 a9 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
       "00 00 00 00 00 00 00 00 00 06"),
      "e5 e0 81 ad 6d cb b2 2c c9 01 1e 59 63 ae 7d ee fb 4d fd b5 35 41 68 ff 7f 0f 00 00 00",
      "25 fd 81 b5 6d 59 b6 6a 49 ea af 35 06 34 eb 8c b9 f6 b9 1e ef 67 49 50 fe ff ff 3f 00 00",
      "03 7e 00 00 00 00 00",
      "1b 07 00 00 00 00 00",
      "0d c7 01 ae eb 38 0c 04 41 a0 87 72 de df fb 1f b8 36 b1 38 5d ff ff 00",
      "63 18 05 8c 10 08 00 00 00 00",
      "63 60 60 18 c9 00 08 18 18 18 26 c0 28 00 29 00 00 00",
      "63 00 03 00 00 00 00 00",
  };
  int good = 0;
  for (const char* text : streams) {
    Bytes bytes;
    for (const char* at = text; *at != '\0'; at += at[2] == ' ' ? 3 : 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(at, 2), nullptr, 16)));
    }
    const ZlibResult zlib = zlib_inflate(bytes, 100000);
    good += zlib.good ? 1 : 0;
    if (zlib.good) {
      expect_inflates(words_of(bytes), zlib.bytes, text);
    } else {
      // The bytes that fill up the last word may end a stream that was cut off.
      const Words words = words_of(bytes);
      const auto* padded = reinterpret_cast<const std::uint8_t*>(words.data());
      if (!zlib_inflate({padded, 4 * words.size()}, 100000).good) expect_refused(words, text);
    }
  }
  EXPECT_GE(good, 5);
  EXPECT_LE(good, 15);
}

}  // namespace
}  // namespace gannet::test
