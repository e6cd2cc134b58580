// The kept inputs of the fuzz targets of codecs.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/codecs_target.hpp"
#include "bench/fuzz/roundtrip_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Codecs) { replay_corpus("fuzz_codecs", fuzz::try_codec); }

TEST(FuzzCorpus, Roundtrips) { replay_corpus("fuzz_roundtrip", fuzz::try_roundtrip); }

}  // namespace
}  // namespace gannet::test
