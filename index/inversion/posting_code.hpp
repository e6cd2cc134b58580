// Postings in memory and in spilled runs, before a codec encodes them: byte-coded fragments.
//
// A fragment holds the postings of one term in one batch of documents. Per posting: a varint with
// (gap << 1 | more), where gap is the distance to the docid before (to `base` - 1 for the first)
// minus 1, and, if `more` is set, a varint with frequency - 2. So a term that occurs once takes one
// byte if its gap is below 64. In a build with positions these follow: as many varints as the
// frequency, of each position the distance to the one before it, less 1; of the first the position.
// A term's postings in a run are its fragments in docid order, each
// behind a varint with its base and a varint with its size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/lists/list_source.hpp"
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

/// Writes the ascending positions of one posting. Returns the end.
inline std::uint8_t* put_positions(std::span<const std::uint32_t> positions, std::uint8_t* out) {
  std::uint32_t next = 0;
  for (const std::uint32_t position : positions) {
    out = put_varint(position - next, out);
    next = position + 1;
  }
  return out;
}

/// How much fragments hold.
struct FragmentSize {
  std::size_t postings = 0;
  std::size_t positions = 0;

  /// What `bytes` bytes of fragments can hold at most.
  static FragmentSize bound(std::size_t bytes, bool with_positions) {
    // A posting has a byte, and one for a position at least.
    return with_positions ? FragmentSize{bytes / 2, bytes} : FragmentSize{bytes, 0};
  }

  /// Counts what a fragment with positions holds.
  void add(std::span<const std::uint8_t> bytes) {
    const std::uint8_t* at = bytes.data();
    const std::uint8_t* const end = at + bytes.size();
    while (at != end) {
      const std::uint64_t freq = (get_varint(at) & 1) != 0 ? get_varint(at) + 2 : 1;
      for (std::uint64_t left = freq; left > 0; ++at) left -= *at < 0x80 ? 1 : 0;
      ++postings;
      positions += freq;
    }
  }
};

/// Fragments with positions of more bytes are counted before room is made for what they hold: a
/// long list of a common word takes a third of the memory then.
inline constexpr std::size_t kCountedFragments = std::size_t{1} << 16;

/// Decodes fragments into ListPostings, for as many postings as there is room for.
class FragmentDecoder {
 public:
  /// Makes room in `postings` for what all fragments together hold, or more.
  FragmentDecoder(FragmentSize size, bool with_positions, ListPostings& postings)
      : postings_(postings), with_positions_(with_positions) {
    postings.docids.resize(size.postings);
    postings.freqs.resize(size.postings);
    postings.positions.resize(size.positions);
  }

  /// Appends the postings of a fragment whose batch starts with docid `base`.
  void add(std::span<const std::uint8_t> bytes, Docid base) {
    const std::uint8_t* at = bytes.data();
    const std::uint8_t* const end = at + bytes.size();
    Docid next = base;  // the smallest docid that can come
    while (at != end) {
      const std::uint64_t code = get_varint(at);
      next += static_cast<Docid>(code >> 1);
      const std::uint32_t freq =
          (code & 1) != 0 ? static_cast<std::uint32_t>(get_varint(at) + 2) : 1;
      postings_.docids[count_] = next++;
      postings_.freqs[count_++] = freq;
      if (with_positions_) at = add_positions(at, freq);
    }
  }

  /// After the last fragment.
  void finish() {
    postings_.docids.resize(count_);
    postings_.freqs.resize(count_);
    postings_.positions.resize(positions_);
  }

 private:
  const std::uint8_t* add_positions(const std::uint8_t* at, std::uint32_t freq) {
    std::uint32_t* const out = postings_.positions.data() + positions_;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < freq; ++i) {
      next += static_cast<std::uint32_t>(get_varint(at));
      out[i] = next++;
    }
    positions_ += freq;
    return at;
  }

  ListPostings& postings_;
  bool with_positions_;
  std::size_t count_ = 0;
  std::size_t positions_ = 0;
};

/// Appends a fragment with its base and size.
inline void append_fragment(std::span<const std::uint8_t> bytes, Docid base,
                            std::vector<std::uint8_t>& out) {
  append_varint(base, out);
  append_varint(bytes.size(), out);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Calls f(bytes, base) for each fragment that append_fragment() put into `coded`.
template <class F>
void for_each_fragment(std::span<const std::uint8_t> coded, F&& f) {
  const std::uint8_t* at = coded.data();
  const std::uint8_t* const end = at + coded.size();
  while (at != end) {
    const auto base = static_cast<Docid>(get_varint(at));
    const auto size = static_cast<std::size_t>(get_varint(at));
    f(std::span(at, size), base);
    at += size;
  }
}

/// Replaces `postings` by those of all fragments that `each(f)` calls f(bytes, base) for. They take
/// `bytes` bytes together, or less.
template <class Each>
void decode_fragments_of(const Each& each, std::size_t bytes, bool with_positions,
                         ListPostings& postings) {
  FragmentSize size = FragmentSize::bound(bytes, with_positions);
  if (with_positions && bytes > kCountedFragments) {
    size = {};
    each([&](std::span<const std::uint8_t> fragment, Docid) { size.add(fragment); });
  }
  FragmentDecoder decoder(size, with_positions, postings);
  each([&](std::span<const std::uint8_t> fragment, Docid base) { decoder.add(fragment, base); });
  decoder.finish();
}

/// Replaces `postings` by those of all fragments that append_fragment() put into `coded`.
inline void decode_fragments(std::span<const std::uint8_t> coded, bool with_positions,
                             ListPostings& postings) {
  decode_fragments_of([coded](const auto& f) { for_each_fragment(coded, f); }, coded.size(),
                      with_positions, postings);
}

}  // namespace gannet::index
