#include "query/columns/counting/facets.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/fields/reading/bitmap_rows.hpp"
#include "query/columns/access/field_access.hpp"
#include "query/columns/counting/merged_counts.hpp"

namespace gannet::query {
namespace {

/// What looking a value up in a segment costs, in counts that are gone through in order.
constexpr std::uint64_t kValueLookUpCost = 8;

class FacetCounts {
 public:
  /// `values`: how many largest() is asked for.
  FacetCounts(const ColumnContext& context, std::size_t field, std::uint32_t values)
      : context_(context), field_(field) {
    const std::uint32_t wanted = codes_wanted(context.index, values);
    for (std::size_t s = 0; s < context.segments(); ++s) {
      const CodeCounts* const known =
          context.known == nullptr ? nullptr : context.known->counts(s, field, wanted);
      counts_.push_back(known != nullptr ? known->counts : count_codes(context, s, field));
      if (known != nullptr) {
        total_ += known->total;
      } else {
        for (const NumberCount& one : counts_.back()) total_ += one.count;
      }
    }
  }

  /// The sum of the counts of all values.
  std::uint64_t total() const { return total_; }

  /// The n values with the largest counts, in their order.
  std::vector<ValueCount> largest(std::size_t n) const {
    if (n == 0 || counts_.empty()) return {};
    if (counts_.size() == 1) return largest_of_one(n);
    // The n-th largest count of any one segment is a lower bound of the n-th largest sum; a value
    // whose sum reaches it has, of S segments, one that counts at least its S-th part.
    std::uint64_t bound = 1;
    for (const auto& counts : counts_) bound = std::max(bound, nth_largest(counts, n));
    const std::uint64_t segments = counts_.size();
    const std::uint64_t least = (bound + segments - 1) / segments;
    if (looking_up_pays(least)) return largest_looked_up(n, least);
    return largest_sums(context_, field_, counts_, n, bound);
  }

 private:
  /// Of one segment, whose codes are in the order of the values: only what is listed is looked up.
  std::vector<ValueCount> largest_of_one(std::size_t n) const {
    const std::uint64_t least = nth_largest(counts_[0], n);
    std::vector<NumberCount> found;
    std::ranges::copy_if(counts_[0], std::back_inserter(found),
                         [&](const NumberCount& one) { return one.count >= least; });
    std::ranges::stable_sort(found, std::greater<>(), &NumberCount::count);
    if (found.size() > n) found.resize(n);
    std::vector<ValueCount> values;
    values.reserve(found.size());
    for (const NumberCount& one : found) values.push_back(value_of(0, one));
    return values;
  }

  /// Whether few values have `least` in some segment.
  bool looking_up_pays(std::uint64_t least) const {
    std::uint64_t candidates = 0;
    std::uint64_t all = 0;
    for (const auto& counts : counts_) {
      all += counts.size();
      for (const NumberCount& one : counts) candidates += one.count >= least ? 1u : 0u;
    }
    return candidates * counts_.size() * kValueLookUpCost < all;
  }

  /// The n largest, which have `least` in some segment each.
  std::vector<ValueCount> largest_looked_up(std::size_t n, std::uint64_t least) const {
    std::vector<ValueCount> found;
    std::set<std::pair<std::uint64_t, std::string>> known;
    for (std::size_t s = 0; s < counts_.size(); ++s) {
      throw_if_stopped(context_.stop);
      for (const NumberCount& one : counts_[s]) {
        if (one.count < least) continue;
        ValueCount value = value_of(s, one);
        if (!known.insert({value.key, value.text}).second) continue;
        value.count = count_everywhere(value);
        found.push_back(std::move(value));
      }
    }
    std::ranges::sort(found, [](const auto& a, const auto& b) { return a.before(b); });
    if (found.size() > n) found.resize(n);
    return found;
  }

  static std::uint64_t nth_largest(const std::vector<NumberCount>& counts, std::size_t n) {
    if (counts.size() < n) return 1;
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> largest;
    for (const NumberCount& one : counts) {
      if (largest.size() == n) {
        if (one.count <= largest.top()) continue;
        largest.pop();
      }
      largest.push(one.count);
    }
    return largest.top();
  }

  ValueCount value_of(std::size_t segment, const NumberCount& one) const {
    const index::FieldColumn& column = context_.column(segment, field_);
    const bool keyword = column.spec().is_keyword();
    return {text_of(column, one.number), keyword ? 0 : column.keys().key(one.number), one.count};
  }

  std::uint64_t count_everywhere(const ValueCount& value) const {
    std::uint64_t sum = 0;
    for (std::size_t s = 0; s < counts_.size(); ++s) {
      const index::FieldColumn& column = context_.column(s, field_);
      const auto code = column.spec().is_keyword() ? code_of_text(column, value.text)
                                                   : code_of_key(column, value.key);
      if (!code) continue;
      const auto at = std::ranges::lower_bound(counts_[s], *code, {}, &NumberCount::number);
      if (at != counts_[s].end() && at->number == *code) sum += at->count;
    }
    return sum;
  }

