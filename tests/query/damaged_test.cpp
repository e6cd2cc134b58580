// Postings that were damaged on disk without harming the structure that opening checks: a query
// over them ends in a FormatError or in an answer, never in an access outside the index.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "codecs/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

std::filesystem::path postings_file(const std::filesystem::path& index) {
  for (const auto& entry : std::filesystem::directory_iterator(index)) {
    if (entry.path().extension() == ".postings") return entry.path();
  }
  throw std::runtime_error("no postings file");
}

void flip_bit(const std::filesystem::path& file, std::uint64_t bit) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(bit / 8));
  stream.put(static_cast<char>(byte ^ 1 << bit % 8));
}

/// Answers, errors, or nothing to open: counts how often a query found damage.
int query_damaged(const std::filesystem::path& path, BackendChoice backend) {
  try {
    const auto index = std::make_shared<index::Index>(index::Index::open(path));
    SearcherOptions options;
    options.backend = backend;
    Searcher searcher(index, options);
    for (const Want want : {Want::kTopK, Want::kDocids}) {
      for (const char* text : {"t0 t1 t2 t3 t4 t5 t6 t7", "+t0 +t1 t5", "t4 AND NOT t2"}) {
        Query query;
        query.text = text;
        query.want = want;
        query.k = 100;
        searcher.search(query);
      }
    }
  } catch (const FormatError&) {
    return 1;
  }
  return 0;
}

TEST(DamagedPostings, EndInAnErrorOrAnAnswer) {
  const test::TemporaryDirectory directory;
  const auto collection = test::random_collection(3000, 8, 3);
  std::mt19937_64 random(5);
  int found = 0;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    index::WriteOptions options;
    options.docid_codec = &codec;
    options.overwrite = true;
    const auto path = directory.path() / "index";
    test::write_index(path, collection, options);
    for (int round = 0; round < 40; ++round) {
      const auto file = postings_file(path);
      const std::uint64_t bit = random() % (std::filesystem::file_size(file) * 8);
      flip_bit(file, bit);
      found += query_damaged(path, BackendChoice::kCpu);
      if (cuda_available()) query_damaged(path, BackendChoice::kCuda);
      flip_bit(file, bit);
    }
    EXPECT_EQ(query_damaged(path, BackendChoice::kCpu), 0) << "the flips were taken back";
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace gannet::query
