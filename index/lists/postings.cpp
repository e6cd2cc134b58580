#include "index/lists/postings.hpp"

#include <utility>

#include "index/lists/postings_layout.hpp"

namespace gannet::index {
namespace {

std::vector<const codecs::ListCodec*> codecs_of(const SegmentRecord& segment) {
  std::vector<const codecs::ListCodec*> codecs;
  for (const StreamRecord& stream : segment.streams) codecs.push_back(stream.codec);
  return codecs;
}

ListTable open_table(const ContainerReader& file, const SegmentRecord& segment, std::uint64_t words,
                     std::uint64_t tiles) {
  using namespace postings_sections;
  const auto rows = file.section<std::uint8_t>(kRows);
  const std::uint64_t lists = segment.statistics.terms;
  const std::uint64_t blocks = (lists + ListTable::kBlock - 1) / ListTable::kBlock;
  const auto starts = file.section<RowBlock>(kBlocks, blocks + 1);
  if (starts.front().offset != 0 || starts.front().first_word != 0 ||
      starts.front().first_tile != 0) {
    file.fail("the list table does not start with 0");
  }
  if (starts.back().offset != rows.size()) file.fail("the list table does not cover all rows");
  if (starts.back().first_word != words) file.fail("the list table does not cover all words");
  if (starts.back().first_tile != tiles) file.fail("the list table does not cover all skips");
  const auto streams = static_cast<std::uint32_t>(segment.streams.size());
  return {rows, starts, lists, RowShape::of(segment.statistics.documents, streams), file.blocks()};
}

}  // namespace

void PostingList::decode_docids(std::uint32_t* out) const {
  if (is_short()) {
    packed.decode_docids(count, out);
  } else {
    docid_codec->decode_docids(docids(), out);
  }
}

void PostingList::decode_frequencies(std::uint32_t* out) const {
  if (is_short()) {
    packed.decode_frequencies(count, out);
  } else {
    freq_codec->decode(freqs(), out);
  }
  for (std::uint32_t i = 0; i < count; ++i) ++out[i];
}

Postings::Postings(std::filesystem::path path, MappedFile file, const SegmentRecord& segment)
    : file_(std::move(path), std::move(file), kPostingsFile, postings_sections::kKnown),
      documents_(segment.statistics.documents),
      codecs_(codecs_of(segment)),
      words_(file_.section<std::uint32_t>(postings_sections::kWords)),
      skips_(file_.section<std::uint32_t>(postings_sections::kSkips)),
      max_freqs_(file_.section<std::uint16_t>(postings_sections::kMaxFreqs, skips_.size())),
      min_lengths_(file_.section<std::uint16_t>(postings_sections::kMinLengths, skips_.size())),
      table_(open_table(file_, segment, words_.size(), skips_.size())) {}

const codecs::ListCodec& Postings::codec_of(const ListRow& row, std::uint32_t stream) const {
  const std::uint32_t codec = row.streams[stream].codec;
  return codec == 0 ? *codecs_[stream] : codecs::list_codec_with(codecs::CodecId{codec - 1});
}

PostingList Postings::list(const ListRow& row) const {
  if (row.count > documents_) {
    throw FormatError("it has more postings than there are documents");
  }
  PostingList list;
  list.count = row.count;
  list.packed = row.packed;
  if (row.is_short()) return list;
  const std::uint64_t tiles = codecs::tile_count(row.count);
  if (row.first_word > words_.size() || row.words() > words_.size() - row.first_word) {
    throw FormatError("its words are not in the file");
  }
  if (row.first_tile > skips_.size() || tiles > skips_.size() - row.first_tile) {
    throw FormatError("its skips are not in the file");
  }
  const auto words = words_.subspan(row.first_word);
  list.docid_codec = &codec_of(row, 0);
  list.freq_codec = &codec_of(row, 1);
  list.docid_words = words.first(row.streams[0].words);
  list.freq_words = words.subspan(row.streams[0].words, row.streams[1].words);
  list.skips = skips_.subspan(row.first_tile, tiles);
  list.max_freqs = max_freqs_.subspan(row.first_tile, tiles);
  list.min_lengths = min_lengths_.subspan(row.first_tile, tiles);
  return list;
}

std::optional<std::string> Postings::damage(const PostingList& list) const {
  if (list.is_short()) return std::nullopt;  // its row was checked
  const FileBlocks& blocks = *file_.blocks();
  if (auto problem = blocks.problem(list.docid_words)) return problem;
  if (auto problem = blocks.problem(list.freq_words)) return problem;
  if (auto problem = blocks.problem(list.skips)) return problem;
  if (auto problem = blocks.problem(list.max_freqs)) return problem;
  return blocks.problem(list.min_lengths);
}

}  // namespace gannet::index
