// Positions that an index has are those that a naive analysis of the texts finds, whatever the
// index went through.
#include "index/positions/positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "codecs/positions/position_code.hpp"
#include "index/builder.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/shard_set.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/updates/set_codec.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/positions.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using test::expected_positions;
using test::kTitleText;
using test::options_with_title;
using test::positions_in;
using test::random_values_of_texts;
using test::ValuesOfTexts;
using test::ValuesSource;
using Found = test::PositionsFound;

class PositionsTest : public testing::Test {
 protected:
  void build(std::span<const ValuesOfTexts> documents, const BuildOptions& options,
             std::size_t batch = 17) {
    ValuesSource source(documents, batch);
    build_index(source, path_, options);
  }
  const SegmentReader& open() {
    index_.emplace(Index::open(path_));
    return dynamic_cast<const SegmentReader&>(*index_->segments().front());
  }
  bool has_section(Tag tag) { return open().positions()->file().has(tag); }

  test::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "index";
  std::optional<Index> index_;
};

TEST_F(PositionsTest, AreThoseOfANaiveAnalysis) {
  const auto documents = random_values_of_texts(700, 1);
  for (const std::size_t batch : {1u, 50u, 1000u}) {
    build(documents, options_with_title(), batch);
    open();
    EXPECT_EQ(positions_in(*index_), expected_positions(documents, options_with_title().write));
    const VerifyReport report = verify_index(path_);
    EXPECT_THAT(report.problems, IsEmpty());
    std::size_t positions = 0;
    for (const auto& [key, of_posting] : positions_in(*index_)) positions += of_posting.size();
    EXPECT_EQ(report.positions, positions);
    EXPECT_EQ(report.position_bytes, open().positions()->file().bytes().size());
  }
}

TEST_F(PositionsTest, StopWordsAndLongTokensTakePlacesAndValuesAreApart) {
  BuildOptions options;
  options.write.analyzer.stopwords = "english";
  options.write.analyzer.stemmer = "none";
  options.write.analyzer.max_token_bytes = 6;
  const std::vector<ValuesOfTexts> documents = {
      {"a", {"the cat of hearts", "", "!?", "cat overlong cat"}, {}}, {"b", {"the"}, {}}};
  build(documents, options);
  const Segment& segment = open();
  const Found found = positions_in(*index_);
  EXPECT_THAT(found.at({"cat", "a"}), ElementsAre(1, 104, 106));
  EXPECT_THAT(found.at({"hearts", "a"}), ElementsAre(3));
  EXPECT_THAT(segment.text_spans(kMainText), ElementsAre(107, 1));
  EXPECT_THAT(segment.document_lengths(), ElementsAre(4, 0));
}

TEST_F(PositionsTest, SpansThatAreLengthsAreNotStored) {
  BuildOptions options = options_with_title();
  options.write.analyzer.stopwords = "none";
  const std::vector<ValuesOfTexts> documents = {{"a", {"one two"}, {"three"}},
                                                {"b", {}, {"four", "five"}}};
  build(documents, options);
  EXPECT_FALSE(has_section(positions_sections::kMainSpans));
  EXPECT_TRUE(has_section(positions_sections::spans_of_text(kTitleText)));
  EXPECT_THAT(open().text_spans(kMainText), ElementsAre(2, 0));
  EXPECT_THAT(open().text_spans(kTitleText), ElementsAre(1, 102));
}

TEST_F(PositionsTest, AnIndexMayHaveNone) {
  BuildOptions options = options_with_title();
  options.write.positions = false;
  build(random_values_of_texts(20, 2), options);
  EXPECT_EQ(open().positions(), nullptr);
  EXPECT_EQ(open().record().find(kPositionsFile), nullptr);
  const Segment& segment = open();
  EXPECT_EQ(segment.text_spans(kMainText).data(), segment.document_lengths().data());
  EXPECT_THROW(PositionCursor(segment, 0, segment.list(0)), UsageError);
  options.write.positions = true;
  options.write.analyzer.tokenizer = "verbatim";
  options.write.analyzer.lowercase = false;
  options.write.analyzer.stemmer = options.write.analyzer.stopwords = "none";
  options.write.schema = {};
  build(std::vector<ValuesOfTexts>{{"a", {"a term"}, {}}}, options);
  EXPECT_EQ(open().positions(), nullptr);
}

