// How long and with which seed: what tools/soak.sh asks for, or a part that takes seconds.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/soak/history/history.hpp"

namespace gannet::soak {

/// The variable of the environment as a number.
inline unsigned setting(const char* name, unsigned otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : static_cast<unsigned>(std::stoul(text));
}

/// Runs histories of consecutive seeds as long as `go_on(number, so_far)` says, and adds them up.
/// Stops at the first one that fails, and says how to repeat it. A sanitizer ends the program where
/// it finds something, so each seed is told before it begins where tools/soak.sh asks for that.
template <class Options, class GoOn>
HistoryReport run_histories(const Options& options_of, GoOn go_on) {
  HistoryReport all;
  const unsigned first = setting("GANNET_SOAK_SEED", 1);
  const char* const script = std::getenv("GANNET_SOAK_AGAIN");
  const std::string again =
      script == nullptr ? "this test, with GANNET_SOAK_ROUNDS=1 and GANNET_SOAK_SEED" : script;
  for (unsigned i = 0; go_on(i, all); ++i) {
    const std::string seed = std::to_string(first + i);
    if (script != nullptr) std::cout << "seed " << seed << std::endl;
    try {
      all.add(History(options_of(first + i)).run());
    } catch (const Failure& failure) {
      ADD_FAILURE() << failure.what() << "\nagain: " << again << ' ' << seed;
      break;
    }
  }
  return all;
}

/// Histories until the time is over, or so many rounds.
class Rounds {
 public:
  explicit Rounds(unsigned otherwise)
      : seconds_(setting("GANNET_SOAK_SECONDS", 0)),
        rounds_(setting("GANNET_SOAK_ROUNDS", seconds_ > 0 ? ~0u : otherwise)) {}

  bool operator()(unsigned number, const HistoryReport&) const {
    if (number >= rounds_) return false;
    const auto passed = std::chrono::steady_clock::now() - start_;
    return seconds_ == 0 || passed < std::chrono::seconds(seconds_);
  }

 private:
  const unsigned seconds_, rounds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline void print(const std::string& title, const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  std::cout << title << ':';
  for (const auto& [kind, count] : counts) {
    std::cout << ' ' << kind << ' ' << count << ',';
    sum += count;
  }
  std::cout << " in all " << sum << std::endl;
}

}  // namespace gannet::soak
