#include <array>
#include <cstring>
#include <set>
#include <span>
#include <string_view>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/files/atomic_file.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

enum Part : std::size_t { kDocs, kFreqs, kSizes, kTerms, kDocuments };
constexpr std::array<const char*, 5> kSuffixes{".docs", ".freqs", ".sizes", ".terms", ".documents"};

/// The file to be written: a link stays one. Throws IoError for a name that a pipe or device has.
fs::path file_of(const fs::path& base, Part part) {
  fs::path path = base;
  path += kSuffixes[part];
  return index::file_to_replace(path);
}

/// The five files under way.
class Ds2iWriter {
 public:
  explicit Ds2iWriter(const fs::path& base)
      : files_{index::AtomicFile(file_of(base, kDocs)), index::AtomicFile(file_of(base, kFreqs)),
               index::AtomicFile(file_of(base, kSizes)), index::AtomicFile(file_of(base, kTerms)),
               index::AtomicFile(file_of(base, kDocuments))} {}

  void sequence(Part part, std::span<const std::uint32_t> values) {
    const auto length = static_cast<std::uint32_t>(values.size());
    files_[part].append(std::as_bytes(std::span(&length, 1)));
    files_[part].append(std::as_bytes(values));
  }

  void line(Part part, std::string_view name) {
    if (name.find('\n') != std::string_view::npos || name.ends_with('\r')) {
      throw UsageError("the name '" + std::string(name) + "' has a line end in it, which " +
                       files_[part].path().string() + " cannot hold");
    }
    line_.assign(name);
    line_ += '\n';
    files_[part].append(std::as_bytes(std::span(line_)));
  }

  /// Gives the files their names, once all of them are complete.
  void publish(index::Existing existing) {
    for (index::AtomicFile& file : files_) file.finish();
    if (existing == index::Existing::kKeep) check_names_are_free();
    for (index::AtomicFile& file : files_) file.publish(existing);
    std::set<fs::path> folders;  // of links, several
    for (const index::AtomicFile& file : files_) folders.insert(file.path().parent_path());
    for (const fs::path& folder : folders) index::sync_directory(folder.empty() ? "." : folder);
  }

 private:
  /// The files go together: none of them may be beside its place.
  void check_names_are_free() const {
    for (const index::AtomicFile& file : files_) {
      std::error_code unknown;
      if (!fs::exists(file.path(), unknown)) continue;
      throw IoError(file.path().string() +
                    ": a file has appeared there meanwhile, which is kept; nothing was written, "
                    "export to another place");
    }
  }

  std::array<index::AtomicFile, 5> files_;
  std::string line_;
};

void write_documents(const index::Segment& segment, const std::stop_token& stop,
                     Ds2iWriter& writer) {
  StopCheck check_stop(stop);
  const auto lengths = segment.document_lengths();
  writer.sequence(kSizes, lengths);
  for (std::size_t docid = 0; docid < lengths.size(); ++docid) {
    check_stop();
    writer.line(kDocuments, segment.document_id(static_cast<index::Docid>(docid)));
  }
}

void write_list(const index::Segment& segment, index::TermId term,
                std::vector<std::uint32_t>& buffer, Ds2iWriter& writer) {
  const index::PostingList list = segment.list(term);
  buffer.resize(list.count);
  list.decode_docids(buffer.data());
  writer.sequence(kDocs, buffer);
  list.decode_frequencies(buffer.data());
  writer.sequence(kFreqs, buffer);
  writer.line(kTerms, segment.term(term));
}

}  // namespace

void export_ds2i(const index::Index& index, const fs::path& base,
                 const std::function<void(std::uint64_t done, std::uint64_t total)>& progress,
                 const Limits& limits, index::Existing existing) {
  if (limits.deadline != kNoDeadline) {
    return within_limits(limits, [&](const Limits& limited) {
      return export_ds2i(index, base, progress, limited, existing);
    });
  }
  if (index.schema().has_text()) {
    throw UsageError("lists of ds2i are of one text; an index with text fields cannot be exported");
  }
  if (index.segments().size() != 1) {
    throw UsageError("an index of " + std::to_string(index.segments().size()) +
                     " segments cannot be exported; merge them into one");
  }
  if (index.deleted_documents() != 0) {
    throw UsageError("an index with deleted documents cannot be exported; merge it first");
  }
  const index::Segment& segment = *index.segments().front();
  const index::Statistics& statistics = segment.statistics();
  index::check_undamaged(segment, limits.stop);
  Ds2iWriter writer(base);
  const auto documents = static_cast<std::uint32_t>(statistics.documents);
  writer.sequence(kDocs, std::span(&documents, 1));
  write_documents(segment, limits.stop, writer);
  std::vector<std::uint32_t> buffer;
  std::uint64_t done = 0;
  for (index::TermId term = 0; term < statistics.terms; ++term) {
    throw_if_stopped(limits.stop);
    write_list(segment, term, buffer, writer);
    done += buffer.size();
    if (progress) progress(done, statistics.postings);
  }
  throw_if_stopped(limits.stop);
  writer.publish(existing);
}

}  // namespace gannet::corpora