TEST_F(PositionsTest, AnyPostingOfATileCanBeDecodedInAnyOrder) {
  build(random_values_of_texts(900, 3), options_with_title());
  const Segment& segment = open();
  std::mt19937 random(4);
  for (TermId t = 0; t < segment.statistics().terms; ++t) {
    const PostingList list = segment.list(t);
    std::vector<std::uint32_t> docids(list.count), freqs(list.count), all;
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    decode_list_positions(segment, t, list, docids, freqs, all);
    std::vector<std::size_t> starts(1);
    for (const std::uint32_t freq : freqs) starts.push_back(starts.back() + freq);
    PositionCursor cursor(segment, t, list);
    for (int look = 0; look < 5; ++look) {
      const auto tile = static_cast<std::uint32_t>(random() % codecs::tile_count(list.count));
      const std::size_t first = tile * std::size_t{codecs::kTile};
      const std::uint32_t size = codecs::tile_size(list.count, tile);
      cursor.open_tile(tile, std::span(docids).subspan(first, size),
                       std::span(freqs).subspan(first, size));
      for (int posting = 0; posting < 3; ++posting) {
        const auto i = static_cast<std::uint32_t>(random() % size);
        std::vector<std::uint32_t> found(freqs[first + i]);
        cursor.decode(i, found.data());
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(starts[first + i]);
        ASSERT_TRUE(std::ranges::equal(found, std::span(begin, found.size())));
        ASSERT_LT(found.back(), cursor.span(docids[first + i]));
      }
    }
  }
}

/// What follows an addition, deletions, merging, another order, and being cut and joined.
TEST_F(PositionsTest, StayWhateverBecomesOfTheIndex) {
  const auto documents = random_values_of_texts(600, 5);
  const Found expected = expected_positions(documents, options_with_title().write);
  build(std::span(documents).first(250), options_with_title());
  for (const std::size_t begin : {250u, 400u}) {
    const auto rest = std::span(documents).subspan(begin, begin == 250 ? 150 : 200);
    ValuesSource more(rest, 20);
    build_index(more, path_, options_to_add_to(path_));
  }
  const auto check = [](const std::filesystem::path& path, const Found& wanted,
                        const std::string& what) {
    EXPECT_EQ(positions_in(Index::open(path)), wanted) << what;
    EXPECT_THAT(verify_index(path).problems, IsEmpty()) << what;
  };
  check(path_, expected, "added to");
  Found left = expected;
  {
    DocumentRemover remover(path_);
    for (Docid d = 0; d < 600; d += 7) remover.remove(d);
    remover.commit();
    std::erase_if(
        left, [](const auto& entry) { return std::stoul(entry.first.second.substr(1)) % 7 == 0; });
  }
  check(path_, left, "deleted from");
  const auto ordered = directory_.path() / "ordered", shards = directory_.path() / "shards",
             joined = directory_.path() / "joined";
  split_index(path_, shards, 3, {});
  EXPECT_EQ(positions_in(open_shards(shards)), left) << "cut";
  join_shards(shards, joined, {});
  check(joined, left, "joined");
  ReorderOptions reorder;
  reorder.output = ordered;
  DocumentOrder order;
  order.key = DocumentOrder::Key::kRandom;
  reorder_index(path_, order, reorder);
  check(ordered, left, "reordered");
  set_codec(path_, "n", "gpu-for");
  check(path_, left, "with another codec of a field");
  merge_index(path_, {});
  check(path_, left, "merged");
}

/// Runs that were written to disk, of both texts, give the bytes of a build in memory.
TEST_F(PositionsTest, SpilledRunsGiveTheSameBytesSlow) {
  std::mt19937 random(18);
  std::vector<ValuesOfTexts> documents(30000);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    documents[i].id = "d" + std::to_string(i);
    for (const std::size_t words : {40u, 1u, 20u}) {  // most words occur once, which fills memory
      std::string text = "the common the common";
      for (std::size_t w = 0; w < words; ++w) text += " w" + std::to_string(random() % 3000000);
      documents[i].main.push_back(std::move(text));
    }
    documents[i].title = {"of w" + std::to_string(i % 700), "w" + std::to_string(i % 7)};
  }
  BuildOptions options = options_with_title();
  test::ValuesSource source(documents, 500);
  const auto in_memory = directory_.path() / "memory";
  EXPECT_EQ(build_index(source, in_memory, options).runs, 0u);
  options.memory = std::uint64_t{64} << 20;
  options.threads = 3;
  test::ValuesSource again(documents, 500);
  EXPECT_GE(build_index(again, path_, options).runs, 2u);
  EXPECT_TRUE(test::snapshot(path_) == test::snapshot(in_memory));
  EXPECT_EQ(open().text_spans(kMainText)[0], 44u + 100 + 5 + 100 + 24);
  EXPECT_THAT(verify_index(path_).problems, IsEmpty());
}

