#include "bench/papers/wah/bitmap/bitmap_bins.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::wah {
namespace {

constexpr std::uint32_t kMaxBins = 1u << 20;
__extension__ using Sum = unsigned __int128;

/// The distinct values of a column in ascending order, with running counts and sums: entry i of
/// `rows` and `sums` is over the values before value i.
struct Distinct {
  std::vector<BinKey> values;
  std::vector<std::uint64_t> rows{0};
  std::vector<Sum> sums{0};

  explicit Distinct(std::span<const BinKey> keys) {
    std::vector<BinKey> sorted(keys.begin(), keys.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size();) {
      const BinKey value = sorted[i];
      const std::size_t start = i;
      while (i < sorted.size() && sorted[i] == value) ++i;
      values.push_back(value);
      rows.push_back(i);
      sums.push_back(sums.back() + Sum{value} * (i - start));
    }
  }
  std::size_t size() const { return values.size(); }
};

/// Where bins start, as indices of distinct values: ascending, the first 0; equal ones are an empty
/// bin.
using Starts = std::vector<std::size_t>;

Starts equal_width(const Distinct& distinct, std::uint32_t count) {
  const BinKey smallest = distinct.values.front();
  const Sum width = Sum{distinct.values.back() - smallest} + 1;
  Starts starts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Sum edge = (width * i + count - 1) / count;  // the first offset that is in part i
    const auto at = std::partition_point(distinct.values.begin(), distinct.values.end(),
                                         [&](BinKey value) { return value - smallest < edge; });
    starts.push_back(static_cast<std::size_t>(at - distinct.values.begin()));
  }
  return starts;
}

Starts equal_depth(const Distinct& distinct, std::uint32_t count) {
  const Sum rows = distinct.rows.back();
  Starts starts;
  for (std::uint32_t i = 0; i < count; ++i) {
    // A run of equal values goes to the bin in which its first row falls.
    const auto rank = static_cast<std::uint64_t>((rows * i + count - 1) / count);
    const auto at = std::lower_bound(distinct.rows.begin(), distinct.rows.end() - 1, rank);
    starts.push_back(static_cast<std::size_t>(at - distinct.rows.begin()));
  }
  return starts;
}

/// A bin's mean, as a sum and a count.
struct Mean {
  Sum sum;
  std::uint64_t rows;
};

/// Whether `value` is nearer to the lower mean, or as near to both: 2 * value <= lower + upper, in
/// whole numbers. Means are rounded down to 2^-20 of a value, which keeps the sums within 128 bits.
bool nearer_to_lower(BinKey value, Mean lower, Mean upper) {
  constexpr std::uint32_t kFraction = 20;
  const auto fixed = [](Mean mean) {
    const Sum whole = mean.sum / mean.rows;
    const Sum rest = mean.sum % mean.rows;
    return (whole << kFraction) + (rest << kFraction) / mean.rows;
  };
  return (Sum{value} << (kFraction + 1)) <= fixed(lower) + fixed(upper);
}

void drop_empty(Starts& starts, std::size_t end) {
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  while (!starts.empty() && starts.back() == end) starts.pop_back();
}

/// One round of Lloyd's algorithm over bins that are not empty: every value to the nearest mean.
Starts nearest(const Distinct& distinct, const Starts& starts) {
  const auto mean = [&](std::size_t bin) {
    const std::size_t from = starts[bin];
    const std::size_t to = bin + 1 < starts.size() ? starts[bin + 1] : distinct.size();
    return Mean{distinct.sums[to] - distinct.sums[from], distinct.rows[to] - distinct.rows[from]};
  };
  Starts next{0};
  for (std::size_t bin = 1; bin < starts.size(); ++bin) {
    const Mean lower = mean(bin - 1);
    const Mean upper = mean(bin);
    const auto at =
        std::partition_point(distinct.values.begin(), distinct.values.end(),
                             [&](BinKey value) { return nearer_to_lower(value, lower, upper); });
    next.push_back(static_cast<std::size_t>(at - distinct.values.begin()));
  }
  return next;
}

