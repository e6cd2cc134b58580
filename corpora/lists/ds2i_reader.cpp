#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <system_error>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/sources/line_table.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/files/mapped_file.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "the files are read as they are");

/// A file of sequences of 32-bit words.
class SequenceFile {
 public:
  explicit SequenceFile(fs::path path) : path_(std::move(path)), file_(path_) {
    const std::span<const std::byte> bytes = file_.bytes();
    if (bytes.size() % sizeof(std::uint32_t) != 0) {
      throw FormatError(path_.string() + ": " + std::to_string(bytes.size()) +
                        " bytes are no whole number of 32-bit words (truncated?)");
    }
    words_ = {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4};
  }

  std::uint64_t size() const { return words_.size(); }

  /// The sequence that begins at word `at`. `what` names it in errors.
  std::span<const std::uint32_t> sequence(std::uint64_t at, const std::string& what) const {
    if (at >= words_.size()) fail(at, what + " is missing");
    const std::uint64_t length = words_[at];
    if (length > words_.size() - at - 1) {
      fail(at, what + " has " + std::to_string(length) + " values, but only " +
                   std::to_string(words_.size() - at - 1) + " words follow");
    }
    return words_.subspan(at + 1, length);
  }

  [[noreturn]] void fail(std::uint64_t word, const std::string& what) const {
    throw FormatError(path_.string() + ": at byte " + std::to_string(4 * word) + ": " + what);
  }

 private:
  fs::path path_;
  index::MappedFile file_;
  std::span<const std::uint32_t> words_;
};

fs::path with_suffix(const fs::path& base, const char* suffix) {
  fs::path path = base;
  path += suffix;
  return path;
}

std::string ds2i_list(std::uint64_t i) { return "list " + std::to_string(i); }

class Ds2iSource : public index::InvertedSource {
 public:
  Ds2iSource(const fs::path& base, const std::stop_token& stop)
      : docs_(with_suffix(base, ".docs")),
        freqs_(with_suffix(base, ".freqs")),
        sizes_(with_suffix(base, ".sizes")) {
    const auto universe = docs_.sequence(0, "the number of documents");
    if (universe.size() != 1) docs_.fail(0, "the file does not begin with a sequence of length 1");
    documents_ = universe.front();
    lengths_ = sizes_.sequence(0, "the sequence of document lengths");
    if (lengths_.size() != documents_) {
      sizes_.fail(0, "lengths of " + std::to_string(lengths_.size()) +
                         " documents, but .docs has " + std::to_string(documents_));
    }
    if (sizes_.size() != documents_ + 1) sizes_.fail(documents_ + 1, "words follow the lengths");
    find_lists(stop);
    terms_ = LineTable::open_if_there(with_suffix(base, ".terms"), starts_.size(), stop);
    ids_ = LineTable::open_if_there(with_suffix(base, ".documents"), documents_, stop);
  }

  std::uint64_t documents() const override { return documents_; }
  std::uint32_t length(std::uint64_t docid) const override { return lengths_[docid]; }
  std::string document_id(std::uint64_t docid) const override {
    return ids_ ? std::string(ids_->line(docid)) : std::string();
  }
  std::uint64_t lists() const override { return starts_.size(); }
  std::string term(std::uint64_t i) const override {
    return terms_ ? std::string(terms_->line(i)) : std::to_string(i);
  }
  std::uint64_t postings(std::uint64_t i) const override {
    return docs_.sequence(starts_[i], ds2i_list(i)).size();
  }

  void list(std::uint64_t i, std::vector<std::uint32_t>& docids,
            std::vector<std::uint32_t>& freqs) const override {
    const auto stored_docids = docs_.sequence(starts_[i], ds2i_list(i));
    const auto stored_freqs = freqs_.sequence(freqs_start(i), ds2i_list(i));
    check_docids(i, stored_docids);
    check_freqs(i, stored_freqs);
    docids.assign(stored_docids.begin(), stored_docids.end());
    freqs.assign(stored_freqs.begin(), stored_freqs.end());
  }