TEST_F(PositionsTest, WeightedTermsAreRefused) {
  struct Weighted final : DocumentSource {
    std::unique_ptr<RawBatch> read() override {
      return std::exchange(done, true) ? nullptr : std::make_unique<RawBatch>();
    }
    std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch>) const override {
      auto batch = std::make_unique<ParsedBatch>();
      batch->add("heavy");
      batch->add_term("x", 3);
      return batch;
    }
    std::uint64_t bytes_read() const override { return 0; }
    std::uint64_t bytes_total() const override { return 0; }
    bool done = false;
  };
  Weighted source;
  EXPECT_THAT([&] { build_index(source, path_, {}); },
              testing::ThrowsMessage<InputError>(HasSubstr("'heavy' has weighted terms")));
  BuildOptions without;
  without.write.positions = false;
  Weighted again;
  EXPECT_EQ(build_index(again, path_, without).statistics.postings, 1u);
}

TEST_F(PositionsTest, ListsMustBringTheirPositions) {
  IndexWriter writer(path_, {});
  writer.add_document("", 3);
  EXPECT_TRUE(writer.has_positions());
  const std::vector<std::uint32_t> docids{0}, freqs{2}, spans{3};
  const auto encode = [&](const std::vector<std::uint32_t>& positions) {
    return encode_list("t", docids, freqs, writer.document_lengths(), writer.docid_codec(),
                       writer.freq_codec(), {positions, spans});
  };
  EXPECT_THROW(encode({1}), UsageError);
  EXPECT_THROW(encode({1, 1}), UsageError);
  EXPECT_THROW(encode({2, 1}), UsageError);
  EXPECT_THROW(encode({1, 3}), UsageError);
  EXPECT_THROW(encode({0, 1, 2}), UsageError);
  EXPECT_THAT([&] { writer.add_list(encode({})); },
              testing::ThrowsMessage<UsageError>(HasSubstr("it has no positions")));
  EXPECT_THAT([&] { writer.add_span(7, 3); },
              testing::ThrowsMessage<UsageError>(HasSubstr("field 7 is no text")));
}

TEST_F(PositionsTest, AnAdditionHasWhatTheIndexHas) {
  const auto documents = random_values_of_texts(10, 6);
  for (const bool places : {true, false}) {
    BuildOptions options = options_with_title();
    options.write.positions = places;
    build(documents, options);
    EXPECT_EQ(options_to_add_to(path_).write.positions, places);
    options.write.overwrite = false;
    options.write.append = true;
    options.write.positions = !places;
    EXPECT_THAT([&] { build(documents, options); },
                testing::ThrowsMessage<UsageError>(
                    HasSubstr(places ? "the index has positions" : "has no positions")));
  }
}

TEST_F(PositionsTest, SegmentsWithAndWithoutAreRefused) {
  const auto documents = random_values_of_texts(20, 7);
  build(std::span(documents).first(10), options_with_title());
  const auto rest = std::span(documents).subspan(10);
  ValuesSource more(rest, 20);
  build_index(more, path_, options_to_add_to(path_));
  test::change_manifest(path_, [](Manifest& manifest) {
    std::erase_if(manifest.segments.front().files,
                  [](const FileRecord& file) { return file.kind == kPositionsFile.name; });
  });
  EXPECT_THAT([&] { Index::open(path_); },
              testing::ThrowsMessage<FormatError>(HasSubstr("have positions and have none")));
}

