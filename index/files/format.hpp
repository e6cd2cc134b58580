// Names and numbers that the files of an index share. FORMAT.md describes the bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "index/files/limits.hpp"

namespace gannet::index {

static_assert(std::endian::native == std::endian::little, "the files are little-endian and mapped");

/// Version of everything in an index directory, and the only one that is read. Raised with every
/// change after which an older reader would not read it right, or this one not what an older writer
/// made.
inline constexpr std::uint32_t kFormatVersion = 2;

/// The file that makes a folder an index, and the one that makes it a set of shards.
inline constexpr const char* kManifestName = "manifest.json";
inline constexpr const char* kShardSetName = "shards.json";
/// The builder's temporary files live in this folder of the index while a build runs.
inline constexpr const char* kScratchName = "gannet-scratch.tmp";

/// Four characters that name a section, or a kind of file, as one little-endian number.
struct Tag {
  std::uint32_t value = 0;

  Tag() = default;
  explicit constexpr Tag(std::uint32_t number) : value(number) {}
  explicit consteval Tag(const char (&text)[5]) {
    for (unsigned i = 0; i < 4; ++i) {
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    }
  }
  bool operator==(const Tag&) const = default;
};

/// The four characters; anything that cannot be printed becomes '?'.
inline std::string to_string(Tag tag) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i) {
    const auto c = static_cast<char>(tag.value >> (8 * i) & 0xff);
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text;
}

/// The kinds of file that a segment has.
struct FileKind {
  Tag tag;
  std::string_view name;  ///< in the manifest, and the file's extension
};
inline constexpr FileKind kLexiconFile{Tag("LEXI"), "lexicon"};
inline constexpr FileKind kDocumentsFile{Tag("DOCS"), "documents"};
inline constexpr FileKind kPostingsFile{Tag("POST"), "postings"};
inline constexpr FileKind kTextFile{Tag("TEXT"), "text"};
inline constexpr FileKind kFieldsFile{Tag("FLDS"), "fields"};
inline constexpr FileKind kLiveFile{Tag("LIVE"), "live"};
inline constexpr FileKind kPositionsFile{Tag("POSN"), "positions"};
inline constexpr std::array kFileKinds{kLexiconFile, kDocumentsFile, kPostingsFile, kTextFile,
                                       kFieldsFile,  kLiveFile,      kPositionsFile};

/// The bytes of values, as they stand in memory and in files.
template <class T>
std::span<const std::byte> bytes_of(std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(values);
}
inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace gannet::index
