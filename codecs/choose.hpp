// Automatic choice of a codec: the codec with the smallest encoding of a column or a list.
//
// Source: GPU-*, the hybrid of Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer
// Compression in GPU", SIGMOD 2022, section 8: "use the one that has the lowest storage footprint
// for each column". The paper chooses among its own three codecs, gpu-for, gpu-dfor and gpu-rfor.
// Here every codec with a device decoder is a candidate unless the caller names the candidates.
//
// Sizes are measured, not estimated: candidates encode the values. For a column of more than
// kAutoExact values, each candidate first encodes a sample: 16 evenly spaced pieces of 8,192
// consecutive values. Only candidates whose sample takes at most an eighth more words than the
// smallest sample then encode the whole column, so a codec that the sample ruled out may have been
// smaller. Choices are deterministic. All functions are thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "codecs/columns.hpp"
#include "codecs/encoded_lists.hpp"

namespace gannet::codecs {

/// The name of the automatic choice in options that take a codec's name. codec_named() does not
/// know this name.
inline constexpr std::string_view kAuto = "auto";

/// Largest number of values of a column that is chosen for without a sample.
inline constexpr std::uint32_t kAutoExact = 1u << 18;

using Candidates = std::vector<const Codec*>;

/// Every codec that takes `type`, in the order of all_codecs(). All of them decode on the device.
Candidates auto_candidates(ValueType type);

/// The codecs with these names, in the order of `names`. Throws UsageError if a name is unknown or
/// its codec does not take `type`.
Candidates candidates_named(std::span<const std::string> names, ValueType type);

/// An encoded column and its codec.
struct EncodedColumn {
  const Codec* codec = nullptr;
  std::vector<std::uint32_t> words = {};
};

/// Encodes `values` with the candidates, at their default parameters, and returns the encoding with
/// the fewest words. Among equal sizes the first candidate wins. `values` is an array of `type`,
/// aligned to the type, of at most kMaxListLength values.
///
/// Cost: the time of all encodings, one after the other; memory for two encodings.
/// Throws UsageError if there is no candidate, if a candidate does not take `type`, and for values
/// that Codec::encode refuses. Throws CancelledError soon after `stop` requests a stop; if `stop`
/// has no source, the token of the calling thread's StopScope counts.
EncodedColumn encode_smallest(ValueType type, std::span<const std::byte> values,
                              std::span<const Codec* const> candidates,
                              const std::stop_token& stop = {});

/// The codec of all_list_codecs() that encodes `list` in the fewest words. Among equal sizes the
/// first codec wins. A list of docids must ascend strictly; the function does not check the order.
/// Cost: the time of one encoding for each codec. Throws UsageError if the list has more than
/// kMaxListLength values.
const ListCodec& smallest_list_codec(Content content, std::span<const std::uint32_t> list);

}  // namespace gannet::codecs
