// auto: the codec with the smallest footprint for a column or a list.
//
// Source: GPU-*, the hybrid of Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer
// Compression in GPU", SIGMOD 2022, section 8: "use the one that has the lowest storage footprint
// for each column". The paper chooses among its own three codecs, gpu-for, gpu-dfor and gpu-rfor;
// here every codec with a device decoder is a candidate unless the caller names others.
//
// Sizes are exact: candidates encode the values. Of a long column (more than kAutoExact values)
// they first encode a sample of stretches spread over it; only those whose sample is at most an
// eighth larger than the smallest one encode it all. All functions are thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "codecs/columns.hpp"
#include "codecs/encoded_lists.hpp"

namespace gannet::codecs {

/// The name that stands for the smallest, wherever a codec's name is asked for.
inline constexpr std::string_view kAuto = "auto";

/// Longest column that every candidate encodes as a whole.
inline constexpr std::uint32_t kAutoExact = 1u << 18;

using Candidates = std::vector<const Codec*>;

/// Every codec that takes `type` and decodes on the device. May be empty.
Candidates auto_candidates(ValueType type);

/// The candidates with these names. Throws UsageError for one that is unknown or does not take
/// `type`.
Candidates candidates_named(std::span<const std::string> names, ValueType type);

/// A column and the codec that it is encoded with.
struct EncodedColumn {
  const Codec* codec = nullptr;
  std::vector<std::uint32_t> words = {};
};

/// Encodes `values` (an array of `type`; at most kMaxListLength) with each candidate, at its
/// default parameters, and keeps the smallest; of equals the first. Throws UsageError if there is
/// no candidate; CancelledError soon after `stop` asks for it.
EncodedColumn encode_smallest(ValueType type, std::span<const std::byte> values,
                              std::span<const Codec* const> candidates,
                              const std::stop_token& stop = {});

/// The codec of the registry that codes a list in the fewest words; of equals the first. A list of
/// docids must ascend strictly.
const ListCodec& smallest_list_codec(Content content, std::span<const std::uint32_t> list);

}  // namespace gannet::codecs
