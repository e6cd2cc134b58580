#include "index/reading/segment_reader.hpp"

#include <array>
#include <map>
#include <numeric>
#include <string_view>

#include "index/files/checksum.hpp"
#include "index/lists/list_check.hpp"

namespace gannet::index {
SegmentReader::SegmentReader(const SegmentFiles& files, const Schema& schema, Use use)
    : record_(files.record()),
      lexicon_(files.path_of(kLexiconFile.name), files.file(kLexiconFile),
               record_.statistics.terms),
      documents_(files.path_of(kDocumentsFile.name), files.file(kDocumentsFile),
                 record_.statistics.documents),
      postings_(files.path_of(kPostingsFile.name), files.file(kPostingsFile), record_),
      checked_(new std::atomic<std::uint64_t>[record_.statistics.terms / 64 + 1]()) {
  files.check_identity(lexicon_.file(), kLexiconFile);
  files.check_identity(documents_.file(), kDocumentsFile);
  files.check_identity(postings_.file(), kPostingsFile);
  const bool lost_lists = use == Use::kSalvage && record_.statistics.terms == 0;
  if (record_.find(kPositionsFile) != nullptr && lost_lists) {
    open(positions_, files, kPositionsFile, use, schema, record_.statistics.documents);
  } else if (record_.find(kPositionsFile) != nullptr) {
    open(positions_, files, kPositionsFile, use, schema, record_.statistics,
         std::uint64_t{postings_.skips().size()});
  }
  if (has_texts()) open(text_, files, kTextFile, use, record_.statistics.documents);
  if (use == Use::kSalvage) lengths_damaged_ = documents_.salvage_lengths();
  if (schema.empty()) return;
  open(fields_, files, kFieldsFile, use, schema, record_.statistics.documents);
  if (schema.has_text() && fields_) open_texts(schema, use);
}

/// Who salvages does without the file where it is damaged or missing.
template <class Reader, class... Arguments>
void SegmentReader::open(std::optional<Reader>& reader, const SegmentFiles& files, FileKind kind,
                         Use use, const Arguments&... arguments) {
  try {
    reader.emplace(files.path_of(kind.name), files.file(kind), arguments...);
    files.check_identity(reader->file(), kind);
    return;
  } catch (const VersionError&) {
    throw;  // it is not damaged
  } catch (const FormatError&) {
    if (use != Use::kSalvage) throw;
  } catch (const IoError&) {
    if (use != Use::kSalvage) throw;
  }
  reader.reset();
}

/// Looks some terms up. Who salvages does without what is damaged of these.
void SegmentReader::open_texts(const Schema& schema, Use use) {
  const FileBlocks& blocks = *lexicon_.file().blocks();
  blocks.set_lenient(use == Use::kSalvage);
  texts_.emplace(schema, lexicon_, *fields_, record_.statistics.documents);
  blocks.set_lenient(false);
}

namespace {

/// The checksums of a segment's files, but for live documents, by kind.
std::map<std::string_view, std::uint64_t> kept_files(const SegmentRecord& record) {
  std::map<std::string_view, std::uint64_t> files;
  for (const FileRecord& file : record.files) {
    if (file.kind != kLiveFile.name) files.emplace(file.kind, file.summary.checksum);
  }
  return files;
}

}  // namespace

bool SegmentReader::is_of(const SegmentRecord& record) const {
  return record.name == record_.name && kept_files(record) == kept_files(record_);
}

std::uint64_t SegmentReader::identity() const {
  std::vector<std::uint64_t> checksums;
  for (const auto& [kind, checksum] : kept_files(record_)) checksums.push_back(checksum);
  return xxh3(std::as_bytes(std::span(checksums)));
}

void SegmentReader::fail_list(TermId id, const std::string& error) const {
  postings_.file().fail("the list of '" + printable(term(id)) + "': " + error);
}

bool SegmentReader::is_checked(TermId id) const {
  return (checked_[id / 64].load(std::memory_order_acquire) >> id % 64 & 1) != 0;
}

void SegmentReader::set_checked(TermId id) const {
  checked_[id / 64].fetch_or(std::uint64_t{1} << id % 64, std::memory_order_release);
}

/// That the bytes are those that were written comes first, for it says where they are not.
std::optional<std::string> SegmentReader::find_problem(
    const PostingList& list, std::span<const std::uint32_t> lengths) const {
  if (auto problem = postings_.damage(list)) return problem;
  return check_list(list, lengths, lengths_damaged_ ? Bounds::kIgnored : Bounds::kExact);
}

PostingList SegmentReader::list(TermId id) const {
  const bool checked = is_checked(id);
  // Lengths are in another file: what is wrong with them is not said of the list.
  const auto lengths = checked ? std::span<const std::uint32_t>() : lengths_of(id);
  std::optional<std::string> problem;
  try {
    const PostingList list = postings_.list(id);
    if (checked) return list;
    problem = find_problem(list, lengths);
    if (!problem) {
      set_checked(id);
      return list;
    }
  } catch (const FormatError& error) {
    problem = error.what();
  }
  fail_list(id, *problem);
}

std::uint32_t SegmentReader::document_frequency(TermId id) const {
  if (const auto known = frequencies_.find(id)) return *known;
  try {
    const std::uint32_t count = postings_.table().row(id).count;
    frequencies_.keep(id, count);
    return count;
  } catch (const FormatError& error) {
    fail_list(id, error.what());
  }
}

std::uint64_t SegmentReader::collection_frequency(TermId id) const {
  const PostingList checked = list(id);
  if (!checked.is_short()) return checked.count + postings_.table().row(id).repetitions;
  std::array<std::uint32_t, codecs::kTile> freqs{};
  checked.decode_frequencies(freqs.data());
  return std::accumulate(freqs.begin(), freqs.begin() + checked.count, std::uint64_t{0});
}

std::span<const std::uint32_t> SegmentReader::lengths_of(TermId id) const {
  return text_lengths(text_of(id));
}

std::vector<std::uint32_t> SegmentReader::text_fields() const {
  return texts_ ? texts_->fields() : std::vector<std::uint32_t>{};
}

std::span<const std::uint32_t> SegmentReader::text_lengths(std::uint32_t text) const {
  if (text == kMainText || !texts_) return Segment::text_lengths(text);
  return texts_->lengths(text);
}

std::span<const std::uint32_t> SegmentReader::text_spans(std::uint32_t text) const {
  const auto lengths = text_lengths(text);
  return positions_ ? positions_->spans(text, lengths) : lengths;
}

TextStatistics SegmentReader::text_statistics(std::uint32_t field) const {
  if (field >= record_.texts.size()) return Segment::text_statistics(field);
  return record_.texts[field];
}

void SegmentReader::check_docid(Docid docid) const {
  if (docid < record_.statistics.documents) return;
  throw UsageError("there is no document " + std::to_string(docid) + "; the segment has " +
                   std::to_string(record_.statistics.documents));
}

void SegmentReader::find_documents(std::string_view id, std::vector<Docid>& found) const {
  documents_.find(id, found);
}

std::string SegmentReader::document_id(Docid docid) const {
  check_docid(docid);
  return documents_.id(docid);
}

const FieldColumn& SegmentReader::field(std::size_t number) const {
  return fields_ ? fields_->column(number) : Segment::field(number);
}

std::optional<std::string> SegmentReader::stored_text(Docid docid) const {
  check_docid(docid);
  if (!text_) return std::nullopt;
  return text_->text(docid);
}

}  // namespace gannet::index
