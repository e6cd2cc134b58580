// The kept inputs of the fuzz targets of queries and plans.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/plan_target.hpp"
#include "bench/fuzz/query_target.hpp"
#include "bench/fuzz/snippet_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Queries) { replay_corpus("query", fuzz::try_query); }
TEST(FuzzCorpus, Plans) { replay_corpus("plan", fuzz::try_plan); }
TEST(FuzzCorpus, Snippets) { replay_corpus("snippet", fuzz::try_snippet); }

}  // namespace
}  // namespace gannet::test
