// How many documents have any of several terms, remembered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// Terms of a segment, ascending; two or more.
struct TermUnion {
  const index::Segment* segment;
  std::vector<index::TermId> terms;
  bool operator==(const TermUnion&) const = default;
};

/// The counts that were found last, of any segments. A segment never changes, so a count stays true
/// as long as it lives. Keeps no segment alive. Any number of threads may use it; no lock is held
/// while something is counted, so two threads may count the same.
class UnionCounts {
 public:
  /// Counts that are kept at least, and twice as many at most, of some 150 bytes each.
  static constexpr std::size_t kKept = std::size_t{1} << 15;

  explicit UnionCounts(std::size_t kept = kKept) : kept_(kept) {}

  /// The count of a union in a segment; `count` finds it out if it is not known. Throws what that
  /// throws.
  std::uint64_t of(const std::shared_ptr<const index::Segment>& segment,
                   std::vector<index::TermId> terms, const std::function<std::uint64_t()>& count);
  std::size_t size() const;

 private:
  struct Hash {
    std::size_t operator()(const TermUnion& of) const;
  };
  struct Known {
    /// Tells another segment at the address of one that is gone.
    std::weak_ptr<const index::Segment> segment;
    std::uint64_t count;
  };
  using Table = std::unordered_map<TermUnion, Known, Hash>;

  std::optional<std::uint64_t> find(const std::shared_ptr<const index::Segment>& segment,
                                    const TermUnion& wanted);
  void keep(TermUnion wanted, Known known);

  const std::size_t kept_;
  mutable std::mutex mutex_;
  Table young_;  ///< found or asked for since `old_` was young
  Table old_;
};

/// Those of all plans of the process.
UnionCounts& union_counts();

}  // namespace gannet::query
