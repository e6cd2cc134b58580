// From external ids to docids: the documents of a segment by a hash of their ids.
//
// A document belongs to a bucket, which the upper bits of its hash number; buckets have 4 to 8
// documents on average. Its mark, 8 other bits of the hash, tells most ids apart without reading
// them. 5 to 6 bytes per document.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "index/files/container/file_blocks.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// 32 bits of an id that tables are made of: the upper half of its XXH3-64.
std::uint32_t id_hash(std::string_view id);

/// How many upper bits of a hash number the bucket, among so many documents: the fewest with which
/// buckets have 8 documents or fewer on average.
unsigned id_bucket_bits(std::uint64_t documents);

/// What a documents file has of its ids' hashes.
struct IdTables {
  /// Where each bucket starts in the others; one more for the end of the last.
  std::vector<std::uint32_t> buckets;
  std::vector<Docid> docids;        ///< by bucket, then ascending
  std::vector<std::uint8_t> marks;  ///< of these: the lowest 8 bits of their hashes

  /// `hashes`: id_hash() of each document, in order.
  explicit IdTables(std::span<const std::uint32_t> hashes);
};

/// Views of such tables, which may be damaged: nothing is checked but what is asked for.
class IdLookup {
 public:
  IdLookup() = default;
  /// `file`: which they are in; null if they are in memory.
  IdLookup(std::span<const std::uint32_t> buckets, std::span<const Docid> docids,
           std::span<const std::uint8_t> marks, std::shared_ptr<const FileBlocks> file = nullptr)
      : buckets_(buckets), docids_(docids), marks_(marks), file_(std::move(file)) {}

  /// Calls `candidate(docid)` for the documents whose ids may have this hash, in ascending order;
  /// false if the tables are damaged there.
  template <class F>
  bool each(std::uint32_t hash, F&& candidate) const {
    if (docids_.empty()) return true;
    const std::size_t bucket = bucket_of(hash);
    if (!is_sound(buckets_.subspan(bucket, 2))) return false;
    const std::uint32_t begin = buckets_[bucket];
    const std::uint32_t end = buckets_[bucket + 1];
    if (begin > end || end > docids_.size()) return false;
    if (!is_sound(docids_.subspan(begin, end - begin))) return false;
    if (!is_sound(marks_.subspan(begin, end - begin))) return false;
    for (std::uint32_t i = begin; i < end; ++i) {
      if (marks_[i] != static_cast<std::uint8_t>(hash)) continue;
      if (docids_[i] >= docids_.size()) return false;
      candidate(docids_[i]);
    }
    return true;
  }

  /// Whether they are exactly these.
  bool operator==(const IdTables& tables) const;

 private:
  std::size_t bucket_of(std::uint32_t hash) const;
  template <class T>
  bool is_sound(std::span<const T> values) const {
    return file_ == nullptr || file_->are_known(values) || !file_->problem(values);
  }

  std::span<const std::uint32_t> buckets_;
  std::span<const Docid> docids_;
  std::span<const std::uint8_t> marks_;
  std::shared_ptr<const FileBlocks> file_;
};

}  // namespace gannet::index
