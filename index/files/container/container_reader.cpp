#include <algorithm>
#include <cstring>
#include <utility>

#include "index/files/container/container.hpp"
#include "index/files/container/container_layout.hpp"

namespace gannet::index {
namespace {

template <class Record>
Record read_record(std::span<const std::byte> bytes, std::uint64_t offset) {
  Record record;
  std::memcpy(&record, bytes.data() + offset, sizeof record);
  return record;
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

ContainerReader::ContainerReader(std::filesystem::path path, MappedFile file, FileKind kind)
    : path_(std::move(path)), file_(std::move(file)) {
  check_header(kind);
  check_footer();
  check_table();
}

ContainerReader::ContainerReader(std::filesystem::path path, MappedFile file, FileKind kind,
                                 std::span<const Tag> known)
    : ContainerReader(std::move(path), std::move(file), kind) {
  check_known(known);
}

ContainerReader::ContainerReader(const std::filesystem::path& path, FileKind kind)
    : ContainerReader(path, MappedFile(path), kind) {}

ContainerReader::ContainerReader(const std::filesystem::path& path, FileKind kind,
                                 std::span<const Tag> known)
    : ContainerReader(path, MappedFile(path), kind, known) {}

void ContainerReader::fail(const std::string& what) const { fail_format(path_, what); }

void ContainerReader::check_header(FileKind kind) const {
  if (bytes().size() < sizeof(ContainerHeader) + sizeof(ContainerFooter)) {
    fail("only " + std::to_string(bytes().size()) + " bytes, the file is cut off");
  }
  const auto header = read_record<ContainerHeader>(bytes(), 0);
  if (std::memcmp(header.magic, kHeaderMagic, sizeof header.magic) != 0) {
    fail("not a file of a Gannet index (its first bytes are not " + std::string(kHeaderMagic) +
         ")");
  }
  // All versions have a header of this size with its checksum at the end, so that a damaged number
  // is not taken for a newer version.
  if (header.checksum != checksum_before_last(header)) fail("the header's checksum is wrong");
  if (header.version == 0) fail("format version 0 does not exist");
  if (header.version != kFormatVersion) fail_version(path_, header.version);
  if (header.kind != kind.tag) {
    fail("its kind is '" + to_string(header.kind) + "', not '" + to_string(kind.tag) + "'");
  }
}

void ContainerReader::check_footer() {
  const std::uint64_t size = bytes().size();
  footer_ = read_record<ContainerFooter>(bytes(), size - sizeof(ContainerFooter));
  if (std::memcmp(footer_.magic, kFooterMagic, sizeof footer_.magic) != 0) {
    fail("it does not end with a footer, the file is cut off or too long");
  }
  if (footer_.checksum != checksum_before_last(footer_)) fail("the footer's checksum is wrong");
  if (footer_.file_length != size) {
    fail("it has " + std::to_string(size) + " bytes, its footer says " +
         std::to_string(footer_.file_length));
  }
  const auto header = read_record<ContainerHeader>(bytes(), 0);
  if (footer_.header_checksum != header.checksum) fail("header and footer do not belong together");
  if (footer_.sections > kMaxSections) fail("it has too many sections");
  const std::uint64_t table_end = size - sizeof(ContainerFooter);
  const std::uint64_t table_bytes = footer_.sections * std::uint64_t{sizeof(SectionRow)};
  if (footer_.table_offset % kSectionAlignment != 0 || footer_.table_offset > table_end ||
      table_end - footer_.table_offset != table_bytes) {
    fail("the section table is out of bounds");
  }
  const auto table = bytes().subspan(footer_.table_offset, table_bytes);
  if (xxh3(table) != footer_.table_checksum) fail("the section table's checksum is wrong");
  table_ = {reinterpret_cast<const SectionRow*>(table.data()), footer_.sections};
}

void ContainerReader::check_table() {
  std::uint64_t end = sizeof(ContainerHeader);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const SectionRow& row = table_[i];
    const std::string name = "section '" + to_string(row.id) + "'";
    if (row.offset != aligned(end, kSectionAlignment) || row.offset > footer_.table_offset ||
        row.length > footer_.table_offset - row.offset) {
      fail(name + " is out of bounds");
    }
    end = row.offset + row.length;
    const auto same = [&](const SectionRow& other) { return other.id == row.id; };
    if (std::any_of(table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      fail(name + " is there twice");
    }
  }
  open_blocks(aligned(end, kSectionAlignment));
}

/// The checksums of the blocks stand between the sections and their table.
void ContainerReader::open_blocks(std::uint64_t sections_end) {
  const std::uint64_t blocks = (sections_end + kFileBlock - 1) / kFileBlock;
  const std::uint64_t end = sections_end + blocks * sizeof(std::uint64_t);
  if (footer_.table_offset != aligned(end, kSectionAlignment)) {
    fail("there are bytes that belong to no section");
  }
  if (!all_zero(bytes().subspan(end, footer_.table_offset - end))) {
    fail("the bytes between sections are not all 0");
  }
  const auto* const checksums =
      reinterpret_cast<const std::uint64_t*>(bytes().data() + sections_end);
  blocks_ = std::make_shared<const FileBlocks>(file_, table_, std::span(checksums, blocks),
                                               footer_.blocks_checksum);
}

void ContainerReader::check_section(Tag id) const {
  for (const SectionRow& row : table_) {
    if (row.id == id) check(content(row));
  }
}

void ContainerReader::check_known(std::span<const Tag> known) {
  for (const SectionRow& row : table_) {
    if (std::find(known.begin(), known.end(), row.id) != known.end()) continue;
    if ((row.flags & SectionRow::kRequired) == 0) {
      unknown_.push_back(row.id);
      continue;
    }
    throw VersionError(path_.string() + ": section '" + to_string(row.id) +
                       "' is required, but format version " + std::to_string(kFormatVersion) +
                       ", which this program reads, does not know it; use a newer Gannet");
  }
}

bool ContainerReader::has(Tag id) const {
  return std::any_of(table_.begin(), table_.end(),
                     [&](const SectionRow& row) { return row.id == id; });
}

std::span<const std::byte> ContainerReader::section_bytes(Tag id, std::size_t value_bytes) const {
  const auto row = std::find_if(table_.begin(), table_.end(),
                                [&](const SectionRow& candidate) { return candidate.id == id; });
  if (row == table_.end()) fail("section '" + to_string(id) + "' is missing");
  if (row->length % value_bytes != 0) {
    fail("section '" + to_string(id) + "' has " + std::to_string(row->length) +
         " bytes, no multiple of " + std::to_string(value_bytes));
  }
  return content(*row);
}

void ContainerReader::fail_count(Tag id, std::uint64_t have, std::uint64_t want) const {
  fail("section '" + to_string(id) + "' has " + std::to_string(have) + " entries instead of " +
       std::to_string(want));
}

bool ContainerReader::padding_is_zero() const {
  std::uint64_t end = sizeof(ContainerHeader);
  for (const SectionRow& row : table_) {
    if (!all_zero(bytes().subspan(end, row.offset - end))) return false;
    end = row.offset + row.length;
  }
  return all_zero(bytes().subspan(end, aligned(end, kSectionAlignment) - end));
}

}  // namespace gannet::index
