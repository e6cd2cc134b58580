// A batch of the pruned search with the tables that its kernels read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/plan/pruned/fill.hpp"
#include "query/gpu/plan/pruned/pruned_batch.hpp"

namespace gannet::query::cuda {

/// A batch with its tables.
class BatchTables {
 public:
  BatchTables(PrunedPath path, std::span<const ScaledPlan> plans, const SegmentViews& segments) {
    batch.path = path;
    batch.segments = &segments;
    for (const ScaledPlan& plan : plans) batch.sizes.add(plan.sizes);
    const std::size_t parts = batch.sizes.queries * segments.size();
    batch.tables = {room(queries_, batch.sizes.queries),    room(parts_, parts),
                    room(selections_, batch.sizes.queries), room(terms_, batch.sizes.terms),
                    room(rows_, batch.sizes.rows),          room(shorts_, batch.sizes.shorts),
                    room(nodes_, batch.sizes.nodes)};
    PrunedSizes before;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      fill_plan(plans[i], before, batch);
      before.add(plans[i].sizes);
    }
  }

  PrunedBatch batch;

 private:
  template <class T>
  static T* room(std::vector<T>& table, std::size_t size) {
    table.resize(size);
    return table.data();
  }

  std::vector<PrunedQuery> queries_;
  std::vector<PrunedPart> parts_;
  std::vector<SelectQuery> selections_;
  std::vector<PrunedTerm> terms_;
  std::vector<WeightedRow> rows_;
  std::vector<ShortList> shorts_;
  std::vector<Node> nodes_;
};

}  // namespace gannet::query::cuda
