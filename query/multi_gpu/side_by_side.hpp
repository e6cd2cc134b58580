// Running calls on several devices at the same time.
#pragma once

#include <cstddef>
#include <exception>
#include <stop_token>
#include <thread>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "query/backend/backend.hpp"

namespace gannet::query {

/// Calls f(i, options) for 0 <= i < count, each on a thread of its own but for the last one, which
/// the caller's thread runs; waits for all. If one throws, the others are told to stop, and the
/// error of the first by number is thrown again; CancelledError if all were only told to stop.
template <class F>
void side_by_side(std::size_t count, const SearchOptions& options, const F& f) {
  std::stop_source failed;
  // The caller's request stops all of them, too.
  const std::stop_callback forward(options.stop, [&] { failed.request_stop(); });
  SearchOptions each = options;
  each.stop = failed.get_token();
  std::vector<std::exception_ptr> errors(count), cancelled(count);
  const auto run = [&](std::size_t i) {
    try {
      f(i, each);
    } catch (const CancelledError&) {
      cancelled[i] = std::current_exception();
    } catch (...) {
      errors[i] = std::current_exception();
      failed.request_stop();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i + 1 < count; ++i) threads.emplace_back(run, i);
    if (count > 0) run(count - 1);
  }
  for (const auto* thrown : {&errors, &cancelled}) {
    for (const std::exception_ptr& error : *thrown) {
      if (error) std::rethrow_exception(error);
    }
  }
}

}  // namespace gannet::query
