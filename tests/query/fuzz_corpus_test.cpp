// The kept inputs of the fuzz target of the query language.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/query_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Queries) { replay_corpus("query", fuzz::try_query); }

}  // namespace
}  // namespace gannet::test
