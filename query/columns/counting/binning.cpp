#include "query/columns/counting/binning.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"
#include "index/fields/key_map.hpp"
#include "index/fields/types/base/numbers.hpp"
#include "query/columns/counting/calendar.hpp"
#include "query/columns/counting/whole_number.hpp"

namespace gannet::query {
namespace {

using index::FieldSpec;
using index::Sums;

[[noreturn]] void fail(const FieldSpec& field, std::string_view problem) {
  throw UsageError(fmt::format("histogram of '{}': {}", field.name, problem));
}

/// Multiples of a whole width: of integers, decimals, dates and times.
class WholeBinning : public Binning {
 public:
  /// `step`: how bins are called; of fixed width by their least value.
  WholeBinning(const FieldSpec& field, HistogramStep step, std::uint64_t width,
               std::uint64_t least_key)
      : field_(field),
        step_(step),
        zero_(zero_key(field)),
        width_(width),
        least_key_(least_key),
        first_(floor_divide(number_of(least_key, zero_), width)),
        lead_(static_cast<std::uint64_t>(number_of(least_key, zero_) - first_ * Int128{width})) {}

  std::uint64_t bin(std::uint64_t key) const override {
    const std::uint64_t above = key - least_key_;
    const std::uint64_t sum = above + lead_;
    if (sum >= above) return sum / width_;
    return static_cast<std::uint64_t>((Uint128{above} + lead_) / width_);
  }

  /// Every key has a bin of its own kind: bins are in steps of the width.
  std::uint64_t first_key(std::uint64_t bin, std::uint64_t, std::uint64_t) const override {
    return static_cast<std::uint64_t>(Int128{least_key_} + Int128{bin} * Int128{width_} -
                                      Int128{lead_});
  }

  std::string from(std::uint64_t bin) const override {
    const Int128 number = first_ + Int128{bin};
    if (step_ != HistogramStep::kWidth) {
      return calendar_text(step_, static_cast<std::int64_t>(number));
    }
    const Int128 least = number * Int128{width_};
    if (!field_.traits().is_calendar()) return to_text(least, field_.scale);
    // The bin of the least value may begin before the first date that there is.
    const Int128 key = least + Int128{zero_};
    return value_text(field_, key < 0 ? 0 : static_cast<std::uint64_t>(key));
  }

 private:
  FieldSpec field_;
  HistogramStep step_;
  std::uint64_t zero_;
  std::uint64_t width_;
  std::uint64_t least_key_;
  Int128 first_;        ///< least value / width, rounded down
  std::uint64_t lead_;  ///< of the least value behind the beginning of its bin
};

/// Years or months.
class MonthBinning : public Binning {
 public:
  MonthBinning(const FieldSpec& field, HistogramStep step, std::uint64_t least_key)
      : step_(step),
        zero_(zero_key(field)),
        day_(field.traits().day),
        first_(number_of_step(least_key)) {}

  std::uint64_t bin(std::uint64_t key) const override {
    return static_cast<std::uint64_t>(number_of_step(key) - first_);
  }
  std::string from(std::uint64_t bin) const override {
    return calendar_text(step_, first_ + static_cast<std::int64_t>(bin));
  }

 private:
  std::int64_t number_of_step(std::uint64_t key) const {
    const auto number = static_cast<std::int64_t>(number_of(key, zero_));
    const std::int64_t month = month_of_day(number / day_ - (number % day_ < 0 ? 1 : 0));
    return step_ == HistogramStep::kMonth ? month : month / 12 - (month % 12 < 0 ? 1 : 0);
  }

  HistogramStep step_;
  std::uint64_t zero_;
  std::int64_t day_;
  std::int64_t first_;
};

/// Multiples of a double: a value is in bin i if i * width <= value < (i + 1) * width, with the
/// products rounded.
class FloatBinning : public Binning {
 public:
  FloatBinning(const FieldSpec& field, double width, std::uint64_t least_key)
      : field_(field),
        number_of_key_(index::value_number_of(field)),
        width_(width),
        first_(within(number_of_key_(field, least_key))) {}

