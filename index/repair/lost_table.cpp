#include "index/repair/lost_table.hpp"

#include <cstring>

#include "index/documents/id_lookup.hpp"
#include "index/files/container/container_layout.hpp"
#include "index/lexicon/front_coding.hpp"
#include "index/lists/list_table.hpp"

namespace gannet::index {
namespace {

struct Section {
  Tag id;
  std::uint64_t length;
};
using Sections = std::vector<Section>;

std::uint64_t blocks_of(std::uint64_t values, std::uint64_t block) {
  return (values + block - 1) / block;
}

/// Bytes of a table of offsets (u64): one for each block of so many values, and the end.
std::uint64_t offsets_bytes(std::uint64_t values, std::uint64_t block) {
  return 8 * (blocks_of(values, block) + 1);
}

class LostTable {
 public:
  LostTable(const Statistics& segment, std::span<const std::byte> file)
      : documents_(segment.documents), terms_(segment.terms), file_(file) {}

  std::vector<SectionRow> rows(FileKind kind) {
    if (kind.tag == kLexiconFile.tag) return lexicon();
    if (kind.tag == kPostingsFile.tag) return postings();
    if (kind.tag == kTextFile.tag) return text();
    find_content_end(1);
    if (kind.tag == kLiveFile.tag) return checked({{Tag("LIVE"), 8 * blocks_of(documents_, 64)}});
    if (kind.tag != kDocumentsFile.tag) return {};
    auto rows = checked({{Tag("LENS"), 4 * documents_}});
    return rows.empty() ? documents_with_ids() : rows;
  }

 private:
  std::vector<SectionRow> lexicon() {
    find_content_end(2);
    Sections sections{{Tag("TERM"), 0}, {Tag("TBLK"), offsets_bytes(terms_, FrontCoded::kBlock)}};
    sections[0].length = last_of(sections, 1);
    return checked(sections);
  }

  std::vector<SectionRow> documents_with_ids() {
    find_content_end(6);
    const std::uint64_t buckets = (std::uint64_t{1} << id_bucket_bits(documents_)) + 1;
    Sections sections{{Tag("IDTX"), 0},
                      {Tag("IBLK"), offsets_bytes(documents_, FrontCoded::kBlock)},
                      {Tag("LENS"), 4 * documents_},
                      {Tag("IHSH"), 4 * buckets},
                      {Tag("IDOC"), 4 * documents_},
                      {Tag("IMRK"), documents_}};
    sections[0].length = last_of(sections, 1);
    return checked(sections);
  }

  std::vector<SectionRow> text() {
    find_content_end(3);
    constexpr std::uint64_t kTextBlock = std::uint64_t{64} << 10;
    Sections sections{{Tag("BLKS"), 0}, {Tag("BOFF"), 0}, {Tag("DOFF"), 8 * (documents_ + 1)}};
    sections[1].length = offsets_bytes(last_of(sections, 2), kTextBlock);
    sections[0].length = last_of(sections, 1);
    return checked(sections);
  }

  /// The number of tiles is tried: the table of rows, in front of what has a value a tile, ends
  /// with it.
  std::vector<SectionRow> postings() {
    find_content_end(6);
    const std::uint64_t table = sizeof(RowBlock) * (blocks_of(terms_, ListTable::kBlock) + 1);
    for (std::uint64_t tiles = 0; tiles < file_.size() / 8; ++tiles) {
      Sections sections{{Tag("WORD"), 0},         {Tag("ROWS"), 0},
                        {Tag("RBLK"), table},     {Tag("SKIP"), 4 * tiles},
                        {Tag("MAXF"), 2 * tiles}, {Tag("MINL"), 2 * tiles}};
      if (last_of(sections, 2) != tiles) continue;
      sections[0].length = 4 * last_of(sections, 2, 1);
      sections[1].length = last_of(sections, 2, 2);
      if (auto rows = checked(sections); !rows.empty()) return rows;
    }
    return {};
  }

  /// Where the sections end if there are so many; 0 if no end fits the file's length.
  void find_content_end(std::size_t sections) {
    content_end_ = 0;
    const std::uint64_t behind = sizeof(ContainerFooter) + sections * sizeof(SectionRow);
    if (file_.size() < behind) return;
    const std::uint64_t table = file_.size() - behind;
    std::uint64_t end = table / (kFileBlock + 8) * kFileBlock;
    const auto table_behind = [](std::uint64_t content) {
      return aligned(content + 8 * blocks_of(content, kFileBlock), kSectionAlignment);
    };
    while (table_behind(end) < table) end += kSectionAlignment;
    if (table_behind(end) == table) content_end_ = end;
  }

  /// Of the values (u64) of section `number`, the last one, or one that stands so far before it.
  /// Sections behind it have their lengths.
  std::uint64_t last_of(const Sections& sections, std::size_t number,
                        std::uint64_t before = 0) const {
    std::uint64_t begin = content_end_;
    for (std::size_t i = sections.size(); i-- > number;) {
      const std::uint64_t length = aligned(sections[i].length, kSectionAlignment);
      if (length > begin) return 0;
      begin -= length;
    }
    const std::uint64_t at = begin + sections[number].length - 8 * (before + 1);
    std::uint64_t value = 0;
    if (at <= file_.size() - sizeof value) std::memcpy(&value, file_.data() + at, sizeof value);
    return value;
  }

  /// The rows, if the sections end where they must.
  std::vector<SectionRow> checked(const Sections& sections) const {
    std::vector<SectionRow> rows;
    std::uint64_t end = sizeof(ContainerHeader);
    for (const Section& section : sections) {
      const std::uint64_t begin = aligned(end, kSectionAlignment);
      if (section.length > file_.size() || begin > file_.size()) return {};
      rows.push_back({section.id, SectionRow::kRequired, begin, section.length, 0});
      end = begin + section.length;
    }
    if (aligned(end, kSectionAlignment) != content_end_) return {};
    return rows;
  }

  std::uint64_t documents_, terms_;
  std::span<const std::byte> file_;
  std::uint64_t content_end_ = 0;
};

}  // namespace

std::vector<SectionRow> lost_table(FileKind kind, const Statistics& segment,
                                   std::span<const std::byte> file) {
  return LostTable(segment, file).rows(kind);
}

}  // namespace gannet::index
