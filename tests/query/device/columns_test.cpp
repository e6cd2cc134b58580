// What columns say of matches on the GPU against what the CPU finds: the same facets, hits in the
// same order, the same counts.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

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
        if (below(random, 4) == 0) query.sort.push_back({.field = "", .descending = true});
      }
      for (std::uint32_t n = below(random, 3); n > 0; --n) {
        query.facets.push_back({"f" + std::to_string(below(random, 4)), 1 + below(random, 20)});
      }
      if (below(random, 5) == 0) query.aggregates.push_back("f0");
      const ColumnResults found = search_columns(device, plan, query);
      const ColumnResults expected = search_columns(host, plan, query);
      ASSERT_EQ(found.count, expected.count);
      ASSERT_EQ(found.facets, expected.facets);
      ASSERT_EQ(found.hits, expected.hits);
      ASSERT_EQ(found, expected);
    }
  }
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
