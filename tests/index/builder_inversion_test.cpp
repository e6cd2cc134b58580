// What the builder writes is what a naive inversion finds, however the work is divided.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/builder.hpp"
#include "index/text/analysis_libraries.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/inversion.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::TextDocument;
using test::VectorSource;

BuildReport build(const std::vector<TextDocument>& documents, const std::filesystem::path& path,
                  BuildOptions options = {}, std::size_t batch = 10) {
  VectorSource source(documents, batch);
  return build_index(source, path, options);
}

std::uint64_t count_postings(const test::Inversion& postings) {
  std::uint64_t sum = 0;
  for (const auto& [term, list] : postings) sum += list.size();
  return sum;
}

TEST(Builder, AgreesWithNaiveInversion) {
  const test::TemporaryDirectory directory;
  const auto documents = test::random_documents(500, 2000, 60, 1);
  for (const char* stemmer : {"english", "none"}) {
    for (const char* stopwords : {"none", "english"}) {
      BuildOptions options;
      options.write.overwrite = true;
      options.write.analyzer.stemmer = stemmer;
      options.write.analyzer.stopwords = stopwords;
      const BuildReport report = build(documents, directory / "index", options);
      const auto expected = test::naive_inversion(documents, options.write.analyzer);
      EXPECT_EQ(test::read_postings(directory / "index"), expected);
      EXPECT_EQ(report.statistics.documents, documents.size());
      EXPECT_EQ(report.statistics.terms, expected.size());
      EXPECT_EQ(report.statistics.postings, count_postings(expected));
      EXPECT_EQ(report.runs, 0u);
    }
  }
}

TEST(Builder, WritesIdsAndLengths) {
  const test::TemporaryDirectory directory;
  BuildOptions options;
  options.write.analyzer.stopwords = "english";
  const BuildReport report =
      build({{"b", "the cat sat"}, {"a", ""}, {"c", "the the"}, {"d", "dog cat cat"}},
            directory / "index", options, 2);
  const Index index = Index::open(directory / "index");
  const Segment& segment = *index.segments().at(0);
  EXPECT_THAT(segment.document_lengths(), testing::ElementsAre(2, 0, 0, 3));
  EXPECT_EQ(segment.document_id(0), "b");
  EXPECT_EQ(segment.document_id(3), "d");
  EXPECT_EQ(report.empty_documents, 2u);
  EXPECT_EQ(report.statistics.tokens, 5u);
  EXPECT_EQ(report.text_bytes, 11u + 0 + 7 + 11);
  AnalyzerConfig recorded = options.write.analyzer;
  recorded.libraries = linked_libraries(recorded);
  EXPECT_EQ(index.analyzer(), recorded);
  const TermId cat = segment.find("cat").value();
  EXPECT_EQ(segment.collection_frequency(cat), 3u);
}

TEST(Builder, StoresTextOnRequest) {
  const test::TemporaryDirectory directory;
  BuildOptions options;
  options.write.store_text = true;
  build({{"a", "One text"}, {"b", ""}, {"c", "Another"}}, directory / "index", options, 1);
  const Index index = Index::open(directory / "index");
  const Segment& segment = *index.segments().at(0);
  EXPECT_EQ(segment.stored_text(0), "One text");
  EXPECT_EQ(segment.stored_text(1), "");
  EXPECT_EQ(segment.stored_text(2), "Another");
}

/// One batch of documents with fields.
class NumberedSource final : public DocumentSource {
 public:
  std::unique_ptr<RawBatch> read() override {
    return read_++ == 0 ? std::make_unique<RawBatch>() : nullptr;
  }
  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> /*raw*/) const override {
    auto batch = std::make_unique<ParsedBatch>();
    batch->add("a");
    batch->add_field("title", "red cat");
    batch->add_field("body", "the cat sat");
    batch->add("b");
    batch->add_field("body", "dog");
    batch->add("c");
    return batch;
  }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  int read_ = 0;
};

TEST(Builder, IndexesAllFieldsOrTheChosenOnes) {
  const test::TemporaryDirectory directory;
  struct Choice {
    std::vector<std::string> fields;
    std::vector<std::uint32_t> lengths;
    const char* text;
  };
  for (const Choice& choice :
       {Choice{{}, {5, 1, 0}, "red cat\nthe cat sat"}, Choice{{"body"}, {3, 1, 0}, "the cat sat"},
        Choice{{"body", "title"}, {5, 1, 0}, "the cat sat\nred cat"},
        Choice{{"nothing"}, {0, 0, 0}, ""}}) {
    NumberedSource source;
    BuildOptions options;
    options.write.overwrite = options.write.store_text = true;
    options.fields = choice.fields;
    const BuildReport report = build_index(source, directory / "index", options);
    const Index index = Index::open(directory / "index");
    const Segment& segment = *index.segments().at(0);
    EXPECT_THAT(segment.document_lengths(), testing::ElementsAreArray(choice.lengths));
    EXPECT_EQ(segment.stored_text(0), choice.text);
    EXPECT_EQ(segment.find("red").has_value(),
              std::string(choice.text).find("red") != std::string::npos);
    EXPECT_EQ(report.statistics.documents, 3u);
  }
}

