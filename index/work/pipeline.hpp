// A pipeline over batches: produced one after another, worked on in parallel, consumed in the order
// of production.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace gannet::index {

/// What for_batches() does, for batches known by their numbers, 0 .. count - 1.
void run_pipeline(std::size_t count, const std::stop_token& stop,
                  const std::function<bool(std::size_t)>& produce,
                  const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& consume);

/// Runs `produce(batch)` until it returns false, `work(batch)` for each batch produced, on any
/// thread and several at a time, and `consume(batch)`, one at a time in order of production. The
/// objects of `batches` are reused, so their number bounds how many are in flight. An exception
/// from any of the three, or CancelledError once `stop` asks for it, ends it all and is thrown
/// again here, when none of the three is running any more.
template <class Batch, class Produce, class Work, class Consume>
void for_batches(std::vector<Batch>& batches, const std::stop_token& stop, Produce&& produce,
                 Work&& work, Consume&& consume) {
  run_pipeline(
      batches.size(), stop, [&](std::size_t i) { return produce(batches[i]); },
      [&](std::size_t i) { work(batches[i]); }, [&](std::size_t i) { consume(batches[i]); });
}

}  // namespace gannet::index
