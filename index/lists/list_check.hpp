// Checking one posting list to the last value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// Whether bounds are held to the lengths of the documents, which may not be known any more.
enum class Bounds { kExact, kIgnored };

/// What is wrong with a list whose spans lie inside its file, or nothing: that its codecs take its
/// words, that its docids ascend to the skips and are documents, that its frequencies are >= 1, and
/// that its bounds are those of its postings. After that nothing needs care that decodes it, and
/// what it decodes to does not depend on who decodes it. `lengths`: of the segment's documents.
/// Decodes the list once. Thread-safe.
std::optional<std::string> check_list(const PostingList& list,
                                      std::span<const std::uint32_t> lengths,
                                      Bounds bounds = Bounds::kExact);

/// What is wrong with the last docids of the tiles of a list of `count` docids < `documents`, or
/// nothing.
std::optional<std::string> check_skips(std::span<const std::uint32_t> skips, std::uint32_t count,
                                       std::uint64_t documents);

/// What is wrong with the docids and frequencies of a short list, or nothing.
std::optional<std::string> check_packed(const ShortList& packed, std::uint32_t count,
                                        std::uint64_t documents);

}  // namespace gannet::index
