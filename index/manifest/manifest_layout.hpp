// What the writers and the readers of manifests, and of sets of shards, have in common: JSON that
// ends with its checksum.
//
// The last 31 bytes are `  "xxh3": "`, 16 hexadecimal digits, `"`, a line end, `}`, a line end. The
// digits are the XXH3-64 of all bytes before those 31.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gannet::index {

inline constexpr std::string_view kFormatName = "gannet index";
inline constexpr std::string_view kChecksumLead = "  \"xxh3\": \"";
inline constexpr std::string_view kChecksumEnd = "\"\n}\n";
inline constexpr std::size_t kTailBytes = kChecksumLead.size() + 16 + kChecksumEnd.size();

/// A JSON object, indented by two, with the checksum behind its other members.
std::string with_checksum(std::string json);

/// A text as JSON has it, in quotes.
std::string json_text(std::string_view text);

/// Throws FormatError, which names the file, if the checksum is not that of the bytes before it.
void check_checksum(std::string_view json, const std::filesystem::path& path);

/// All bytes of a file that is small unless it is damaged: FormatError then. Throws IoError.
std::string read_small_file(const std::filesystem::path& path);

}  // namespace gannet::index
