#include "index/lists/postings.hpp"

#include <utility>

#include "index/lists/postings_layout.hpp"

namespace gannet::index {
namespace {

/// What is wrong with two neighbouring rows of the list table, or nothing.
const char* check_rows(const ListEntry& row, const ListEntry& next, std::uint64_t documents) {
  if (row.count == 0) return "it is empty";
  if (row.count > documents) return "it has more postings than there are documents";
  if (row.count > codecs::kMaxListLength) return "it is longer than any list can be";
  if (next.first_word < row.first_word) return "it ends before it starts";
  if (row.docid_words > next.first_word - row.first_word) return "its docids reach beyond its end";
  if (next.first_tile < row.first_tile ||
      next.first_tile - row.first_tile != codecs::tile_count(row.count)) {
    return "it has not one skip a tile";
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> check_skips(std::span<const std::uint32_t> skips, std::uint32_t count,
                                       std::uint64_t documents) {
  std::uint64_t least = 0;  // smallest docid that can follow
  for (std::uint32_t tile = 0; tile < skips.size(); ++tile) {
    const std::uint64_t last = skips[tile];
    if (last + 1 < least + codecs::tile_size(count, tile)) {
      return "the skip of tile " + std::to_string(tile) + " is too small";
    }
    least = last + 1;
  }
  if (least > documents) return "the last skip is no document of the index";
  return std::nullopt;
}

Postings::Postings(std::filesystem::path path, MappedFile file, const Statistics& statistics,
                   const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec)
    : file_(std::move(path), std::move(file), kPostingsFile, postings_sections::kKnown),
      documents_(statistics.documents),
      docid_codec_(&docid_codec),
      freq_codec_(&freq_codec) {
  using namespace postings_sections;
  table_ = file_.section<ListEntry>(kTable, statistics.terms + 1);
  words_ = file_.section<std::uint32_t>(kWords);
  skips_ = file_.section<std::uint32_t>(kSkips);
  max_freqs_ = file_.section<std::uint32_t>(kMaxFreqs, skips_.size());
  min_lengths_ = file_.section<std::uint32_t>(kMinLengths, skips_.size());
  check_table(statistics);
}

void Postings::check_table(const Statistics& statistics) const {
  std::uint64_t postings = 0;
  if (table_[0].first_word != 0 || table_[0].first_tile != 0) {
    file_.fail("the list table does not start with 0");
  }
  for (std::size_t i = 0; i + 1 < table_.size(); ++i) {
    if (const char* problem = check_rows(table_[i], table_[i + 1], documents_)) {
      file_.fail("list " + std::to_string(i) + ": " + problem);
    }
    postings += table_[i].count;
  }
  const ListEntry& last = table_.back();
  if (last.docid_words != 0 || last.count != 0) file_.fail("the list table is not closed");
  if (last.first_word != words_.size()) file_.fail("the list table does not cover all words");
  if (last.first_tile != skips_.size()) file_.fail("the list table does not cover all skips");
  if (postings != statistics.postings) {
    file_.fail("the lists have " + std::to_string(postings) + " postings, the manifest says " +
               std::to_string(statistics.postings));
  }
}

PostingList Postings::list(TermId id) const {
  const ListEntry& row = table_[id];
  const ListEntry& next = table_[id + std::size_t{1}];
  const auto words = words_.subspan(row.first_word, next.first_word - row.first_word);
  const std::uint64_t tiles = next.first_tile - row.first_tile;
  return {row.count,
          words.first(row.docid_words),
          words.subspan(row.docid_words),
          skips_.subspan(row.first_tile, tiles),
          max_freqs_.subspan(row.first_tile, tiles),
          min_lengths_.subspan(row.first_tile, tiles)};
}

std::optional<std::string> Postings::check_list(TermId id) const {
  const PostingList postings = list(id);
  if (auto problem = check_skips(postings.skips, postings.count, documents_)) return problem;
  try {
    docid_codec_->validate(postings.docid_words, postings.count);
  } catch (const Error& error) {
    return std::string("docids: ") + error.what();
  }
  try {
    freq_codec_->validate(postings.freq_words, postings.count);
  } catch (const Error& error) {
    return std::string("frequencies: ") + error.what();
  }
  return std::nullopt;
}

}  // namespace gannet::index
