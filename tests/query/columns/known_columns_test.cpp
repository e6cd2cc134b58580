// Column queries of which a back end has found out a part: whatever it knows, the results are those
// of looking at all matches.
#include "query/columns/access/known_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "query/columns/access/columns_in_use.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

using test::below;
using test::FakeField;
using test::Random;

/// What a back end may say of a segment, by a loop. Of codes of more than 32 bits it says nothing.
class Finder {
 public:
  Finder(const index::Segment& segment, const DocumentBitmap& matches)
      : segment_(segment), matches_(matches) {}

  std::uint64_t count() const {
    std::uint64_t count = 0;
    for (std::uint32_t d = 0; d < matches_.documents; ++d) count += matches_.has(d) ? 1 : 0;
    return count;
  }

  std::optional<CodeCounts> counts(const CountsWanted& wanted) const {
    if (is_wide(wanted.field)) return std::nullopt;
    CodeCounts found;
    std::map<std::uint64_t, std::uint64_t> counts;
    for (const auto& codes : codes_of_matches(wanted.field)) {
      if (codes.empty()) ++found.missing;
      for (const std::uint64_t code : std::set<std::uint64_t>(codes.begin(), codes.end())) {
        ++counts[code];
        ++found.total;
      }
    }
    for (const auto& [code, times] : counts) found.counts.push_back({code, times});
    found.distinct = counts.size();
    if (wanted.codes == CountsWanted::kAll) return found;
    std::ranges::stable_sort(found.counts, std::greater<>(), &NumberCount::count);
    if (found.counts.size() > wanted.codes) found.counts.resize(wanted.codes);
    std::ranges::sort(found.counts, {}, &NumberCount::number);
    return found;
  }

  std::optional<CodeTotals> totals(std::size_t field) const {
    if (is_wide(field)) return std::nullopt;
    const index::FieldColumn& column = segment_.field(field);
    const bool floats = column.spec().traits().sums == index::Sums::kFloat;
    CodeTotals found{.least = ~std::uint64_t{0}};
    for (const auto& codes : codes_of_matches(field)) {
      if (codes.empty()) ++found.missing;
      for (const std::uint64_t code : codes) {
        ++found.values;
        found.sum += code;
        found.least = std::min(found.least, code);
        found.greatest = std::max(found.greatest, code);
        if (floats) add_number(value_number(column.spec(), column.keys().key(code)), found.floats);
      }
    }
    return found;
  }

  std::optional<BinCounts> bins(const BinsWanted& wanted) const {
    if (is_wide(wanted.field)) return std::nullopt;
    const index::KeyMap keys = segment_.field(wanted.field).keys();
    BinCounts found;
    std::map<std::uint64_t, std::uint64_t> counts;
    for (const auto& codes : codes_of_matches(wanted.field)) {
      if (codes.empty()) ++found.missing;
      std::set<std::uint64_t> bins;
      for (const std::uint64_t code : codes) {
        const auto after = std::ranges::upper_bound(wanted.first_keys, keys.key(code));
        bins.insert(static_cast<std::uint64_t>(after - wanted.first_keys.begin()) - 1);
      }
      for (const std::uint64_t bin : bins) ++counts[bin];
    }
    for (const auto& [bin, times] : counts) found.counts.push_back({bin, times});
    return found;
  }

  std::optional<std::vector<FirstDocument>> first(const FirstWanted& wanted) const {
    std::vector<FirstDocument> all;
    for (std::uint32_t d = 0; d < matches_.documents; ++d) {
      if (matches_.has(d)) all.push_back({.document = d});
    }
    for (std::size_t i = 0; i < wanted.keys.size(); ++i) {
      const OrderKey& key = wanted.keys[i];
      if (is_wide(key.field)) return std::nullopt;
      const Codes codes = codes_of(key.field);
      for (FirstDocument& one : all) {
        const auto& of = codes[one.document];
        one.codes[i] =
            of.empty() ? FirstDocument::kMissing : (key.descending ? of.back() : of.front());
      }
    }
    const auto before = [&](const FirstDocument& a, const FirstDocument& b) {
      for (std::size_t i = 0; i < wanted.keys.size(); ++i) {
        if (a.codes[i] == b.codes[i]) continue;
        const bool a_missing = a.codes[i] == FirstDocument::kMissing;
        const bool b_missing = b.codes[i] == FirstDocument::kMissing;
        if (a_missing || b_missing) return a_missing == wanted.keys[i].missing_first;
        return wanted.keys[i].descending ? a.codes[i] > b.codes[i] : a.codes[i] < b.codes[i];
      }
      return false;
    };
    std::ranges::stable_sort(all, before);
    all.resize(std::min<std::size_t>(all.size(), wanted.k));
    return all;
  }

 private:
  using Codes = std::vector<std::vector<std::uint64_t>>;

  bool is_wide(std::size_t field) const {
    return segment_.field(field).code_limit() > std::uint64_t{1} << 32;
  }

  /// A double as a whole number of a power of two.
  static void add_number(double value, std::vector<ScaledNumber>& numbers) {
    int exponent = 0;
    const double significand = std::frexp(value, &exponent);
    auto number = static_cast<std::int64_t>(std::ldexp(significand, 53));
    exponent -= 53;
    for (; number != 0 && exponent < -1074; ++exponent) number /= 2;
    if (number != 0) numbers.push_back({number, exponent});
  }

