// What calls that match plans do with slices of them: several threads pack one each.
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "query/gpu/device/matching/match_call.hpp"
#include "query/gpu/plan/matching/tuning.hpp"

namespace gannet::query::cuda {

/// Calls f(i) for the first `slices` slices.
template <class F>
void for_each_slice(const MatchContext& context, std::size_t slices, const F& f) {
  if (slices == 1) return f(0);  // sooner than entering the arena
  context.arena.execute([&] { tbb::parallel_for(std::size_t{0}, slices, f); });
}

/// Calls pack(plans, i) for the plans of each slice, and makes room for the slices in the vectors;
/// returns how many there are.
template <class Slice, class Workspace, class F>
std::size_t pack_slices(const MatchContext& context, std::span<const std::size_t> plans,
                        std::vector<Slice>& slices, std::vector<Workspace>& workspaces,
                        const F& pack) {
  const std::size_t count = (plans.size() + tuning::kMatchSlice - 1) / tuning::kMatchSlice;
  if (slices.size() < count) slices.resize(count);
  if (workspaces.size() < count) workspaces.resize(count);
  for_each_slice(context, count, [&](std::size_t i) {
    const auto rest = plans.subspan(i * tuning::kMatchSlice);
    pack(rest.first(std::min(rest.size(), tuning::kMatchSlice)), i);
  });
  return count;
}

/// Keeps the lists that slices have met and that were not kept yet. False if there is none.
template <class Workspace>
bool keep_missing(const MatchContext& context, std::span<const Workspace> workspaces,
                  KeptListTable* kept) {
  std::vector<index::TermId> missing;
  for (const Workspace& one : workspaces) {
    missing.insert(missing.end(), one.bound.missing.begin(), one.bound.missing.end());
  }
  if (missing.empty()) return false;
  kept->add(std::move(missing), context.arena, context.stop);
  return true;
}

}  // namespace gannet::query::cuda
