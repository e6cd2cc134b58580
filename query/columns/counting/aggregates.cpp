#include "query/columns/counting/aggregates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "query/columns/access/field_access.hpp"
#include "query/columns/counting/distinct.hpp"
#include "query/columns/counting/exact_sum.hpp"
#include "query/columns/counting/whole_number.hpp"

namespace gannet::query {
namespace {

/// What the values of one segment add up to.
struct SegmentTotals {
  std::uint64_t values = 0;
  Uint128 codes = 0;  ///< their sum; fewer than 2^32 values of 64 bits
  CodeSpan span;

  void add(const SegmentTotals& other) {
    values += other.values;
    codes += other.codes;
    span.least = std::min(span.least, other.span.least);
    span.greatest = std::max(span.greatest, other.span.greatest);
  }
};

/// What one worker has seen.
struct Totals {
  explicit Totals(std::size_t segments) : by_segment(segments) {}
  std::vector<SegmentTotals> by_segment;
  ExactSum floats;
  CodeCursor<std::uint64_t> cursor;

  void add(const Totals& other) {
    for (std::size_t s = 0; s < by_segment.size(); ++s) by_segment[s].add(other.by_segment[s]);
    floats.add(other.floats);
  }
};

/// Adds up codes. `Sum` holds the sum of those of a chunk.
template <class Sum>
struct CodeAdder {
  std::uint64_t values = 0;
  Sum sum = 0;
  CodeSpan span = {};

  void operator()(std::uint32_t /*document*/, std::uint64_t code) {
    ++values;
    sum += code;
    include(code, code);
  }

  template <class Code>
  void take(std::span<const Code, 64> codes) {
    Sum more = 0;
    Code least = codes[0];
    Code greatest = codes[0];
    for (const Code code : codes) {
      more += code;
      least = std::min(least, code);
      greatest = std::max(greatest, code);
    }
    values += codes.size();
    sum += more;
    include(least, greatest);
  }

  void include(std::uint64_t least, std::uint64_t greatest) {
    span.least = std::min(span.least, least);
    span.greatest = std::max(span.greatest, greatest);
  }
};

/// The totals of the matches of a chunk.
template <class Sum>
SegmentTotals totals_of(CodeCursor<std::uint64_t>& cursor, const DocumentBitmap& matches,
                        DocumentRange range) {
  CodeAdder<Sum> totals;
  for_each_code(cursor, matches, range, totals);
  return {totals.values, totals.sum, totals.span};
}

/// Whether the codes of a chunk add up to 64 bits, which is faster.
bool has_small_sums(const index::FieldColumn& column) {
  return !column.multi() && column.code_limit() <= ~std::uint64_t{0} / kChunk;
}

/// Adds what a back end has found out of a segment; false if it has not.
bool add_known(const ColumnContext& context, std::size_t segment, std::size_t field, Totals& all) {
  const CodeTotals* const known =
      context.known == nullptr ? nullptr : context.known->totals(segment, field);
  if (known == nullptr) return false;
  SegmentTotals& part = all.by_segment[segment];
  part.values = known->values;
  part.codes = known->sum;
  if (known->values > 0) part.span = {known->least, known->greatest};
  for (const ScaledNumber& number : known->floats) all.floats.add(number.number, number.exponent);
  return true;
}

Totals totals_of(const ColumnContext& context, std::size_t field) {
  Totals all(context.segments());
  std::vector<Chunk> chunks;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    if (!add_known(context, s, field, all)) add_chunks(context, s, chunks);
  }
  PerWorker<Totals> workers(context);
  const index::FieldSpec& spec = context.index.schema().fields()[field];
  const bool floats = spec.traits().sums == index::Sums::kFloat;
  const index::ValueNumber number_of_key = index::value_number_of(spec);
  for_chunks(context, chunks, [&](unsigned worker, const Chunk& chunk) {
    Totals& totals = workers.get(worker, context.segments());
    const index::FieldColumn& column = context.column(chunk.segment, field);
    const DocumentBitmap& matches = context.matches.segments[chunk.segment];
    totals.cursor.of(column, context.decoded(chunk.segment, field));
    totals.by_segment[chunk.segment].add(
        has_small_sums(column) ? totals_of<std::uint64_t>(totals.cursor, matches, chunk.range)
                               : totals_of<Uint128>(totals.cursor, matches, chunk.range));
    if (!floats) return;
    const index::KeyMap keys = column.keys();
    for_each_code(totals.cursor, matches, chunk.range, [&](std::uint32_t, std::uint64_t code) {
      const double value = number_of_key(spec, keys.key(code));
      if (!std::isfinite(value)) fail_code(column);
      totals.floats.add(value);
    });
  });
  workers.for_each([&](const Totals& part) { all.add(part); });
  return all;
}

/// The sum of the values as whole numbers (whole_number.hpp).
Int128 whole_sum(const ColumnContext& context, std::size_t field, const Totals& totals) {
  const std::uint64_t zero = zero_key(context.index.schema().fields()[field]);
  Int128 sum = 0;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    const SegmentTotals& part = totals.by_segment[s];
    const index::KeyMap& map = context.column(s, field).keys();
    // Without values the base may be anything.
    if (part.values == 0) continue;
    sum += number_of(map.base, zero) * static_cast<Int128>(part.values);
    sum += static_cast<Int128>(part.codes * map.unit);
  }
  return sum;
}

