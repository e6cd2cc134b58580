// What posting lists say of documents against the documents.
#include "query/expansion/document_vectors.hpp"

#include <gmock/gmock.h>
#include <tbb/task_arena.h>

#include <map>
#include <random>
#include <set>

#include "codecs/base/error.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Terms and frequencies of a document, in the order of the terms.
using Vector = std::vector<std::pair<std::string, std::uint32_t>>;

Vector vector_of(const DocumentVectors& vectors, std::size_t document) {
  Vector vector;
  for (const DocumentTerm& term : vectors.of(document)) {
    vector.emplace_back(vectors.vocabulary[term.term].text, term.frequency);
  }
  return vector;
}

/// Document frequencies of a collection's terms.
std::map<std::string, std::uint64_t> frequencies_of(const test::Collection& collection) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [term, frequencies] : collection.frequencies) {
    counts[term] = collection.document_frequency(term);
  }
  return counts;
}

Vector vector_of(const test::Collection& collection, std::uint32_t docid) {
  Vector vector;
  for (const auto& [term, frequencies] : collection.frequencies) {
    if (frequencies[docid] != 0) vector.emplace_back(term, frequencies[docid]);
  }
  return vector;
}

std::vector<index::Docid> some_documents(std::uint32_t documents, std::size_t count,
                                         unsigned seed) {
  std::mt19937 random(seed);
  std::set<index::Docid> some;
  while (some.size() < count) some.insert(static_cast<index::Docid>(random() % documents));
  return {some.begin(), some.end()};
}

void expect_documents(const test::Collection& collection, const index::Index& index,
                      const std::vector<index::Docid>& documents, std::uint64_t max_df) {
  const DocumentVectors vectors = gather_document_vectors(index, documents, max_df, {});
  ASSERT_EQ(vectors.offsets.size(), documents.size() + 1);
  const auto counts = frequencies_of(collection);
  const auto frequent = [&](const auto& term) { return counts.at(term.first) > max_df; };
  for (std::size_t i = 0; i < documents.size(); ++i) {
    // A term that is frequent only in all segments together is left to the caller, who is told.
    Vector found = vector_of(vectors, i);
    if (index.segments().size() > 1) std::erase_if(found, frequent);
    Vector expected = vector_of(collection, documents[i]);
    std::erase_if(expected, frequent);
    ASSERT_EQ(found, expected) << "document " << documents[i];
  }
  for (const VocabularyTerm& term : vectors.vocabulary) {
    EXPECT_EQ(term.document_frequency, counts.at(term.text)) << term.text;
  }
  EXPECT_TRUE(std::ranges::is_sorted(vectors.vocabulary, {}, &VocabularyTerm::text));
}

class DocumentVectorsOf : public testing::Test {
 protected:
  static constexpr std::uint32_t kDocuments = 20'000;
  test::TemporaryDirectory directory_;
  test::Collection collection_ = test::random_collection(kDocuments, 40, 17);
};

TEST_F(DocumentVectorsOf, ListsAreThoseOfTheDocuments) {
  const auto index = test::write_index(directory_.path(), collection_);
  for (const std::size_t count : {1u, 10u, 300u, 5000u}) {
    expect_documents(collection_, *index, some_documents(kDocuments, count, 3), kAll);
  }
  expect_documents(collection_, *index, {0, kDocuments - 1}, kAll);
  expect_documents(collection_, *index, {}, kAll);
}

TEST_F(DocumentVectorsOf, EveryDocument) {
  const auto index = test::write_index(directory_.path(), collection_);
  std::vector<index::Docid> all(kDocuments);
  for (std::uint32_t i = 0; i < kDocuments; ++i) all[i] = i;
  expect_documents(collection_, *index, all, kAll);
}

TEST_F(DocumentVectorsOf, FrequentTermsAreLeftOut) {
  const auto index = test::write_index(directory_.path(), collection_);
  for (const std::uint64_t max_df : {0u, 20u, 127u, 128u, 2000u, 20'000u}) {
    expect_documents(collection_, *index, some_documents(kDocuments, 200, 5), max_df);
  }
}

TEST_F(DocumentVectorsOf, SegmentsShareAVocabulary) {
  collection_.frequencies["first"] = std::vector<std::uint32_t>(kDocuments, 0);
  collection_.frequencies["first"][3] = 2;
  collection_.frequencies["last"] = std::vector<std::uint32_t>(kDocuments, 0);
  collection_.frequencies["last"][kDocuments - 1] = 1;
  const auto index =
      test::write_segments(directory_.path(), collection_, {1, 7'000, 19'999, kDocuments});
  for (const std::uint64_t max_df : {kAll, std::uint64_t{2000}}) {
    expect_documents(collection_, *index, some_documents(kDocuments, 500, 9), max_df);
    expect_documents(collection_, *index, {3, kDocuments - 1}, max_df);
    expect_documents(collection_, *index, {12'000}, max_df);
  }
}

TEST_F(DocumentVectorsOf, ThreadsChangeNothing) {
  const auto index = test::write_index(directory_.path(), collection_);
  const auto documents = some_documents(kDocuments, 1000, 21);
  const auto flat = [&](int threads) {
    tbb::task_arena arena(threads);
    std::vector<Vector> all;
    arena.execute([&] {
      const DocumentVectors vectors = gather_document_vectors(*index, documents, kAll, {});
      for (std::size_t i = 0; i < documents.size(); ++i) all.push_back(vector_of(vectors, i));
    });
    return all;
  };
  EXPECT_EQ(flat(1), flat(2));
}

TEST_F(DocumentVectorsOf, TilesWithoutADocumentAreNotDecoded) {
  const auto index = test::write_index(directory_.path(), collection_);
  const DocumentVectors few = gather_document_vectors(*index, std::vector{77u}, kAll, {});
  // At most a tile a list.
  EXPECT_LE(few.tiles_decoded, collection_.frequencies.size());
  EXPECT_GT(few.tiles_total, 10 * few.tiles_decoded);
  const DocumentVectors many =
      gather_document_vectors(*index, some_documents(kDocuments, 10'000, 2), kAll, {});
  EXPECT_EQ(many.tiles_total, few.tiles_total);
  EXPECT_GT(many.tiles_decoded, many.tiles_total / 2);
  EXPECT_LE(many.tiles_decoded, many.tiles_total);
}

TEST_F(DocumentVectorsOf, CanBeStopped) {
  const auto index = test::write_index(directory_.path(), collection_);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(gather_document_vectors(*index, std::vector{1u}, kAll, source.get_token()),
               CancelledError);
}

}  // namespace
}  // namespace gannet::query
