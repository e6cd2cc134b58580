// Column queries of which a back end has found out a part: whatever it knows, the results are those
// of looking at all matches.
#include "query/columns/access/known_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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

/// What a back end may say of a segment, by a loop.
class Finder {
 public:
  Finder(const index::Segment& segment, const DocumentBitmap& matches)
      : segment_(segment), matches_(matches) {}

  std::uint64_t count() const {
    std::uint64_t count = 0;
    for (std::uint32_t d = 0; d < matches_.documents; ++d) count += matches_.has(d) ? 1 : 0;
    return count;
  }

  std::optional<CodeCounts> counts(std::size_t field) const {
    const std::vector<std::uint64_t> codes = codes_of(field);
    if (codes.empty()) return std::nullopt;
    CodeCounts found;
    std::map<std::uint64_t, std::uint64_t> counts;
    for (std::uint32_t d = 0; d < matches_.documents; ++d) {
      if (!matches_.has(d)) continue;
      if (segment_.field(field).has(d)) {
        ++counts[codes[d]];
      } else {
        ++found.missing;
      }
    }
    for (const auto& [code, times] : counts) found.counts.push_back({code, times});
    return found;
  }

  std::optional<std::vector<FirstDocument>> first(const FirstWanted& wanted) const {
    const std::vector<std::uint64_t> codes = codes_of(wanted.field);
    if (codes.empty()) return std::nullopt;
    std::vector<FirstDocument> all;
    for (std::uint32_t d = 0; d < matches_.documents; ++d) {
      if (matches_.has(d) && segment_.field(wanted.field).has(d)) {
        all.push_back({d, static_cast<std::uint32_t>(codes[d])});
      }
    }
    std::ranges::stable_sort(all, [&](const FirstDocument& a, const FirstDocument& b) {
      return wanted.descending ? a.code > b.code : a.code < b.code;
    });
    if (all.size() < std::min<std::uint64_t>(wanted.k, count())) return std::nullopt;
    all.resize(std::min<std::size_t>(all.size(), wanted.k));
    return all;
  }

 private:
  /// None for fields that a back end knows nothing of.
  std::vector<std::uint64_t> codes_of(std::size_t field) const {
    const index::FieldColumn& column = segment_.field(field);
    if (column.multi() || column.code_limit() > std::uint64_t{1} << 32) return {};
    std::vector<std::uint64_t> codes(column.codes());
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      column.decode(b, codes.data() + column.blocks()[b].first);
    }
    return codes;
  }

  const index::Segment& segment_;
  const DocumentBitmap& matches_;
};

TEST(KnownColumns, GiveWhatLookingAtAllMatchesGives) {
  std::size_t complete = 0;
  std::size_t kept = 0;
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
    query.sort.push_back(
        {"f" + std::to_string(below(random, 3)), below(random, 2) == 0, below(random, 4) == 0});
    for (std::uint32_t n = below(random, 3); n > 0; --n) {
      query.facets.push_back({"f" + std::to_string(below(random, 3)), below(random, 9)});
    }
    if (below(random, 4) == 0) query.histograms.push_back({"f0", HistogramStep::kWidth, "7"});
    ColumnResults expected;
    try {
      expected = run_columns(index, matches, query);
    } catch (const UsageError&) {
      continue;  // a histogram that the field has not, or of too many bins
    }
    KnownColumns known{work_of(query, index.schema()), {}};
    for (std::size_t s = 0; s < ends.size(); ++s) {
      const Finder finder(*index.segments()[s], matches.segments[s]);
      SegmentFindings& findings = known.findings.emplace_back();
      findings.count = finder.count();
      for (const std::size_t field : known.work.counted) {
        // Now and then it knows less than it could.
        findings.counted.push_back(below(random, 8) == 0 ? std::nullopt : finder.counts(field));
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
    ASSERT_EQ(run_columns(index, known, query, {}), expected);
    DecodedColumns decoded(1 << 20);
    const ColumnsInUse columns(decoded, index);
    ASSERT_EQ(run_columns(index, known, query, {}, &columns), expected);
    kept += decoded.bytes() > 0 ? 1 : 0;
  }
  EXPECT_GT(kept, 100u) << "columns were not decoded for later";
  EXPECT_GT(complete, 100u) << "most cases look at the matches after all";
}

}  // namespace
}  // namespace gannet::query
