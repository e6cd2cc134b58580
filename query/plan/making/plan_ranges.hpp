// Going through the plans of a batch on several threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>

namespace gannet::query {

/// Plans that one task goes through: handing a task over costs more than what is done with a few.
inline constexpr std::size_t kPlansPerTask = 64;

/// Calls f(begin, end) for ranges that together are [0, plans): by the threads of the arena that
/// the calling thread is in, or, of no more than `few` plans, at once and here, which is sooner
/// than other threads wake up.
template <class F>
void for_plan_ranges(std::size_t plans, std::size_t few, const F& f) {
  if (plans <= few) {
    f(std::size_t{0}, plans);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, plans, kPlansPerTask),
                    [&](const auto& range) { f(range.begin(), range.end()); });
}

/// The same, calls f(i) for each plan.
template <class F>
void for_plans(std::size_t plans, std::size_t few, const F& f) {
  for_plan_ranges(plans, few, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i != end; ++i) f(i);
  });
}

}  // namespace gannet::query
