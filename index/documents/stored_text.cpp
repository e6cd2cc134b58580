#include "index/documents/stored_text.hpp"

#include <tbb/parallel_for.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "index/files/container/offsets.hpp"

namespace gannet::index {
namespace {

constexpr Tag kBlocks{"BLKS"};
constexpr Tag kBlockOffsets{"BOFF"};
constexpr Tag kDocumentOffsets{"DOFF"};
constexpr std::array kTextSections{kBlocks, kBlockOffsets, kDocumentOffsets};

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr std::size_t kBlocksAtOnce = 32;
constexpr int kLevel = 3;

std::size_t block_count(std::size_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes; }

std::string compress(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size) != 0) {
    throw IoError(std::string("text cannot be compressed: ") + ZSTD_getErrorName(size));
  }
  out.resize(size);
  return out;
}

}  // namespace

StoredTextWriter::StoredTextWriter(const std::filesystem::path& path,
                                   const std::filesystem::path& scratch)
    : file_(path, kTextFile), document_offsets_(scratch), block_offsets_(scratch) {
  file_.begin_section(kBlocks);
  document_offsets_.append_value(text_bytes_);
  block_offsets_.append_value(compressed_bytes_);
}

void StoredTextWriter::add(std::string_view text) {
  text_bytes_ += text.size();
  document_offsets_.append_value(text_bytes_);
  while (!text.empty()) {
    const std::size_t room = kBlocksAtOnce * kBlockBytes - pending_.size();
    const std::string_view part = text.substr(0, room);
    pending_ += part;
    text.remove_prefix(part.size());
    if (pending_.size() == kBlocksAtOnce * kBlockBytes) compress_pending();
  }
}

void StoredTextWriter::compress_pending() {
  const std::string_view text = pending_;
  std::vector<std::string> blocks(block_count(text.size()));
  tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) {
    blocks[i] = compress(text.substr(i * kBlockBytes, kBlockBytes));
  });
  for (const std::string& block : blocks) {
    file_.append(bytes_of(std::string_view(block)));
    compressed_bytes_ += block.size();
    block_offsets_.append_value(compressed_bytes_);
  }
  pending_.clear();
}

FileSummary StoredTextWriter::finish() {
  compress_pending();
  file_.end_section();
  file_.write_spool(kBlockOffsets, block_offsets_);
  file_.write_spool(kDocumentOffsets, document_offsets_);
  return file_.finish();
}

StoredText::StoredText(std::filesystem::path path, MappedFile file, std::uint64_t documents)
    : file_(std::move(path), std::move(file), kTextFile, kTextSections) {
  blocks_ = std::as_bytes(file_.section<char>(kBlocks));
  document_offsets_ = file_.section<std::uint64_t>(kDocumentOffsets, documents + 1);
  check_ends(file_, kDocumentOffsets, document_offsets_, document_offsets_.back());
  const std::uint64_t full_blocks = text_bytes() / kBlockBytes;
  const std::uint64_t rest = text_bytes() % kBlockBytes;
  block_offsets_ =
      file_.section<std::uint64_t>(kBlockOffsets, full_blocks + (rest != 0 ? 1 : 0) + 1);
  check_ends(file_, kBlockOffsets, block_offsets_, blocks_.size());
}

void StoredText::check_tables() const {
  check_offsets(file_, kDocumentOffsets, document_offsets_);
  check_offsets(file_, kBlockOffsets, block_offsets_);
}

std::string StoredText::block(std::uint64_t number) const {
  const std::uint64_t start = number * kBlockBytes;
  std::string text(std::min<std::uint64_t>(kBlockBytes, text_bytes() - start), '\0');
  file_.check(block_offsets_.subspan(number, 2));
  const std::uint64_t first = block_offsets_[number];
  const std::uint64_t end = block_offsets_[number + 1];
  if (first > end || end > blocks_.size()) {
    file_.fail("text block " + std::to_string(number) + " is not in the file");
  }
  file_.check(blocks_.subspan(first, end - first));
  const std::size_t size =
      ZSTD_decompress(text.data(), text.size(), blocks_.data() + first, end - first);
  if (ZSTD_isError(size) != 0) {
    file_.fail("text block " + std::to_string(number) + ": " + ZSTD_getErrorName(size));
  }
  if (size != text.size()) {
    file_.fail("text block " + std::to_string(number) + " has " + std::to_string(size) +
               " bytes instead of " + std::to_string(text.size()));
  }
  return text;
}

std::uint64_t StoredText::length(Docid docid) const {
  file_.check(document_offsets_.subspan(docid, 2));
  const std::uint64_t end = document_offsets_[docid + std::size_t{1}];
  const std::uint64_t begin = document_offsets_[docid];
  if (begin > end || end > text_bytes()) {
    file_.fail("the text of document " + std::to_string(docid) + " is not in the file");
  }
  return end - begin;
}

std::string StoredText::text(Docid docid, RecentBlock& recent) const {
  std::string out;
  const std::uint64_t bytes = length(docid);
  std::uint64_t at = document_offsets_[docid];
  for (const std::uint64_t end = at + bytes; at < end;) {
    const std::uint64_t number = at / kBlockBytes;
    const auto whole = recent.get(number, [&] { return block(number); });
    const std::uint64_t skip = at - number * kBlockBytes;
    const std::uint64_t take = std::min<std::uint64_t>(end - at, whole->size() - skip);
    out.append(*whole, skip, take);
    at += take;
  }
  return out;
}

}  // namespace gannet::index
