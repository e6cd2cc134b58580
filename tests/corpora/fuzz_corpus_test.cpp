// The kept inputs of the fuzz targets of what reads collections.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/ciff_target.hpp"
#include "bench/fuzz/compressed_target.hpp"
#include "bench/fuzz/documents_target.hpp"
#include "bench/fuzz/ds2i_target.hpp"
#include "bench/fuzz/html_target.hpp"
#include "bench/fuzz/qrels_target.hpp"
#include "bench/fuzz/run_target.hpp"
#include "bench/fuzz/topics_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, CommonIndexFiles) { replay_corpus("ciff", fuzz::try_ciff); }

TEST(FuzzCorpus, CompressedFiles) { replay_corpus("compressed", fuzz::try_compressed); }

TEST(FuzzCorpus, Documents) { replay_corpus("documents", fuzz::try_documents); }

TEST(FuzzCorpus, InvertedCollections) { replay_corpus("ds2i", fuzz::try_ds2i); }

TEST(FuzzCorpus, Pages) { replay_corpus("html", fuzz::try_html); }

TEST(FuzzCorpus, Judgements) { replay_corpus("qrels", fuzz::try_qrels); }

TEST(FuzzCorpus, Runs) { replay_corpus("run", fuzz::try_run); }

TEST(FuzzCorpus, Topics) { replay_corpus("topics", fuzz::try_topics); }

}  // namespace
}  // namespace gannet::test
