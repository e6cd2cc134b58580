#include "index/segment_writer.hpp"

#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "index/documents/documents.hpp"
#include "index/documents/stored_text.hpp"
#include "index/files/directory.hpp"
#include "index/files/directory_lock.hpp"
#include "index/lexicon/lexicon.hpp"
#include "index/lists/postings.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

const codecs::ListCodec& choose_docid_codec(const WriteOptions& options) {
  return options.docid_codec != nullptr ? *options.docid_codec
                                        : codecs::list_codec_named("gpu-bp128");
}

const codecs::ListCodec& choose_freq_codec(const WriteOptions& options) {
  if (options.freq_codec != nullptr) return *options.freq_codec;
  const codecs::ListCodec& docid_codec = choose_docid_codec(options);
  // gpu-dfor codes differences of neighbours, which small frequencies do not gain by.
  return docid_codec.name == "gpu-dfor" ? codecs::list_codec_named("gpu-bp128") : docid_codec;
}

void check_defaults(const ScoringDefaults& defaults) {
  if (!std::isfinite(defaults.k1) || defaults.k1 < 0) {
    throw UsageError("k1 must be a finite number and not negative");
  }
  if (!(defaults.b >= 0 && defaults.b <= 1)) throw UsageError("b must be from 0 to 1");
}

/// The directory, created if it is missing, locked, and free of leftovers. Destroyed before keep(),
/// a directory that was created is removed again.
class Workplace {
 public:
  Workplace(fs::path directory, bool overwrite) : directory_(std::move(directory)) {
    if (!directory_.has_filename()) directory_ = directory_.parent_path();  // "index/"
    check_destination(directory_, overwrite);
    std::error_code error;
    created_ = fs::create_directories(directory_, error);
    if (error) fail_io(directory_, "create", error.value());
    lock_.emplace(directory_);
    check_destination(directory_, overwrite);  // again: another writer may have been faster
    remove_leftovers(directory_);
    fs::create_directory(directory_ / kScratchName, error);
    if (error) fail_io(directory_ / kScratchName, "create", error.value());
  }

  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(directory_ / kScratchName, ignored);
    if (!created_ || kept_ || !lock_) return;
    fs::remove(directory_ / kLockName, ignored);
    fs::remove(directory_, ignored);
  }

  /// The directory holds an index: it stays, and so does its name.
  void keep() {
    kept_ = true;
    if (!created_) return;
    try {
      sync_directory(fs::absolute(directory_).parent_path());
    } catch (const IoError&) {
      // Not everyone may open the parent; its entry is written by the system in time.
    }
  }
  const fs::path& path() const { return directory_; }

 private:
  fs::path directory_;
  std::optional<DirectoryLock> lock_;
  bool created_ = false;
  bool kept_ = false;
};

}  // namespace

struct SegmentWriter::Impl {
  Impl(fs::path directory, WriteOptions write_options)
      : options(std::move(write_options)),
        docid_codec(choose_docid_codec(options)),
        freq_codec(choose_freq_codec(options)),
        place(std::move(directory), options.overwrite),
        scratch(place.path() / kScratchName),
        generation(next_generation(place.path())),
        lexicon(path_of(kLexiconFile), scratch),
        documents(path_of(kDocumentsFile), scratch),
        postings(path_of(kPostingsFile), scratch, docid_codec, freq_codec) {
    if (options.store_text) text.emplace(path_of(kTextFile), scratch);
  }

  fs::path path_of(FileKind kind) const {
    return place.path() / (segment_name(generation) + "." + std::string(kind.name));
  }

  Statistics statistics() const {
    return {documents.lengths().size(), lexicon.terms(), postings.postings(), documents.tokens()};
  }

  void add_file(FileKind kind, FileSummary summary) {
    record.files.push_back({std::string(kind.name), summary});
  }

  /// Runs one step of the work. After a step that failed nothing may follow: the files are out of
  /// step.
  template <class F>
  void step(F&& work) {
    if (!usable) throw UsageError("this writer is finished, or failed before");
    throw_if_stopped(options.stop);
    usable = false;
    work();
    usable = true;
  }

  /// Completes the files under their temporary names.
  void finish_files() {
    record.name = segment_name(generation);
    record.statistics = statistics();
    record.docid_codec = &docid_codec;
    record.freq_codec = &freq_codec;
    add_file(kLexiconFile, lexicon.finish());
    throw_if_stopped(options.stop);
    add_file(kDocumentsFile, documents.finish());
    throw_if_stopped(options.stop);
    add_file(kPostingsFile, postings.finish());
    throw_if_stopped(options.stop);
    if (text) add_file(kTextFile, text->finish());
    throw_if_stopped(options.stop);
  }

  /// Gives the files their names. Nothing refers to them until the manifest does.
  void publish_files() {
    lexicon.publish();
    documents.publish();
    postings.publish();
    if (text) text->publish();
    sync_directory(place.path());
  }

  void publish_manifest() {
    const Manifest manifest{generation,       library_version(), options.analyzer,
                            options.defaults, record.statistics, {record}};
    AtomicFile file(place.path() / kManifestName);
    const std::string json = to_json(manifest);
    file.append(bytes_of(std::string_view(json)));
    file.finish();
    file.publish();
    visible = true;
    sync_directory(place.path());
  }

  /// After a failure: files that have their names but no manifest that refers to them.
  ~Impl() {
    if (visible) return;
    std::error_code ignored;
    for (const FileKind kind : kFileKinds) {
      fs::remove(path_of(kind), ignored);
    }
  }

  WriteOptions options;
  const codecs::ListCodec& docid_codec;
  const codecs::ListCodec& freq_codec;
  Workplace place;
  fs::path scratch;
  std::uint64_t generation;
  LexiconWriter lexicon;
  DocumentsWriter documents;
  PostingsWriter postings;
  std::optional<StoredTextWriter> text;
  SegmentRecord record;
  bool usable = true;  ///< false once a step has failed halfway
  bool visible = false;
};

SegmentWriter::SegmentWriter(std::filesystem::path directory, WriteOptions options) {
  check_defaults(options.defaults);
  impl_ = std::make_unique<Impl>(std::move(directory), std::move(options));
}

SegmentWriter::~SegmentWriter() = default;

const codecs::ListCodec& SegmentWriter::docid_codec() const { return impl_->docid_codec; }
const codecs::ListCodec& SegmentWriter::freq_codec() const { return impl_->freq_codec; }
const std::filesystem::path& SegmentWriter::scratch() const { return impl_->scratch; }

void SegmentWriter::add_document(std::string_view id, std::uint32_t length, std::string_view text) {
  impl_->step([&] {
    if (impl_->lexicon.terms() > 0) throw UsageError("documents must be added before lists");
    impl_->documents.add(id, length);
    if (impl_->text) impl_->text->add(text);
  });
}

std::span<const std::uint32_t> SegmentWriter::document_lengths() const {
  return impl_->documents.lengths();
}

void SegmentWriter::add_list(const EncodedList& list) {
  impl_->step([&] {
    impl_->lexicon.add(list.term, list.collection_frequency);
    impl_->postings.add(list, impl_->documents.lengths().size());
  });
}

Statistics SegmentWriter::commit() {
  impl_->step([&] {
    impl_->finish_files();
    impl_->publish_files();
    impl_->publish_manifest();
  });
  impl_->usable = false;
  impl_->place.keep();
  try {
    remove_leftovers(impl_->place.path());  // the index that this one replaces
  } catch (const IoError&) {
    // The new index is in place; the next writer removes what is left.
  }
  return impl_->record.statistics;
}

}  // namespace gannet::index
