// What columns say of matches on the GPU against what the CPU finds: the same facets, hits in the
// same order, the same counts.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/gpu/device/columns/device_fields.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::below;
using test::Collection;
using test::FakeField;

class CudaColumns : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void open(const Collection& collection, const std::vector<std::uint32_t>& ends,
            std::vector<FakeField> fields) {
    fields_ = std::move(fields);
    directory_ = std::make_unique<test::TemporaryDirectory>();
    index_ =
        test::with_fields(*test::write_segments(*directory_ / "index", collection, ends), fields_);
  }

  Searcher gpu(std::uint64_t column_bytes = std::uint64_t{256} << 20) const {
    SearcherOptions options{.backend = BackendChoice::kCuda, .cpu = {}, .cuda = {}};
    options.cuda.pool_bytes = std::uint64_t{256} << 20;
    options.cuda.column_bytes = column_bytes;
    options.cuda.column_documents = 0;
    return Searcher(index_, options);
  }
  Searcher cpu() const {
    return Searcher(index_, {.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}});
  }

  /// A keyword with so many values, in most documents.
  static FakeField keyword(const std::string& name, std::uint32_t documents, std::uint32_t values,
                           unsigned seed) {
    test::Random random(seed);
    FakeField field{{.name = name, .type = index::FieldType::kKeyword}, {}, {}};
    for (std::uint32_t d = 0; d < documents; ++d) {
      field.texts.emplace_back();
      if (below(random, 20) != 0) {
        field.texts.back().push_back("k" + std::to_string(below(random, values)));
      }
    }
    return field;
  }
  /// A number in all documents, below `most`.
  static FakeField number(const std::string& name, std::uint32_t documents, std::uint32_t most,
                          unsigned seed) {
    test::Random random(seed);
    FakeField field{{.name = name, .bits = 32}, {}, {}};
    for (std::uint32_t d = 0; d < documents; ++d) {
      field.keys.push_back({test::signed_key(below(random, most))});
    }
    return field;
  }

  /// Up to three of so many keywords a document.
  static FakeField several(const std::string& name, std::uint32_t documents, std::uint32_t values,
                           unsigned seed) {
    test::Random random(seed);
    FakeField field{{.name = name, .type = index::FieldType::kKeyword, .multi = true}, {}, {}};
    for (std::uint32_t d = 0; d < documents; ++d) {
      field.texts.emplace_back();
      for (std::uint32_t n = below(random, 4); n > 0; --n) {
        field.texts.back().push_back("k" + std::to_string(below(random, values)));
      }
    }
    return field;
  }
  /// Floats of 32 bits, most of which are small.
  static FakeField floats(const std::string& name, std::uint32_t documents, unsigned seed) {
    test::Random random(seed);
    FakeField field{{.name = name, .type = index::FieldType::kFloat32}, {}, {}};
    for (std::uint32_t d = 0; d < documents; ++d) {
      const auto size = static_cast<float>(below(random, 100000));
      const float value = below(random, 50) == 0 ? size * 1e-30f : size * 0.01f - 300.0f;
      field.keys.push_back({test::float_key(value)});
    }
    return field;
  }

  HistogramRequest some_histogram(test::Random& random) const {
    HistogramRequest request{"f" + std::to_string(below(random, 4))};
    request.step = static_cast<HistogramStep>(below(random, 5));
    request.width = std::vector<std::string>{"1", "1000", "0.5", "1e6"}[below(random, 4)];
    request.empty_bins = below(random, 2) == 0;
    return request;
  }

  static void expect_equal(const ColumnResults& found, const ColumnResults& expected) {
    EXPECT_EQ(found.count, expected.count);
    EXPECT_EQ(found.facets, expected.facets);
    EXPECT_EQ(found.histograms, expected.histograms);
    EXPECT_EQ(found.aggregates, expected.aggregates);
    EXPECT_EQ(found.hits, expected.hits);
    ASSERT_EQ(found, expected);
  }

  /// The same results from both, or the same error.
  static void expect_same(const Searcher& device, const Searcher& host, std::span<const Plan> plans,
                          const ColumnQuery& query) {
    std::vector<ColumnResults> expected;
    try {
      expected = search_columns(host, plans, query);
    } catch (const UsageError&) {
      EXPECT_THROW(search_columns(device, plans, query), UsageError);
      return;
    }
    const auto found = search_columns(device, plans, query);
    for (std::size_t i = 0; i < plans.size(); ++i) expect_equal(found[i], expected[i]);
  }

  std::vector<FakeField> fields_;
  std::unique_ptr<test::TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(CudaColumns, AnyRequestOfAnyPlan) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const std::uint32_t documents = 1 + below(random, seed % 10 == 0 ? 80000 : 3000);
    std::vector<std::uint32_t> ends{documents};
    if (seed % 3 == 0 && documents > 100) ends = {documents / 3, documents / 3 + 1, documents};
    std::vector<FakeField> fields;
    for (int f = 0; f < 4; ++f) {
      fields.push_back(test::random_field(random, "f" + std::to_string(f), documents));
    }
    open(test::random_collection(documents, test::kTerms, seed), ends, std::move(fields));
    // In the second one, few fields find room.
    const Searcher device = gpu(seed % 4 == 1 ? 5000 : std::uint64_t{64} << 20);
    const Searcher host = cpu();
    for (const Plan& plan : test::Queries(seed).plans(host, 10, {10})) {
      ColumnQuery query;
      query.k = below(random, 30);
      if (below(random, 2) == 0) {
        query.sort.push_back(
            {"f" + std::to_string(below(random, 4)), below(random, 2) == 0, below(random, 4) == 0});
        for (std::uint32_t n = below(random, 3); n > 0; --n) {
          query.sort.push_back({"f" + std::to_string(below(random, 4)), below(random, 2) == 0,
                                below(random, 4) == 0});
        }
        if (below(random, 8) == 0) query.sort.push_back({.field = "", .descending = true});
      }
      for (std::uint32_t n = below(random, 3); n > 0; --n) {
        query.facets.push_back({"f" + std::to_string(below(random, 4)), 1 + below(random, 20)});
      }
      for (std::uint32_t n = below(random, 3); n > 0; --n) {
        query.aggregates.push_back("f" + std::to_string(below(random, 4)));
      }
      query.distinct = below(random, 3) != 0;
      if (below(random, 3) == 0) query.histograms.push_back(some_histogram(random));
      if (below(random, 8) == 0 && query.sort.empty()) query.sort.push_back({.field = "f0"});
      expect_same(device, host, std::span(&plan, 1), query);
    }
  }
}

