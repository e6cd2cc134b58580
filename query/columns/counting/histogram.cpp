#include "query/columns/counting/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codecs/base/error.hpp"
#include "query/columns/access/field_access.hpp"
#include "query/columns/counting/binning.hpp"
#include "query/columns/counting/facets.hpp"
#include "query/columns/counting/number_counts.hpp"

namespace gannet::query {
namespace {

/// The least and the greatest key that any document has, in all segments.
struct BinSpan {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t greatest = 0;
};

BinSpan key_span(const index::Index& index, std::size_t field) {
  BinSpan span;
  for (const auto& segment : index.segments()) {
    const index::FieldColumn& column = segment->field(field);
    const CodeSpan codes = code_span(column);
    if (codes.empty()) continue;
    span.least = std::min(span.least, column.keys().key(codes.least));
    span.greatest = std::max(span.greatest, column.keys().key(codes.greatest));
  }
  return span;
}

/// Whether counting the codes first, and then their bins, costs less than finding the bin of each
/// match: where they are so few that each thread counts them in an array. Documents must have one
/// value.
bool counts_codes(const ColumnContext& context, std::size_t field) {
  std::uint64_t room = context.matches.count() / context.workers;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    const index::FieldColumn& column = context.column(s, field);
    if (column.multi()) return false;
    const CodeSpan span = code_span(column);
    if (span.empty()) continue;
    if (span.greatest >= room) return false;
    room -= span.greatest;
  }
  return true;
}

std::vector<NumberCount> counts_of(const std::map<std::uint64_t, std::uint64_t>& sums) {
  std::vector<NumberCount> counts;
  counts.reserve(sums.size());
  for (const auto& [number, count] : sums) counts.push_back({number, count});
  return counts;
}

/// The bins of codes that are counted.
std::vector<NumberCount> bins_of_codes(const ColumnContext& context, std::size_t field,
                                       const BinSpan& span, const Binning& bins) {
  const std::uint64_t last = bins.last(span.greatest);
  std::map<std::uint64_t, std::uint64_t> sums;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    const index::FieldColumn& column = context.column(s, field);
    const index::KeyMap keys = column.keys();
    for (const NumberCount& one : count_codes(context, s, field)) {
      const std::uint64_t bin = bins.bin(keys.key(one.number));
      if (bin > last) fail_code(column);
      sums[bin] += one.count;
    }
  }
  return counts_of(sums);
}

/// How many documents each bin has; a document counts once in each.
std::vector<NumberCount> count_bins(const ColumnContext& context, std::size_t field,
                                    const BinSpan& span, const Binning& bins) {
  const std::uint64_t last = bins.last(span.greatest);
  PerWorker<CodeCursor<std::uint64_t>> cursors(context);
  const auto fill = [&](unsigned worker, const Chunk& chunk, NumberCounter& counter) {
    const index::FieldColumn& column = context.column(chunk.segment, field);
    std::uint64_t last_document = ~std::uint64_t{0};
    std::uint64_t last_bin = 0;
    const auto count = [&](std::uint32_t document, std::uint64_t code) {
      const std::uint64_t key = column.keys().key(code);
      if (key < span.least || key > span.greatest) fail_code(column);
      const std::uint64_t bin = bins.bin(key);
      if (bin > last) fail_code(column);
      if (document == last_document && bin == last_bin) return;
      last_document = document;
      last_bin = bin;
      counter.add(bin);
    };
    for_each_code(cursors.get(worker).of(column, context.decoded(chunk.segment, field)),
                  context.matches.segments[chunk.segment], chunk.range, count);
  };
  return count_numbers(context, chunks_of(context), last, context.matches.count(), fill);
}

/// What a back end has found out; nothing if it is not all.
std::optional<std::vector<NumberCount>> known_bins(const ColumnContext& context,
                                                   std::size_t request) {
  if (context.known == nullptr) return std::nullopt;
  std::map<std::uint64_t, std::uint64_t> sums;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    const BinCounts* const known = context.known->bins(s, request);
    if (known == nullptr) return std::nullopt;
    for (const NumberCount& one : known->counts) sums[one.number] += one.count;
  }
  return counts_of(sums);
}

std::vector<NumberCount> count_bins_of_matches(const ColumnContext& context, std::size_t field,
                                               const BinSpan& span, const Binning& bins) {
  return counts_codes(context, field) ? bins_of_codes(context, field, span, bins)
                                      : count_bins(context, field, span, bins);
}

}  // namespace

std::optional<std::vector<std::uint64_t>> first_keys_of_bins(const index::Index& index,
                                                             const HistogramRequest& request) {
  const std::size_t field = column_number(index.schema(), request.field, "histogram");
  const BinSpan span = key_span(index, field);
  if (span.least > span.greatest) return std::vector<std::uint64_t>{0};
  const auto bins = make_binning(index.schema().fields()[field], request, span.least);
  std::uint64_t last = 0;
  try {
    if (bins->bin(span.least) != 0) return std::nullopt;
    last = bins->bin(span.greatest);
  } catch (const UsageError&) {
    return std::nullopt;  // an error only if such a value is among the matches
  }
  if (last >= kMaxBins || last != bins->last(span.greatest)) return std::nullopt;
  std::vector<std::uint64_t> first_keys{span.least};
  for (std::uint64_t bin = 1; bin <= last; ++bin) {
    first_keys.push_back(bins->first_key(bin, first_keys.back(), span.greatest));
  }
  return first_keys;
}

Histogram count_histogram(const ColumnContext& context, const HistogramRequest& request,
                          std::size_t number) {
  const index::Schema& schema = context.index.schema();
  const std::size_t field = column_number(schema, request.field, "histogram");
  const index::FieldSpec& spec = schema.fields()[field];
  check_binning(spec, request);
  Histogram histogram;
  histogram.field = request.field;
  histogram.missing = count_missing(context, field);
  const BinSpan span = key_span(context.index, field);
  if (span.least > span.greatest) return histogram;
  const auto bins = make_binning(spec, request, span.least);
  const auto known = known_bins(context, number);
  const std::vector<NumberCount> counts =
      known ? *known : count_bins_of_matches(context, field, span, *bins);
  if (counts.empty()) return histogram;
  const std::uint64_t more = counts.back().number - counts.front().number;
  if (request.empty_bins && more >= kMaxBins) {
    throw UsageError(fmt::format(
        "histogram of '{}': more than {} bins; take wider ones, or leave out those that are empty",
        request.field, kMaxBins));
  }
  std::uint64_t next = counts.front().number;
  for (const NumberCount& one : counts) {
    for (; request.empty_bins && next < one.number; ++next) {
      histogram.bins.push_back({bins->from(next), 0});
    }
    histogram.bins.push_back({bins->from(one.number), one.count});
    next = one.number + 1;
  }
  return histogram;
}

}  // namespace gannet::query
