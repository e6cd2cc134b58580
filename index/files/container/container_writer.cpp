#include <array>
#include <cstring>
#include <utility>

#include "index/files/container/container.hpp"
#include "index/files/container/container_layout.hpp"

namespace gannet::index {

ContainerWriter::ContainerWriter(std::filesystem::path path, FileKind kind)
    : file_(std::move(path)) {
  const ContainerHeader header = header_of(kind);
  header_checksum_ = header.checksum;
  write(bytes_of(std::span<const ContainerHeader>(&header, 1)));
}

void ContainerWriter::write(std::span<const std::byte> bytes) {
  blocks_.update(bytes);
  file_.append(bytes);
}

void ContainerWriter::align() {
  static constexpr std::array<std::byte, kSectionAlignment> kZeros{};
  const auto beyond = static_cast<std::size_t>(file_.size() % kSectionAlignment);
  if (beyond != 0) write(std::span(kZeros).first(kSectionAlignment - beyond));
}

void ContainerWriter::begin_section(Tag id, std::uint32_t flags) {
  align();
  table_.push_back({id, flags, file_.size(), 0, 0});
  section_hasher_.reset();
}

void ContainerWriter::append(std::span<const std::byte> bytes) {
  section_hasher_.update(bytes);
  write(bytes);
}

void ContainerWriter::end_section() {
  SectionRow& row = table_.back();
  row.length = file_.size() - row.offset;
  row.checksum = section_hasher_.digest();
}

void ContainerWriter::write_spool(Tag id, Spool& spool) {
  begin_section(id);
  spool.drain([&](std::span<const std::byte> bytes) { append(bytes); });
  end_section();
}

FileSummary ContainerWriter::finish() {
  align();
  const std::vector<std::uint64_t> checksums = blocks_.finish();
  const std::span<const std::byte> blocks = bytes_of(std::span<const std::uint64_t>(checksums));
  ContainerFooter footer{};
  footer.blocks_checksum = xxh3(blocks);
  file_.append(blocks);
  align();
  footer.table_offset = file_.size();
  footer.sections = static_cast<std::uint32_t>(table_.size());
  const std::span<const std::byte> table = bytes_of(std::span<const SectionRow>(table_));
  file_.append(table);
  footer.file_length = file_.size() + sizeof footer;
  footer.table_checksum = xxh3(table);
  footer.header_checksum = header_checksum_;
  std::memcpy(footer.magic, kFooterMagic, sizeof footer.magic);
  footer.checksum = checksum_before_last(footer);
  file_.append(bytes_of(std::span<const ContainerFooter>(&footer, 1)));
  file_.finish();
  return {file_.size(), file_.checksum(), footer.checksum};
}

}  // namespace gannet::index