  const ColumnContext& context_;
  std::size_t field_;
  /// By segment; of a single one maybe only those with the largest counts.
  std::vector<std::vector<NumberCount>> counts_;
  std::uint64_t total_ = 0;
};

/// Counts the codes of a block from its bitmaps: each costs its atoms, however many documents
/// match, and codes are not decoded.
void count_bitmaps(const index::FieldColumn& column, const DocumentBitmap& matches,
                   std::size_t number, std::uint64_t greatest, NumberCounter& counter) {
  const std::size_t first = number * (index::kFieldBlock / 64);
  std::vector<std::uint64_t> words(
      std::min<std::size_t>(index::kFieldBlock / 64, matches.words.size() - first));
  for (std::size_t w = 0; w < words.size(); ++w) {
    words[w] = matches.words[first + w];
    if (!column.present().empty()) words[w] &= column.present()[first + w];
  }
  const index::BitmapBlock block = column.bitmaps()->block(number);
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    const std::uint64_t count = index::count_rows_in(block.atoms(i), words);
    if (count == 0) continue;
    if (block.code(i) > greatest) fail_code(column);
    counter.add(block.code(i), count);
  }
}

/// Counts codes in the arrays of a counter.
class DenseCounts {
 public:
  DenseCounts(const index::FieldColumn& column, std::uint64_t greatest, NumberCounter& counter)
      : column_(column), greatest_(greatest) {
    for (std::uint32_t i = 0; i < kWays; ++i) counts_[i] = counter.array(i);
  }

  void operator()(std::uint32_t document, std::uint64_t code) const {
    if (code > greatest_) fail_code(column_);
    ++counts_[document % kWays][code];
  }

  template <class Code>
  void take(std::span<const Code, 64> codes) const {
    if (*std::ranges::max_element(codes) > greatest_) fail_code(column_);
    for (std::size_t i = 0; i < codes.size(); i += kWays) {
      for (std::size_t way = 0; way < kWays; ++way) ++counts_[way][codes[i + way]];
    }
  }

 private:
  static constexpr std::uint32_t kWays = NumberCounter::kWays;
  const index::FieldColumn& column_;
  std::uint64_t greatest_;
  std::array<std::uint32_t*, kWays> counts_;
};

/// With codes of this width.
template <class Code>
std::vector<NumberCount> count_codes_as(const ColumnContext& context, std::size_t segment,
                                        std::size_t field, std::uint64_t greatest) {
  const index::FieldColumn& column = context.column(segment, field);
  const DocumentBitmap& matches = context.matches.segments[segment];
  std::vector<Chunk> chunks;
  add_chunks(context, segment, chunks);
  PerWorker<CodeCursor<Code>> cursors(context);
  const bool bitmaps = column.bitmaps() != nullptr && !column.multi();
  const DecodedColumn* const decoded = bitmaps ? nullptr : context.decoded(segment, field);
  const auto fill = [&](unsigned worker, const Chunk& chunk, NumberCounter& counter) {
    if (bitmaps) {
      const std::size_t block = chunk.range.begin / index::kFieldBlock;
      return count_bitmaps(column, matches, block, greatest, counter);
    }
    CodeCursor<Code>& cursor = cursors.get(worker).of(column, decoded);
    if (!column.multi() && counter.dense()) {
      return for_each_code(cursor, matches, chunk.range, DenseCounts(column, greatest, counter));
    }
    std::uint64_t last_document = ~std::uint64_t{0};
    std::uint64_t last_code = 0;
    const auto count = [&](std::uint32_t document, std::uint64_t code) {
      if (document == last_document && code == last_code) return;
      if (code > greatest) fail_code(column);
      last_document = document;
      last_code = code;
      counter.add(code);
    };
    for_each_code(cursor, matches, chunk.range, count);
  };
  // Of one segment it is mostly known.
  const std::uint64_t count =
      context.segments() == 1 ? context.matches.count() : count_bits(matches.words);
  return count_numbers(context, chunks, greatest, count, fill);
}

}  // namespace

std::uint32_t codes_wanted(const index::Index& index, std::uint32_t values) {
  return index.segments().size() == 1 ? values : CountsWanted::kAll;
}

std::vector<NumberCount> count_codes(const ColumnContext& context, std::size_t segment,
                                     std::size_t field) {
  if (context.known != nullptr) {
    if (const CodeCounts* const known = context.known->counts(segment, field, CountsWanted::kAll)) {
      return known->counts;
    }
  }
  const index::FieldColumn& column = context.column(segment, field);
  const CodeSpan span = code_span(column);
  if (span.empty()) return {};
  const bool narrow = span.greatest <= 0xffffffffu && column.code_limit() <= std::uint64_t{1} << 32;
  return narrow ? count_codes_as<std::uint32_t>(context, segment, field, span.greatest)
                : count_codes_as<std::uint64_t>(context, segment, field, span.greatest);
}

Facet count_facet(const ColumnContext& context, const FacetRequest& request) {
  const std::size_t field = column_number(context.index.schema(), request.field, "facet");
  const FacetCounts counts(context, field, request.values);
  Facet facet;
  facet.field = request.field;
  facet.missing = count_missing(context, field);
  facet.others = counts.total();
  for (ValueCount& value : counts.largest(request.values)) {
    facet.others -= value.count;
    facet.values.push_back({std::move(value.text), value.count});
  }
  return facet;
}

}  // namespace gannet::query
