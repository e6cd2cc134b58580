// Postings in memory and in spilled runs, before a codec encodes them: byte-coded fragments.
//
// A fragment holds the postings of one term in one batch of documents. Per posting: a varint with
// (gap << 1 | more), where gap is the distance to the docid before (to `base` - 1 for the first)
// minus 1, and, if `more` is set, a varint with frequency - 2. So a term that occurs once takes one
// byte if its gap is below 64. A term's postings in a run are its fragments in docid order, each
// behind a varint with its base and a varint with its size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// Bytes that the longest varint takes, and the longest posting.
inline constexpr std::size_t kMaxVarint = 10;
inline constexpr std::size_t kMaxPosting = 10;

/// Writes `value`, seven bits a byte, low bits first; returns the end.
inline std::uint8_t* put_varint(std::uint64_t value, std::uint8_t* out) {
  while (value >= 0x80) {
    *out++ = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

inline void append_varint(std::uint64_t value, std::vector<std::uint8_t>& out) {
  std::uint8_t bytes[kMaxVarint];
  out.insert(out.end(), bytes, put_varint(value, bytes));
}

/// Reads a varint that put_varint() wrote and moves `at` behind it.
inline std::uint64_t get_varint(const std::uint8_t*& at) {
  std::uint64_t value = *at & 0x7f;
  for (unsigned shift = 7; (*at++ & 0x80) != 0; shift += 7) {
    value |= static_cast<std::uint64_t>(*at & 0x7f) << shift;
  }
  return value;
}

/// Writes one posting; `gap` is the distance to the docid before, minus 1. Returns the end.
inline std::uint8_t* put_posting(std::uint32_t gap, std::uint32_t freq, std::uint8_t* out) {
  out = put_varint(std::uint64_t{gap} << 1 | (freq > 1 ? 1 : 0), out);
  return freq > 1 ? put_varint(freq - 2, out) : out;
}

/// Decodes a fragment whose batch starts with docid `base`; returns its number of postings. There
/// must be room for bytes.size() of them: a posting has at least a byte.
inline std::size_t decode_fragment(std::span<const std::uint8_t> bytes, Docid base, Docid* docids,
                                   std::uint32_t* freqs) {
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  std::size_t count = 0;
  Docid next = base;  // the smallest docid that can come
  while (at != end) {
    const std::uint64_t code = get_varint(at);
    next += static_cast<Docid>(code >> 1);
    docids[count] = next++;
    freqs[count++] = (code & 1) != 0 ? static_cast<std::uint32_t>(get_varint(at) + 2) : 1;
  }
  return count;
}

/// Appends a fragment with its base and size.
inline void append_fragment(std::span<const std::uint8_t> bytes, Docid base,
                            std::vector<std::uint8_t>& out) {
  append_varint(base, out);
  append_varint(bytes.size(), out);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Replaces `docids` and `freqs` by the postings of all fragments that append_fragment() put into
/// `coded`.
inline void decode_fragments(std::span<const std::uint8_t> coded, std::vector<Docid>& docids,
                             std::vector<std::uint32_t>& freqs) {
  docids.resize(coded.size());
  freqs.resize(coded.size());
  const std::uint8_t* at = coded.data();
  const std::uint8_t* const end = at + coded.size();
  std::size_t count = 0;
  while (at != end) {
    const auto base = static_cast<Docid>(get_varint(at));
    const auto size = static_cast<std::size_t>(get_varint(at));
    count += decode_fragment({at, size}, base, docids.data() + count, freqs.data() + count);
    at += size;
  }
  docids.resize(count);
  freqs.resize(count);
}

}  // namespace gannet::index
