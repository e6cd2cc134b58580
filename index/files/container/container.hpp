// The one container format of every binary file of an index: a header, sections, checksums of all
// blocks of 4 KiB up to there, a table of the sections, a footer. Sections start at multiples of 64
// bytes and are mapped as they are. FORMAT.md has the details.
//
// A reader ignores sections that it does not know, unless they are flagged as required. So optional
// data can be added without a new version.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/atomic_file.hpp"
#include "index/files/checksum.hpp"
#include "index/files/container/file_blocks.hpp"
#include "index/files/format.hpp"
#include "index/files/mapped_file.hpp"
#include "index/files/messages.hpp"
#include "index/files/spool.hpp"

namespace gannet::index {

inline constexpr std::uint64_t kSectionAlignment = 64;

struct ContainerHeader {
  char magic[8];
  std::uint32_t version;
  Tag kind;
  std::uint64_t reserved[5];
  std::uint64_t checksum;  ///< of the bytes before it
};
static_assert(sizeof(ContainerHeader) == 64);

struct ContainerFooter {
  std::uint64_t table_offset;
  std::uint32_t sections;
  std::uint32_t reserved;
  std::uint64_t file_length;
  std::uint64_t table_checksum;
  std::uint64_t header_checksum;
  std::uint64_t blocks_checksum;  ///< of the checksums of the blocks
  char magic[8];
  std::uint64_t checksum;  ///< of the bytes before it
};
static_assert(sizeof(ContainerFooter) == 64);

/// What the manifest says of a finished file.
struct FileSummary {
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;  ///< of the whole file
  /// The footer's checksum: with it goes the section table, so all content.
  std::uint64_t footer = 0;
};

/// Writes a container, section by section. Not thread-safe. Destroyed before publish(), it leaves
/// nothing.
class ContainerWriter {
 public:
  ContainerWriter(std::filesystem::path path, FileKind kind);

  void begin_section(Tag id, std::uint32_t flags = SectionRow::kRequired);
  void append(std::span<const std::byte> bytes);
  template <class T>
  void append_values(std::span<const T> values) {
    append(bytes_of(values));
  }
  void end_section();

  template <class T>
  void write_section(Tag id, std::span<const T> values) {
    begin_section(id);
    append_values(values);
    end_section();
  }

  /// Writes what was set aside in `spool` as a section.
  void write_spool(Tag id, Spool& spool);

  const std::filesystem::path& path() const { return file_.path(); }
  /// Writes table and footer, syncs and closes.
  FileSummary finish();
  void publish() { file_.publish(); }
  /// AtomicFile has both.
  void publish_new() { file_.publish_new(); }

 private:
  void align();
  void write(std::span<const std::byte> bytes);

  AtomicFile file_;
  BlockHasher blocks_;
  std::uint64_t header_checksum_ = 0;
  std::vector<SectionRow> table_;
  Hasher section_hasher_;
};

/// A mapped container. Opening checks header, footer and section table. What sections hold is
/// hashed, block by block, when check() is first asked for it. Immutable, safe from any number of
/// threads.
class ContainerReader {
 public:
  /// `known` lists the sections that the caller understands. Throws IoError, FormatError or
  /// VersionError.
  ContainerReader(const std::filesystem::path& path, FileKind kind, std::span<const Tag> known);
  /// Reads a file that is mapped already; `path` is for messages.
  ContainerReader(std::filesystem::path path, MappedFile file, FileKind kind,
                  std::span<const Tag> known);
  /// For who checks sections without understanding them.
  ContainerReader(std::filesystem::path path, MappedFile file, FileKind kind);
  ContainerReader(const std::filesystem::path& path, FileKind kind);

  const std::filesystem::path& path() const { return path_; }
  std::span<const std::byte> bytes() const { return file_.bytes(); }
  std::span<const SectionRow> sections() const { return table_; }
  std::uint64_t footer_checksum() const { return footer_.checksum; }
  bool has(Tag id) const;

  /// The section as values. Throws FormatError if there is none or its length is no multiple of a
  /// value's.
  template <class T>
  std::span<const T> section(Tag id) const {
    const std::span<const std::byte> bytes = section_bytes(id, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  /// The same, of exactly `count` values.
  template <class T>
  std::span<const T> section(Tag id, std::uint64_t count) const {
    const std::span<const T> values = section<T>(id);
    if (values.size() != count) fail_count(id, values.size(), count);
    return values;
  }

  /// The bytes of a row of sections().
  std::span<const std::byte> content(const SectionRow& row) const {
    return bytes().subspan(row.offset, row.length);
  }
  /// Throws DamageError unless these bytes, which are the file's, are those that were written. Each
  /// block of 4 KiB is hashed the first time; after that it costs a bit per block.
  template <class T>
  void check(std::span<const T> values) const {
    if (!blocks_->are_known(values)) fail_if(blocks_->problem(values));
  }
  /// Checks a whole section, which may be missing.
  void check_section(Tag id) const;
  /// The checks of the file's blocks, for callers that outlive this object.
  const std::shared_ptr<const FileBlocks>& blocks() const { return blocks_; }
  /// Sections that the caller does not understand. They are not required.
  const std::vector<Tag>& unknown() const { return unknown_; }

  /// Whether all bytes between the sections are 0, as they must be.
  bool padding_is_zero() const;

  /// Throws DamageError: "PATH: WHAT; ... `gannet repair` ...".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void check_header(FileKind kind) const;
  void check_footer();
  void check_table();
  void open_blocks(std::uint64_t sections_end);
  void check_known(std::span<const Tag> known);
  void fail_if(const std::optional<std::string>& problem) const {
    if (problem) fail(*problem);
  }
  std::span<const std::byte> section_bytes(Tag id, std::size_t value_bytes) const;
  [[noreturn]] void fail_count(Tag id, std::uint64_t have, std::uint64_t want) const;

  std::filesystem::path path_;
  MappedFile file_;
  ContainerFooter footer_{};
  std::span<const SectionRow> table_;
  std::shared_ptr<const FileBlocks> blocks_;
  std::vector<Tag> unknown_;
};

}  // namespace gannet::index
