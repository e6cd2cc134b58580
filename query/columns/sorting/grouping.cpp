#include "query/columns/sorting/grouping.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/columns/access/field_access.hpp"
#include "query/columns/sorting/best_groups.hpp"
#include "query/columns/sorting/best_rows.hpp"
#include "query/columns/sorting/sorted_hits.hpp"

namespace gannet::query {
namespace {

/// The different values of documents of one segment. Not thread-safe.
class ValueReader {
 public:
  /// From now on those of a field in a segment.
  ValueReader& in(const ColumnContext& context, std::size_t segment, std::size_t field) {
    cursor_.of(context.column(segment, field), context.decoded(segment, field));
    return *this;
  }

  const std::vector<std::uint64_t>& of(std::uint32_t document) {
    codes_.clear();
    cursor_.for_each(document, [&](std::uint32_t code) {
      if (codes_.empty() || codes_.back() != code) codes_.push_back(code);
    });
    return codes_;
  }

 private:
  CodeCursor<std::uint32_t> cursor_;  // keywords are numbered with 32 bits
  std::vector<std::uint64_t> codes_;
};

/// Looks for groups: what RowScan pushes rows into.
struct GroupFinder {
  BestGroups& best;
  ValueReader& values;
  bool may_take(const SortPart& first) const { return best.may_take(first); }
  void push(const SortRow& row) { best.push(row, values.of(row.document)); }
};

/// A group that is among the k best.
struct ChosenGroup {
  std::string value;
  SortRow row;  ///< its best; keywords in it by their ranks
};

/// First pass: the k groups with the best hits. One that is among them has its best hit in some
/// segment, where fewer than k groups can have better ones.
std::vector<ChosenGroup> find_groups(const ColumnContext& context, std::size_t field,
                                     std::span<const SortField> keys, std::size_t k) {
  struct Found {
    ScanOfSegment scan;
    ValueReader values;
    std::map<std::size_t, BestGroups> best;
  };
  std::vector<Chunk> chunks = chunks_of(context);
  order_chunks(context, keys[0], chunks);
  SegmentLimits limits(context.segments(), keys[0]);
  PerWorker<Found> workers(context);
  for_chunks(context, chunks, [&](unsigned worker, const Chunk& chunk) {
    Found& found = workers.get(worker);
    const std::size_t s = chunk.segment;
    BestGroups& best = found.best.try_emplace(s, k, &limits.of(s)).first->second;
    GroupFinder finder{best, found.values.in(context, s, field)};
    found.scan.of(context, keys, s).scan(chunk.range, finder);
  });
  std::vector<SortRow> rows;
  std::vector<std::string> texts;
  workers.for_each([&](const Found& found) {
    for (const auto& [segment, best] : found.best) {
      for (const GroupBest& group : best.groups()) {
        rows.push_back(group.row);
        texts.push_back(text_of(context.column(segment, field), group.code));
      }
    }
  });
  rank_keywords(context, keys, rows);
  std::map<std::string, SortRow> bests;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [at, made] = bests.try_emplace(std::move(texts[i]), rows[i]);
    if (!made) at->second = std::min(at->second, rows[i]);
  }
  std::vector<ChosenGroup> groups;
  groups.reserve(bests.size());
  for (const auto& [text, row] : bests) groups.push_back({text, row});
  // By value already, so that groups with the same best hit stay so.
  std::ranges::stable_sort(groups, {}, &ChosenGroup::row);
  if (groups.size() > k) groups.resize(k);
  return groups;
}

/// The hits of one chosen group.
struct Members {
  Members(std::size_t hits, SharedLimit* limit) : best(hits, limit) {}
  std::uint64_t count = 0;
  BestRows best;
};

/// Where a segment's codes have their groups.
using Slots = std::unordered_map<std::uint64_t, std::size_t>;

/// Collects the hits of groups: what RowScan pushes rows into.
struct MemberFinder {
  const Slots& slots;
  ValueReader& values;
  std::vector<Members>& members;
  static bool may_take(const SortPart&) { return true; }
  void push(const SortRow& row) {
    for (const std::uint64_t code : values.of(row.document)) {
      const auto slot = slots.find(code);
      if (slot == slots.end()) continue;
      ++members[slot->second].count;
      members[slot->second].best.push(row);
    }
  }
};

/// Second pass: the best hits of each group.
class MemberSearch {
 public:
  MemberSearch(const ColumnContext& context, std::size_t field, std::span<const SortField> keys,
               const std::vector<ChosenGroup>& groups, std::size_t hits)
      : context_(context), field_(field), keys_(keys), groups_(groups), hits_(hits) {
    for (std::size_t s = 0; s < context.segments(); ++s) {
      Slots& slots = slots_.emplace_back();
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (const auto code = code_of_text(context.column(s, field), groups[g].value)) {
          slots.emplace(*code, g);
        }
      }
    }
  }

  std::vector<Group> run() {
    PerWorker<Found> workers(context_);
    for_chunks(context_, chunks_of(context_), [&](unsigned worker, const Chunk& chunk) {
      const std::size_t s = chunk.segment;
      if (slots_[s].empty()) return;
      Found& found = workers.get(worker);
      MemberFinder finder{slots_[s], found.values.in(context_, s, field_), found.of(s, *this)};
      found.scan.of(context_, keys_, s).scan(chunk.range, finder);
    });
    std::vector<Group> groups(groups_.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      groups[g].value = groups_[g].value;
      join(g, workers, groups[g]);
    }
    return groups;
  }

 private:
  struct Found {
    ScanOfSegment scan;
    ValueReader values;
    std::map<std::size_t, std::vector<Members>> members;  ///< by segment, then by group

    std::vector<Members>& of(std::size_t segment, MemberSearch& search) {
      std::vector<Members>& made = members[segment];
      while (made.size() < search.groups_.size()) made.emplace_back(search.hits_, &search.limit_);
      return made;
    }
  };

  void join(std::size_t g, PerWorker<Found>& workers, Group& group) {
    std::vector<SortRow> rows;
    workers.for_each([&](Found& found) {
      for (auto& [segment, members] : found.members) {
        group.count += members[g].count;
        const std::vector<SortRow> more = members[g].best.take();
        rows.insert(rows.end(), more.begin(), more.end());
      }
    });
    rank_keywords(context_, keys_, rows);
    std::ranges::sort(rows);
    if (rows.size() > hits_) rows.resize(hits_);
    for (const SortRow& row : rows) group.hits.push_back(hit_of(context_, row));
  }

  const ColumnContext& context_;
  std::size_t field_;
  std::span<const SortField> keys_;
  const std::vector<ChosenGroup>& groups_;
  std::size_t hits_;
  std::vector<Slots> slots_;  ///< by segment
  SharedLimit limit_;         ///< lowered, but never asked: rows of a group say nothing of others
};

}  // namespace

Grouping group_hits(const ColumnContext& context, const GroupRequest& request,
                    std::span<const SortField> keys) {
  const std::size_t field = column_number(context.index.schema(), request.field, "group");
  const std::uint64_t matches = context.count();
  Grouping grouping;
  grouping.field = request.field;
  grouping.missing = count_missing(context, field);
  const auto groups = find_groups(context, field, keys, request.groups);
  const auto hits = static_cast<std::size_t>(std::min<std::uint64_t>(request.hits, matches));
  grouping.groups = MemberSearch(context, field, keys, groups, hits).run();
  return grouping;
}

}  // namespace gannet::query
