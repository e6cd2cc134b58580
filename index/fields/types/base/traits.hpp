// What code that handles columns asks of a field's type, whatever the type is.
#pragma once

#include <cstdint>

namespace gannet::index {

/// How a segment keeps the values of a field.
enum class Storage : std::uint8_t {
  kNumbers,   ///< a column of codes, which are keys (key_map.hpp)
  kKeywords,  ///< a sorted dictionary of strings, and a column of their numbers
  kTexts,     ///< texts to be shown: no keys, so no filters, sorting or counting
  kPostings,  ///< a searched text: terms in the lexicon, and a column of its lengths in tokens
};

/// How JSON and Python spell a value.
enum class ValueForm : std::uint8_t { kWhole, kFloat, kTruth, kString };

/// What aggregates say of the values besides their number, the least and the greatest.
enum class Sums : std::uint8_t {
  kNone,
  kMean,   ///< the mean, which is a value again; a sum would say nothing
  kWhole,  ///< sum and mean of whole numbers of 10^-scale, exactly
  kFloat,  ///< sum and mean of floating-point numbers, in double
};

/// The standard values are those of a type whose values only have an order.
struct FieldTraits {
  Storage storage = Storage::kNumbers;
  ValueForm form = ValueForm::kString;
  Sums sums = Sums::kNone;
  /// Histograms have bins of fixed width: of floats if `sums` is kFloat, else of whole numbers.
  bool bins = false;
  /// Dates and times: how many units a day has. Else 0.
  std::int64_t day = 0;

  bool is_calendar() const { return day != 0; }
  /// Values are whole days: a moment that a source has is cut to its day.
  bool whole_days() const { return day == 1; }
};

}  // namespace gannet::index
