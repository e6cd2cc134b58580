// Devices that each have some of an index's segments.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/backend.hpp"
#include "query/detail/partial_result.hpp"

namespace gannet::query {

/// A device's back end for an index of its segments.
struct Shard {
  std::unique_ptr<Backend> backend;
  index::Docid docid_base;  ///< of its first document in the whole index
};

class ShardsBackend : public Backend {
 public:
  /// At least one, in the order of their documents.
  explicit ShardsBackend(std::vector<Shard> shards);

  std::string name() const override { return shards_.front().backend->name(); }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override;
  std::optional<std::vector<SegmentFindings>> look_at_columns(
      const Plan& plan, const ColumnWork& work, const SearchOptions& options) const override;

 private:
  bool add_matches(const Plan& plan, const SearchOptions& options,
                   std::span<std::optional<ColumnFindings>> found) const;

  std::vector<Shard> shards_;
};

}  // namespace gannet::query
