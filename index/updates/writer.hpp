// A writer for long-running programs: documents are added, updated and removed one by one, and take
// effect by commits.
//
//     Writer writer("idx", options);
//     const TextField body{"contents", "red fox"};
//     writer.add({.id = "a", .fields = {&body, 1}});
//     writer.update({.id = "b", .fields = {&body, 1}});
//     writer.remove("c");
//     writer.commit();
//     const auto searcher = before.refresh();   // query/searcher.hpp
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/builder.hpp"
#include "index/fields/codec_fallback.hpp"
#include "index/index.hpp"
#include "index/updates/merge.hpp"

namespace gannet::index {

struct WriterOptions {
  /// The members memory, threads, stop, deadline, progress and memory_freed are always used.
  /// `write` is used for a new index only: an existing index has recorded its options; but its
  /// lock_wait says how long the constructor waits for another writer. `fields` is
  /// recorded in a new index (WriteOptions::contents), but selects nothing: add() takes all parts
  /// of a document. The constructor throws UsageError if `update`,
  /// `rows` or `before_commit` is set. add(), update(), remove() and commit() throw CancelledError
  /// after a stop request and DeadlineError after the deadline.
  BuildOptions build = {};
  /// MergeOptions::tier for the merge after each commit; 0: no merges. Merges do not depend on
  /// time, so that equal sequences of calls give equal indexes.
  unsigned merge_tier = 10;
};

/// Reports a commit.
struct CommitReport {
  std::uint64_t added = 0;    ///< documents added, also by update()
  std::uint64_t removed = 0;  ///< documents deleted, also by update()
  MergeReport merged = {};    ///< the merge after the commit
  /// The error of the merge after the commit; empty if there was none. The commit is not affected,
  /// and the next commit tries to merge again.
  std::string merge_problem = {};
  /// Fields whose values their codec cannot encode.
  std::vector<CodecFallback> fallbacks = {};
};

/// Adds documents to an index and removes documents from it, in transactions. A transaction is what
/// was done since the last commit() or rollback(). The writer holds the lock of the index until it
/// is destroyed. Background threads invert documents while more are added, within the memory of the
/// options. Readers see nothing of a transaction before commit(), which is atomic and durable.
///
/// After an exception of commit(), either the transaction is lost, or it is committed and only a
/// later step failed (the last sync, a stop request during the merge): index() tells which. After
/// an exception of add(), update() or remove(), the transaction is as before, or it is lost. It is
/// lost if the disk is full, after a stop request and after an error of the background threads; the
/// call that meets the error throws it.
///
/// Thread-safe, also for tasks of TBB; calls run one after another. In a process that was forked
/// from the one that made the writer, all functions throw UsageError, and the destructor does not
/// touch the files.
class Writer {
 public:
  /// Opens the index in `directory`, or makes an empty index there. Throws what build_index() and
  /// options_to_add_to() throw, and UsageError while another writer holds the index.
  explicit Writer(const std::filesystem::path& directory, WriterOptions options = {});
  /// Discards the transaction and releases the lock.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Adds a document, which is copied. May wait for the background threads. Throws UsageError if a
  /// document has the id already, if the document has an id and others have none or the other way
  /// round, for weighted terms in an index whose tokenizer is not "verbatim", and if the index
  /// would have more than 2^32 - 1 documents; InputError for a malformed value (FieldCheck);
  /// IoError if the disk is full.
  void add(const Document& document);
  /// Adds a document and deletes the document with its id, if there is one. Throws what add()
  /// throws, except for an id that a document has.
  void update(const Document& document);
  /// Deletes the document with this id, committed or not. Returns false if there is no such
  /// document. Throws UsageError if the documents have no ids (check_has_ids() in remove.hpp).
  bool remove(std::string_view id);

  /// Commits the transaction, then merges segments (WriterOptions::merge_tier) in a second commit.
  /// Returns when both are done. If no call has begun a transaction, nothing is written or merged.
  /// A remove() that finds nothing begins one, too. Throws what build_index() throws; an error of
  /// the merge is reported, unless it is a CancelledError or DeadlineError.
  CommitReport commit();
  /// Discards the transaction.
  void rollback();

  /// The index as of the last commit. The function waits while another call runs. Throws what
  /// Index::open() throws if commit() failed before and the index must be read again.
  std::shared_ptr<const Index> index() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
