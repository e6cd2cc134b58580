#include "index/repair/restored_file.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/files/container/container_layout.hpp"
#include "index/files/patched_file.hpp"
#include "index/repair/lost_table.hpp"

namespace gannet::index {
namespace {

/// Of one file. A block takes some milliseconds.
constexpr std::size_t kMostBlocksTried = 1000;
constexpr std::uint64_t kChecksumBytes = sizeof(std::uint64_t);

/// Flips the one bit with which the bytes have this checksum; whether there is one.
bool flip_back(std::span<std::byte> bytes, std::uint64_t checksum) {
  for (std::byte& byte : bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      byte ^= std::byte{1} << bit;
      if (xxh3(bytes) == checksum) return true;
      byte ^= std::byte{1} << bit;
    }
  }
  return false;
}

class Restoration {
 public:
  Restoration(std::span<std::byte> file, FileKind kind, const FileSummary& written,
              const Statistics& segment, const std::stop_token& stop)
      : file_(file),
        kind_(kind),
        written_(written),
        segment_(segment),
        header_(header_of(kind)),
        stop_(stop) {}

  /// Whether it is known of all blocks whether they are as they were written.
  bool run() {
    put(0, header_);
    if (!restore_footer()) return false;
    restore_blocks();
    // Where all are, the checksum of the whole file is the last word.
    return !whole_ || xxh3(file_) == written_.checksum;
  }
  /// Blocks that were put right.
  std::uint64_t restored() const { return restored_; }

 private:
  template <class Record>
  void put(std::uint64_t offset, const Record& record) {
    if (std::memcmp(file_.data() + offset, &record, sizeof record) == 0) return;
    std::memcpy(file_.data() + offset, &record, sizeof record);
    ++restored_;
  }

  std::uint64_t footer_offset() const { return file_.size() - sizeof(ContainerFooter); }

  /// Whether it is known now what stands in the file, and what its blocks' checksums are.
  bool restore_footer() {
    ContainerFooter footer;
    std::memcpy(&footer, file_.data() + footer_offset(), sizeof footer);
    const bool sound =
        footer.checksum == written_.footer && checksum_before_last(footer) == footer.checksum;
    if (sound) return restore_table(footer) && find_blocks(footer) && restore_checksums(footer);
    for (std::uint32_t sections = 0; sections <= kMaxSections; ++sections) {
      if (!make_footer(sections, footer) || footer.checksum != written_.footer) continue;
      put(footer_offset(), footer);
      return true;
    }
    return make_end();
  }

  /// All behind the sections.
  bool make_end() {
    std::vector<SectionRow> rows = lost_table(kind_, segment_, file_);
    if (rows.empty()) return false;
    for (SectionRow& row : rows) row.checksum = xxh3(file_.subspan(row.offset, row.length));
    const auto table = std::as_writable_bytes(std::span(rows));
    std::ranges::copy(table,
                      file_.begin() + static_cast<std::ptrdiff_t>(footer_offset() - table.size()));
    ContainerFooter footer;
    const auto sections = static_cast<std::uint32_t>(rows.size());
    if (!make_footer(sections, footer)) return false;  // finds the blocks
    for (std::uint64_t i = 0; i < blocks_; ++i) set_checksum(i, xxh3(block(i)));
    if (!make_footer(sections, footer) || footer.checksum != written_.footer) return false;
    put(footer_offset(), footer);
    return true;
  }

  bool restore_table(const ContainerFooter& footer) {
    const auto table = file_.subspan(footer.table_offset, footer_offset() - footer.table_offset);
    if (xxh3(table) == footer.table_checksum) return true;
    if (!flip_back(table, footer.table_checksum)) return false;
    ++restored_;
    return true;
  }

  /// The footer of a file with so many sections, as far as the file can have that many.
  bool make_footer(std::uint32_t sections, ContainerFooter& footer) {
    const std::uint64_t table_bytes = sections * std::uint64_t{sizeof(SectionRow)};
    if (table_bytes > footer_offset()) return false;
    footer = {};
    footer.table_offset = footer_offset() - table_bytes;
    footer.sections = sections;
    footer.file_length = file_.size();
    footer.header_checksum = header_.checksum;
    if (footer.table_offset % kSectionAlignment != 0 || !find_blocks(footer)) return false;
    footer.table_checksum = xxh3(file_.subspan(footer.table_offset, table_bytes));
    footer.blocks_checksum = xxh3(checksum_bytes());
    std::memcpy(footer.magic, kFooterMagic, sizeof footer.magic);
    footer.checksum = checksum_before_last(footer);
    return true;
  }