  std::uint64_t bin(std::uint64_t key) const override {
    const double value = number_of_key_(field_, key);
    // Damaged columns may have keys of NaN between the least and the greatest one.
    if (!std::isfinite(value)) return ~std::uint64_t{0};
    if (!(std::abs(value / width_) < kMaxExactBins)) {
      fail(field_, fmt::format("a width of {} is too small for values as large as {}", width_,
                               value_text(field_, key)));
    }
    return static_cast<std::uint64_t>(number(value) - first_);
  }
  std::uint64_t last(std::uint64_t greatest_key) const override {
    return static_cast<std::uint64_t>(within(number_of_key_(field_, greatest_key)) - first_);
  }
  std::string from(std::uint64_t bin) const override {
    return fmt::format("{}", multiple(first_ + static_cast<std::int64_t>(bin)));
  }

 private:
  /// Numbers of bins, and the next ones, are doubles.
  static constexpr double kMaxExactBins = 4503599627370496.0;

  /// The number of a value's bin; of values that have none, one beyond all others. Those need not
  /// be among the matches.
  std::int64_t within(double value) const {
    constexpr auto kBeyond = static_cast<std::int64_t>(kMaxExactBins) + 1;
    if (!(value / width_ > -kMaxExactBins)) return -kBeyond;
    return value / width_ < kMaxExactBins ? number(value) : kBeyond;
  }

  double multiple(std::int64_t i) const { return static_cast<double>(i) * width_; }

  std::int64_t number(double value) const {
    auto i = static_cast<std::int64_t>(std::floor(value / width_));
    if (multiple(i) > value) return i - 1;
    return multiple(i + 1) <= value ? i + 1 : i;
  }

  FieldSpec field_;
  index::ValueNumber number_of_key_;
  double width_;
  std::int64_t first_;
};

[[noreturn]] void fail_width(const FieldSpec& field, const std::string& text) {
  const std::string wanted =
      index::with_field_type(field.type, [&]<class T>() { return T::bin_widths(field); });
  fail(field, fmt::format("the width must be a {}, not '{}'", wanted, text));
}

bool is_float(const FieldSpec& field) { return field.traits().sums == Sums::kFloat; }

double float_width(const FieldSpec& field, const std::string& text) {
  const auto width = plain_number<double>(text);
  if (!width || !std::isnormal(*width) || *width < 0) fail_width(field, text);
  return *width;
}

/// In units of 10^-scale.
std::uint64_t whole_width(const FieldSpec& field, const std::string& text) {
  const auto width = index::signed_number(text, field.scale);
  if (!width || *width <= 0) fail_width(field, text);
  return static_cast<std::uint64_t>(*width);
}

}  // namespace

std::uint64_t Binning::first_key(std::uint64_t bin, std::uint64_t least,
                                 std::uint64_t greatest) const {
  while (greatest - least > 1) {
    const std::uint64_t middle = least + (greatest - least) / 2;
    (this->bin(middle) < bin ? least : greatest) = middle;
  }
  return greatest;
}

void check_binning(const FieldSpec& field, const HistogramRequest& request) {
  const index::FieldTraits& traits = field.traits();
  if (!traits.bins) fail(field, "it has no numbers; --facet counts its values");
  if (request.step != HistogramStep::kWidth) {
    if (!traits.is_calendar()) {
      fail(field, "only dates and times have years, months, days and hours");
    }
    if (request.step == HistogramStep::kHour && traits.whole_days()) {
      fail(field, "dates have no hours");
    }
  } else if (is_float(field)) {
    float_width(field, request.width);
  } else {
    whole_width(field, request.width);
  }
}

std::unique_ptr<Binning> make_binning(const FieldSpec& field, const HistogramRequest& request,
                                      std::uint64_t least_key) {
  check_binning(field, request);
  const auto day = static_cast<std::uint64_t>(field.traits().day);
  switch (request.step) {
    case HistogramStep::kYear:
    case HistogramStep::kMonth:
      return std::make_unique<MonthBinning>(field, request.step, least_key);
    case HistogramStep::kDay:
      return std::make_unique<WholeBinning>(field, request.step, day, least_key);
    case HistogramStep::kHour:
      return std::make_unique<WholeBinning>(field, request.step, day / 24, least_key);
    case HistogramStep::kWidth:
      break;
  }
  if (is_float(field)) {
    return std::make_unique<FloatBinning>(field, float_width(field, request.width), least_key);
  }
  return std::make_unique<WholeBinning>(field, request.step, whole_width(field, request.width),
                                        least_key);
}

}  // namespace gannet::query
