// Deleting documents of an index.
//
//     DocumentRemover remover("idx");
//     remover.remove("doc-17");
//     remover.commit();
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/index.hpp"
#include "index/index_writer.hpp"

namespace gannet::index {

/// Whether the documents of the index have external ids; true for an index without documents.
bool has_ids(const Index& index);

/// Throws UsageError unless has_ids(). Docids are no substitute for ids: a merge gives them to
/// other documents.
void check_has_ids(const Index& index);

/// Deletes documents of an index in one commit, which writes a bitmap of live documents for each
/// segment concerned. Deleted documents are in no answer any more. They count in statistics until
/// their segment is merged (merge.hpp), so that the scores of other documents do not change. The
/// object holds the lock of the index until it is destroyed. Not thread-safe.
class DocumentRemover {
 public:
  /// Opens the index and takes its lock, for which it waits up to `lock_wait` seconds. Throws what
  /// Index::open() throws, UsageError for a set of shards, BusyError while another writer holds the
  /// index, and DeadlineError if the deadline of `limits` has passed, also during the wait. After a
  /// stop request or the deadline, remove() of a live document and commit() throw CancelledError or
  /// DeadlineError; once the manifest is being written, commit() completes.
  explicit DocumentRemover(const std::filesystem::path& directory, const Limits& limits = {},
                           double lock_wait = 0);
  /// Returns a remover that only counts the documents that would be deleted. It takes no lock and
  /// writes nothing; its commit() throws UsageError. Throws what Index::open() throws.
  static DocumentRemover preview(const std::filesystem::path& directory);

  /// The index as it was opened, for finding the documents to delete. It does not change.
  const std::shared_ptr<const Index>& index() const { return index_; }

  /// Marks the document with this id for deletion. Returns whether index() has such a live
  /// document, also if it is marked already. Throws UsageError if the documents have no ids
  /// (check_has_ids()).
  bool remove(std::string_view id);
  /// Marks the document with this docid in index() for deletion. Returns false if the document is
  /// deleted or marked already. Throws UsageError if index() has no such document.
  bool remove(Docid docid);

  /// Documents that are marked: commit() deletes them.
  std::uint64_t removed() const { return removed_; }
  /// Deletes the marked documents. Called once; a second call throws UsageError. If no document is
  /// marked, nothing is written. Throws IoError: the index is then as it was, unless only the last
  /// sync failed and the deletions are in place (IndexWriter::commit()).
  void commit();

 private:
  explicit DocumentRemover(std::shared_ptr<const Index> index);
  template <class F>
  void in_time(const F& f) const;

  std::optional<DeadlineStop> limit_;  ///< only with a deadline
  std::optional<IndexWriter> writer_;  ///< nothing in a preview
  std::shared_ptr<const Index> index_;
  std::vector<bool> gone_;  ///< by docid: marked for deletion
  std::uint64_t removed_ = 0;
};

}  // namespace gannet::index
