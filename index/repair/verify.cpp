#include "index/verify.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>

#include "codecs/base/cancellation.hpp"
#include "index/fields/reading/fields_check.hpp"
#include "index/files/container/file_check.hpp"
#include "index/files/messages.hpp"
#include "index/files/problems.hpp"
#include "index/lists/list_check.hpp"
#include "index/lists/list_source.hpp"
#include "index/manifest/index_snapshot.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/repair/positions_check.hpp"
#include "index/segment/live_documents.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Order of the problems in the report. Files come before, numbered from 0.
enum Area : std::uint32_t {
  kOpeningArea = 100,
  kTermsArea,
  kDocumentsArea,
  kTableArea,
  kListsArea,
  kPositionsArea,
  kTextArea,
  kFieldsArea
};

/// Checks one segment whose manifest entry has been read.
class SegmentCheck {
 public:
  SegmentCheck(const SegmentFiles& files, const Schema& schema, ProblemList& problems,
               Progress& progress)
      : files_(files),
        schema_(schema),
        record_(files.record()),
        problems_(problems),
        progress_(progress) {}

  void check_files() {
    tbb::parallel_for(std::size_t{0}, record_.files.size(), [&](std::size_t i) {
      const FileRecord& file = record_.files[i];
      const auto area = static_cast<std::uint32_t>(i);
      check_file_of(file, area);
    });
  }

  /// Whether the files make sense together, so that their content can be checked.
  bool open() {
    try {
      segment_.emplace(files_, schema_);
      return true;
    } catch (const Error& error) {
      problems_.add(kOpeningArea, 0, error.what());
      return false;
    }
  }

  void check_terms() {
    try {
      FrontCoded::Cursor terms(segment_->lexicon().strings(), 0);
      std::string previous;
      while (terms.next()) {
        if (terms.number() % 4096 == 0) progress_.add(0);
        const std::string term_number = "term " + std::to_string(terms.number());
        if (terms.text().empty()) {
          report(kTermsArea, terms.number(), kLexiconFile, term_number + " is empty");
        }
        if (terms.number() > 0 && previous >= terms.text()) {
          report(kTermsArea, terms.number(), kLexiconFile,
                 term_number + " ('" + printable(terms.text()) +
                     "') is not greater than the one before");
        }
        check_text_of(terms);
        previous = terms.text();
      }
    } catch (const FormatError& error) {
      problems_.add(kTermsArea, ~std::uint64_t{0}, error.what());
    }
  }

  /// Where there are text fields, what begins like one of their terms must be one.
  void check_text_of(const FrontCoded::Cursor& terms) {
    if (segment_->texts() == nullptr || !terms.text().starts_with('\0')) return;
    const TextTerm term = split_text_key(terms.text());
    const bool known = term.text < schema_.fields().size() &&
                       schema_.fields()[term.text].is_text() && !term.term.empty();
    if (known) return;
    report(kTermsArea, terms.number(), kLexiconFile,
           "term " + std::to_string(terms.number()) + " is of no text field");
  }

  /// Whether lengths of text fields add up to what the manifest says of them.
  void check_texts() {
    if (segment_->texts() == nullptr) return;
    for (std::uint32_t i = 0; i < schema_.fields().size(); ++i) {
      if (!schema_.fields()[i].is_text()) continue;
      try {
        check_text(i);
      } catch (const FormatError& error) {
        problems_.add(kFieldsArea, std::uint64_t{i} << 32, error.what());
      }
    }
  }

  void check_text(std::uint32_t field) {
    TextStatistics sum;
    for (const std::uint32_t length : segment_->text_lengths(field)) {
      sum.documents += length == 0 ? 0 : 1;
      sum.tokens += length;
    }
    if (sum == record_.texts[field]) return;
    report(kFieldsArea, std::uint64_t{field} << 32, kFieldsFile,
           "text '" + schema_.fields()[field].name + "' has " + std::to_string(sum.tokens) +
               " tokens in " + std::to_string(sum.documents) + " documents, the manifest says " +
               std::to_string(record_.texts[field].tokens) + " in " +
               std::to_string(record_.texts[field].documents));
  }

