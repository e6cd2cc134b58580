#include "index/segment_reader.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <mutex>

namespace gannet::index {
namespace {

/// The file must be the one that the manifest means: a file of another build has another footer.
void check_identity(const ContainerReader& file, const SegmentRecord& record, FileKind kind) {
  const FileSummary& expected = record.find(kind)->summary;
  if (file.bytes().size() != expected.length) {
    file.fail("it has " + std::to_string(file.bytes().size()) + " bytes, the manifest says " +
              std::to_string(expected.length));
  }
  if (file.footer_checksum() != expected.footer) file.fail("it does not belong to the manifest");
}

}  // namespace

SegmentReader::SegmentReader(const SegmentFiles& files)
    : record_(files.record()),
      lexicon_(files.path_of(kLexiconFile.name), files.file(kLexiconFile),
               record_.statistics.terms),
      documents_(files.path_of(kDocumentsFile.name), files.file(kDocumentsFile),
                 record_.statistics.documents),
      postings_(files.path_of(kPostingsFile.name), files.file(kPostingsFile), record_.statistics,
                *record_.docid_codec, *record_.freq_codec) {
  check_identity(lexicon_.file(), record_, kLexiconFile);
  check_identity(documents_.file(), record_, kDocumentsFile);
  check_identity(postings_.file(), record_, kPostingsFile);
  if (record_.find(kTextFile) != nullptr) {
    text_.emplace(files.path_of(kTextFile.name), files.file(kTextFile),
                  record_.statistics.documents);
    check_identity(text_->file(), record_, kTextFile);
  }
}

void SegmentReader::check_lists() const {
  const std::uint64_t terms = record_.statistics.terms;
  std::atomic<std::uint64_t> first_bad{terms};
  std::string message;
  std::mutex mutex;
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, terms, 64), [&](const auto& range) {
    for (std::uint64_t id = range.begin(); id < range.end() && id < first_bad; ++id) {
      const auto problem = postings_.check_list(static_cast<TermId>(id));
      if (!problem) continue;
      const std::lock_guard lock(mutex);
      if (id >= first_bad) return;
      first_bad = id;
      message = *problem;
    }
  });
  if (first_bad < terms) {
    postings_.file().fail("the list of '" + printable(term(static_cast<TermId>(first_bad))) +
                          "': " + message);
  }
}

void SegmentReader::check_docid(Docid docid) const {
  if (docid < record_.statistics.documents) return;
  throw UsageError("there is no document " + std::to_string(docid) + "; the segment has " +
                   std::to_string(record_.statistics.documents));
}

std::string SegmentReader::document_id(Docid docid) const {
  check_docid(docid);
  return documents_.id(docid);
}

std::optional<std::string> SegmentReader::stored_text(Docid docid) const {
  check_docid(docid);
  if (!text_) return std::nullopt;
  return text_->text(docid);
}

}  // namespace gannet::index
