// What a writer does between two commits.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

#include "index/builder.hpp"
#include "index/index.hpp"
#include "index/inversion/id_set.hpp"
#include "index/updates/writer/document_queue.hpp"

namespace gannet::index {

/// A build that runs in a thread of its own, and adds to the index what comes through a queue.
/// Destroyed before commit(), it leaves nothing. Not thread-safe.
class Transaction {
 public:
  /// `options` are those to append with, and the stop token that ends it all; `index` is what is
  /// there.
  Transaction(std::filesystem::path directory, BuildOptions options,
              std::shared_ptr<const Index> index);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// The document with this id: its number in the index, or behind that among what was added.
  std::optional<Docid> find(std::string_view id) const;
  /// Throws UsageError if the index cannot have one more document.
  void check_room() const;
  void add(const Document& document);
  /// A document of find().
  void remove(Docid docid) { removed_.insert(docid); }

  std::uint64_t added() const { return added_; }
  std::uint64_t removed() const { return removed_.size(); }
  /// Writes it all. Throws what the build threw.
  void commit();
  /// After commit().
  const std::vector<CodecFallback>& fallbacks() const { return report_.fallbacks; }

 private:
  bool is_there(Docid docid) const { return !removed_.contains(docid); }
  void push_batch();
  /// Waits for the build; throws what it threw.
  void join();

  std::filesystem::path directory_;
  BuildOptions options_;
  std::shared_ptr<const Index> index_;
  std::stop_source stop_;
  DocumentQueue queue_;
  std::stop_callback<std::function<void()>> outer_stop_;
  std::unique_ptr<OwnedBatch> batch_;
  IdSet ids_;  ///< of documents that were added
  std::unordered_set<Docid> removed_;
  std::uint64_t added_ = 0;
  BuildReport report_;  ///< of the build, once it has ended
  std::exception_ptr error_;
  std::thread build_;
};

}  // namespace gannet::index