 private:
  static constexpr std::uint64_t kLeadingWords = 2;  // of .docs: the sequence [1, documents]

  // As the lists of both files have the same lengths, .freqs only lacks the leading words.
  std::uint64_t freqs_start(std::uint64_t i) const { return starts_[i] - kLeadingWords; }

  void find_lists(const std::stop_token& stop) {
    StopCheck check_stop(stop);
    for (std::uint64_t at = kLeadingWords; at < docs_.size();) {
      check_stop();
      const std::uint64_t i = starts_.size();
      starts_.push_back(at);
      const std::uint64_t length = docs_.sequence(at, ds2i_list(i)).size();
      const std::uint64_t freqs = freqs_.sequence(freqs_start(i), ds2i_list(i)).size();
      if (freqs != length) {
        freqs_.fail(freqs_start(i), ds2i_list(i) + " has " + std::to_string(freqs) +
                                        " frequencies, but .docs has " + std::to_string(length) +
                                        " docids");
      }
      if (length > documents_) {
        docs_.fail(at, ds2i_list(i) + " has " + std::to_string(length) +
                           " docids, but there are only " + std::to_string(documents_) +
                           " documents");
      }
      at += 1 + length;
    }
    if (freqs_.size() + kLeadingWords != docs_.size()) {
      freqs_.fail(docs_.size() - kLeadingWords, "words follow the last list of .docs");
    }
  }

  // Without branches on the way through good lists, which compilers vectorize.
  void check_docids(std::uint64_t i, std::span<const std::uint32_t> docids) const {
    if (docids.empty()) return;
    bool ascending = true;
    for (std::size_t j = 1; j < docids.size(); ++j) ascending &= docids[j - 1] < docids[j];
    if (ascending && docids.back() < documents_) return;
    const auto bad = std::adjacent_find(docids.begin(), docids.end(), std::greater_equal<>());
    if (bad != docids.end()) {
      const auto j = static_cast<std::uint64_t>(bad - docids.begin());
      docs_.fail(starts_[i] + 2 + j, ds2i_list(i) + ": docid " + std::to_string(docids[j + 1]) +
                                         " follows docid " + std::to_string(docids[j]) +
                                         ", but docids must ascend");
    }
    docs_.fail(starts_[i] + docids.size(),
               ds2i_list(i) + ": docid " + std::to_string(docids.back()) + " is too large for " +
                   std::to_string(documents_) + " documents");
  }

  void check_freqs(std::uint64_t i, std::span<const std::uint32_t> freqs) const {
    bool zero = false;
    for (const std::uint32_t freq : freqs) zero |= freq == 0;
    if (!zero) return;
    const auto j =
        static_cast<std::uint64_t>(std::find(freqs.begin(), freqs.end(), 0u) - freqs.begin());
    freqs_.fail(freqs_start(i) + 1 + j,
                ds2i_list(i) + ": frequency 0, but a document in the list has the term");
  }

  SequenceFile docs_;
  SequenceFile freqs_;
  SequenceFile sizes_;
  std::uint64_t documents_ = 0;
  std::span<const std::uint32_t> lengths_;
  std::vector<std::uint64_t> starts_;  // of each list in .docs, in words
  std::unique_ptr<LineTable> terms_;
  std::unique_ptr<LineTable> ids_;
};

}  // namespace

std::unique_ptr<index::InvertedSource> open_ds2i(const fs::path& base,
                                                 const std::stop_token& stop) {
  const fs::path extension = base.extension();
  const bool is_part = extension == ".docs" || extension == ".freqs" || extension == ".sizes";
  fs::path stem = base;
  std::error_code unknown;
  if (is_part && !fs::exists(with_suffix(base, ".docs"), unknown)) stem.replace_extension();
  return std::make_unique<Ds2iSource>(stem, stop);
}

}  // namespace gannet::corpora