TEST(Builder, BytesDependOnNothingButTheInputSlow) {
  const test::TemporaryDirectory directory;
  const auto documents = test::random_documents(2000, 5000, 50, 2);
  build(documents, directory / "reference");
  const auto reference = test::snapshot(directory / "reference");
  ASSERT_GE(reference.size(), 4u);
  int number = 0;
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    for (const std::size_t batch : {1u, 7u, 100u, 5000u}) {
      for (const std::uint64_t memory : {64u, 512u}) {
        BuildOptions options;
        options.threads = threads;
        options.memory = memory << 20;
        const auto path = directory / std::to_string(number++);
        build(documents, path, options, batch);
        EXPECT_EQ(test::snapshot(path), reference)
            << threads << " threads, batches of " << batch << ", " << memory << " MB";
      }
    }
  }
}

TEST(Builder, SpilledRunsGiveTheSameBytesSlow) {
  const test::TemporaryDirectory directory;
  const auto documents = test::random_documents(40000, 3000000, 100, 3);
  BuildOptions options;
  const BuildReport unspilled = build(documents, directory / "memory", options, 500);
  EXPECT_EQ(unspilled.runs, 0u);
  options.memory = std::uint64_t{64} << 20;
  options.threads = 3;
  const BuildReport spilled = build(documents, directory / "spilled", options, 500);
  EXPECT_GE(spilled.runs, 2u);
  EXPECT_EQ(spilled.statistics.postings, unspilled.statistics.postings);
  EXPECT_TRUE(test::snapshot(directory / "spilled") == test::snapshot(directory / "memory"));
}

TEST(Builder, CodecsDoNotChangePostings) {
  const test::TemporaryDirectory directory;
  const auto documents = test::random_documents(300, 200, 60, 4);
  const auto expected = test::naive_inversion(documents, AnalyzerConfig{});
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    BuildOptions options;
    options.write.docid_codec = &codec;
    const auto path = directory / std::string(codec.name);
    build(documents, path, options);
    EXPECT_EQ(test::read_postings(path), expected) << codec.name;
  }
}

TEST(Builder, NoDocumentsMakeAnEmptyIndex) {
  const test::TemporaryDirectory directory;
  const BuildReport report = build({}, directory / "index");
  EXPECT_EQ(report.statistics.documents, 0u);
  const Index index = Index::open(directory / "index");
  EXPECT_EQ(index.statistics().documents, 0u);
  EXPECT_EQ(index.segments().at(0)->find("x"), std::nullopt);
}

TEST(Builder, DocumentsWithoutTermsOnly) {
  const test::TemporaryDirectory directory;
  const BuildReport report = build({{"a", ""}, {"b", " . "}}, directory / "index");
  EXPECT_EQ(report.empty_documents, 2u);
  EXPECT_EQ(Index::open(directory / "index").statistics().documents, 2u);
}

TEST(Builder, DocumentsWithoutIdsAreNamedByDocid) {
  const test::TemporaryDirectory directory;
  build({{"", "x"}, {"", "y"}, {"", "z"}}, directory / "index", {}, 2);
  EXPECT_EQ(Index::open(directory / "index").segments().at(0)->document_id(2), "2");
}

TEST(Builder, CountsSkippedRecords) {
  const test::TemporaryDirectory directory;
  VectorSource source(test::random_documents(30, 10, 5, 5), 10);
  source.skipped_per_batch = 2;
  EXPECT_EQ(build_index(source, directory / "index", {}).skipped, 6u);
}

TEST(Builder, TokensOfAllLengthsAndKinds) {
  const test::TemporaryDirectory directory;
  std::vector<TextDocument> documents;
  std::string text;
  for (std::size_t size = 1; size <= 300; ++size) {
    text += std::string(size, 'a') + " " + std::string(size - 1, 'b') + "c ";
    text += std::string(size - 1, 'b') + "C ";  // the same term from another token
    if (size % 10 == 0) documents.push_back({std::to_string(size), text});
  }
  documents.push_back({"bytes", std::string("\xFF\xFE\0a\0", 5) + "é\xC3 日本語"});
  BuildOptions options;
  options.write.analyzer.stemmer = "none";
  build(documents, directory / "index", options, 3);
  EXPECT_EQ(test::read_postings(directory / "index"),
            test::naive_inversion(documents, options.write.analyzer));
}

TEST(Builder, OneDocumentOfAHundredMegabytesSlow) {
  const test::TemporaryDirectory directory;
  constexpr std::uint32_t kWords = 20'000'000;
  std::string text;
  text.reserve(std::size_t{kWords} * 6);
  for (std::uint32_t i = 0; i < kWords; ++i) text += i % 2 == 0 ? "same " : "other ";
  const BuildReport report =
      build({{"small", "same"}, {"huge", std::move(text)}, {"last", "other"}}, directory / "index");
  EXPECT_EQ(report.statistics.tokens, kWords + 2);
  const auto postings = test::read_postings(directory / "index");
  const std::map<std::uint32_t, std::uint32_t> same{{0, 1}, {1, kWords / 2}};
  EXPECT_EQ(postings.at("same"), same);
  EXPECT_EQ(postings.at("other").at(1), kWords / 2);
}

}  // namespace
}  // namespace gannet::index
