// What is written to an index is what is read from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <tuple>

#include "codecs/registry.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::Collection;
using test::decode;
using test::expect_holds;
using test::names_in;
using test::Postings;
using test::random_collection;
using test::read_file;
using test::TemporaryDirectory;
using test::write_index;

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class IndexRoundTrip : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

std::vector<std::string> codec_list() {
  std::vector<std::string> names;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) names.emplace_back(codec.name);
  return names;
}

TEST_P(IndexRoundTrip, EveryPairOfCodecs) {
  WriteOptions options;
  options.positions = false;
  options.docid_codec = &codecs::list_codec_named(std::get<0>(GetParam()));
  options.freq_codec = &codecs::list_codec_named(std::get<1>(GetParam()));
  for (const std::uint32_t documents : {1u, 2u, 127u, 128u, 129u, 3000u}) {
    TemporaryDirectory directory;
    const Collection collection = random_collection(documents, 40, documents);
    write_index(directory.path(), collection, options);
    const Index index = Index::open(directory.path());
    EXPECT_EQ(index.segments()[0]->docid_codec().name, std::get<0>(GetParam()));
    EXPECT_EQ(index.segments()[0]->freq_codec().name, std::get<1>(GetParam()));
    expect_holds(index, collection);
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, IndexRoundTrip,
                         ::testing::Combine(::testing::ValuesIn(codec_list()),
                                            ::testing::ValuesIn(codec_list())),
                         [](const auto& parameters) {
                           std::string name =
                               std::get<0>(parameters.param) + "_" + std::get<1>(parameters.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(WrittenIndex, KeepsConfigurationAndStatistics) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.positions = false;
  options.analyzer = {"whitespace", false, "none", "english", {"a", "b"}, 40, false, {}};
  options.defaults = {1.2f, 0.75f};
  const Statistics written = write_index(directory.path(), random_collection(50, 9, 1), options);
  const Index index = Index::open(directory.path());
  EXPECT_EQ(index.analyzer(), options.analyzer);
  EXPECT_EQ(index.defaults().k1, 1.2f);
  EXPECT_EQ(index.defaults().b, 0.75f);
  EXPECT_EQ(index.path(), directory.path());
  EXPECT_EQ(index.statistics().postings, written.postings);
  EXPECT_EQ(index.statistics().tokens, written.tokens);
  EXPECT_GT(written.postings, 0u);
}

TEST(WrittenIndex, QuotesWhatJsonQuotes) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.positions = false;
  options.analyzer.tokenizer = "a\"b\\c\n\t\x01\xc3\xa9";
  write_index(directory.path(), random_collection(5, 3, 1), options);
  EXPECT_EQ(Index::open(directory.path()).analyzer().tokenizer, options.analyzer.tokenizer);
}

TEST(WrittenIndex, EmptyCollection) {
  TemporaryDirectory directory;
  write_index(directory.path(), Collection{});
  const Index index = Index::open(directory.path());
  expect_holds(index, Collection{});
  EXPECT_EQ(index.segments()[0]->find("a"), std::nullopt);
  EXPECT_EQ(index.statistics().average_length(), 0);
}

TEST(WrittenIndex, DocumentsWithoutIdsAreNumbered) {
  TemporaryDirectory directory;
  const Collection collection = random_collection(200, 10, 4, false);
  write_index(directory.path(), collection);
  const Index index = Index::open(directory.path());
  expect_holds(index, collection);
  EXPECT_EQ(index.segments()[0]->document_id(199), "199");
  EXPECT_THROW(index.segments()[0]->document_id(200), UsageError);
  EXPECT_THROW(index.segments()[0]->stored_text(200), UsageError);
}

TEST(WrittenIndex, StoredTextCrossesBlocks) {
  TemporaryDirectory directory;
  Collection collection = random_collection(300, 10, 5, true, true);
  collection.texts[7] = "";
  std::mt19937 random(1);
  for (int i = 0; i < 3 << 20; ++i) collection.texts[100] += static_cast<char>(random() % 64);
  collection.texts[101] = std::string(65536, 'x');
  write_index(directory.path(), collection);
  expect_holds(Index::open(directory.path()), collection);
}

TEST(WrittenIndex, LargeTablesGoThroughTheDisk) {
  TemporaryDirectory directory;
  IndexWriter writer(directory.path(), {.positions = false});
  const std::uint32_t documents = 100'000;
  for (std::uint32_t i = 0; i < documents; ++i) {
    writer.add_document("document-number-" + std::to_string(i), i % 77);
  }
  std::vector<std::string> terms;
  for (std::uint32_t t = 0; t < 150'000; ++t) terms.push_back("term" + std::to_string(t));
  std::sort(terms.begin(), terms.end());
  for (std::uint32_t t = 0; t < terms.size(); ++t) {
    const Docid docids[] = {t % 50'000, 50'000 + t % 50'000};
    const std::uint32_t freqs[] = {1 + t % 3, 1};
    writer.add_list(encode_list(terms[t], docids, freqs, writer.document_lengths(),
                                writer.docid_codec(), writer.freq_codec()));
  }
  writer.commit();
  const Index index = Index::open(directory.path());
  const Segment& segment = *index.segments()[0];
  EXPECT_EQ(segment.document_id(99'999), "document-number-99999");
  for (TermId t = 0; t < terms.size(); t += 1) {
    ASSERT_EQ(segment.find(terms[t]), t);
    const Postings expected{{t % 50'000, 50'000 + t % 50'000}, {1 + t % 3, 1}};
    ASSERT_EQ(decode(segment, t), expected);
  }
}

TEST(WrittenIndex, TermsAreFoundByAllTheirBytes) {
  TemporaryDirectory directory;
  Collection collection = random_collection(10, 0, 1);
  const std::vector<std::string> terms{"a",   std::string("a\0b", 3), "ab", "b", "\x7f", "\xc3\xa9",
                                       "\xff"};
  for (const std::string& term : terms) collection.lists[term] = {{1, 3}, {2, 1}};
  write_index(directory.path(), collection);
  const Index index = Index::open(directory.path());
  expect_holds(index, collection);
  for (const char* absent : {"", "A", "aa", "abc", "\x80", "\xff\xff"}) {
    EXPECT_EQ(index.segments()[0]->find(absent), std::nullopt) << absent;
  }
}

TEST(WrittenIndex, SameInputGivesSameBytes) {
  TemporaryDirectory first;
  TemporaryDirectory second;
  const Collection collection = random_collection(700, 60, 8, true, true);
  write_index(first.path(), collection);
  write_index(second.path(), collection);
  ASSERT_EQ(names_in(first.path()), names_in(second.path()));
  for (const std::string& name : names_in(first.path())) {
    EXPECT_EQ(read_file(first.path() / name), read_file(second.path() / name)) << name;
  }
}

TEST(WrittenIndex, DefaultCodecs) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.positions = false;
  options.docid_codec = &codecs::list_codec_named("gpu-dfor");
  const IndexWriter dfor(directory.path() / "dfor", options);
  EXPECT_EQ(dfor.freq_codec().name, "gpu-bp128");
  options.docid_codec = &codecs::list_codec_named("gpu-vbyte128");
  EXPECT_EQ(IndexWriter(directory.path() / "vbyte", options).freq_codec().name, "gpu-vbyte128");
  EXPECT_EQ(IndexWriter(directory.path() / "plain", {}).docid_codec().name, "gpu-bp128");
}

TEST(EncodeList, RefusesWhatIsNoList) {
  const auto encode = [](std::vector<Docid> docids, std::vector<std::uint32_t> freqs) {
    const std::vector<std::uint32_t> lengths(10, 5);
    const codecs::ListCodec& codec = codecs::list_codec_named("gpu-bp128");
    return encode_list("t", docids, freqs, lengths, codec, codec);
  };
  EXPECT_FALSE(encode({0, 9}, {1, 2}).row.empty());
  EXPECT_THAT([&] { encode({}, {}); }, ThrowsMessage<UsageError>(HasSubstr("empty")));
  EXPECT_THAT([&] { encode({1, 2}, {1}); }, ThrowsMessage<UsageError>(HasSubstr("frequency")));
  EXPECT_THAT([&] { encode({2, 2}, {1, 1}); }, ThrowsMessage<UsageError>(HasSubstr("ascending")));
  EXPECT_THAT([&] { encode({3, 2}, {1, 1}); }, ThrowsMessage<UsageError>(HasSubstr("ascending")));
  EXPECT_THAT([&] { encode({3, 10}, {1, 1}); }, ThrowsMessage<UsageError>(HasSubstr("docid 10")));
  EXPECT_THAT([&] { encode({3, 4}, {1, 0}); }, ThrowsMessage<UsageError>(HasSubstr("0")));
}

class WriterRefuses : public ::testing::Test {
 protected:
  EncodedList list(const std::string& term) {
    std::vector<Docid> docids(kPostings);
    std::iota(docids.begin(), docids.end(), 0u);
    docids.back() = kDocuments - 1;
    const std::vector<std::uint32_t> freqs(kPostings, 4);
    return encode_list(term, docids, freqs, writer_.document_lengths(), writer_.docid_codec(),
                       writer_.freq_codec());
  }
  void SetUp() override {
    for (Docid i = 0; i < kDocuments; ++i) writer_.add_document("d" + std::to_string(i), 7);
  }
  /// Adds the list and expects to be told `why`.
  void expect_refused(const EncodedList& bad, const std::string& why) {
    EXPECT_THAT([&] { writer_.add_list(bad); }, ThrowsMessage<UsageError>(HasSubstr(why)));
    EXPECT_THROW(writer_.commit(), UsageError);  // nothing half-written becomes an index
  }

  static constexpr std::uint32_t kPostings = 200;  // not a short list
  static constexpr Docid kDocuments = 300;
  TemporaryDirectory directory_;
  IndexWriter writer_{directory_.path() / "index", {.positions = false}};
};

TEST_F(WriterRefuses, TermsOutOfOrder) {
  writer_.add_list(list("b"));
  expect_refused(list("a"), "ascending");
}
TEST_F(WriterRefuses, TheSameTermTwice) {
  writer_.add_list(list("b"));
  expect_refused(list("b"), "ascending");
}
TEST_F(WriterRefuses, AnEmptyTerm) { expect_refused(list(""), "empty"); }
TEST_F(WriterRefuses, AMissingSkip) {
  EncodedList bad = list("a");
  bad.skips.clear();
  expect_refused(bad, "one per tile");
}
TEST_F(WriterRefuses, ASkipBeyondTheDocuments) {
  EncodedList bad = list("a");
  bad.skips.back() = kDocuments;
  expect_refused(bad, "no document");
}
TEST_F(WriterRefuses, ASkipThatIsTooSmall) {
  EncodedList bad = list("a");
  bad.skips[0] = 0;
  expect_refused(bad, "too small");
}
TEST_F(WriterRefuses, WordsOfAnotherCodec) {
  EncodedList bad = list("a");
  bad.words[0] = 1;
  expect_refused(bad, "codecs");
}
TEST_F(WriterRefuses, MoreWordsThanTheRowSays) {
  EncodedList bad = list("a");
  bad.words.push_back(0);
  expect_refused(bad, "as many words");
}
TEST_F(WriterRefuses, ARowThatIsNone) {
  EncodedList bad = list("a");
  bad.row.pop_back();
  expect_refused(bad, "not that of a list");
}
TEST_F(WriterRefuses, AShortListOfDocumentsThatAreNone) {
  const std::vector<std::uint32_t> lengths(500, 1);
  EncodedList bad = encode_list("a", std::vector<Docid>{1, 400}, std::vector<std::uint32_t>{1, 1},
                                lengths, writer_.docid_codec(), writer_.freq_codec());
  expect_refused(bad, "no such document");
}
TEST_F(WriterRefuses, DocumentsAfterLists) {
  writer_.add_list(list("a"));
  EXPECT_THROW(writer_.add_document("d3", 1), UsageError);
}
TEST_F(WriterRefuses, DocumentsWithAndWithoutId) {
  EXPECT_THAT([&] { writer_.add_document("", 1); }, ThrowsMessage<UsageError>(HasSubstr("no id")));
}
TEST_F(WriterRefuses, ASecondCommit) {
  writer_.commit();
  EXPECT_THROW(writer_.commit(), UsageError);
  EXPECT_NO_THROW(Index::open(directory_.path() / "index"));
}

TEST(WrittenIndex, RefusesDefaultsOutOfRange) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.positions = false;
  options.defaults = {-1, 0.4f};
  EXPECT_THROW(IndexWriter(directory.path() / "a", options), UsageError);
  options.defaults = {0.9f, 1.5f};
  EXPECT_THROW(IndexWriter(directory.path() / "a", options), UsageError);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "a"));
}

}  // namespace
}  // namespace gannet::index
