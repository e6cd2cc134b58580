// External ids and the documents that have them; which documents are not deleted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/documents/id_lookup.hpp"
#include "index/index.hpp"
#include "index/segment/live_documents.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::TemporaryDirectory;
using test::TextDocument;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<Docid> found(const IdTables& tables, std::uint32_t hash) {
  std::vector<Docid> docids;
  EXPECT_TRUE(IdLookup(tables.buckets, tables.docids, tables.marks).each(hash, [&](Docid docid) {
    docids.push_back(docid);
  }));
  return docids;
}

TEST(IdTables, HaveEachDocumentOnceUnderItsHash) {
  std::mt19937 random(1);
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 16u, 17u, 1000u, 65537u}) {
    std::vector<std::uint32_t> hashes(size);
    // Some twice, and at the ends of the range.
    for (std::uint32_t& hash : hashes)
      hash = random() % 3 == 0 ? ~0u : static_cast<std::uint32_t>(random());
    if (size > 0) hashes[0] = 0;
    const IdTables tables(hashes);
    EXPECT_EQ(tables.buckets.size(), (std::size_t{1} << id_bucket_bits(size)) + 1);
    EXPECT_EQ(tables.buckets.front(), 0u);
    EXPECT_EQ(tables.buckets.back(), size);
    EXPECT_EQ(std::set<Docid>(tables.docids.begin(), tables.docids.end()).size(), size);
    for (std::size_t d = 0; d < std::min<std::size_t>(size, 2000); ++d) {
      const std::vector<Docid> docids = found(tables, hashes[d]);
      EXPECT_TRUE(std::ranges::count(docids, d) == 1) << size;
      EXPECT_TRUE(std::ranges::is_sorted(docids));
    }
  }
}

TEST(IdTables, BucketsHaveFewDocuments) {
  EXPECT_EQ(id_bucket_bits(0), 0u);
  EXPECT_EQ(id_bucket_bits(8), 0u);
  EXPECT_EQ(id_bucket_bits(9), 1u);
  EXPECT_EQ(id_bucket_bits(std::uint64_t{1} << 29), 26u);
  std::vector<std::uint32_t> hashes;
  for (int i = 0; i < 50000; ++i) hashes.push_back(id_hash("document number " + std::to_string(i)));
  std::size_t candidates = 0;
  const IdTables tables(hashes);
  for (int i = 0; i < 1000; ++i) {
    candidates += found(tables, id_hash("another " + std::to_string(i))).size();
  }
  EXPECT_LT(candidates, 100u) << "marks tell most of them apart";
}

TEST(IdHash, IsTheUpperHalfOfXxh3) {
  EXPECT_EQ(id_hash(""), 0x2d06800538d394c2u >> 32);  // as xxhsum -H3 prints it
}

class FoundDocuments : public ::testing::Test {
 protected:
  void build(std::vector<TextDocument> documents) {
    test::VectorSource source(std::move(documents), 10);
    build_index(source, path_, {});
  }

  TemporaryDirectory folder_;
  std::filesystem::path path_ = folder_.path() / "idx";
};

TEST_F(FoundDocuments, ByTheirIds) {
  std::vector<TextDocument> documents;
  for (int i = 0; i < 3000; ++i) {
    documents.push_back(
        {i % 2 == 0 ? "d" + std::to_string(i) : "\xc3\xbc " + std::to_string(i), "text"});
  }
  build(documents);
  const Index index = Index::open(path_);
  for (Docid d = 0; d < documents.size(); ++d) {
    ASSERT_EQ(index.find_document(documents[d].id), d);
  }
  for (const char* id : {"", "d", "d1", "3", "D2", "d2 "}) EXPECT_FALSE(index.find_document(id));
  EXPECT_TRUE(verify_index(path_, 1).problems.empty());
}

TEST_F(FoundDocuments, ByTheirNumbersIfThereAreNoIds) {
  build({{"", "a"}, {"", "b"}, {"", "c"}});
  const Index index = Index::open(path_);
  EXPECT_EQ(index.find_document("0"), 0u);
  EXPECT_EQ(index.find_document("2"), 2u);
  for (const char* id : {"", "3", "-1", "02", "+1", "1 ", "4294967298", "x"}) {
    EXPECT_FALSE(index.find_document(id)) << id;
  }
}

TEST_F(FoundDocuments, DamagedTablesAreNoticed) {
  build(test::random_documents(100, 10, 5, 1));
  test::change_values<Docid>(path_, kDocumentsFile, Tag("IDOC"),
                             [](std::vector<Docid>& docids) { std::ranges::fill(docids, 100u); });
  {
    const Index index = Index::open(path_);
    EXPECT_THAT([&] { index.find_document("doc-1"); },
                ThrowsMessage<FormatError>(HasSubstr("lookup by id is damaged")));
    EXPECT_FALSE(verify_index(path_, 1).problems.empty());
  }
  std::filesystem::remove_all(path_);
  build(test::random_documents(100, 10, 5, 1));
  test::change_values<std::uint32_t>(
      path_, kDocumentsFile, Tag("IHSH"),
      [](std::vector<std::uint32_t>& starts) { std::ranges::fill(starts, 0xfffffff0u); });
  {
    const Index index = Index::open(path_);
    EXPECT_THROW(index.find_document("doc-1"), FormatError);
    EXPECT_FALSE(verify_index(path_, 1).problems.empty());
  }
  std::filesystem::remove_all(path_);
  build(test::random_documents(100, 10, 5, 1));
  test::change_values<std::uint8_t>(path_, kDocumentsFile, Tag("IMRK"),
                                    [](std::vector<std::uint8_t>& marks) { marks[7] ^= 1; });
  EXPECT_THAT(verify_index(path_, 1).problems, ::testing::ElementsAre(HasSubstr("lookup by id")));
  test::change_file(path_, kDocumentsFile, [](std::vector<test::SectionBytes>& sections) {
    std::erase_if(sections,
                  [](const test::SectionBytes& section) { return section.id == Tag("IMRK"); });
  });
  EXPECT_THROW(Index::open(path_), FormatError);
}

TEST(LiveDocuments, AreCounted) {
  EXPECT_EQ(all_live(0), std::vector<std::uint64_t>{});
  EXPECT_EQ(all_live(64), std::vector<std::uint64_t>{~std::uint64_t{0}});
  EXPECT_EQ(all_live(65), (std::vector<std::uint64_t>{~std::uint64_t{0}, 1}));
  const LiveDocuments live({0b1011}, 5);
  EXPECT_EQ(live.deleted(), 2u);
  EXPECT_TRUE(live.has(0));
  EXPECT_FALSE(live.has(2));
  EXPECT_FALSE(live.has(4));
  EXPECT_THROW(LiveDocuments({0b100000}, 5), UsageError);
  EXPECT_THROW(LiveDocuments({0, 0}, 64), UsageError);
  EXPECT_THROW(LiveDocuments({}, 1), UsageError);
}

}  // namespace
}  // namespace gannet::index