  /// From the section table, where the checksums of blocks are; whether they have a place.
  bool find_blocks(const ContainerFooter& footer) {
    std::uint64_t end = sizeof(ContainerHeader);
    for (std::uint32_t i = 0; i < footer.sections; ++i) {
      SectionRow row;
      std::memcpy(&row, file_.data() + footer.table_offset + i * sizeof row, sizeof row);
      if (row.offset != aligned(end, kSectionAlignment) || row.offset > footer.table_offset ||
          row.length > footer.table_offset - row.offset) {
        return false;
      }
      end = row.offset + row.length;
    }
    content_ = aligned(end, kSectionAlignment);
    blocks_ = (content_ + kFileBlock - 1) / kFileBlock;
    const std::uint64_t checksums_end = content_ + blocks_ * kChecksumBytes;
    return aligned(checksums_end, kSectionAlignment) == footer.table_offset;
  }

  std::span<std::byte> block(std::uint64_t number) const {
    const std::uint64_t begin = number * kFileBlock;
    return file_.subspan(begin, std::min(kFileBlock, content_ - begin));
  }
  std::span<std::byte> checksum_bytes() const {
    return file_.subspan(content_, blocks_ * kChecksumBytes);
  }
  std::uint64_t checksum_of(std::uint64_t block) const {
    std::uint64_t checksum;
    std::memcpy(&checksum, checksum_bytes().data() + block * kChecksumBytes, sizeof checksum);
    return checksum;
  }

  void set_checksum(std::uint64_t block, std::uint64_t checksum) {
    std::memcpy(checksum_bytes().data() + block * kChecksumBytes, &checksum, sizeof checksum);
  }

  std::vector<std::uint64_t> damaged_blocks() const {
    std::vector<std::uint64_t> damaged;
    for (std::uint64_t i = 0; i < blocks_; ++i) {
      if (i % kMostBlocksTried == 0) throw_if_stopped(stop_);
      if (xxh3(block(i)) != checksum_of(i)) damaged.push_back(i);
    }
    return damaged;
  }

  /// Where one of the checksums of blocks is damaged, its block has another one.
  bool restore_checksums(const ContainerFooter& footer) {
    const auto sound = [&] { return xxh3(checksum_bytes()) == footer.blocks_checksum; };
    if (sound()) return true;
    const std::vector<std::uint64_t> damaged = damaged_blocks();
    if (damaged.size() > kMostBlocksTried) return false;
    for (const std::uint64_t i : damaged) {
      const std::uint64_t before = checksum_of(i);
      set_checksum(i, xxh3(block(i)));
      if (sound()) {
        ++restored_;
        return true;
      }
      set_checksum(i, before);
    }
    return false;
  }

  void restore_blocks() {
    const std::vector<std::uint64_t> damaged = damaged_blocks();
    std::atomic<std::uint64_t> restored{0};
    if (damaged.size() <= kMostBlocksTried) {
      tbb::parallel_for(std::size_t{0}, damaged.size(), [&](std::size_t i) {
        throw_if_stopped(stop_);
        if (flip_back(block(damaged[i]), checksum_of(damaged[i]))) ++restored;
      });
    }
    restored_ += restored;
    whole_ = restored == damaged.size();
    // Nothing is between these and the table.
    const std::uint64_t end = content_ + blocks_ * kChecksumBytes;
    for (std::uint64_t i = end; i < aligned(end, kSectionAlignment); ++i) {
      if (file_[i] == std::byte{0}) continue;
      file_[i] = std::byte{0};
      ++restored_;
    }
  }

  std::span<std::byte> file_;
  FileKind kind_;
  const FileSummary& written_;
  const Statistics& segment_;
  const ContainerHeader header_;
  const std::stop_token& stop_;
  std::uint64_t content_ = 0;  ///< bytes of header and sections, which have checksums by block
  std::uint64_t blocks_ = 0;
  std::uint64_t restored_ = 0;
  bool whole_ = false;
};

}  // namespace

std::optional<RestoredFile> restore_file(const std::filesystem::path& path, FileKind kind,
                                         const FileSummary& written, const Statistics& segment,
                                         const std::stop_token& stop) {
  if (written.length < sizeof(ContainerHeader) + sizeof(ContainerFooter)) return std::nullopt;
  const PatchedFile file(path, written.length);
  Restoration restoration(file.bytes(), kind, written, segment, stop);
  if (!restoration.run()) return std::nullopt;
  const std::uint64_t too_long = std::filesystem::file_size(path) > written.length ? 1 : 0;
  const std::uint64_t blocks = restoration.restored() + too_long;
  if (blocks == 0) return std::nullopt;
  return RestoredFile{file.as_mapped(), blocks};
}

}  // namespace gannet::index
