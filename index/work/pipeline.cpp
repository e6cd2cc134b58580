#include "index/work/pipeline.hpp"

#include <tbb/parallel_pipeline.h>

#include "codecs/base/cancellation.hpp"

namespace gannet::index {

void run_pipeline(std::size_t count, const std::stop_token& stop,
                  const std::function<bool(std::size_t)>& produce,
                  const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& consume) {
  // Batches leave in order and at most `count` are alive, so the one that was filled `count` calls
  // ago is always free again.
  std::size_t produced = 0;
  const auto first = [&](tbb::flow_control& control) {
    throw_if_stopped(stop);
    const std::size_t batch = produced++ % count;
    if (!produce(batch)) control.stop();
    return batch;
  };
  const auto second = [&](std::size_t batch) {
    throw_if_stopped(stop);
    work(batch);
    return batch;
  };
  const auto third = [&](std::size_t batch) {
    throw_if_stopped(stop);
    consume(batch);
  };
  tbb::parallel_pipeline(
      count, tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, first) &
                 tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, second) &
                 tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, third));
}

}  // namespace gannet::index