TEST_F(PositionsTest, RepairKeepsAllOfThemOrNone) {
  const auto documents = random_values_of_texts(500, 12);
  build(documents, options_with_title());
  const Found sound = positions_in(Index::open(path_));
  const auto repaired = directory_.path() / "repaired";
  const auto repair = [&] {
    RepairReport report = repair_index(path_, repaired, {.overwrite = true, .threads = 2});
    EXPECT_THAT(verify_index(repaired).problems, IsEmpty());
    return report;
  };
  EXPECT_TRUE(repair().nothing_missing());
  EXPECT_EQ(positions_in(Index::open(repaired)), sound);
  const std::filesystem::path file = open().positions()->file().path();
  index_.reset();
  std::string bytes = test::read_file(file);
  bytes[5000] = static_cast<char>(bytes[5000] ^ 4);
  test::write_file(file, bytes);  // one bit of a block is found
  EXPECT_TRUE(repair().nothing_missing());
  EXPECT_EQ(positions_in(Index::open(repaired)), sound);
  for (int i = 0; i < 100; ++i) bytes[5000 + i] = static_cast<char>(bytes[5000 + i] ^ i);
  test::write_file(file, bytes);
  for (const bool there : {true, false}) {
    if (!there) std::filesystem::remove(file);
    const RepairReport report = repair();
    EXPECT_EQ(report.positions_lost, 1u);
    EXPECT_EQ(report.lists_lost, 0u);
    EXPECT_FALSE(report.nothing_missing());
    const Index index = Index::open(repaired);
    EXPECT_EQ(index.segments().front()->positions(), nullptr);
    EXPECT_EQ(index.statistics().documents, 500u);
  }
}

/// Those of texts of one value follow from what is stored; of several, nobody knows where one ends.
TEST_F(PositionsTest, ListsThatRepairMakesAnewHaveThem) {
  BuildOptions options = options_with_title();
  options.write.store_text = true;
  const auto repaired = directory_.path() / "repaired";
  for (const bool several : {false, true}) {
    auto documents = random_values_of_texts(400, 19);
    for (ValuesOfTexts& document : documents) {
      if (!several) document.main.resize(1);
    }
    build(documents, options);
    Found sound = positions_in(Index::open(path_));
    std::erase_if(sound, [](const auto& posting) {  // lists of a text field are stored nowhere else
      return posting.first.first.find('\0') != std::string::npos;
    });
    for (const FileKind kind : {kLexiconFile, kPostingsFile}) {
      const auto file = path_ / file_name(read_manifest(path_).segments.front(), kind.name);
      const std::string bytes = test::read_file(file);
      for (const std::size_t left : {bytes.size() / 2, std::size_t{10}}) {
        test::write_file(file, bytes.substr(0, left));
        const RepairReport report =
            repair_index(path_, repaired, {.overwrite = true, .threads = 2});
        EXPECT_GT(report.lists_rebuilt, 50u);
        EXPECT_EQ(report.positions_lost, several ? 1u : 0u);
        EXPECT_THAT(verify_index(repaired).problems, IsEmpty());
        const Index index = Index::open(repaired);
        EXPECT_EQ(index.statistics().documents, 400u);
        if (several) {
          EXPECT_EQ(index.segments().front()->positions(), nullptr);
        } else {
          EXPECT_EQ(positions_in(index), sound);
        }
      }
      test::write_file(file, bytes);
    }
  }
}

TEST_F(PositionsTest, ListsThatRepairKeepsHaveThem) {
  const auto documents = random_values_of_texts(3000, 20);
  build(documents, options_with_title());
  const Found sound = positions_in(Index::open(path_));
  const auto file = path_ / file_name(read_manifest(path_).segments.front(), kPostingsFile.name);
  std::string bytes = test::read_file(file);
  for (std::size_t i = 9000; i < 9100; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  test::write_file(file, bytes);
  const auto repaired = directory_.path() / "repaired";
  const RepairReport report = repair_index(path_, repaired, {.threads = 2});
  EXPECT_GT(report.lists_lost, 0u);
  EXPECT_EQ(report.positions_lost, 0u);
  EXPECT_THAT(verify_index(repaired).problems, IsEmpty());
  const Found left = positions_in(Index::open(repaired));
  EXPECT_GT(left.size(), 100u);
  EXPECT_LT(left.size(), sound.size());
  for (const auto& [key, positions] : left) EXPECT_EQ(positions, sound.at(key));
}

}  // namespace
}  // namespace gannet::index
