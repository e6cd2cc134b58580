#include "index/segment/short_list.hpp"

namespace gannet::index {
namespace {

/// Takes values of up to 32 bits from bytes. Reads no byte before it is needed.
class PackedBits {
 public:
  PackedBits(const std::uint8_t* bytes, std::size_t first_bit) : at_(bytes + first_bit / 8) {
    const auto beyond = static_cast<unsigned>(first_bit % 8);
    if (beyond == 0) return;
    bits_ = static_cast<std::uint64_t>(*at_++) >> beyond;
    have_ = 8 - beyond;
  }

  std::uint32_t take(std::uint32_t width) {
    for (; have_ < width; have_ += 8) bits_ |= std::uint64_t{*at_++} << have_;
    const auto value = static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << width) - 1));
    bits_ >>= width;
    have_ -= width;
    return value;
  }

 private:
  const std::uint8_t* at_;
  std::uint64_t bits_ = 0;
  unsigned have_ = 0;
};

class BitAppender {
 public:
  explicit BitAppender(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  void put(std::uint32_t value, std::uint32_t width) {
    bits_ |= std::uint64_t{value} << have_;
    for (have_ += width; have_ >= 8; have_ -= 8, bits_ >>= 8) {
      bytes_.push_back(static_cast<std::uint8_t>(bits_));
    }
  }
  void finish() {
    if (have_ > 0) bytes_.push_back(static_cast<std::uint8_t>(bits_));
  }

 private:
  std::vector<std::uint8_t>& bytes_;
  std::uint64_t bits_ = 0;
  unsigned have_ = 0;
};

}  // namespace

void ShortList::decode_docids(std::uint32_t count, std::uint32_t* out) const {
  PackedBits bits(bytes, 0);
  std::uint32_t docid = ~0u;
  for (std::uint32_t i = 0; i < count; ++i) out[i] = docid += bits.take(gap_width) + 1;
}

void ShortList::decode_frequencies(std::uint32_t count, std::uint32_t* out) const {
  PackedBits bits(bytes, std::size_t{count} * gap_width);
  for (std::uint32_t i = 0; i < count; ++i) out[i] = bits.take(freq_width);
}

void append_short_list(std::span<const std::uint32_t> docids, std::uint32_t gap_width,
                       std::span<const std::uint32_t> freqs, std::uint32_t freq_width,
                       std::vector<std::uint8_t>& bytes) {
  BitAppender bits(bytes);
  std::uint32_t previous = ~0u;
  for (const std::uint32_t docid : docids) {
    bits.put(docid - previous - 1, gap_width);
    previous = docid;
  }
  for (const std::uint32_t freq : freqs) bits.put(freq - 1, freq_width);
  bits.finish();
}

}  // namespace gannet::index
