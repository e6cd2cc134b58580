// Work in rounds: produced one after another, worked on in parallel, consumed in the order of
// production.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace gannet::index {

/// What in_rounds() does, for rounds known by their numbers, 0 .. count - 1.
void run_rounds(std::size_t count, const std::function<bool(std::size_t)>& produce,
                const std::function<void(std::size_t)>& work,
                const std::function<void(std::size_t)>& consume);

/// Runs `produce(round)` until it returns false, `work(round)` for each round produced, on any
/// thread and several at a time, and `consume(round)`, one at a time in order of production. The
/// `rounds` are reused in turn, so their number bounds how many are in flight. An exception from
/// any of the three ends it all and is thrown again here, when none of the three is running any
/// more.
template <class Round, class Produce, class Work, class Consume>
void in_rounds(std::vector<Round>& rounds, Produce&& produce, Work&& work, Consume&& consume) {
  run_rounds(
      rounds.size(), [&](std::size_t i) { return produce(rounds[i]); },
      [&](std::size_t i) { work(rounds[i]); }, [&](std::size_t i) { consume(rounds[i]); });
}

}  // namespace gannet::index
