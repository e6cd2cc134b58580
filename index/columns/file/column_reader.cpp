#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/columns/column_file.hpp"
#include "index/columns/file/column_layout.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {
namespace {

/// Values that decode() hands out at a time, if the codec's units allow.
constexpr std::uint32_t kPieceValues = 1u << 20;

/// The codec with the id that a row of the table has, or null.
const codecs::Codec* codec_of(const ColumnSegment& segment) {
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    if (static_cast<std::uint32_t>(codec.id) == segment.codec) return &codec;
  }
  return nullptr;
}

/// The name in a row of the table; bytes that cannot be printed become '?', also zeros within.
std::string name_of(const ColumnSegment& segment) {
  std::string name(segment.name, sizeof segment.name);
  name.erase(name.find_last_not_of('\0') + 1);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c <= ' ' || c > '~'; }, '?');
  return name;
}

/// Reads from an open file, which the function keeps open.
std::shared_ptr<const File> open_regular(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    throw IoError(path.string() + ": not a regular file");
  }
  return std::make_shared<const File>(path, O_RDONLY);
}

}  // namespace

ColumnFile::ColumnFile(const std::filesystem::path& path)
    : ColumnFile(path.string(), open_regular(path)) {}

ColumnFile::ColumnFile(std::string name, const std::shared_ptr<const File>& file)
    : ColumnFile(
          std::move(name), file->size(),
          [file](std::uint64_t offset, auto bytes) { file->read_at(offset, bytes); },
          "encode the column again, or restore the file from a backup") {}

ColumnFile::ColumnFile(std::span<const std::byte> bytes, std::string name, std::string advice)
    : ColumnFile(
          std::move(name), bytes.size(),
          [bytes](std::uint64_t offset, auto out) {
            std::copy_n(bytes.data() + offset, out.size(), out.data());
          },
          std::move(advice)) {}

ColumnFile::ColumnFile(std::string name, std::uint64_t size, ReadAt read_at, std::string advice)
    : name_(std::move(name)),
      advice_(std::move(advice)),
      size_(size),
      read_at_(std::move(read_at)) {
  check_footer_and_table(check_header());
}

void ColumnFile::fail(const std::string& what) const {
  throw FormatError(name_ + ": " + what + "; " + advice_);
}

template <class Record>
Record ColumnFile::record_at(std::uint64_t offset) const {
  Record record;
  read_at_(offset, std::as_writable_bytes(std::span<Record>(&record, 1)));
  return record;
}

std::uint64_t ColumnFile::check_header() {
  if (size_ < sizeof(ColumnHeader) + sizeof(ColumnFooter)) {
    fail("only " + std::to_string(size_) + " bytes, no column file is so short");
  }
  const auto header = record_at<ColumnHeader>(0);
  if (std::memcmp(header.magic, kColumnMagic.data(), sizeof header.magic) != 0) {
    fail("not a column file (its first bytes are not " + std::string(kColumnMagic) + ")");
  }
  // The version comes before the checksum: what a newer version covers by it cannot be known.
  if (header.version > kColumnFormatVersion) {
    throw VersionError(name_ + ": column format version " + std::to_string(header.version) +
                       ", but this program reads version " + std::to_string(kColumnFormatVersion) +
                       "; use a newer Gannet, or encode the column again");
  }
  if (header.checksum != column_checksum(header)) fail("the header's checksum is wrong");
  if (header.version == 0) fail("format version 0 does not exist");
  if (header.type == 0 || header.type > codecs::kValueTypes.size()) {
    fail("unknown type of values " + std::to_string(header.type));
  }
  type_ = static_cast<codecs::ValueType>(header.type);
  return header.checksum;
}

void ColumnFile::check_footer_and_table(std::uint64_t header_checksum) {
  const auto footer = record_at<ColumnFooter>(size_ - sizeof(ColumnFooter));
  if (std::memcmp(footer.magic, kColumnFooterMagic.data(), sizeof footer.magic) != 0) {
    fail("there is no footer at its end, the file is cut off");
  }
  if (footer.checksum != column_checksum(footer)) fail("the footer's checksum is wrong");
  if (footer.file_length != size_) {
    fail("it has " + std::to_string(size_) + " bytes, its footer says " +
         std::to_string(footer.file_length));
  }
  if (footer.header_checksum != header_checksum) fail("header and footer are of different files");
  const std::uint64_t room = size_ - sizeof(ColumnHeader) - sizeof(ColumnFooter);
  if (footer.segments > room / sizeof(ColumnSegment) ||
      footer.table_offset != size_ - sizeof footer - footer.segments * sizeof(ColumnSegment)) {
    fail("the table of segments is out of bounds");
  }
  segments_.resize(footer.segments);
  const auto table = std::as_writable_bytes(std::span(segments_));
  read_at_(footer.table_offset, table);
  if (xxh3(table) != footer.table_checksum) fail("the table's checksum is wrong");
  check_segments(footer.table_offset, footer.values);
}

