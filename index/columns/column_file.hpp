// Column files: one encoded column a file, self-describing, with checksums, and cut into segments
// that are encoded and decoded independently. index/COLUMN_FORMAT.md describes the bytes.
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

/// One segment of a column file: a row of the file's table.
struct ColumnSegment {
  std::uint64_t offset;    ///< of the words, in bytes from the beginning of the file
  std::uint64_t words;     ///< 32-bit words of the encoded values
  std::uint64_t checksum;  ///< XXH3-64 of the words and of the zeros that follow them
  std::uint32_t count;     ///< values, 1 .. kMaxListLength
  std::uint32_t codec;     ///< a codecs::CodecId
  char name[32];           ///< name of the codec, then zeros
};
static_assert(sizeof(ColumnSegment) == 64);

/// Bytes of a segment in the file: its words, then zeros up to a multiple of 64 bytes.
constexpr std::uint64_t stored_bytes(const ColumnSegment& segment) {
  return (segment.words + 15) / 16 * 64;
}

/// How to encode a column file.
struct ColumnOptions {
  std::string codec{codecs::kAuto};    ///< a codec's name, or auto: the smallest for each segment
  codecs::Parameters parameters = {};  ///< of the codec; auto has no parameters
  std::vector<std::string> candidates = {};  ///< of auto; empty: all codecs with a device decoder
  std::uint32_t segment_values = 1u << 24;   ///< of each segment but the last, 1 .. kMaxListLength
  unsigned threads = 1;                      ///< segments that are encoded in parallel, at least 1
  std::stop_token stop = {};                 ///< checked while segments are encoded and written
};

/// What a column file has, once it is written.
struct ColumnSummary {
  std::uint64_t values = 0;
  std::uint64_t words = 0;  ///< 32-bit words of all segments, without padding
  std::uint64_t segments = 0;
  std::uint64_t file_bytes = 0;
  std::map<std::string, std::uint64_t> codec_values = {};  ///< values by name of codec
};

/// Makes the bytes of a column file. Order of calls: begin(), append()..., finish(). Memory is
/// bounded: for each thread one segment of values and its encoded words. The bytes do not depend on
/// the number of threads. Not thread-safe.
///
/// append() and finish() throw CancelledError if ColumnOptions::stop is requested while they encode
/// or write segments; an append() that only collects values does not check it. All functions pass
/// on what the sink throws. After an exception the encoder can only be destroyed.
class ColumnEncoder {
 public:
  /// Receives the bytes of the file in order, on the thread of the call.
  using Sink = std::function<void(std::span<const std::byte> bytes)>;

  /// Calls `sink` only from begin() on. Throws UsageError for a segment_values out of range, 0
  /// threads, a codec or candidate that is unknown or does not take `type`, parameters that are not
  /// valid for the codec, and candidates for another codec than auto.
  ColumnEncoder(codecs::ValueType type, ColumnOptions options, Sink sink);

  /// Writes the header.
  void begin();
  /// Appends raw little-endian values. The bytes of a value may be split between calls. Encodes and
  /// writes when a segment for each thread is full.
  void append(std::span<const std::byte> bytes);
  /// Encodes and writes the remaining segments, the table and the footer. Throws InputError if the
  /// appended bytes end within a value.
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

/// Writes a column file with the bytes of a ColumnEncoder. Order of calls: append()..., finish(),
/// publish(). Until publish() the file has a temporary name; a writer that is destroyed before
/// removes it. If the path is a symbolic link, the link stays, and the file that it leads to is
/// replaced. Every function throws IoError if the file cannot be written. Not thread-safe.
class ColumnWriter {
 public:
  /// Creates the temporary file. Throws UsageError as ColumnEncoder does, before any file is
  /// created; IoError if the file cannot be created, or if the path exists and is not a regular
  /// file.
  ColumnWriter(const std::filesystem::path& path, codecs::ValueType type, ColumnOptions options);
  ColumnWriter(const ColumnWriter&) = delete;
  ColumnWriter& operator=(const ColumnWriter&) = delete;

