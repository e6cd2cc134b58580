// Numbers in as few bytes as they need: seven bits a byte, the lowest first; the top bit of a byte
// says that another one follows (LEB128).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gannet::index {

inline void append_varint(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

/// Reads bytes from front to back and never beyond their end: once something did not fit, ok() is
/// false and every number is 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::uint8_t* position() const { return at_; }

  std::uint8_t byte() {
    if (at_ == end_) return static_cast<std::uint8_t>(fail());
    return *at_++;
  }

  std::uint64_t varint() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;  // nearly all
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return fail();
      const std::uint8_t next = *at_++;
      const std::uint64_t bits = next & 0x7fu;
      if (shift == 63 && bits > 1) return fail();
      value |= bits << shift;
      if (next < 0x80) return value;
    }
    return fail();
  }

  std::span<const std::uint8_t> bytes(std::uint64_t count) {
    if (count > left()) {
      fail();
      return {};
    }
    const std::span<const std::uint8_t> taken(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }

 private:
  std::uint64_t fail() {
    ok_ = false;
    at_ = end_;
    return 0;
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool ok_ = true;
};

}  // namespace gannet::index
