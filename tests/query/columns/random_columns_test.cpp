// Results by columns against a loop over all documents: random fields, values, matches, segments
// and requests.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "query/columns/access/known_columns.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/field_values.hpp"
#include "tests/support/query/column_reference.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

using test::below;
using test::ColumnReference;
using test::FakeField;
using test::Random;

constexpr unsigned kCases = 3000;

/// An index of random fields, some of its documents, and their scores.
struct Case {
  explicit Case(unsigned seed)
      : random(seed), documents(1 + below(random, seed % 50 == 0 ? 3000 : 200)) {
    const std::uint32_t count = 1 + below(random, 4);
    for (std::uint32_t f = 0; f < count; ++f) {
      fields.push_back(test::random_field(random, "f" + std::to_string(f), documents));
    }
    // The last field is one that can be grouped.
    fields.push_back(test::random_field(random, "group", documents));
    while (!fields.back().is_keyword()) {
      fields.back() = test::random_field(random, "group", documents);
    }
    for (std::uint32_t end = 0; end < documents;) {
      end = std::min(documents, end + 1 + below(random, documents));
      ends.push_back(end);
    }
    const std::uint32_t share = std::vector<std::uint32_t>{0, 1, 5, 9, 10}[below(random, 5)];
    for (std::uint32_t d = 0; d < documents; ++d) {
      matches.push_back(below(random, 10) < share);
      scores.push_back(matches.back() ? static_cast<float>(below(random, 12)) * 0.25f : 0.0f);
    }
  }

  index::Index index() {
    const std::uint32_t blocks[] = {1, 3, 64, 100, index::kFieldBlock};
    return test::fake_index(fields, ends, blocks[below(random, 5)]);
  }

  Matches matches_in(const index::Index& index, bool with_scores) const {
    Matches found;
    for (std::size_t s = 0; s < ends.size(); ++s) {
      const std::uint32_t begin = index.docid_base(s);
      DocumentBitmap& bitmap = found.segments.emplace_back(ends[s] - begin);
      for (std::uint32_t d = begin; d < ends[s]; ++d) {
        if (matches[d]) bitmap.add(d - begin);
      }
      if (with_scores) found.scores.emplace_back(scores.begin() + begin, scores.begin() + ends[s]);
    }
    return found;
  }

  const FakeField& any_field() {
    return fields[below(random, static_cast<std::uint32_t>(fields.size()))];
  }

  std::vector<SortKey> sort_keys() {
    std::vector<SortKey> keys;
    for (std::uint32_t n = 1 + below(random, kMaxSortKeys); n > 0; --n) {
      const std::string field = below(random, 4) == 0 ? "" : any_field().spec.name;
      keys.push_back({field, below(random, 2) == 0, below(random, 2) == 0});
    }
    return keys;
  }

  Random random;
  std::uint32_t documents;
  std::vector<FakeField> fields;
  std::vector<std::uint32_t> ends;
  std::vector<bool> matches;
  std::vector<float> scores;
};

class Columns : public ::testing::TestWithParam<unsigned> {};

