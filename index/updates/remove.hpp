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

/// Whether the documents of the index have ids; true if there are none.
bool has_ids(const Index& index);

/// Throws UsageError if the index has documents, but no ids of them. The numbers that stand for ids
/// then are other documents' after a merge, so that nothing is deleted by them.
void check_has_ids(const Index& index);

/// Deletes documents in one commit. They are marked, and nothing else is written: no answer has
/// them any more, but they count in statistics, so that the scores of others stay, until their
/// segment is merged (merge.hpp). Holds the index's lock as long as it lives. Not thread-safe.
class DocumentRemover {
 public:
  /// Throws what Index::open() throws, and UsageError while another writer is at work. A stop
  /// request, or the deadline once it has passed, ends all methods with CancelledError or
  /// DeadlineError until commit() is done.
  explicit DocumentRemover(const std::filesystem::path& directory, const Limits& limits = {});
  /// One that only counts what it would delete: takes no lock, writes nothing, and its commit()
  /// throws UsageError.
  static DocumentRemover preview(const std::filesystem::path& directory);

  /// The index as it is, and stays until commit(): to look up what is to be deleted.
  const std::shared_ptr<const Index>& index() const { return index_; }

  /// Deletes the document with this id, once however often it is asked for; false if index() has
  /// none. Throws UsageError if the documents have no ids (check_has_ids()).
  bool remove(std::string_view id);
  /// Deletes the document with this number in index(); false if it is deleted already. Throws
  /// UsageError for a number that there is not.
  bool remove(Docid docid);

  /// Documents that commit() deletes.
  std::uint64_t removed() const { return removed_; }
  /// Makes it so; once. Without any, nothing is written. Throws IoError: then all is as it was.
  void commit();

 private:
  explicit DocumentRemover(std::shared_ptr<const Index> index);
  template <class F>
  void in_time(const F& f) const;

  std::optional<DeadlineStop> limit_;  ///< if there is a deadline
  std::optional<IndexWriter> writer_;  ///< nothing in a preview
  std::shared_ptr<const Index> index_;
  std::vector<bool> gone_;  ///< by docid: removed here
  std::uint64_t removed_ = 0;
};

}  // namespace gannet::index
