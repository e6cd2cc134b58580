// The file form of one encoded column: self-describing, checksummed, cut into segments that are
// encoded and decoded by themselves. COLUMN_FORMAT.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "codecs/choose.hpp"
#include "codecs/columns.hpp"
#include "index/files/atomic_file.hpp"

namespace gannet::index {

inline constexpr std::uint32_t kColumnFormatVersion = 1;

/// One segment: a row of the file's table.
struct ColumnSegment {
  std::uint64_t offset;    ///< of its words, in bytes from the beginning of the file
  std::uint64_t words;     ///< 32-bit words of the encoded values
  std::uint64_t checksum;  ///< XXH3-64 of the words and of the zeros that follow them
  std::uint32_t count;     ///< values, 1 .. kMaxListLength
  std::uint32_t codec;     ///< the codec's id
  char name[32];           ///< its name, then zeros
};
static_assert(sizeof(ColumnSegment) == 64);

/// Bytes that a segment takes in the file: its words, then zeros up to a multiple of 64.
constexpr std::uint64_t stored_bytes(const ColumnSegment& segment) {
  return (segment.words + 15) / 16 * 64;
}

/// How a column is to be encoded.
struct ColumnOptions {
  std::string codec{codecs::kAuto};  ///< a codec's name, or auto: the smallest, segment by segment
  codecs::Parameters parameters = {};  ///< of the codec; auto takes none
  std::vector<std::string> candidates =
      {};                                   ///< among which auto chooses; none: all of the device's
  std::uint32_t segment_values = 1u << 24;  ///< values in every segment but the last one
  unsigned threads = 1;                     ///< segments that are encoded at a time
  std::stop_token stop = {};                ///< asked all along, also within a segment
};

/// What a written column is.
struct ColumnSummary {
  std::uint64_t values = 0;
  std::uint64_t words = 0;  ///< of all segments, without padding
  std::uint64_t segments = 0;
  std::uint64_t file_bytes = 0;
  std::map<std::string, std::uint64_t> codec_values = {};  ///< values by the codec that codes them
};

/// Makes the bytes of a column file in bounded memory: for each thread a segment of values, encoded
/// and not. The bytes do not depend on the number of threads. Not thread-safe. append() and
/// finish() throw CancelledError soon after ColumnOptions::stop is asked for.
class ColumnEncoder {
 public:
  /// Takes the bytes, from front to back.
  using Sink = std::function<void(std::span<const std::byte> bytes)>;

  /// Throws UsageError for options that make no sense. Nothing goes to `sink` before begin().
  ColumnEncoder(codecs::ValueType type, ColumnOptions options, Sink sink);

  /// Writes the header.
  void begin();
  /// Appends raw little-endian values; a value's bytes may be split between calls.
  void append(std::span<const std::byte> bytes);
  /// Encodes what is left, writes table and footer. Throws InputError if the bytes end within a
  /// value.
  ColumnSummary finish();

 private:
  void write(std::span<const std::byte> bytes);
  void write_pending();
  codecs::EncodedColumn encoded(std::span<const std::byte> values) const;
  void write_segment(const codecs::EncodedColumn& column, std::uint32_t count);

  codecs::ValueType type_;
  ColumnOptions options_;
  codecs::Candidates candidates_;
  std::size_t segment_bytes_;
  Sink sink_;
  std::uint64_t written_ = 0;  ///< bytes
  std::uint64_t header_checksum_ = 0;
  std::vector<std::vector<std::byte>> pending_;  ///< segments, the last of which is being filled
  std::vector<ColumnSegment> table_;
  ColumnSummary summary_;
};

/// Writes a column file, as ColumnEncoder makes it. The file appears under its name when it is
/// complete; a symbolic link stays one, and what it names is replaced. Not thread-safe. Destroyed
/// before publish(), it leaves nothing.
class ColumnWriter {
 public:
  /// Throws UsageError for options that make no sense, before the file is touched; IoError if it
  /// cannot be created, or is there and no regular file.
  ColumnWriter(const std::filesystem::path& path, codecs::ValueType type, ColumnOptions options);
  ColumnWriter(const ColumnWriter&) = delete;
  ColumnWriter& operator=(const ColumnWriter&) = delete;