TEST_F(CudaColumns, ManyPlansAtATime) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const std::uint32_t documents = 2000 + below(random, 30000);
    std::vector<std::uint32_t> ends{documents};
    if (seed % 2 == 0) ends = {documents / 2, documents};
    std::vector<FakeField> fields;
    for (int f = 0; f < 4; ++f) {
      fields.push_back(test::random_field(random, "f" + std::to_string(f), documents));
    }
    open(test::random_collection(documents, test::kTerms, seed), ends, std::move(fields));
    const Searcher device = gpu();
    const Searcher host = cpu();
    const std::vector<Plan> plans = test::Queries(seed).plans(host, 150, {10});
    ColumnQuery query{.k = seed % 3 == 0 ? 5u : 0u,
                      .facets = {{"f0", 3}, {"f1", 100}},
                      .aggregates = {"f1", "f2", "f3"}};
    if (seed % 3 == 1) query.histograms.push_back(some_histogram(random));
    if (seed % 4 == 3) query.group = GroupRequest{"f0", 3, 2};
    expect_same(device, host, plans, query);
  }
}

TEST_F(CudaColumns, NothingOfThisIsTheHosts) {
  constexpr std::uint32_t kDocuments = 60000;
  open(test::random_collection(kDocuments, 5, 1), {kDocuments},
       {keyword("k", kDocuments, 40000, 1), number("n", kDocuments, 0xffffffff, 2),
        several("tags", kDocuments, 30, 3), floats("price", kDocuments, 4)});
  const Searcher device = gpu();
  const Searcher host = cpu();
  const ColumnQuery query{.sort = {{"n", true}},
                          .k = 10,
                          .facets = {{"k", 10}, {"tags", 5}, {"n", 3}},
                          .histograms = {{"n", HistogramStep::kWidth, "100000000"},
                                         {"price", HistogramStep::kWidth, "12.5"}},
                          .aggregates = {"k", "n", "tags", "price"}};
  std::vector<Plan> plans;
  for (const std::string text : {"t0", "t1 t2", "+t1 -t3", "NOT t1", "NOT nothing", "nothing"}) {
    plans.push_back(host.plan(Query{.text = text}));
  }
  Report report;
  const auto found = search_columns(device, plans, query, {}, &report);
  const auto expected = search_columns(host, plans, query);
  for (std::size_t i = 0; i < plans.size(); ++i) expect_equal(found[i], expected[i]);
  EXPECT_TRUE(report.host_columns.none()) << report.reason;
}

