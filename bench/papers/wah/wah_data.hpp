// Attributes with the shapes of the WAH paper's data sets, from generators: its real data (BPA,
// linkage, kddcup) are not public in the form that it used, or not at hand. Rows, attributes and
// bins are the paper's (section 5); runs and skew are ours, chosen so that the sets differ as the
// paper says that they do: kddcup and BPA compress well, linkage and Zipf do not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/frame/data.hpp"
#include "bench/papers/wah/bitmap/bitmap_bins.hpp"

namespace gannet::bench {

/// One attribute, binned.
struct BinnedColumn {
  std::uint32_t bins;
  std::vector<std::uint32_t> bin_of_row;
};

/// A data set: its attributes are made one by one, by any thread, and always the same.
struct BitmapShape {
  std::string name;
  std::uint32_t rows;
  std::uint32_t attributes;
  std::function<BinnedColumn(std::uint32_t attribute, std::uint32_t rows)> make;
};

namespace wah_data {

/// Bins 0 .. n - 1 with probabilities proportional to 1 / (k + 1)^skew, in runs of the same bin
/// whose lengths are geometric with the given mean.
inline BinnedColumn skewed_runs(std::uint32_t rows, std::uint32_t bins, double skew,
                                double mean_run, std::uint64_t seed) {
  Mixer random(seed);
  std::vector<double> sums(bins);
  double total = 0;
  for (std::uint32_t k = 0; k < bins; ++k) sums[k] = total += std::pow(k + 1.0, -skew);
  constexpr std::uint32_t kSteps = 1 << 16;
  std::vector<std::uint32_t> bin_of(kSteps);
  for (std::uint32_t i = 0; i < kSteps; ++i) {
    const double at = (i + 0.5) / kSteps * total;
    bin_of[i] =
        static_cast<std::uint32_t>(std::lower_bound(sums.begin(), sums.end(), at) - sums.begin());
  }
  BinnedColumn column{bins, std::vector<std::uint32_t>(rows)};
  const double stays = std::log(1 - 1 / std::max(mean_run, 1.0000001));
  for (std::uint32_t row = 0; row < rows;) {
    const std::uint32_t bin = bin_of[random.below(kSteps)];
    const double run = mean_run <= 1 ? 1 : 1 + std::floor(std::log(1 - random.unit()) / stays);
    const std::uint32_t left = rows - row;
    const auto length = static_cast<std::uint32_t>(std::min<double>(run, left));
    std::fill_n(column.bin_of_row.begin() + row, length, bin);
    row += length;
  }
  return column;
}

inline BinnedColumn binned(const std::vector<wah::BinKey>& keys, wah::Binning binning,
                           std::uint32_t count) {
  const wah::Bins bins = wah::make_bins(keys, binning, count);
  return {bins.size(), bins.assign(keys)};
}

/// A traffic statistic: heavy-tailed values that stay as they are while an attack lasts, cut into
/// 25 bins by Lloyd's algorithm.
inline BinnedColumn traffic(std::uint32_t rows, double mean_run, std::uint64_t seed) {
  const BinnedColumn levels = skewed_runs(rows, 4096, 0.7, mean_run, seed);
  std::vector<wah::BinKey> keys(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    keys[row] = static_cast<wah::BinKey>(std::exp2(levels.bin_of_row[row] / 256.0) * 16);
  }
  return binned(keys, wah::Binning::kKMeans, 25);
}

/// A phasor: a slow random walk, drawn back to its middle, sampled 60 times a second; equal-width
/// bins.
inline BinnedColumn phasor(std::uint32_t rows, std::uint32_t count, std::uint64_t seed) {
  Mixer random(seed);
  std::vector<wah::BinKey> keys(rows);
  double value = 0;
  for (auto& key : keys) {
    const double noise = random.unit() + random.unit() + random.unit() - 1.5;
    value += 0.01 * noise - value * 2e-7;
    key = static_cast<wah::BinKey>(std::llround((value + 1000) * 1024));
  }
  return binned(keys, wah::Binning::kEqualWidth, count);
}

inline BinnedColumn kddcup(std::uint32_t attribute, std::uint32_t rows) {
  // 8 symbolic attributes with 115 values together, 12 continuous ones with 25 bins, 22 flags and
  // counts with 60: 475 bins.
  constexpr std::uint32_t kSymbols[] = {3, 70, 11, 2, 2, 2, 2, 23};
  constexpr double kRuns[] = {6000, 1500, 300, 100};
  const double run = kRuns[attribute % 4];
  if (attribute < 8) return skewed_runs(rows, kSymbols[attribute], 1.5, run, attribute);
  if (attribute < 20) return traffic(rows, run, attribute);
  return skewed_runs(rows, attribute < 36 ? 3 : 2, 3, run, attribute);
}

inline BinnedColumn linkage(std::uint32_t attribute, std::uint32_t rows) {
  // Two record numbers, four similarities of names, five agreements, the label: 130 bins.
  if (attribute < 2) return skewed_runs(rows, 25, 0, 1, attribute);
  if (attribute < 6) return skewed_runs(rows, 17, 1.2, 1, attribute);
  return skewed_runs(rows, 2, attribute == 11 ? 8 : 2, 1, attribute);
}

}  // namespace wah_data

/// The four data sets, with `scale` times the paper's rows.
inline std::vector<BitmapShape> wah_data_sets(double scale) {
  const auto rows = [&](double paper) {
    return static_cast<std::uint32_t>(std::max(1.0, paper * scale));
  };
  return {{"kddcup", rows(4'898'431), 42, wah_data::kddcup},
          {"linkage", rows(5'749'132), 12, wah_data::linkage},
          {"BPA", rows(7'273'800), 20,
           [](std::uint32_t attribute, std::uint32_t count) {
             return wah_data::phasor(count, attribute < 7 ? 69 : 68, attribute);
           }},
          {"Zipf", rows(32'000'000), 10, [](std::uint32_t attribute, std::uint32_t count) {
             return wah_data::skewed_runs(count, 10, 2, 1, attribute);
           }}};
}

}  // namespace gannet::bench
