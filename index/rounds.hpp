// Work in rounds: produced one after another, worked on in parallel, consumed in the order of
// production.
#pragma once

#include <tbb/parallel_pipeline.h>

#include <cstddef>
#include <vector>

namespace gannet::index {

/// Runs `produce(round)` until it returns false, `work(round)` for each round produced, on any
/// thread and several at a time, and `consume(round)`, one at a time in order of production. The
/// `rounds` are reused in turn, so their number bounds how many are in flight. An exception from
/// any of the three ends it all and is thrown again here, when no other of the three is running any
/// more.
template <class Round, class Produce, class Work, class Consume>
void in_rounds(std::vector<Round>& rounds, Produce&& produce, Work&& work, Consume&& consume) {
  // Rounds leave in order and at most rounds.size() are alive, so the one that was filled
  // rounds.size() turns ago is always free again.
  std::size_t turn = 0;
  const auto first = [&](tbb::flow_control& control) -> Round* {
    Round& round = rounds[turn++ % rounds.size()];
    if (produce(round)) return &round;
    control.stop();
    return nullptr;
  };
  const auto second = [&](Round* round) {
    work(*round);
    return round;
  };
  const auto third = [&](Round* round) { consume(*round); };
  tbb::parallel_pipeline(
      rounds.size(), tbb::make_filter<void, Round*>(tbb::filter_mode::serial_in_order, first) &
                         tbb::make_filter<Round*, Round*>(tbb::filter_mode::parallel, second) &
                         tbb::make_filter<Round*, void>(tbb::filter_mode::serial_in_order, third));
}

}  // namespace gannet::index
