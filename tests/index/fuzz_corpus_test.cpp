// The kept inputs of the fuzz targets of files and of text analysis.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/analyzer_target.hpp"
#include "bench/fuzz/column_file_target.hpp"
#include "bench/fuzz/fields_target.hpp"
#include "bench/fuzz/index_target.hpp"
#include "bench/fuzz/manifest_target.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Texts) { replay_corpus("analyzer", fuzz::try_analyzer); }

TEST(FuzzCorpus, ColumnFiles) { replay_corpus("column_file", fuzz::try_column_file); }

TEST(FuzzCorpus, Fields) { replay_corpus("fields", fuzz::try_fields); }

TEST(FuzzCorpus, Indexes) { replay_corpus("index", fuzz::try_index); }

TEST(FuzzCorpus, Manifests) { replay_corpus("manifest", fuzz::try_manifest); }

}  // namespace
}  // namespace gannet::test
