// rle-v2: random streams that conform, beside a decoder that is written after the specification.
#include <gtest/gtest.h>

#include "codecs/orc/rle_v2.hpp"
#include "tests/support/codecs/orc_streams.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::RleV2;

/// A decoder of version 2 that follows the specification's text, number by number.
class PlainRleV2 {
 public:
  PlainRleV2(const Bytes& bytes, bool is_signed) : bytes_(bytes), is_signed_(is_signed) {}

  std::vector<std::uint64_t> all() {
    while (bit_ / 8 < bytes_.size()) group();
    return values_;
  }

 private:
  std::uint64_t bits(std::uint32_t n) {
    std::uint64_t value = 0;
    for (; n > 0; --n, ++bit_) value = value << 1 | (bytes_[bit_ / 8] >> (7 - bit_ % 8) & 1);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (std::uint32_t shift = 0;; shift += 7) {
      const std::uint64_t byte = bits(8);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  static std::uint64_t signed_of(std::uint64_t x) { return x % 2 == 0 ? x / 2 : ~(x / 2); }
  std::uint64_t value_of(std::uint64_t x) const { return is_signed_ ? signed_of(x) : x; }
  static std::uint32_t width_of(std::uint64_t code) {
    constexpr std::uint32_t kWide[] = {26, 28, 30, 32, 40, 48, 56, 64};
    return code < 24 ? static_cast<std::uint32_t>(code) + 1 : kWide[code - 24];
  }
  void align() { bit_ = (bit_ + 7) / 8 * 8; }

  void group() {
    const std::uint64_t kind = bits(2);
    if (kind == 0) {
      const auto size = static_cast<std::uint32_t>(bits(3) + 1);
      const std::uint64_t length = bits(3) + 3;
      const std::uint64_t value = value_of(bits(8 * size));
      values_.insert(values_.end(), length, value);
      return;
    }
    const std::uint64_t code = bits(5);
    const std::uint64_t length = bits(9) + 1;
    if (kind == 1) {
      for (std::uint64_t i = 0; i < length; ++i) values_.push_back(value_of(bits(width_of(code))));
    } else if (kind == 2) {
      patched(width_of(code), length);
    } else {
      deltas(code, length);
    }
    align();
  }

  void deltas(std::uint64_t code, std::uint64_t length) {
    std::uint64_t value = value_of(varint());
    const std::uint64_t first = signed_of(varint());
    values_.push_back(value);
    for (std::uint64_t i = 1; i < length; ++i) {
      const bool falls = static_cast<std::int64_t>(first) < 0;
      std::uint64_t delta = first;
      if (i > 1 && code != 0) {
        delta = bits(width_of(code));
        if (falls) delta = 0 - delta;
      }
      values_.push_back(value += delta);
    }
  }

  void patched(std::uint32_t width, std::uint64_t length) {
    const auto base_bytes = static_cast<std::uint32_t>(bits(3) + 1);
    const std::uint32_t patch_width = width_of(bits(5));
    const auto gap_width = static_cast<std::uint32_t>(bits(3) + 1);
    const std::uint64_t patches = bits(5);
    const bool negative = bits(1) == 1;
    std::uint64_t base = bits(8 * base_bytes - 1);
    if (negative) base = 0 - base;
    std::vector<std::uint64_t> packed(length);
    for (auto& value : packed) value = bits(width);
    align();
    std::uint32_t entry = gap_width + patch_width;
    std::uint64_t code = 0;
    while (width_of(code) < entry) ++code;
    entry = width_of(code);
    std::uint64_t at = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < patches; ++i) {
      bits(entry - gap_width - patch_width);
      const std::uint64_t gap = bits(gap_width);
      const std::uint64_t patch = bits(patch_width);
      at += gap;
      if (gap == 255 && patch == 0) continue;
      // As in ORC's reader, which looks for one place after the other, a patch for the place of the
      // one before is none, and ends them.
      if (at == last) at = length;
      if (at < length && width < 64) packed[at] |= patch << width;
      last = at;
    }
    for (const std::uint64_t value : packed) values_.push_back(base + value);
  }

  const Bytes& bytes_;
  bool is_signed_;
  std::size_t bit_ = 0;
  std::vector<std::uint64_t> values_;
};

/// A random group of a random kind, conforming but nothing that a writer would choose.
void put_random_group(Random& random, Bytes& bytes) {
  const auto put = [&](std::uint32_t byte) { bytes.push_back(static_cast<std::uint8_t>(byte)); };
  const auto put_random = [&](std::size_t count) {
    for (; count > 0; --count) put(random() % 4 == 0 ? 0xff : random() & 0xff);
  };
  const std::uint32_t kind = random() % 4;
  if (kind == 0) {
    const std::uint32_t header = random() % 64;
    put(header);
    put_random(header / 8 + 1);
    return;
  }
  const std::uint32_t code = random() % 32;
  const std::uint32_t width = codecs::orc::width_of(code);
  std::uint32_t length = random() % 3 == 0 ? 1 + random() % 512 : 1 + random() % 9;
  if (kind == 3 && length < 2) length = 2;
  put(kind << 6 | code << 1 | (length - 1) >> 8);
  put((length - 1) & 0xff);
  if (kind == 1) return put_random((length * width + 7) / 8);
  if (kind == 3) {
    for (int i = 0; i < 2; ++i) {
      for (std::uint32_t more = random() % 9; more > 0; --more) put(128 + random() % 128);
      put(random() % 128);
    }
    return put_random(code == 0 ? 0 : ((length - 2) * width + 7) / 8);
  }
  const std::uint32_t base_bytes = 1 + random() % 8;
  const std::uint32_t gap_width = 1 + random() % 8;
  std::uint32_t patch_code = random() % 32;
  while (codecs::orc::width_of(patch_code) + gap_width > 64) patch_code = random() % 32;
  const std::uint32_t patches = 1 + random() % 31;
  put((base_bytes - 1) << 5 | patch_code);
  put((gap_width - 1) << 5 | patches);
  put_random(base_bytes + (length * width + 7) / 8);
  put_random(
      (patches * codecs::orc::closest_width(gap_width + codecs::orc::width_of(patch_code)) + 7) /
      8);
}

TEST(OrcStreams, AnyConformingVersion2StreamIsDecodedAsSpecified) {
  Random random(77);
  for (int round = 0; round < 3000; ++round) {
    Bytes bytes;
    for (std::uint32_t groups = 1 + random() % 4; groups > 0; --groups) {
      put_random_group(random, bytes);
    }
    const bool is_signed = random() % 2 == 0;
    const auto expected = PlainRleV2(bytes, is_signed).all();
    const char* wrong = RleV2::strip_fault(bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                                           static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(wrong, nullptr) << wrong;
    ASSERT_EQ(decoded_stream<RleV2>(bytes, expected.size(), is_signed),
              Numbers(expected.begin(), expected.end()))
        << "round " << round;
  }
}

}  // namespace
}  // namespace gannet::test
