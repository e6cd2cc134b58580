// A progress line on stderr, only where a person watches.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace gannet::tools {

/// What the numbers of a progress line count.
enum class ProgressUnit { kCount, kBytes };

/// What a progress line shows.
struct ProgressState {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0: unknown
  ProgressUnit unit = ProgressUnit::kCount;
  double seconds = 0;  ///< since the stage began
};

/// "verifying   42 % 85 s left [##########..............] 420 of 1,000"; the time once it can be
/// guessed.
std::string progress_line(const ProgressState& state);

/// Draws nothing unless stderr is a terminal that obeys escape sequences and `quiet` is false.
/// Lines fit the terminal. Not thread-safe.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a stage's progress, ten times a second at most (total 0: unknown).
  /// Throws CancelledError after Ctrl-C, wherever stderr goes.
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total,
              ProgressUnit unit = ProgressUnit::kCount);
  /// Removes the line.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_start_{};
  Clock::time_point last_draw_{};
};

/// "12,345,678".
std::string with_commas(std::uint64_t number);
/// "1 document", "1,234 documents". `plural`: of a noun that takes more than an s.
std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural = {});
/// "1.5 GiB".
std::string human_bytes(double bytes);
/// "85 us", "1.2 ms", "3.4 s", "2 min 05 s".
std::string human_seconds(double seconds);

}  // namespace gannet::tools
