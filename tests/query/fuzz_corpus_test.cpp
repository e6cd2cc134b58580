// The kept inputs of the fuzz targets of queries, patterns, plans and synonyms, and of indexes that
// are written to.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/pattern_target.hpp"
#include "bench/fuzz/plan_target.hpp"
#include "bench/fuzz/query_target.hpp"
#include "bench/fuzz/snippet_target.hpp"
#include "bench/fuzz/synonyms_target.hpp"
#include "bench/fuzz/updates_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Queries) { replay_corpus("query", fuzz::try_query); }
TEST(FuzzCorpus, Patterns) { replay_corpus("pattern", fuzz::try_pattern); }
TEST(FuzzCorpus, Plans) { replay_corpus("plan", fuzz::try_plan); }
TEST(FuzzCorpus, Histories) { replay_corpus("updates", fuzz::try_updates); }
TEST(FuzzCorpus, Synonyms) { replay_corpus("synonyms", fuzz::try_synonyms); }
TEST(FuzzCorpus, Snippets) { replay_corpus("snippet", fuzz::try_snippet); }

}  // namespace
}  // namespace gannet::test