  /// ColumnEncoder::append().
  void append(std::span<const std::byte> bytes) { encoder_.append(bytes); }
  /// ColumnEncoder::finish(), and syncs.
  ColumnSummary finish();
  /// Gives the file its name, durably. Throws IoError, as AtomicFile::publish() does.
  void publish(Existing existing = Existing::kReplace);

 private:
  ColumnEncoder encoder_;
  AtomicFile file_;
};

/// A column file, opened for reading. Opening checks header, footer and table; a segment is checked
/// when it is read: its checksum, then by its codec's validate(). So every byte is checked before
/// it is used, and a part of a long column can be read without the rest. Immutable, safe from any
/// number of threads. Functions with limits throw CancelledError or DeadlineError soon after these
/// ask for the end.
class ColumnFile {
 public:
  /// Opens a file. Throws IoError, FormatError, or VersionError for one of a newer version or with
  /// a codec that this program does not know.
  explicit ColumnFile(const std::filesystem::path& path);
  /// Opens the bytes of a file in memory, which must outlive the object. Messages begin with `name`
  /// and end with `advice`.
  ColumnFile(std::span<const std::byte> bytes, std::string name,
             std::string advice = "encode the column again, or restore the file from a backup");

  const std::string& name() const { return name_; }
  codecs::ValueType type() const { return type_; }
  std::uint64_t count() const { return first_.back(); }
  std::uint64_t file_bytes() const { return size_; }
  std::span<const ColumnSegment> segments() const { return segments_; }
  /// Position in the column of segment i's first value; i may be the number of segments.
  std::uint64_t first_value(std::size_t i) const { return first_[i]; }
  /// The segment that holds value `position` (< count()).
  std::size_t segment_of(std::uint64_t position) const;
  const codecs::Codec& codec(std::size_t i) const { return *codecs_[i]; }

  /// Words that `read` writes: those of the segment and its padding.
  std::size_t stored_words(std::size_t i) const { return stored_bytes(segments_[i]) / 4; }
  /// Reads segment i into `words`, of stored_words(i), and checks it. Throws FormatError that names
  /// the segment, or IoError.
  void read(std::size_t i, std::span<std::uint32_t> words, const Limits& limits = {}) const;
  /// The words of segment i, checked, without padding.
  std::vector<std::uint32_t> words(std::size_t i, const Limits& limits = {}) const;

  /// Decodes values [first, first + count) on the calling thread and hands them out in order, in
  /// pieces of at most about a million values (a codec of the host alone: of a segment). Throws
  /// UsageError if the column has no such values.
  void decode(std::uint64_t first, std::uint64_t count,
              const std::function<void(std::span<const std::byte> values)>& piece,
              const Limits& limits = {}) const;

  /// Reads and checks every segment.
  void verify(const Limits& limits = {}) const;

 private:
  using ReadAt = std::function<void(std::uint64_t offset, std::span<std::byte> bytes)>;
  ColumnFile(std::string name, const std::shared_ptr<const File>& file);
  ColumnFile(std::string name, std::uint64_t size, ReadAt read_at, std::string advice);

  [[noreturn]] void fail(const std::string& what) const;
  std::uint64_t read_words(std::uint64_t offset, std::span<std::uint32_t> words) const;
  template <class Record>
  Record record_at(std::uint64_t offset) const;
  std::uint64_t check_header();
  void check_footer_and_table(std::uint64_t header_checksum);
  void check_segments(std::uint64_t table_offset, std::uint64_t count);
  const codecs::Codec& known_codec(std::size_t i) const;

  std::string name_;
  std::string advice_;
  std::uint64_t size_;
  ReadAt read_at_;
  codecs::ValueType type_{};
  std::vector<ColumnSegment> segments_;
  std::vector<const codecs::Codec*> codecs_;
  std::vector<std::uint64_t> first_{0};
};

/// Whether the file begins as a column file does; false if it cannot be read.
bool is_column_file(const std::filesystem::path& path);

}  // namespace gannet::index
