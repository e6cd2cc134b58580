// A writer that stays: documents come and go, one by one, in commits.
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
  /// Of a new index all of it; of one that is there, memory, threads, stop token, deadline and
  /// progress: the rest is recorded. Once the stop token asks for it, calls throw CancelledError;
  /// once the deadline has passed, all of them throw DeadlineError.
  BuildOptions build = {};
  /// After a commit, runs of so many segments of like size, one beside the other, are merged:
  /// MergeOptions::tier. 0: none. Nothing of it depends on time, so equal histories give equal
  /// indexes.
  unsigned merge_tier = 10;
};

/// What a commit did.
struct CommitReport {
  std::uint64_t added = 0;    ///< documents
  std::uint64_t removed = 0;  ///< documents, replaced ones among them
  MergeReport merged = {};    ///< afterwards
  /// Why nothing was merged afterwards, where it should have been: what was committed is there all
  /// the same, and the next commit tries again. Empty if nothing went wrong.
  std::string merge_problem = {};
  /// Fields whose values their codec could not code.
  std::vector<CodecFallback> fallbacks = {};
};

/// The one writer of an index, as long as it lives: it holds the lock. What is added is inverted
/// while more comes, within the memory of the options; nobody sees any of it before commit(), which
/// is atomic and durable. After an exception of commit(), what was done since the last one is gone,
/// or was committed and only what follows (the last sync, a stop) failed: index() tells; other
/// exceptions change nothing, but that a full disk, a stop, or an error of the threads that invert
/// ends what was begun: it is thrown by the call that meets it, and all since the last commit is
/// gone. Any number of threads may call it, also tasks of TBB; calls follow
/// one another. In a process that was forked
/// from its own it does nothing: calls throw UsageError, destruction leaves the files alone.
class Writer {
 public:
  /// Opens the index in `directory`, or makes an empty one there. Throws what build_index() and
  /// options_to_add_to() throw, UsageError while another writer is at work.
  explicit Writer(const std::filesystem::path& directory, WriterOptions options = {});
  /// Like rollback().
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Adds a document, which is copied. Throws UsageError for an id that a document has, and for one
  /// where the others have none or the other way round; InputError for values that are none of
  /// their fields; IoError once the disk is full.
  void add(const Document& document);
  /// Adds a document in the place of the one that has its id, if there is one. Throws what add()
  /// throws, but for an id that a document has.
  void update(const Document& document);
  /// Deletes the document with this id, whether it was committed or not; false if there is none.
  /// Throws UsageError if the documents have no ids (check_has_ids() in remove.hpp).
  bool remove(std::string_view id);

  /// Makes all that was done since the last commit visible. Without anything, nothing is written.
  CommitReport commit();
  /// Forgets all that was done since the last commit.
  void rollback();

  /// The index as it was committed last.
  std::shared_ptr<const Index> index() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