void ColumnFile::check_segments(std::uint64_t table_offset, std::uint64_t count) {
  std::uint64_t end = sizeof(ColumnHeader);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const ColumnSegment& segment = segments_[i];
    const std::string where = "segment " + std::to_string(i);
    if (segment.offset != end || segment.words > (table_offset - end) / sizeof(std::uint32_t) ||
        stored_bytes(segment) > table_offset - end) {
      fail(where + " is out of bounds");
    }
    end += stored_bytes(segment);
    if (segment.count == 0 || segment.count > codecs::kMaxListLength) {
      fail(where + " cannot have " + std::to_string(segment.count) + " values");
    }
    codecs_.push_back(&known_codec(i));
    first_.push_back(first_.back() + segment.count);
  }
  if (end != table_offset) fail("there are bytes that belong to no segment");
  if (first_.back() != count) {
    fail("its segments have " + std::to_string(first_.back()) + " values, its footer says " +
         std::to_string(count));
  }
}

const codecs::Codec& ColumnFile::known_codec(std::size_t i) const {
  const ColumnSegment& segment = segments_[i];
  const std::string where = "segment " + std::to_string(i);
  const std::string id = std::to_string(segment.codec);
  const std::string quoted = "'" + index::name_of(segment) + "'";
  const codecs::Codec* codec = codec_of(segment);
  if (codec == nullptr) {
    throw VersionError(name_ + ": " + where + " has codec " + id + " (" + quoted +
                       "), which this program does not know; use a newer Gannet");
  }
  const std::string name(codec->name);
  if (index::name_of(segment) != name) {
    fail(where + ": codec " + id + " is " + name + ", not " + quoted);
  }
  if (!codec->takes(type_)) {
    fail(where + ": " + name + " does not code values of type " +
         std::string(codecs::name_of(type_)));
  }
  return *codec;
}

std::size_t ColumnFile::segment_of(std::uint64_t position) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), position);
  return static_cast<std::size_t>(after - first_.begin()) - 1;
}

/// Reads words at `offset` in the file; returns their checksum.
std::uint64_t ColumnFile::read_words(std::uint64_t offset, std::span<std::uint32_t> words) const {
  const auto bytes = std::as_writable_bytes(words);
  Hasher hasher;
  for_each_chunk(bytes.size(), [&](std::size_t first, std::size_t size) {
    read_at_(offset + first, bytes.subspan(first, size));
    hasher.update(bytes.subspan(first, size));
  });
  return hasher.digest();
}

void ColumnFile::read(std::size_t i, std::span<std::uint32_t> words, const Limits& limits) const {
  if (limits.deadline != kNoDeadline) {
    return within_limits(limits, [&](const Limits& limited) { return read(i, words, limited); });
  }
  const StopScope scope(limits.stop);
  const ColumnSegment& segment = segments_[i];
  const std::uint64_t checksum = read_words(segment.offset, words);
  const std::string where =
      "segment " + std::to_string(i) + " (from value " + std::to_string(first_[i]) + ")";
  if (checksum != segment.checksum) fail(where + ": the checksum is wrong");
  const auto padding = words.subspan(segment.words);
  if (std::any_of(padding.begin(), padding.end(), [](std::uint32_t word) { return word != 0; })) {
    fail(where + ": the bytes behind its words are not all 0");
  }
  try {
    codecs_[i]->validate(type_, words.first(segment.words), segment.count);
  } catch (const FormatError& error) {
    fail(where + ": " + error.what());
  }
}

std::vector<std::uint32_t> ColumnFile::words(std::size_t i, const Limits& limits) const {
  std::vector<std::uint32_t> words(stored_words(i));
  read(i, words, limits);
  words.resize(segments_[i].words);
  return words;
}

void ColumnFile::decode(std::uint64_t first, std::uint64_t count,
                        const std::function<void(std::span<const std::byte>)>& piece,
                        const Limits& limits) const {
  if (limits.deadline != kNoDeadline) {
    return within_limits(
        limits, [&](const Limits& limited) { return decode(first, count, piece, limited); });
  }
  if (first > this->count() || count > this->count() - first) {
    throw UsageError(name_ + ": it has " + std::to_string(this->count()) + " values, none from " +
                     std::to_string(first) + " to " + std::to_string(first + count));
  }
  const std::uint64_t end = first + count;
  std::vector<std::byte> values;
  for (std::size_t i = segment_of(first); first < end; ++i) {
    const std::vector<std::uint32_t> segment = words(i, limits);
    const auto total = segments_[i].count;
    const std::uint32_t unit = codecs_[i]->unit(type_, segment, total);
    const std::uint64_t stride = std::max(unit, kPieceValues / unit * unit);
    while (first < std::min(end, first_[i + 1])) {
      throw_if_stopped(limits.stop);
      const std::uint64_t from = first - first_[i];
      const std::uint64_t to =
          std::min({(from / stride + 1) * stride, std::uint64_t{total}, end - first_[i]});
      values.resize((to - from) * codecs::size_of(type_));
      codecs_[i]->decode(type_, segment, total, static_cast<std::uint32_t>(from),
                         static_cast<std::uint32_t>(to - from), values.data());
      piece(values);
      first += to - from;
    }
  }
}

void ColumnFile::verify(const Limits& limits) const {
  if (limits.deadline != kNoDeadline) {
    return within_limits(limits, [&](const Limits& limited) { return verify(limited); });
  }
  for (std::size_t i = 0; i < segments_.size(); ++i) words(i, limits);
}

bool is_column_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  char magic[kColumnMagic.size()] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(magic, sizeof magic) && std::string_view(magic, sizeof magic) == kColumnMagic;
}

}  // namespace gannet::index
