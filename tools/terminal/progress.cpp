#include "tools/terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

std::string amount(std::uint64_t number, ProgressUnit unit) {
  return unit == ProgressUnit::kBytes ? human_bytes(static_cast<double>(number))
                                      : with_commas(number);
}

std::string bar(double share) {
  constexpr int kWidth = 24;
  const int full = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
  return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", kWidth - full);
}

}  // namespace

Progress::Progress(bool quiet) : enabled_(!quiet && is_terminal(stderr)) {}

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
  std::string line = fmt::format("{:<10}", stage);
  if (total != 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const double elapsed = std::chrono::duration<double>(now - stage_start_).count();
    line += fmt::format(" {} {:3.0f} %  {} of {}", bar(share), 100 * share, amount(done, unit),
                        amount(total, unit));
    if (share > 0.02 && elapsed > 1) {
      line += fmt::format(", {} left", human_seconds(elapsed / share * (1 - share)));
    }
  } else {
    line += " " + amount(done, unit);
  }
  // \033[K clears what a longer line left behind.
  print_styled(stderr, fmt::format("\r{}\033[K", printable(line)));
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