  void check_documents() {
    try {
      for (std::uint64_t i = 0; i < record_.statistics.documents; i += FrontCoded::kBlock) {
        if (i % 4096 == 0) progress_.add(0);
        segment_->document_id(
            static_cast<Docid>(std::min(i + FrontCoded::kBlock, record_.statistics.documents) - 1));
      }
    } catch (const FormatError& error) {
      problems_.add(kDocumentsArea, 1, error.what());
    }
    check_lookup();
    try {
      check_lengths();
    } catch (const FormatError& error) {
      problems_.add(kDocumentsArea, 0, error.what());
    }
  }

  void check_lengths() {
    const std::span<const std::uint32_t> lengths = segment_->document_lengths();
    const std::uint64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
    if (tokens == record_.statistics.tokens) return;
    report(kDocumentsArea, 0, kDocumentsFile,
           "the documents have " + std::to_string(tokens) + " tokens, the manifest says " +
               std::to_string(record_.statistics.tokens));
  }

  void check_lookup() {
    try {
      if (segment_->documents().lookup_is_sound()) return;
      report(kDocumentsArea, 2, kDocumentsFile,
             "the lookup by id is not that of the documents' ids");
    } catch (const FormatError&) {
      // The ids themselves are damaged, which is reported.
    }
  }

  void check_live() {
    if (record_.deleted == 0) return;
    try {
      const LiveDocuments live(files_.path_of(kLiveFile.name), files_.file(kLiveFile),
                               record_.statistics.documents, record_.deleted);
      files_.check_identity(*live.file(), kLiveFile);
    } catch (const Error& error) {
      problems_.add(kOpeningArea, 1, error.what());
    }
  }

  void check_lists() {
    const bool sound = check_table();
    read_texts();
    if (sound) check_positions_tables();  // which go through the list table
    const tbb::blocked_range<std::uint64_t> all(0, record_.statistics.terms, 16);
    tbb::parallel_for(all, [&](const auto& range) {
      const StopScope scope(progress_.stop());
      std::uint64_t words = 0;
      for (std::uint64_t i = range.begin(); i < range.end(); ++i) {
        words += check_list_of(static_cast<TermId>(i));
      }
      progress_.add(words * sizeof(std::uint32_t));
    });
  }

  void check_text() {
    const StoredText* text = segment_->text();
    if (text == nullptr) return;
    try {
      text->check_tables();
    } catch (const FormatError& error) {
      problems_.add(kTextArea, 0, error.what());
      return;
    }
    tbb::parallel_for(std::uint64_t{0}, text->blocks(), [&](std::uint64_t block) {
      progress_.add(0);
      try {
        text->block(block);
      } catch (const Error& error) {
        problems_.add(kTextArea, block, error.what());
      }
    });
  }

  /// Returns how many values there are.
  std::uint64_t check_fields() {
    if (segment_->fields() == nullptr) return 0;
    return index::check_fields(*segment_->fields(), kFieldsArea, problems_, progress_);
  }

 private:
  /// What all lists of a text are held to.
  struct KnownText {
    std::span<const std::uint32_t> lengths = {};
    bool has_lengths = false;  ///< they can be read
    bool has_spans = false;    ///< and so can spans
  };

  KnownText& known_text(std::uint32_t text) { return texts_[text == kMainText ? 0 : 1 + text]; }

  /// Lengths and spans are read once, not list by list: those that are damaged are so for all.
  void read_texts() {
    texts_.assign(1 + schema_.fields().size(), {});
    read_text(kMainText);
    for (std::uint32_t i = 0; i < schema_.fields().size(); ++i) {
      if (schema_.fields()[i].is_text() && segment_->texts() != nullptr) read_text(i);
    }
  }