/// Sets the least and the greatest value. Keywords of several segments are compared as texts.
void set_extremes(const ColumnContext& context, std::size_t field, const Totals& totals,
                  Aggregate& made) {
  const index::FieldSpec& spec = context.index.schema().fields()[field];
  CodeSpan keys;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    const CodeSpan& span = totals.by_segment[s].span;
    if (span.empty()) continue;
    const index::FieldColumn& column = context.column(s, field);
    if (spec.is_keyword()) {
      std::string least = text_of(column, span.least);
      std::string greatest = text_of(column, span.greatest);
      if (!made.min || least < *made.min) made.min = std::move(least);
      if (!made.max || *made.max < greatest) made.max = std::move(greatest);
      continue;
    }
    keys.least = std::min(keys.least, column.keys().key(span.least));
    keys.greatest = std::max(keys.greatest, column.keys().key(span.greatest));
  }
  if (keys.empty()) return;
  made.min = value_text(spec, keys.least);
  made.max = value_text(spec, keys.greatest);
}

void set_sum(const ColumnContext& context, std::size_t field, const Totals& totals,
             Aggregate& made) {
  const index::FieldSpec& spec = context.index.schema().fields()[field];
  const index::Sums sums = spec.traits().sums;
  if (sums == index::Sums::kNone) return;
  const auto values = static_cast<double>(made.values);
  if (sums == index::Sums::kFloat) {
    const double sum = totals.floats.rounded();
    made.sum = fmt::format("{}", sum);
    if (made.values > 0) made.mean = sum / values;
    return;
  }
  const Int128 sum = whole_sum(context, field, totals);
  if (sums == index::Sums::kWhole) made.sum = to_text(sum, spec.scale);
  if (made.values > 0) {
    made.mean = static_cast<double>(sum) / values / std::pow(10.0, spec.scale);
  }
}

}  // namespace

Aggregate aggregate(const ColumnContext& context, const std::string& name, bool distinct) {
  const std::size_t field = column_number(context.index.schema(), name, "aggregates");
  const Totals totals = totals_of(context, field);
  Aggregate made;
  made.field = name;
  made.missing = count_missing(context, field);
  made.documents = context.count() - made.missing;
  for (const SegmentTotals& part : totals.by_segment) made.values += part.values;
  if (distinct) made.distinct = count_distinct(context, field);
  set_extremes(context, field, totals, made);
  set_sum(context, field, totals, made);
  return made;
}

}  // namespace gannet::query