TEST_F(CudaColumns, NumbersOfDifferentValues) {
  constexpr std::uint32_t kDocuments = 150001;
  FakeField some = number("some", kDocuments, 0xffffffff, 3);
  FakeField pairs = number("pairs", kDocuments, 0xffffffff, 4);
  FakeField same{{.name = "same", .bits = 32}, {}, {}};
  test::Random random(5);
  for (std::uint32_t d = 0; d < kDocuments; ++d) {
    if (below(random, 10) == 0) some.keys[d].clear();
    if (d % 2 == 1) pairs.keys[d] = pairs.keys[d - 1];
    // Many codes are possible, few occur.
    same.keys.push_back(
        {test::signed_key(below(random, 100) * std::int64_t{20'000'011} + below(random, 2))});
  }
  open(test::random_collection(kDocuments, 5, 1), {kDocuments},
       {number("all", kDocuments, 0xffffffff, 2), some, pairs, same});
  const Searcher device = gpu();
  const Searcher host = cpu();
  std::vector<Plan> plans;
  for (const std::string text : {"t0", "t1 t2", "+t1 -t3", "NOT t1", "NOT nothing", "nothing"}) {
    plans.push_back(host.plan(Query{.text = text}));
  }
  expect_same(device, host, plans, {.k = 0, .aggregates = {"all", "some", "pairs", "same"}});
  expect_same(device, host, plans,
              {.k = 0, .facets = {{"same", 3}, {"pairs", 20}}, .aggregates = {"pairs"}});
}

TEST_F(CudaColumns, TheReportSaysWhatTheHostLookedAt) {
  constexpr std::uint32_t kDocuments = 5000;
  open(test::random_collection(kDocuments, 5, 1), {kDocuments},
       {keyword("k", kDocuments, 30, 1), number("n", kDocuments, 1000, 2)});
  const Searcher device = gpu();
  const std::vector<Plan> plans(3, device.plan(Query{.text = "t0 t1"}));
  const auto reasons = [&](const ColumnQuery& query) {
    Report report;
    search_columns(device, plans, query, {}, &report);
    EXPECT_EQ(report.queries, plans.size());
    EXPECT_EQ(report.host_columns.none(), report.reason.find("the CPU looked") == std::string::npos)
        << report.reason;
    return report.host_columns;
  };
  EXPECT_TRUE(reasons({.facets = {{"k", 3}}, .aggregates = {"n"}}).none());
  EXPECT_TRUE(reasons({.sort = {{"k", false, true}, {"n", true}}}).none());
  EXPECT_EQ(reasons({.sort = {{"k"}, {""}}})[ColumnReason::kScores], 3u);
  EXPECT_EQ(reasons({.sort = {{"k"}}, .group = GroupRequest{"k", 2, 2}})[ColumnReason::kGroups],
            3u);
}