/// One thread and many give what the loop gives; `compare` looks at the results of a case.
template <class Ask, class Compare>
void for_cases(unsigned first, const Ask& ask, const Compare& compare) {
  for (unsigned seed = first; seed < kCases; seed += 10) {
    Case one(seed);
    const index::Index index = one.index();
    const ColumnQuery query = ask(one);
    const Matches matches = one.matches_in(index, true);
    const ColumnResults single = run_columns(index, matches, query, {.threads = 1});
    EXPECT_EQ(single, run_columns(index, matches, query, {.threads = 64})) << "seed " << seed;
    // Columns that stay decoded: all of them, some, none.
    DecodedColumns decoded(std::uint64_t{4} << seed % 16);
    const ColumnsInUse columns(decoded, index);
    const ColumnContext context{index, matches, 2, {}, nullptr, &columns};
    EXPECT_EQ(single, look_at_columns(context, query)) << "seed " << seed;
    EXPECT_EQ(single, look_at_columns(context, query)) << "again, seed " << seed;
    const ColumnReference reference(one.fields, one.matches, one.scores);
    EXPECT_EQ(single.count, reference.matching().size());
    compare(reference, query, single);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
}

TEST_P(Columns, SortedHitsAreThoseOfALoop) {
  const auto ask = [](Case& one) {
    return ColumnQuery{.sort = one.sort_keys(), .k = below(one.random, one.documents + 20)};
  };
  for_cases(GetParam(), ask,
            [](const ColumnReference& reference, const ColumnQuery& query, const ColumnResults& r) {
              EXPECT_EQ(r.hits, reference.sorted(query.sort, query.k));
            });
}

/// Behind any hit of the order, also one whose document has been deleted since.
TEST_P(Columns, PagesAreThoseOfALoop) {
  std::vector<Hit> behind;
  const auto ask = [&](Case& one) {
    ColumnQuery query{.sort = one.sort_keys(), .k = below(one.random, 30)};
    const ColumnReference reference(one.fields, one.matches, one.scores);
    behind = reference.sorted(query.sort, one.documents);
    if (behind.empty()) return query;
    const auto at = behind.begin() + below(one.random, static_cast<std::uint32_t>(behind.size()));
    query.after = *at;
    if (below(one.random, 2) == 0) one.matches[at->docid] = false;
    behind.erase(behind.begin(), at + 1);
    behind.resize(std::min<std::size_t>(behind.size(), query.k));
    return query;
  };
  for_cases(GetParam(), ask,
            [&](const ColumnReference&, const ColumnQuery&, const ColumnResults& r) {
              EXPECT_EQ(r.hits, behind);
            });
}

TEST_P(Columns, WithoutKeysTheBestScoresComeFirst) {
  const auto ask = [](Case& one) { return ColumnQuery{.k = below(one.random, 30)}; };
  for_cases(GetParam(), ask,
            [](const ColumnReference& reference, const ColumnQuery& query, const ColumnResults& r) {
              EXPECT_EQ(r.hits, reference.sorted({{.field = "", .descending = true}}, query.k));
            });
}

TEST_P(Columns, FacetsAreThoseOfALoop) {
  const auto ask = [](Case& one) {
    ColumnQuery query{.k = 0};
    for (int n = 0; n < 2; ++n) {
      query.facets.push_back({one.any_field().spec.name, below(one.random, 20)});
    }
    return query;
  };
  for_cases(GetParam(), ask,
            [](const ColumnReference& reference, const ColumnQuery& query, const ColumnResults& r) {
              for (std::size_t i = 0; i < query.facets.size(); ++i) {
                const Facet expected = reference.facet(query.facets[i]);
                EXPECT_EQ(r.facets[i], expected)
                    << ::testing::PrintToString(r.facets[i].values.size()) << " "
                    << ::testing::PrintToString(expected.values.size());
              }
            });
}

TEST_P(Columns, CountsAndExtremesAreThoseOfALoop) {
  const auto ask = [](Case& one) {
    return ColumnQuery{.k = 0, .aggregates = {one.any_field().spec.name}};
  };
  for_cases(GetParam(), ask,
            [](const ColumnReference& reference, const ColumnQuery& query, const ColumnResults& r) {
              Aggregate made = r.aggregates[0];
              made.sum.reset();  // aggregates_test.cpp
              made.mean.reset();
              EXPECT_EQ(made, reference.aggregate(query.aggregates[0]));
            });
}

TEST_P(Columns, GroupsAreThoseOfALoop) {
  const auto ask = [](Case& one) {
    ColumnQuery query;
    if (below(one.random, 3) != 0) query.sort = one.sort_keys();
    query.group = GroupRequest{"group", below(one.random, 12), below(one.random, 6)};
    return query;
  };
  for_cases(GetParam(), ask,
            [](const ColumnReference& reference, const ColumnQuery& query, const ColumnResults& r) {
              auto keys = query.sort;
              if (keys.empty()) keys.push_back({.field = "", .descending = true});
              EXPECT_EQ(*r.grouping, reference.grouping(*query.group, keys));
              EXPECT_TRUE(r.hits.empty());
            });
}

TEST_P(Columns, ValuesOfDocumentsAreThoseThatTheyWereGiven) {
  for (unsigned seed = GetParam(); seed < kCases; seed += 10) {
    Case one(seed);
    const index::Index index = one.index();
    std::vector<std::uint32_t> docids;
    std::vector<std::size_t> fields;
    for (int n = 0; n < 20; ++n) docids.push_back(below(one.random, one.documents));
    for (std::size_t f = one.fields.size(); f-- > 0;) fields.push_back(f);
    const auto values = field_values(index, fields, docids);
    ASSERT_EQ(values.size(), docids.size());
    for (std::size_t i = 0; i < docids.size(); ++i) {
      for (std::size_t f = 0; f < fields.size(); ++f) {
        FieldValues expected;
        for (auto& value : ColumnReference::values(one.fields[fields[f]], docids[i])) {
          expected.push_back(value.text);
        }
        ASSERT_EQ(values[i][f], expected) << "seed " << seed;
      }
    }
  }
}

/// Segments of several chunks, and values that go on in the next block.
TEST(LargeColumns, AreThoseOfALoopSlow) {
  constexpr std::uint32_t kDocuments = 150'000;
  Random random(11);
  std::vector<FakeField> fields{
      {{.name = "tag", .type = index::FieldType::kKeyword, .multi = true}, {}, {}},
      {{.name = "n", .multi = true}, {}, {}},
      {{.name = "year", .bits = 16}, {}, {}}};
  for (std::uint32_t d = 0; d < kDocuments; ++d) {
    fields[0].texts.emplace_back();
    fields[1].keys.emplace_back();
    for (std::uint32_t n = below(random, 4); n > 0; --n) {
      fields[0].texts.back().push_back(test::random_keyword(random, test::Spread::kMany));
      fields[1].keys.back().push_back(test::signed_key(std::int64_t{below(random, 1000)} - 500));
    }
    fields[2].keys.emplace_back();
    if (d % 5 != 0) fields[2].keys.back().push_back(test::signed_key(d / 500 + below(random, 9)));
  }
  const index::Index index = test::fake_index(fields, {140'000, kDocuments});
  const ColumnQuery query{
      .sort = {{.field = "year", .descending = true}, {.field = "n"}, {.field = "tag"}},
      .k = 1000,
      .facets = {{"tag", 50}, {"year", 7}, {"n", 12}},
      .aggregates = {"n", "tag"}};
  const ColumnResults single = run_columns(index, all_documents(index), query, {.threads = 1});
  EXPECT_EQ(single, run_columns(index, all_documents(index), query, {.threads = 8}));
  const ColumnReference reference(fields, std::vector<bool>(kDocuments, true), {});
  EXPECT_EQ(single.hits, reference.sorted(query.sort, query.k));
  for (std::size_t i = 0; i < query.facets.size(); ++i) {
    EXPECT_EQ(single.facets[i], reference.facet(query.facets[i]));
  }
  EXPECT_EQ(single.aggregates[1], reference.aggregate("tag"));
  const ColumnQuery grouped{.sort = query.sort, .group = GroupRequest{"tag", 9, 4}};
  EXPECT_EQ(run_columns(index, all_documents(index), grouped).grouping,
            reference.grouping(*grouped.group, grouped.sort));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Columns, ::testing::Range(0u, 10u));

}  // namespace
}  // namespace gannet::query
