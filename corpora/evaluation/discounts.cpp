#include "corpora/evaluation/discounts.hpp"

#include <cmath>

namespace gannet::corpora {
namespace {

/// The unrounded sum of two doubles, of which the second is at most half a unit in the last place
/// of the first. The arithmetic is Dekker's, A floating-point technique for extending the available
/// precision, 1971.
struct DoubleDouble {
  double high;
  double low;
};

/// a + b, exactly.
DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}

/// The upper 26 bits of a double in `high`, the others in `low`.
DoubleDouble split(double a) {
  const double shifted = a * 134'217'729;  // 2^27 + 1
  const double high = shifted - (shifted - a);
  return {high, a - high};
}

/// a * b, exactly.
DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const auto [a_high, a_low] = split(a);
  const auto [b_high, b_low] = split(b);
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

DoubleDouble sum(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = exact_sum(a.high, b.high);
  return exact_sum(high.high, high.low + (a.low + b.low));
}

DoubleDouble product(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = exact_product(a.high, b.high);
  return exact_sum(high.high, high.low + (a.high * b.low + a.low * b.high));
}

DoubleDouble quotient(double a, double b) {
  const double high = a / b;
  const DoubleDouble back = exact_product(high, b);
  return exact_sum(high, ((a - back.high) - back.low) / b);
}

constexpr DoubleDouble kTwoByLn2{0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
/// The first term left out is below 2^-100 of the sum.
constexpr int kSeriesTerms = 20;

/// With n = 2^e * m and m between 1 / sqrt(2) and sqrt(2): e + 2 / ln(2) * artanh((m - 1) / (m +
/// 1)).
double nearest_log2(double n) {
  int exponent = 0;
  double m = std::frexp(n, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const DoubleDouble s = quotient(m - 1, m + 1);
  const DoubleDouble square = product(s, s);
  DoubleDouble series{0, 0};
  for (int term = kSeriesTerms; term >= 0; --term) {
    series = sum(product(series, square), quotient(1, 2 * term + 1));
  }
  const DoubleDouble fraction = product(product(s, series), kTwoByLn2);
  return sum({static_cast<double>(exponent), 0}, fraction).high;
}

}  // namespace

std::vector<double> rank_discounts(std::size_t count) {
  std::vector<double> discounts;
  discounts.reserve(count);
  for (std::size_t rank = 1; rank <= count; ++rank) {
    discounts.push_back(nearest_log2(static_cast<double>(rank) + 1));
  }
  return discounts;
}

}  // namespace gannet::corpora
