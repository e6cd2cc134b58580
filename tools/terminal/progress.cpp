#include "tools/terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

std::string amount(std::uint64_t number, ProgressUnit unit) {
  return unit == ProgressUnit::kBytes ? human_bytes(static_cast<double>(number))
                                      : with_commas(number);
}

/// "85 s", "2 min 05 s": whole seconds, at least one.
std::string time_left(double seconds) {
  const auto whole = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(seconds)));
  return whole < 100 ? fmt::format("{} s", whole)
                     : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string bar(double share) {
  constexpr int kWidth = 24;
  const int full = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
  return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", kWidth - full);
}

}  // namespace

Progress::Progress(bool quiet) : enabled_(!quiet && obeys_escapes(stderr)) {}

void Progress::update(std::string_view stage, std::uint64_t done, std::uint64_t total,
                      ProgressUnit unit) {
  check_interrupted();
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_start_ = now;
  } else if (now - last_draw_ < std::chrono::milliseconds(100)) {
    return;
  }
  last_draw_ = now;
  drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - stage_start_).count();
  std::string line = printable(progress_line({stage, done, total, unit, elapsed}));
  // A line that wraps cannot be cleared. The last column stays free: the cursor is behind it.
  if (const auto columns = screen_columns(stderr); columns && *columns > 1) {
    line = cut_to(line, *columns - 1);
  }
  // \033[K clears what a longer line left behind.
  print_styled(stderr, fmt::format("\r{}\033[K", line));
}

std::string progress_line(const ProgressState& state) {
  if (state.total == 0)
    return fmt::format("{:<10} {}", state.stage, amount(state.done, state.unit));
  const double share =
      std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
  // Rounded down: 100 % is all of it. What matters most comes first, for narrow terminals.
  std::string line = fmt::format("{:<10} {:3} % ", state.stage, static_cast<int>(100 * share));
  const bool known = share > 0.02 && share < 1 && state.seconds > 1;
  if (known) line += fmt::format("{} left ", time_left(state.seconds / share * (1 - share)));
  return line + fmt::format("{} {} of {}", bar(share), amount(state.done, state.unit),
                            amount(state.total, state.unit));
}

void Progress::clear() {
  if (drawn_) print_styled(stderr, "\r\033[K");
  drawn_ = false;
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural) {
  if (number == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", with_commas(number), noun)
                        : fmt::format("{} {}", with_commas(number), plural);
}

std::string human_bytes(double bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string human_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace gannet::tools