Starts lloyd(const Distinct& distinct, std::uint32_t count, std::uint32_t rounds) {
  Starts starts = equal_depth(distinct, count);
  drop_empty(starts, distinct.size());
  for (std::uint32_t round = 0; round < rounds; ++round) {
    Starts next = nearest(distinct, starts);
    drop_empty(next, distinct.size());
    if (next == starts) break;
    starts = std::move(next);
  }
  return starts;
}

Bins bins_from(const Distinct& distinct, Starts starts) {
  drop_empty(starts, distinct.size());
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : distinct.size();
    const BinKey smallest = distinct.values[starts[i]];
    bins.push_back({i == 0 ? 0 : smallest, smallest, distinct.values[end - 1]});
  }
  return Bins(std::move(bins));
}

void check_column(std::span<const BinKey> keys) {
  if (keys.empty()) throw UsageError("an empty column cannot be cut into bins");
}

}  // namespace

Bins::Bins(std::vector<Bin> bins) : bins_(std::move(bins)) {
  if (bins_.empty()) throw UsageError("an attribute needs at least one bin");
  if (bins_[0].first != 0) throw UsageError("the first bin must start at the smallest key");
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const bool last = i + 1 == bins_.size();
    const bool ascends = bins_[i].first <= bins_[i].smallest &&
                         bins_[i].smallest <= bins_[i].largest &&
                         (last || bins_[i].largest < bins_[i + 1].first);
    if (!ascends) throw UsageError("bin " + std::to_string(i) + " is not in ascending order");
  }
}

std::uint32_t Bins::bin_of(BinKey key) const {
  const auto behind =
      std::upper_bound(bins_.begin(), bins_.end(), key,
                       [](BinKey wanted, const Bin& bin) { return wanted < bin.first; });
  return static_cast<std::uint32_t>(behind - bins_.begin() - 1);
}

std::vector<std::uint32_t> Bins::assign(std::span<const BinKey> keys) const {
  std::vector<std::uint32_t> result(keys.size());
  std::transform(keys.begin(), keys.end(), result.begin(), [&](BinKey key) { return bin_of(key); });
  return result;
}

Bins Bins::widened(std::span<const BinKey> keys, std::span<const std::uint32_t> bin_of_row) const {
  std::vector<Bin> bins = bins_;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    Bin& bin = bins[bin_of_row[row]];
    bin.smallest = std::min(bin.smallest, keys[row]);
    bin.largest = std::max(bin.largest, keys[row]);
  }
  return Bins(std::move(bins));
}

Bins make_bins(std::span<const BinKey> keys, Binning binning, std::uint32_t count,
               std::uint32_t rounds) {
  check_column(keys);
  if (count == 0 || count > kMaxBins) {
    throw UsageError("the number of bins must be from 1 to " + std::to_string(kMaxBins) + ", not " +
                     std::to_string(count));
  }
  const Distinct distinct(keys);
  switch (binning) {
    case Binning::kEqualWidth:
      return bins_from(distinct, equal_width(distinct, count));
    case Binning::kEqualDepth:
      return bins_from(distinct, equal_depth(distinct, count));
    case Binning::kKMeans:
      return bins_from(distinct, lloyd(distinct, count, rounds));
  }
  throw UsageError("unknown way of binning");
}

Bins distinct_bins(std::span<const BinKey> keys) {
  check_column(keys);
  const Distinct distinct(keys);
  if (distinct.size() > kMaxBins) {
    throw UsageError("a column with " + std::to_string(distinct.size()) +
                     " distinct values is too much for a bin a value");
  }
  std::vector<Bin> bins;
  for (const BinKey value : distinct.values) {
    bins.push_back({bins.empty() ? 0 : value, value, value});
  }
  return Bins(std::move(bins));
}

}  // namespace gannet::wah