  void read_text(std::uint32_t text) {
    const StopScope scope(progress_.stop());
    KnownText& known = known_text(text);
    const std::uint64_t place = ~std::uint64_t{0} - static_cast<std::uint64_t>(&known - &texts_[0]);
    try {
      known.lengths = segment_->text_lengths(text);
      known.has_lengths = true;
    } catch (const FormatError& error) {
      problems_.add(kListsArea, place, error.what());
      return;
    }
    const Positions* const positions = segment_->positions();
    if (positions == nullptr) return;
    try {
      const auto spans = segment_->text_spans(text);
      known.has_spans = true;
      check_spans_differ(*positions, text, spans, known.lengths);
    } catch (const FormatError& error) {
      problems_.add(kPositionsArea, place, error.what());
    }
  }

  void check_positions_tables() {
    if (segment_->positions() == nullptr) return;
    const StopScope scope(progress_.stop());
    try {
      check_positions_file(*segment_->positions(), segment_->list_table());
    } catch (const FormatError& error) {
      problems_.add(kPositionsArea, ~std::uint64_t{0} - texts_.size(), error.what());
    }
  }

  /// Whether the list table's rows follow each other and have the manifest's number of postings.
  /// False if the rows of the table cannot be gone through.
  bool check_table() {
    std::uint64_t postings = 0;
    try {
      ListTable::Cursor cursor(segment_->list_table());
      while (cursor.next()) postings += cursor.row().count;
    } catch (const FormatError& error) {
      report(kTableArea, 0, kPostingsFile, error.what());
      return false;
    }
    if (postings == record_.statistics.postings) return true;
    report(kTableArea, 0, kPostingsFile,
           "the lists have " + std::to_string(postings) + " postings, the manifest says " +
               std::to_string(record_.statistics.postings));
    return true;
  }

  /// Checks one list; returns how many words it has.
  std::uint64_t check_list_of(TermId id) {
    std::optional<std::string> problem;
    std::uint64_t words = 0;
    const KnownText& text = known_text(segment_->text_of(id));
    if (!text.has_lengths) return 0;
    try {
      const PostingList list = segment_->postings().list(id);
      words = list.docid_words.size() + list.freq_words.size();
      problem = segment_->postings().damage(list);
      if (!problem) problem = check_list(list, text.lengths);
      if (!problem) problem = check_occurrences(id, list);
    } catch (const FormatError& error) {
      problem = error.what();
    }
    if (problem) {
      report(kListsArea, id, kPostingsFile, "list of '" + term_of(id) + "': " + *problem);
    } else if (text.has_spans) {
      check_positions_of(id);
    }
    return words;
  }

  void check_positions_of(TermId id) {
    try {
      const PostingList list = segment_->postings().list(id);
      ListPostings& postings = postings_of_list_.local();
      postings.docids.resize(list.count);
      postings.freqs.resize(list.count);
      list.decode_docids(postings.docids.data());
      list.decode_frequencies(postings.freqs.data());
      decode_list_positions(*segment_, id, list, postings.docids, postings.freqs,
                            postings.positions);
    } catch (const FormatError& error) {
      problems_.add(kPositionsArea, id, error.what());
    }
  }

  std::optional<std::string> check_occurrences(TermId id, const PostingList& list) {
    if (list.is_short()) return std::nullopt;  // not stored, but added up
    std::vector<std::uint32_t>& freqs = frequencies_.local();
    freqs.resize(list.count);
    list.decode_frequencies(freqs.data());
    const auto sum = std::accumulate(freqs.begin(), freqs.end(), std::uint64_t{0});
    const std::uint64_t stored = list.count + segment_->postings().table().row(id).repetitions;
    if (sum == stored) return std::nullopt;
    return "its frequencies add up to " + std::to_string(sum) + ", the list table says " +
           std::to_string(stored);
  }

