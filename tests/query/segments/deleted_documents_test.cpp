// Deleted documents are in no answer; scores of the others are what they were.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "index/updates/add.hpp"
#include "index/updates/remove.hpp"
#include "query/options/expansion.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/fields.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using IndexPointer = std::shared_ptr<const index::Index>;

Searcher cpu(IndexPointer index, double bounds_bits) {
  return Searcher(std::move(index),
                  {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = bounds_bits}});
}

Plan for_all(const Plan& plan, Want want, std::uint32_t k, const Filter& filter) {
  Plan::Parts parts{want, k, plan.scorer(), plan.collection(), {}, {}, filter};
  parts.terms.assign(plan.terms().begin(), plan.terms().end());
  parts.expression = plan.expression();
  return Plan(std::move(parts));
}

/// What the plan is to find if `gone` is deleted, by a search of all of it.
Result left_of(const Searcher& whole, const Plan& plan, const std::vector<bool>& gone) {
  const Plan all = plan.with_k(0xffffffff);
  const Results found = whole.search({&all, 1}, nullptr, {.stop = {}, .exhaustive = true});
  Result left;
  if (plan.want() == Want::kCount) {
    const Plan docids = plan.with_want(Want::kDocids);
    left = left_of(whole, docids, gone);
    return {left.count, {}, {}};
  }
  for (const Hit hit : found[0].hits()) {
    if (gone[hit.docid]) continue;
    if (plan.want() == Want::kTopK && left.docids.size() == plan.k()) break;
    left.docids.push_back(hit.docid);
    if (plan.want() == Want::kTopK) left.scores.push_back(hit.score);
  }
  left.count = left.docids.size();
  return left;
}

