// The kept inputs of the fuzz target of deflate.
#include "bench/fuzz/deflate_target.hpp"
#include "tests/support/fuzz_corpus.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Deflate) { replay_corpus("fuzz_deflate", fuzz::try_deflate); }

}  // namespace
}  // namespace gannet::test
