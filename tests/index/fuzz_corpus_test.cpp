// The kept inputs of the fuzz targets of files.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/column_file_target.hpp"
#include "bench/fuzz/index_targets.hpp"
#include "bench/fuzz/manifest_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, ColumnFiles) { replay_corpus("fuzz_column_file", fuzz::try_column_file); }

TEST(FuzzCorpus, Manifests) { replay_corpus("fuzz_manifest", fuzz::try_manifest); }

TEST(FuzzCorpus, Indexes) { replay_corpus("fuzz_index", fuzz::try_index); }

}  // namespace
}  // namespace gannet::test
