// What the writer and the reader of manifests share and nobody else needs.
//
// The last 31 bytes of a manifest are `  "xxh3": "`, 16 hexadecimal digits, `"`, a line end, `}`, a
// line end. The digits are the XXH3-64 of all bytes before those 31.
#pragma once

#include <string_view>

namespace gannet::index {

inline constexpr std::string_view kFormatName = "gannet index";
inline constexpr std::string_view kChecksumLead = "  \"xxh3\": \"";
inline constexpr std::string_view kChecksumEnd = "\"\n}\n";
inline constexpr std::size_t kTailBytes = kChecksumLead.size() + 16 + kChecksumEnd.size();

}  // namespace gannet::index
