// The kept inputs of the fuzz targets of codecs.
#include "gannet/bench/fuzz/codecs_target.hpp"
#include "gannet/bench/fuzz/roundtrip_target.hpp"
#include "gannet/tests/fuzz_corpus.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Codecs) { replay_corpus("fuzz_codecs", fuzz::try_codec); }

TEST(FuzzCorpus, Roundtrips) { replay_corpus("fuzz_roundtrip", fuzz::try_roundtrip); }

}  // namespace
}  // namespace gannet::test
