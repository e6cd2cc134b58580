#include "index/verify.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>

#include "index/files/file_check.hpp"
#include "index/files/messages.hpp"
#include "index/files/problems.hpp"
#include "index/lists/list_check.hpp"
#include "index/manifest/index_snapshot.hpp"
#include "index/segment_reader.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Order of the problems in the report. Files come before, numbered from 0.
enum Area : std::uint32_t { kOpening = 100, kTerms, kDocuments, kLists, kText };

/// Checks one segment whose manifest entry has been read.
class SegmentCheck {
 public:
  SegmentCheck(const SegmentFiles& files, Problems& problems, Progress& progress)
      : files_(files), record_(files.record()), problems_(problems), progress_(progress) {}

  void check_files() {
    tbb::parallel_for(std::size_t{0}, record_.files.size(), [&](std::size_t i) {
      const FileRecord& file = record_.files[i];
      const auto area = static_cast<std::uint32_t>(i);
      for (const FileKind kind : kFileKinds) {
        if (kind.name == file.kind) check_file_of(kind, file.summary, area);
      }
    });
  }

  /// Whether the files make sense together, so that their content can be checked.
  bool open() {
    try {
      segment_.emplace(files_);
      return true;
    } catch (const Error& error) {
      problems_.add(kOpening, 0, error.what());
      return false;
    }
  }

  void check_terms() {
    const auto terms = static_cast<TermId>(record_.statistics.terms);
    tbb::parallel_for(TermId{0}, terms, [&](TermId id) {
      if (id % 4096 == 0) progress_.add(0);
      const std::string_view term = segment_->term(id);
      if (term.empty())
        report(kTerms, id, kLexiconFile, "term " + std::to_string(id) + " is empty");
      if (id > 0 && segment_->term(id - 1) >= term) {
        report(kTerms, id, kLexiconFile,
               "term " + std::to_string(id) + " ('" + printable(term) +
                   "') is not greater than the one before");
      }
    });
  }

  void check_documents() {
    const std::span<const std::uint32_t> lengths = segment_->document_lengths();
    const std::uint64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
    if (tokens == record_.statistics.tokens) return;
    report(kDocuments, 0, kDocumentsFile,
           "the documents have " + std::to_string(tokens) + " tokens, the manifest says " +
               std::to_string(record_.statistics.tokens));
  }

  void check_lists() {
    tbb::enumerable_thread_specific<ListCheck> checks([&] { return ListCheck(*segment_); });
    const tbb::blocked_range<std::uint64_t> all(0, record_.statistics.terms, 16);
    tbb::parallel_for(all, [&](const auto& range) {
      ListCheck& check = checks.local();
      std::uint64_t words = 0;
      for (std::uint64_t i = range.begin(); i < range.end(); ++i) {
        const auto id = static_cast<TermId>(i);
        if (const auto problem = check.check(id)) {
          report(kLists, i, kPostingsFile,
                 "list of '" + printable(segment_->term(id)) + "': " + *problem);
        }
        const PostingList list = segment_->list(id);
        words += list.docid_words.size() + list.freq_words.size();
      }
      progress_.add(words * sizeof(std::uint32_t));
    });
  }

  void check_text() {
    const StoredText* text = segment_->text();
    if (text == nullptr) return;
    tbb::parallel_for(std::uint64_t{0}, text->blocks(), [&](std::uint64_t block) {
      progress_.add(0);
      try {
        text->block(block);
      } catch (const Error& error) {
        problems_.add(kText, block, error.what());
      }
    });
  }

 private:
  void check_file_of(FileKind kind, const FileSummary& expected, std::uint32_t area) {
    try {
      check_file(files_.path_of(kind.name), files_.file(kind), kind, expected, area, problems_,
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
  const SegmentRecord& record_;
  Problems& problems_;
  Progress& progress_;
  std::optional<SegmentReader> segment_;
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

void check_segments(const IndexSnapshot& index, VerifyReport& report, Problems& problems,
                    Progress& progress) {
  for (const SegmentFiles& files : index.segments) {
    const SegmentRecord& record = files.record();
    SegmentCheck check(files, problems, progress);
    check.check_files();
    for (const FileRecord& file : record.files) {
      ++report.files;
      report.bytes += file.summary.length;
    }
    if (!check.open()) continue;
    check.check_terms();
    check.check_documents();
    check.check_lists();
    check.check_text();
    report.lists += record.statistics.terms;
    report.postings += record.statistics.postings;
  }
}

}  // namespace

VerifyReport verify_index(
    const std::filesystem::path& directory, unsigned threads,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress,
    std::stop_token stop) {
  const IndexSnapshot snapshot = IndexSnapshot::of(directory);
  VerifyReport report;
  report.files = 1;
  std::error_code ignored;
  report.bytes = fs::file_size(directory / kManifestName, ignored);
  Problems problems(kMaxProblems);
  Progress steps(progress, work_of(snapshot.manifest), std::move(stop));
  const int concurrency = threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads);
  tbb::task_arena arena(concurrency);
  try {
    arena.execute([&] { check_segments(snapshot, report, problems, steps); });
  } catch (const std::bad_alloc&) {
    throw IoError(directory.string() + ": not enough memory to verify; use fewer threads");
  }
  steps.finish();
  report.problems = problems.take();
  return report;
}

}  // namespace gannet::index
