#include "index/inversion/rounds.hpp"

#include <tbb/parallel_pipeline.h>

namespace gannet::index {

void run_rounds(std::size_t count, const std::function<bool(std::size_t)>& produce,
                const std::function<void(std::size_t)>& work,
                const std::function<void(std::size_t)>& consume) {
  // Rounds leave in order and at most `count` are alive, so the one that was filled `count` turns
  // ago is always free again.
  std::size_t turn = 0;
  const auto first = [&](tbb::flow_control& control) {
    const std::size_t round = turn++ % count;
    if (!produce(round)) control.stop();
    return round;
  };
  const auto second = [&](std::size_t round) {
    work(round);
    return round;
  };
  const auto third = [&](std::size_t round) { consume(round); };
  tbb::parallel_pipeline(
      count, tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, first) &
                 tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, second) &
                 tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, third));
}

}  // namespace gannet::index