  /// By document.
  Codes codes_of(std::size_t field) const {
    const index::FieldColumn& column = segment_.field(field);
    std::vector<std::uint64_t> codes(column.codes());
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      column.decode(b, codes.data() + column.blocks()[b].first);
    }
    Codes found(column.documents());
    for (std::uint32_t d = 0; d < column.documents(); ++d) {
      if (!column.has(d)) continue;
      const std::uint32_t begin = column.multi() ? column.starts()[d] : d;
      const std::uint32_t end = column.multi() ? column.starts()[d + 1] : d + 1;
      found[d].assign(codes.begin() + begin, codes.begin() + end);
    }
    return found;
  }
  Codes codes_of_matches(std::size_t field) const {
    const Codes codes = codes_of(field);
    Codes found;
    for (std::uint32_t d = 0; d < matches_.documents; ++d) {
      if (matches_.has(d)) found.push_back(codes[d]);
    }
    return found;
  }

  const index::Segment& segment_;
  const DocumentBitmap& matches_;
};

TEST(KnownColumns, GiveWhatLookingAtAllMatchesGives) {
  std::size_t complete = 0;
  std::size_t kept = 0;
  std::size_t binned = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::uint32_t documents = 1 + below(random, 300);
    std::vector<FakeField> fields;
    for (int f = 0; f < 3; ++f) {
      fields.push_back(test::random_field(random, "f" + std::to_string(f), documents));
    }
    std::vector<std::uint32_t> ends{documents};
    if (below(random, 2) == 0 && documents > 2)
      ends = {1 + below(random, documents - 1), documents};
    const index::Index index = test::fake_index(fields, ends, 64);
    Matches matches;
    for (std::size_t s = 0; s < ends.size(); ++s) {
      DocumentBitmap& bitmap = matches.segments.emplace_back(ends[s] - index.docid_base(s));
      for (std::uint32_t d = 0; d < bitmap.documents; ++d) {
        if (below(random, 3) != 0) bitmap.add(d);
      }
    }
    ColumnQuery query{.k = below(random, 20)};
    for (std::uint32_t n = 1 + below(random, 3); n > 0; --n) {
      query.sort.push_back(
          {"f" + std::to_string(below(random, 3)), below(random, 2) == 0, below(random, 4) == 0});
    }
    for (std::uint32_t n = below(random, 3); n > 0; --n) {
      query.facets.push_back({"f" + std::to_string(below(random, 3)), below(random, 9)});
    }
    const auto some_field = [&] { return "f" + std::to_string(below(random, 3)); };
    for (std::uint32_t n = below(random, 3); n > 0; --n) {
      const auto step = static_cast<HistogramStep>(below(random, 5));
      const std::string width = std::vector<std::string>{"7", "0.25", "1e9"}[below(random, 3)];
      query.histograms.push_back({some_field(), step, width, below(random, 2) == 0});
    }
    for (std::uint32_t n = below(random, 3); n > 0; --n) query.aggregates.push_back(some_field());
    query.distinct = below(random, 4) != 0;
    ColumnResults expected;
    try {
      expected = run_columns(index, matches, query);
    } catch (const UsageError&) {
      continue;  // a histogram that the field has not, or of too many bins
    }
    KnownColumns known{work_of(query, index), {}};
    for (std::size_t s = 0; s < ends.size(); ++s) {
      const Finder finder(*index.segments()[s], matches.segments[s]);
      SegmentFindings& findings = known.findings.emplace_back();
      findings.count = finder.count();
      // Now and then it knows less than it could.
      const auto knows = [&] { return below(random, 12) != 0; };
      for (const CountsWanted& wanted : known.work.counted) {
        findings.counted.push_back(knows() ? finder.counts(wanted) : std::nullopt);
      }
      for (const std::size_t field : known.work.totals) {
        findings.totals.push_back(knows() ? finder.totals(field) : std::nullopt);
      }
      for (const BinsWanted& wanted : known.work.binned) {
        findings.binned.push_back(knows() ? finder.bins(wanted) : std::nullopt);
        binned += findings.binned.back() ? 1 : 0;
      }
      if (known.work.first && below(random, 8) != 0) {
        findings.first = finder.first(*known.work.first);
      }
    }
    complete += known.complete() ? 1 : 0;
    if (!known.complete()) {
      for (std::size_t s = 0; s < ends.size(); ++s) {
        known.findings[s].matches = matches.segments[s];
      }
    }
    ASSERT_EQ(look_at_columns(index, known, query, 1), expected);
    DecodedColumns decoded(1 << 20);
    const ColumnsInUse columns(decoded, index);
    ASSERT_EQ(look_at_columns(index, known, query, 3, {}, &columns), expected);
    kept += decoded.bytes() > 0 ? 1 : 0;
  }
  EXPECT_GT(kept, 100u) << "columns were not decoded for later";
  EXPECT_GT(binned, 100u) << "hardly a histogram came of known bins";
  EXPECT_GT(complete, 100u) << "most cases look at the matches after all";
}

}  // namespace
}  // namespace gannet::query
