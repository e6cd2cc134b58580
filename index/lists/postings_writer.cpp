#include "index/lists/list_check.hpp"
#include "index/lists/postings.hpp"
#include "index/lists/postings_layout.hpp"

namespace gannet::index {
namespace {

[[noreturn]] void fail_term(const EncodedList& list, const std::string& what) {
  throw UsageError("term '" + printable(list.term) + "': " + what);
}

/// The list's row. It must be that of a list with as many words and tiles as it has.
ListRow row_of(const EncodedList& list, std::uint64_t documents) {
  ListRow row;
  ByteReader reader(list.row);
  if (!read_row(reader, RowShape::of(documents, 2), row) || reader.left() != 0) {
    fail_term(list, "its row is not that of a list");
  }
  if (row.count > documents) fail_term(list, "it has more postings than there are documents");
  if (row.words() != list.words.size()) {
    fail_term(list, "it has not as many words as its row says");
  }
  const std::size_t tiles = row.tiles();
  if (list.skips.size() != tiles || list.max_freqs.size() != tiles ||
      list.min_lengths.size() != tiles) {
    fail_term(list, "its skips or bounds are not one per tile");
  }
  return row;
}

}  // namespace

PostingsWriter::PostingsWriter(const std::filesystem::path& path,
                               const std::filesystem::path& scratch,
                               const codecs::ListCodec& docid_codec,
                               const codecs::ListCodec& freq_codec)
    : docid_codec_(&docid_codec),
      freq_codec_(&freq_codec),
      file_(path, kPostingsFile),
      rows_(scratch),
      blocks_(scratch),
      skips_(scratch),
      max_freqs_(scratch),
      min_lengths_(scratch) {
  file_.begin_section(postings_sections::kWords);
}

void PostingsWriter::begin_row() {
  if (lists_++ % ListTable::kBlock != 0) return;
  blocks_.append_value(RowBlock{rows_.size(), words_, tiles_});
}

void PostingsWriter::add(const EncodedList& list, std::uint64_t documents) {
  const ListRow row = row_of(list, documents);
  if (!row.is_short()) {
    const std::span<const std::uint32_t> words(list.words);
    if (const auto problem = check_skips(list.skips, row.count, documents)) {
      fail_term(list, *problem);
    }
    try {
      docid_codec_->validate(words.first(row.streams[0].words), row.count);
      freq_codec_->validate(words.subspan(row.streams[0].words), row.count);
    } catch (const FormatError& error) {
      fail_term(list, std::string("not encoded with this index's codecs: ") + error.what());
    }
    add_tiles(list);
  } else if (const auto problem = check_packed(row.packed, row.count, documents)) {
    fail_term(list, *problem);
  }
  begin_row();
  rows_.append_values(std::span<const std::uint8_t>(list.row));
  words_ += list.words.size();
  tiles_ += list.skips.size();
  postings_ += row.count;
}

void PostingsWriter::add_tiles(const EncodedList& list) {
  file_.append_values(std::span<const std::uint32_t>(list.words));
  skips_.append_values(std::span<const std::uint32_t>(list.skips));
  max_freqs_.append_values(std::span<const std::uint16_t>(list.max_freqs));
  min_lengths_.append_values(std::span<const std::uint16_t>(list.min_lengths));
}

FileSummary PostingsWriter::finish() {
  file_.end_section();
  blocks_.append_value(RowBlock{rows_.size(), words_, tiles_});
  file_.write_spool(postings_sections::kRows, rows_);
  file_.write_spool(postings_sections::kBlocks, blocks_);
  file_.write_spool(postings_sections::kSkips, skips_);
  file_.write_spool(postings_sections::kMaxFreqs, max_freqs_);
  file_.write_spool(postings_sections::kMinLengths, min_lengths_);
  return file_.finish();
}

}  // namespace gannet::index
