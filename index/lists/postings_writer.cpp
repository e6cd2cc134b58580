#include "index/lists/postings.hpp"
#include "index/lists/postings_layout.hpp"

namespace gannet::index {
namespace {

[[noreturn]] void fail_term(const EncodedList& list, const std::string& what) {
  throw UsageError("term '" + printable(list.term) + "': " + what);
}

void check_sizes(const EncodedList& list) {
  if (list.count == 0) fail_term(list, "its list is empty");
  if (list.docid_words > list.words.size()) {
    fail_term(list, "its docids take more words than the list has");
  }
  const std::size_t tiles = codecs::tile_count(list.count);
  if (list.skips.size() != tiles || list.max_freqs.size() != tiles ||
      list.min_lengths.size() != tiles) {
    fail_term(list, "its skips or bounds are not one per tile");
  }
  if (list.collection_frequency < list.count) {
    fail_term(list, "it occurs less often than in as many documents");
  }
}

}  // namespace

PostingsWriter::PostingsWriter(const std::filesystem::path& path,
                               const std::filesystem::path& scratch,
                               const codecs::ListCodec& docid_codec,
                               const codecs::ListCodec& freq_codec)
    : docid_codec_(&docid_codec),
      freq_codec_(&freq_codec),
      file_(path, kPostingsFile),
      table_(scratch),
      skips_(scratch),
      max_freqs_(scratch),
      min_lengths_(scratch) {
  file_.begin_section(postings_sections::kWords);
}

void PostingsWriter::add(const EncodedList& list, std::uint64_t documents) {
  check_sizes(list);
  if (const auto problem = check_skips(list.skips, list.count, documents)) {
    fail_term(list, *problem);
  }
  const std::span<const std::uint32_t> words(list.words);
  try {
    docid_codec_->validate(words.first(list.docid_words), list.count);
    freq_codec_->validate(words.subspan(list.docid_words), list.count);
  } catch (const FormatError& error) {
    fail_term(list, std::string("not encoded with this index's codecs: ") + error.what());
  }
  file_.append_values(words);
  table_.append_value(ListEntry{words_, tiles_, list.docid_words, list.count});
  skips_.append_values(std::span<const std::uint32_t>(list.skips));
  max_freqs_.append_values(std::span<const std::uint32_t>(list.max_freqs));
  min_lengths_.append_values(std::span<const std::uint32_t>(list.min_lengths));
  words_ += words.size();
  tiles_ += list.skips.size();
  postings_ += list.count;
}

FileSummary PostingsWriter::finish() {
  file_.end_section();
  table_.append_value(ListEntry{words_, tiles_, 0, 0});
  file_.write_spool(postings_sections::kTable, table_);
  file_.write_spool(postings_sections::kSkips, skips_);
  file_.write_spool(postings_sections::kMaxFreqs, max_freqs_);
  file_.write_spool(postings_sections::kMinLengths, min_lengths_);
  return file_.finish();
}

}  // namespace gannet::index