  std::string term_of(TermId id) const {
    try {
      return printable(key_label(schema_, segment_->term(id)));
    } catch (const FormatError&) {
      return "term " + std::to_string(id);
    }
  }

  void check_file_of(const FileRecord& file, std::uint32_t area) {
    const auto kind = std::ranges::find(kFileKinds, file.kind, &FileKind::name);
    try {
      check_file(files_.path_of(file.kind), files_.file(file.kind),
                 kind == kFileKinds.end() ? nullptr : &*kind, file.summary, area, problems_,
                 progress_);
    } catch (const CancelledError&) {
      throw;
    } catch (const Error& error) {
      problems_.add(area, 0, error.what());
    }
  }

  void report(Area area, std::uint64_t place, FileKind kind, const std::string& what) {
    problems_.add(area, place, file_name(record_, kind.name) + ": " + what);
  }

  const SegmentFiles& files_;
  const Schema& schema_;
  const SegmentRecord& record_;
  ProblemList& problems_;
  Progress& progress_;
  std::optional<SegmentReader> segment_;
  std::vector<KnownText> texts_;  ///< the main text, then by field
  tbb::enumerable_thread_specific<std::vector<std::uint32_t>> frequencies_;
  tbb::enumerable_thread_specific<ListPostings> postings_of_list_;
};

/// Bytes that the check goes through: whole files, then their sections, then the lists' words.
std::uint64_t work_of(const Manifest& manifest) {
  std::uint64_t bytes = 0;
  for (const SegmentRecord& segment : manifest.segments) {
    for (const FileRecord& file : segment.files) {
      bytes += (file.kind == kPostingsFile.name ? 3 : 2) * file.summary.length;
    }
  }
  return bytes;
}

/// As many as tokens of all texts.
std::uint64_t positions_in(const SegmentRecord& record) {
  std::uint64_t positions = record.statistics.tokens;
  for (const TextStatistics& text : record.texts) positions += text.tokens;
  return positions;
}

void check_segments(const IndexSnapshot& index, VerifyReport& report, ProblemList& problems,
                    Progress& progress) {
  for (const SegmentFiles& files : index.segments) {
    const SegmentRecord& record = files.record();
    problems.next_segment();
    SegmentCheck check(files, index.manifest.schema, problems, progress);
    check.check_files();
    for (const FileRecord& file : record.files) {
      ++report.files;
      report.bytes += file.summary.length;
    }
    check.check_live();
    if (!check.open()) continue;
    check.check_terms();
    check.check_documents();
    check.check_lists();
    check.check_text();
    check.check_texts();
    report.values += check.check_fields();
    report.lists += record.statistics.terms;
    report.postings += record.statistics.postings;
    if (const FileRecord* const positions = record.find(kPositionsFile)) {
      report.positions += positions_in(record);
      report.position_bytes += positions->summary.length;
    }
  }
}

}  // namespace

VerifyReport verify_index(
    const std::filesystem::path& directory, unsigned threads,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress,
    const Limits& limits) {
  if (limits.deadline != kNoDeadline) {
    return within_limits(limits, [&](const Limits& limited) {
      return verify_index(directory, threads, progress, limited);
    });
  }
  const IndexSnapshot snapshot = IndexSnapshot::of(directory);
  for (const SegmentFiles& files : snapshot.segments) files.check_readable();
  VerifyReport report;
  report.files = 1;
  std::error_code ignored;
  report.bytes = fs::file_size(directory / kManifestName, ignored);
  ProblemList problems(kMaxProblems);
  Progress steps(progress, work_of(snapshot.manifest), limits.stop);
  try {
    with_threads(thread_count(threads), [&] { check_segments(snapshot, report, problems, steps); });
  } catch (const std::bad_alloc&) {
    throw IoError(directory.string() + ": not enough memory to verify; use fewer threads");
  }
  steps.finish();
  report.problems = problems.take();
  return report;
}

}  // namespace gannet::index
