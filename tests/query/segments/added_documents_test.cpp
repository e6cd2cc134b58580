// Queries on an index that was added to give what one that was built at once gives, to the bit.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "index/updates/add.hpp"
#include "query/columns/column_query.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {
namespace {

class AddedToIndex : public ::testing::Test {
 protected:
  std::shared_ptr<const index::Index> built(const std::string& name,
                                            const std::vector<std::size_t>& ends) {
    const auto path = folder_.path() / name;
    index::BuildOptions options;
    options.write.schema = texts_schema(2);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      TextsSource source(documents_, begin, end);
      if (begin == 0) {
        index::build_index(source, path, options);
      } else {
        index::add_documents(source, path, index::options_to_add_to(path));
      }
      begin = end;
    }
    return std::make_shared<const index::Index>(index::Index::open(path));
  }

  static query::Searcher searcher(std::shared_ptr<const index::Index> index) {
    query::SearcherOptions options{.backend = query::BackendChoice::kCpu};
    options.cpu.bounds_bits = 1000;
    return query::Searcher(std::move(index), options);
  }

  TemporaryDirectory folder_;
  std::vector<TextsDocument> documents_ = random_texts(2000, 2, 17);
};

TEST_F(AddedToIndex, ScoresAreThoseOfOneIndex) {
  const query::Searcher whole = searcher(built("whole", {2000}));
  const std::vector<std::string> texts{
      "w1",         "w1 w5 w9",          "+w2 w3 -w4", "w1^2.5 (w2 OR w17)", "f0:w3 w4",
      "f1:(w1 w2)", "w0 w1 w2 w3 w4 w5", "NOT w1",     "+f0:w1 +f1:w2",      "w19 w18^0.5"};
  std::mt19937 random(3);
  for (int history = 0; history < 7; ++history) {
    std::vector<std::size_t> ends;
    for (std::size_t end = 1 + random() % 900; end < 2000; end += 1 + random() % 700) {
      ends.push_back(end);
    }
    ends.push_back(2000);
    const query::Searcher parts = searcher(built(std::to_string(history), ends));
    ASSERT_EQ(parts.index().segments().size(), ends.size());
    for (const std::string& text : texts) {
      for (const std::uint32_t k : {10u, 2000u}) {
        for (const char* scorer : {"bm25", "bm25f", "dirichlet"}) {
          query::Query asked{.text = text, .k = k};
          asked.scorer = query::parse_scorer(scorer, "", {});
          const query::Plan expected_plan = whole.plan(asked);
          const query::Plan plan = parts.plan(asked);
          const query::Results expected =
              whole.search(std::span(&expected_plan, 1), nullptr, {.exhaustive = true});
          for (const bool exhaustive : {false, true}) {
            const query::Results found =
                parts.search(std::span(&plan, 1), nullptr, {.exhaustive = exhaustive});
            expect_same(found[0], expected[0], plan);
            if (HasFatalFailure()) {
              ADD_FAILURE() << text << " by " << scorer << " in " << ends.size() << " segments";
              return;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gannet::test