  /// ColumnEncoder::append().
  void append(std::span<const std::byte> bytes) { encoder_.append(bytes); }
  /// ColumnEncoder::finish(); then writes the file's bytes to the disk durably.
  ColumnSummary finish();
  /// Renames the file to its path, durably. With Existing::kKeep, throws IoError if the path
  /// exists; then the new file stays beside it, under a name that the message says.
  void publish(Existing existing = Existing::kReplace);

 private:
  ColumnEncoder encoder_;
  AtomicFile file_;
};

/// A column file, opened for reading. Opening checks the header, the footer and the table. Reading
/// a segment checks its checksum and then validates its words by its codec. So every byte is
/// checked before it is used, and a part of a long column can be read without the rest. Immutable
/// and thread-safe.
///
/// Functions with `limits` throw CancelledError soon after limits.stop is requested, and
/// DeadlineError soon after limits.deadline. Segment numbers must be below segments().size().
class ColumnFile {
 public:
  /// Opens a file, which stays open as long as the object or a copy of it exists. Throws IoError if
  /// the file cannot be read or is not a regular file; FormatError if it is damaged or not a column
  /// file; VersionError if it has a newer format version or a codec that this program does not
  /// know.
  explicit ColumnFile(const std::filesystem::path& path);
  /// Opens the bytes of a file in memory, which must outlive the object and its copies. The
  /// messages of FormatError begin with `name` and end with `advice`. Throws FormatError and
  /// VersionError as the other constructor does.
  ColumnFile(std::span<const std::byte> bytes, std::string name,
             std::string advice = "encode the column again, or restore the file from a backup");

  const std::string& name() const { return name_; }
  codecs::ValueType type() const { return type_; }
  std::uint64_t count() const { return first_.back(); }
  std::uint64_t file_bytes() const { return size_; }
  std::span<const ColumnSegment> segments() const { return segments_; }
  /// The position in the column of the first value of segment i; count() if i is segments().size().
  std::uint64_t first_value(std::size_t i) const { return first_[i]; }
  /// The number of the segment that has value `position` (< count()), in O(log segments) time.
  std::size_t segment_of(std::uint64_t position) const;
  /// The codec of segment i.
  const codecs::Codec& codec(std::size_t i) const { return *codecs_[i]; }

  /// 32-bit words that read() writes for segment i: the words and their padding.
  std::size_t stored_words(std::size_t i) const { return stored_bytes(segments_[i]) / 4; }
  /// Reads segment i into `words`, which has stored_words(i) elements, and checks it. Throws
  /// FormatError, which names the segment, if the segment is damaged, and IoError.
  void read(std::size_t i, std::span<std::uint32_t> words, const Limits& limits = {}) const;
  /// Reads segment i and returns its words without padding. Errors as for read().
  std::vector<std::uint32_t> words(std::size_t i, const Limits& limits = {}) const;

  /// Decodes values [first, first + count) on the calling thread. Calls `piece` for consecutive
  /// arrays of type(), in order. An array has at most 2^20 values, or one tile or chunk of the
  /// codec if that is larger, and all its values are of one segment; it is valid during the call
  /// only. Reads and checks every segment that has one of the values as a whole, and needs memory
  /// for the words of one segment and one array. Throws UsageError if the range reaches beyond
  /// count(); errors as for read(); and what `piece` throws.
  void decode(std::uint64_t first, std::uint64_t count,
              const std::function<void(std::span<const std::byte> values)>& piece,
              const Limits& limits = {}) const;

  /// Reads and checks every segment. Throws for the first segment with an error, as read() does.
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

/// Whether `path` is a regular file that begins with the magic bytes of a column file. False if it
/// cannot be read.
bool is_column_file(const std::filesystem::path& path);

}  // namespace gannet::index