void expect_gone(const test::Collection& collection, const std::vector<std::uint32_t>& ends,
                 const std::vector<bool>& gone, unsigned seed) {
  const test::TemporaryDirectory folder;
  const auto fields = test::random_fields(collection.documents(), seed);
  const IndexPointer index =
      test::with_fields(*test::write_segments(folder / "index", collection, ends), fields);
  const IndexPointer deleted = test::with_deleted(*index, gone);
  const Searcher whole = cpu(index, 2.5);
  test::RandomFilters filters(fields, seed);
  std::vector<Plan> plans;
  for (const Plan& plan : test::Queries(seed).plans(whole, 60, test::kAnyK)) {
    const Want want = plans.size() % 5 == 0   ? Want::kCount
                      : plans.size() % 5 == 1 ? Want::kDocids
                                              : Want::kTopK;
    plans.push_back(
        for_all(plan, want, plan.k(), plans.size() % 3 == 0 ? filters.next() : Filter()));
  }
  for (const double bits : {0.0, 2.5, 100.0}) {
    const Searcher searcher = cpu(deleted, bits);
    const Results results = searcher.search(plans);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const Result expected = left_of(whole, plans[i], gone);
      test::expect_same(results[i], {expected.count, expected.docids, expected.scores}, plans[i]);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(DeletedDocuments, AreInNoAnswer) {
  const auto gone = test::random_deletions;
  expect_gone(test::random_collection(6000, test::kTerms, 1), {6000}, gone(6000, 0.01, 1, 0, 0), 1);
  expect_gone(test::random_collection(6000, test::kTerms, 2), {6000}, gone(6000, 0.5, 2, 100, 3000),
              2);
  // None of the first segment, all of the second, most of the third.
  auto most = gone(9001, 0.9, 3, 64, 5000);
  std::fill(most.begin(), most.begin() + 64, false);
  expect_gone(test::random_collection(9001, test::kTerms, 3), {64, 5000, 9001}, most, 3);
  expect_gone(test::random_collection(300, test::kTerms, 4), {100, 300}, gone(300, 0, 4, 0, 300),
              4);
}

TEST(DeletedDocuments, AreInNoAnswerOfHardCollections) {
  unsigned seed = 20;
  for (const test::NamedCollection& hard : test::hard_collections()) {
    SCOPED_TRACE(hard.name);
    const std::uint32_t documents = hard.collection.documents();
    ++seed;
    expect_gone(hard.collection, {documents / 3, documents},
                test::random_deletions(documents, 0.2, seed), seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(DeletedDocuments, ArePlannedForAndExplained) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(500, test::kTerms, 5);
  const IndexPointer index = test::write_segments(folder / "index", collection, {500});
  const Searcher whole = cpu(index, 2.5);
  const Searcher some = cpu(test::with_deleted(*index, test::random_deletions(500, 0.3, 6)), 2.5);
  EXPECT_FALSE(whole.plan({.text = "t1"}).live());
  const Plan plan = some.plan({.text = "t1"});
  EXPECT_TRUE(plan.live());
  EXPECT_NE(to_string(plan).find("filter\n  live\n"), std::string::npos) << to_string(plan);
  // A plan that was made before finds the same.
  const Plan old = whole.plan({.text = "t1"});
  const Results expected = some.search({&plan, 1});
  const Results found = some.search({&old, 1});
  test::expect_same(found[0], expected[0], plan);
  // And a plan made after finds on the whole what it did.
  const Results of_whole = whole.search({&old, 1});
  const Results again = whole.search({&plan, 1});
  test::expect_same(again[0], of_whole[0], plan);
}

TEST(DeletedDocuments, AreInNoExpansion) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(3000, test::kTerms, 7);
  const IndexPointer index = test::write_segments(folder / "index", collection, {1000, 3000});
  const auto gone = test::random_deletions(3000, 0.4, 8);
  const Searcher some = cpu(test::with_deleted(*index, gone), 2.5);
  std::vector<Plan> plans{some.plan({.text = "t1 t2", .k = 20}), some.plan({.text = "+t3 -t4"})};
  for (const Plan& plan : some.expand(plans, parse_expansion("rm3"))) {
    EXPECT_TRUE(plan.live());
    const Results results = some.search({&plan, 1});
    for (const Hit hit : results[0].hits()) EXPECT_FALSE(gone[hit.docid]);
  }
}

/// A field says which documents will be deleted, so that a filter gives what columns are to find.
class DeletedColumns : public ::testing::Test {
 protected:
  DeletedColumns() {
    std::vector<test::FieldValues> fields = test::random_fields(kDocuments, 9);
    gone_ = test::random_deletions(kDocuments, 0.35, 10, 2000, 3500);
    index::FieldSpec spec{.name = "gone", .type = index::FieldType::kBoolean};
    test::FieldValues field{spec, {}};
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      field.values.push_back({gone_[d] ? "true" : "false"});
    }
    fields.push_back(field);
    index_ = test::with_fields(
        *test::write_segments(folder_ / "index", collection_, {2000, 3500, kDocuments}), fields);
    for (const test::FieldValues& one : fields) names_.push_back(one.spec.name);
  }

  static constexpr std::uint32_t kDocuments = 6000;
  test::TemporaryDirectory folder_;
  test::Collection collection_ = test::random_collection(kDocuments, test::kTerms, 11);
  std::vector<bool> gone_;
  IndexPointer index_;
  std::vector<std::string> names_;
};

TEST_F(DeletedColumns, AreOfWhatIsLeft) {
  const Searcher whole = cpu(index_, 2.5);
  const Searcher some = cpu(test::with_deleted(*index_, gone_), 2.5);
  for (const std::string text : {"t1", "t1 t5", "NOT t2", "*:*", "+t3 -t1", "t13"}) {
    for (const std::string& name : names_) {
      for (const bool descending : {false, true}) {
        ColumnQuery wanted{.sort = {{.field = name, .descending = descending}, {.field = ""}},
                           .k = 50,
                           .facets = {{name, 20}},
                           .aggregates = {name}};
        const Plan plan = some.plan({.text = text});
        const Plan same = whole.plan({.text = text, .filter = Filter::equal("gone", "false")});
        const ColumnResults found = search_columns(some, plan, wanted, {});
        const ColumnResults expected = search_columns(whole, same, wanted, {});
        EXPECT_TRUE(std::ranges::equal(found.hits, expected.hits)) << text << " by " << name;
        EXPECT_EQ(found.count, expected.count) << text;
        EXPECT_EQ(found.facets, expected.facets) << text << " of " << name;
        EXPECT_EQ(found.aggregates, expected.aggregates) << text << " of " << name;
      }
    }
  }
}

class Refreshed : public ::testing::Test {
 protected:
  Refreshed() {
    test::VectorSource source(test::random_documents(200, 50, 20, 1), 10);
    index::build_index(source, path_, {});
  }
  void add(std::size_t first, std::size_t count) {
    auto documents = test::random_documents(first + count, 50, 20, 1);
    documents.erase(documents.begin(), documents.begin() + static_cast<std::ptrdiff_t>(first));
    test::VectorSource source(std::move(documents), 10);
    index::add_documents(source, path_, index::options_to_add_to(path_));
  }
  std::uint64_t count(const Searcher& searcher) const {
    return searcher.search({.text = "*:*", .want = Want::kCount}).count;
  }

  test::TemporaryDirectory folder_;
  std::filesystem::path path_ = folder_.path() / "idx";
};

TEST_F(Refreshed, SearchersSeeWhatWasCommitted) {
  const auto open = [&] { return std::make_shared<const index::Index>(index::Index::open(path_)); };
  const Searcher first = cpu(open(), 2.5);
  EXPECT_FALSE(first.refresh().has_value());
  add(200, 50);
  const std::optional<Searcher> second = first.refresh();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(count(first), 200u) << "it keeps what it has";
  EXPECT_EQ(count(*second), 250u);
  EXPECT_EQ(second->index().segments()[0], first.index().segments()[0]) << "shared";
  {
    index::DocumentRemover remover(path_);
    EXPECT_TRUE(remover.remove("doc-0"));
    EXPECT_TRUE(remover.remove("doc-210"));
    remover.commit();
  }
  EXPECT_EQ(count(*second), 250u);
  const std::optional<Searcher> third = second->refresh();
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(count(*third), 248u);
  EXPECT_EQ(third->index().segments(), second->index().segments()) << "only marked";
  EXPECT_FALSE(third->refresh().has_value());
}

TEST_F(Refreshed, AnotherIndexInItsPlaceIsSeen) {
  const Searcher before = cpu(std::make_shared<const index::Index>(index::Index::open(path_)), 0);
  std::filesystem::remove_all(path_);
  test::VectorSource source(test::random_documents(30, 50, 20, 2), 10);
  index::build_index(source, path_, {});
  const std::optional<Searcher> after = before.refresh();
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(after->index().generation(), before.index().generation());
  EXPECT_EQ(count(*after), 30u);
  EXPECT_EQ(count(before), 200u);
}

TEST_F(Refreshed, IndexesInMemoryAreNot) {
  const index::Index opened = index::Index::open(path_);
  const Searcher searcher = cpu(
      std::make_shared<const index::Index>(opened.segments(), opened.analyzer(), opened.defaults()),
      2.5);
  EXPECT_THROW(searcher.refresh(), UsageError);
}

}  // namespace
}  // namespace gannet::query