TEST_F(CudaColumns, AFieldWithoutRoomFindsItLater) {
  constexpr std::uint32_t kDocuments = 10000;
  open(test::random_collection(kDocuments, 5, 1), {kDocuments},
       {number("a", kDocuments, 0xffffffff, 1), number("b", kDocuments, 0xffffffff, 2)});
  const index::FieldColumn& a = index_->segments()[0]->field(0);
  const index::FieldColumn& b = index_->segments()[0]->field(1);
  ASSERT_GE(cuda::DeviceField::bytes_for(a), 4u * kDocuments);
  cuda::DeviceFields one_fits(cuda::device_budget(0), 6 * kDocuments);
  tbb::task_arena arena;
  auto used = one_fits.of(a, arena, {});
  ASSERT_NE(used, nullptr);
  EXPECT_EQ(used->bytes(), cuda::DeviceField::bytes_for(a));
  EXPECT_EQ(one_fits.of(b, arena, {}), nullptr);
  used.reset();
  EXPECT_NE(one_fits.of(b, arena, {}), nullptr);
  EXPECT_EQ(one_fits.bytes(), cuda::DeviceField::bytes_for(b));
  cuda::DeviceFields none_fits(cuda::device_budget(0), kDocuments);
  EXPECT_EQ(none_fits.of(a, arena, {}), nullptr);
}

TEST_F(CudaColumns, ManyDocumentsAndCodes) {
  constexpr std::uint32_t kDocuments = 700001;
  open(test::random_collection(kDocuments, 5, 1), {kDocuments},
       {keyword("k7", kDocuments, 7, 1), keyword("k100000", kDocuments, 100000, 2),
        number("n", kDocuments, 0xffffffff, 3), number("two", kDocuments, 2, 4)});
  const Searcher device = gpu();
  const Searcher host = cpu();
  const std::vector<std::string> texts{"t0", "t1 t2", "+t1 -t3", "NOT t1", "NOT nothing"};
  for (const std::string& text : texts) {
    for (const std::string filter : {"", "k7:k3", "n:[1000000 TO 2000000000]", "two:1 OR k7:k1"}) {
      Query asked;
      asked.text = filter.empty() ? text : "(" + text + ") AND (" + filter + ")";
      const Plan plan = host.plan(asked);
      for (const std::string field : {"k7", "k100000", "n", "two"}) {
        for (const bool descending : {false, true}) {
          const ColumnQuery query{.sort = {{field, descending}},
                                  .k = field == "two" ? 2000u : 10u,
                                  .facets = {{"k7", 10}, {"k100000", 10}, {"two", 3}}};
          const ColumnResults found = search_columns(device, plan, query);
          const ColumnResults expected = search_columns(host, plan, query);
          ASSERT_EQ(found.count, expected.count) << asked.text;
          ASSERT_EQ(found.facets, expected.facets) << asked.text;
          ASSERT_EQ(found.hits, expected.hits) << asked.text << " by " << field;
        }
      }
    }
  }
}

TEST_F(CudaColumns, HitsByScoreComeWithCounts) {
  constexpr std::uint32_t kDocuments = 20000;
  open(test::random_collection(kDocuments, test::kTerms, 2), {9000, kDocuments},
       {keyword("k", kDocuments, 30, 1)});
  const Searcher device = gpu();
  const Searcher host = cpu();
  std::vector<Plan> plans = test::Queries(7).plans(host, 40, {10});
  const ColumnQuery query{.k = 12, .facets = {{"k", 5}}};
  Report report;
  EXPECT_EQ(search_columns(device, plans, query, {}, &report), search_columns(host, plans, query));
  EXPECT_EQ(report.queries, plans.size());
  EXPECT_EQ(report.backend, "cuda");
}

}  // namespace
}  // namespace gannet::query
