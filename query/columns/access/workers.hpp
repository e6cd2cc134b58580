// Spreading the documents of an index over threads.
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/index.hpp"
#include "query/backend/column_work.hpp"
#include "query/columns/access/columns_in_use.hpp"
#include "query/columns/access/document_codes.hpp"
#include "query/columns/column_query.hpp"

namespace gannet::query {

/// Documents that one task goes through: those of a block of a field with one value.
inline constexpr std::uint32_t kChunk = index::kFieldBlock;
static_assert(kChunk % DocumentBitmap::kStretch == 0);

/// Documents of such a block; not all of it where it is known that none match at its ends.
struct Chunk {
  std::size_t segment = 0;
  DocumentRange range = {};
};

/// What a back end has found out already.
struct KnownColumns {
  ColumnWork work;
  ColumnFindings findings;

  /// Whether anything is missing that was asked for, so that the matches must be looked at.
  bool complete() const;
  std::uint64_t count() const;
  /// What is known of a field in a segment, null if it is not: how often each code occurs, at least
  /// the `codes` that occur most often (CountsWanted); what its codes add up to; its bins.
  const CodeCounts* counts(std::size_t segment, std::size_t field, std::uint32_t codes) const;
  const CodeTotals* totals(std::size_t segment, std::size_t field) const;
  const BinCounts* bins(std::size_t segment, std::size_t request) const;
  /// Matches of a segment without a field, where anything is known of it.
  std::optional<std::uint64_t> missing(std::size_t segment, std::size_t field) const;
  /// Why something is not known.
  ColumnReasons reasons() const;
};

/// What the parts of a column query share.
struct ColumnContext {
  const index::Index& index;
  const Matches& matches;  ///< all, or none if `known` is complete
  unsigned workers = 1;
  std::stop_token stop = {};
  const KnownColumns* known = nullptr;
  const ColumnsInUse* columns = nullptr;  ///< those that stay decoded, if any do

  const index::FieldColumn& column(std::size_t segment, std::size_t field) const {
    return index.segments()[segment]->field(field);
  }
  /// Its codes, where they stay decoded.
  const DecodedColumn* decoded(std::size_t segment, std::size_t field) const {
    return columns == nullptr ? nullptr : columns->of(segment, field);
  }
  std::size_t segments() const { return index.segments().size(); }
  /// Documents that match.
  std::uint64_t count() const { return known != nullptr ? known->count() : matches.count(); }
};

/// The chunks of a segment, or of all, that have matches; in the order of their documents.
inline void add_chunks(const ColumnContext& context, std::size_t segment,
                       std::vector<Chunk>& chunks) {
  const DocumentBitmap& matches = context.matches.segments[segment];
  for (std::uint64_t begin = 0; begin < matches.documents; begin += kChunk) {
    const auto end = std::min<std::uint64_t>(begin + kChunk, matches.documents);
    const DocumentRange block{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    const DocumentRange range = touched_part(matches, block);
    if (any_in(matches, range)) chunks.push_back({segment, range});
  }
}
inline std::vector<Chunk> chunks_of(const ColumnContext& context) {
  std::vector<Chunk> chunks;
  for (std::size_t s = 0; s < context.segments(); ++s) add_chunks(context, s, chunks);
  return chunks;
}

/// Calls f(worker, chunk) for every chunk; workers, numbered from 0 to context.workers - 1, take
/// them in their order. No two calls for one worker run at the same time.
template <class F>
void for_chunks(const ColumnContext& context, const std::vector<Chunk>& chunks, const F& f) {
  std::atomic<std::size_t> next = 0;
  tbb::parallel_for(0u, context.workers, [&](unsigned worker) {
    for (std::size_t i = next++; i < chunks.size(); i = next++) {
      throw_if_stopped(context.stop);
      f(worker, chunks[i]);
    }
  });
}

/// Objects of the workers, made when a worker first asks for its own.
template <class T>
class PerWorker {
 public:
  explicit PerWorker(const ColumnContext& context) : all_(context.workers) {}

  template <class... Args>
  T& get(unsigned worker, Args&&... args) {
    if (all_[worker] == nullptr) all_[worker] = std::make_unique<T>(std::forward<Args>(args)...);
    return *all_[worker];
  }
  template <class F>
  void for_each(const F& f) {
    for (auto& one : all_) {
      if (one != nullptr) f(*one);
    }
  }

 private:
  std::vector<std::unique_ptr<T>> all_;
};

}  // namespace gannet::query
