// Positions that an index has are those that a naive analysis of the texts finds, whatever the
// index went through.
#include "index/positions/positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "codecs/positions/position_code.hpp"
#include "index/builder.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/shard_set.hpp"
#include "index/split/split.hpp"
#include "index/text/analyzer.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kTitle = 1;  ///< the text field's number in the schema

/// A document of several values of the main text, and of a text field.
struct ValuesOfTexts {
  std::string id;
  std::vector<std::string> main, title;
};

class TextsSource final : public DocumentSource {
 public:
  TextsSource(std::span<const ValuesOfTexts> documents, std::size_t batch)
      : documents_(documents), batch_(batch) {}

  std::unique_ptr<RawBatch> read() override {
    if (next_ == documents_.size()) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->first = next_;
    next_ = raw->end = std::min(next_ + batch_, documents_.size());
    return raw;
  }
  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto parsed = std::make_unique<ParsedBatch>();
    for (std::size_t i = range.first; i < range.end; ++i) {
      parsed->add(documents_[i].id);
      for (const std::string& text : documents_[i].main) parsed->add_field("part", text);
      for (const std::string& text : documents_[i].title) parsed->add_value(kTitle, text);
    }
    return parsed;
  }
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return documents_.size(); }

 private:
  struct Range final : RawBatch {
    std::size_t first = 0, end = 0;
  };
  std::span<const ValuesOfTexts> documents_;
  std::size_t batch_;
  std::size_t next_ = 0;
};

/// Key of the term, then id of the document.
using Found = std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>>;

/// Places of the terms of a text's values; returns the span.
std::uint32_t add_text(const std::vector<std::string>& values, const AnalyzerConfig& config,
                       std::uint32_t text, const std::string& id, Found& found) {
  Analyzer analyzer(config);
  Analyzer::Worker worker(analyzer);
  std::uint32_t span = 0;
  for (const std::string& value : values) {
    std::vector<std::string> tokens;
    analyzer.tokenize(value, [&](std::string_view token) { tokens.emplace_back(token); });
    if (tokens.empty()) continue;
    std::uint32_t place = span == 0 ? 0 : span + 100;
    for (const std::string& token : tokens) {
      const std::string term(worker.term_of(token));
      if (!term.empty()) found[{text_key(text, term), id}].push_back(place);
      ++place;
    }
    span = place;
  }
  return span;
}

Found expected_of(std::span<const ValuesOfTexts> documents, const WriteOptions& options) {
  Found found;
  for (const ValuesOfTexts& document : documents) {
    add_text(document.main, options.analyzer, kMainText, document.id, found);
    if (options.schema.empty()) continue;
    add_text(document.title, text_analyzer(options.analyzer, options.schema.fields()[kTitle].text),
             kTitle, document.id, found);
  }
  return found;
}

/// Of documents that are not deleted.
Found positions_in(const Index& index) {
  Found found;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const Segment& segment = *index.segments()[s];
    for (TermId t = 0; t < segment.statistics().terms; ++t) {
      const PostingList list = segment.list(t);
      std::vector<std::uint32_t> docids(list.count), freqs(list.count), positions;
      list.decode_docids(docids.data());
      list.decode_frequencies(freqs.data());
      decode_list_positions(segment, t, list, docids, freqs, positions);
      std::size_t at = 0;
      for (std::size_t i = 0; i < docids.size(); at += freqs[i++]) {
        if (!index.is_live(index.docid_base(s) + docids[i])) continue;
        const auto first = positions.begin() + static_cast<std::ptrdiff_t>(at);
        found[{segment.term(t), segment.document_id(docids[i])}].assign(first, first + freqs[i]);
      }
    }
  }
  return found;
}

std::string random_text(std::mt19937& random, std::size_t most) {
  static const char* const kDropped[] = {"the", "of", "and"};
  std::string text;
  for (std::size_t words = random() % (most + 1); words > 0; --words) {
    const double x = static_cast<double>(random() % 1000) / 1000;
    text += random() % 5 == 0 ? kDropped[random() % 3]
                              : "w" + std::to_string(static_cast<int>(x * x * x * 300));
    text += ' ';
  }
  return text;
}

std::vector<ValuesOfTexts> random_texts(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<ValuesOfTexts> documents(count);
  for (std::size_t i = 0; i < count; ++i) {
    documents[i].id = "d" + std::to_string(i);
    for (std::size_t n = random() % 4; n > 0; --n) {
      documents[i].main.push_back(random_text(random, 60));
    }
    for (std::size_t n = random() % 3; n > 0; --n) {
      documents[i].title.push_back(random_text(random, 6));
    }
  }
  return documents;
}

BuildOptions options_with_title() {
  BuildOptions options;
  options.write.analyzer.stopwords = "english";
  options.write.schema = Schema({parse_field("n:i32"), parse_field("title:text")});
  options.write.overwrite = true;
  return options;
}

class PositionsTest : public testing::Test {
 protected:
  void build(std::span<const ValuesOfTexts> documents, const BuildOptions& options,
             std::size_t batch = 17) {
    TextsSource source(documents, batch);
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
  const auto documents = random_texts(700, 1);
  for (const std::size_t batch : {1u, 50u, 1000u}) {
    build(documents, options_with_title(), batch);
    open();
    EXPECT_EQ(positions_in(*index_), expected_of(documents, options_with_title().write));
    EXPECT_THAT(verify_index(path_).problems, IsEmpty());
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
  EXPECT_TRUE(has_section(positions_sections::spans_of_text(kTitle)));
  EXPECT_THAT(open().text_spans(kMainText), ElementsAre(2, 0));
  EXPECT_THAT(open().text_spans(kTitle), ElementsAre(1, 102));
}

TEST_F(PositionsTest, AnIndexMayHaveNone) {
  BuildOptions options = options_with_title();
  options.write.positions = false;
  build(random_texts(20, 2), options);
  EXPECT_EQ(open().positions(), nullptr);
  EXPECT_EQ(open().record().find(kPositionsFile), nullptr);
  const Segment& segment = open();
  EXPECT_EQ(segment.text_spans(kMainText).data(), segment.document_lengths().data());
  EXPECT_THROW(PositionCursor(open(), 0, open().list(0)), UsageError);
  options.write.positions = true;
  options.write.analyzer.tokenizer = "verbatim";
  options.write.analyzer.lowercase = false;
  options.write.analyzer.stemmer = options.write.analyzer.stopwords = "none";
  options.write.schema = {};
  build(std::vector<ValuesOfTexts>{{"a", {"a term"}, {}}}, options);
  EXPECT_EQ(open().positions(), nullptr);
}

TEST_F(PositionsTest, AnyPostingOfATileCanBeDecodedInAnyOrder) {
  build(random_texts(900, 3), options_with_title());
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
  const auto documents = random_texts(600, 5);
  const Found expected = expected_of(documents, options_with_title().write);
  build(std::span(documents).first(250), options_with_title());
  for (const std::size_t begin : {250u, 400u}) {
    const auto rest = std::span(documents).subspan(begin, begin == 250 ? 150 : 200);
    TextsSource more(rest, 20);
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
  merge_index(path_, {});
  check(path_, left, "merged");
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
}

TEST_F(PositionsTest, AnAdditionHasWhatTheIndexHas) {
  const auto documents = random_texts(10, 6);
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
  const auto documents = random_texts(20, 7);
  build(std::span(documents).first(10), options_with_title());
  const auto rest = std::span(documents).subspan(10);
  TextsSource more(rest, 20);
  build_index(more, path_, options_to_add_to(path_));
  test::change_manifest(path_, [](Manifest& manifest) {
    std::erase_if(manifest.segments.front().files,
                  [](const FileRecord& file) { return file.kind == kPositionsFile.name; });
  });
  EXPECT_THAT([&] { Index::open(path_); },
              testing::ThrowsMessage<FormatError>(HasSubstr("have positions and have none")));
}

/// Bytes that are not those that were written: right checksums, wrong content.
TEST_F(PositionsTest, WrongContentIsAnError) {
  using namespace positions_sections;
  const auto documents = random_texts(500, 8);
  const auto reads = [&] { positions_in(Index::open(path_)); };
  const auto refused = [&]<class T>(Tag tag, T, const std::string& what, auto change) {
    build(documents, options_with_title());
    test::change_values<T>(path_, kPositionsFile, tag, change);
    EXPECT_THAT(reads, testing::ThrowsMessage<FormatError>(HasSubstr(what))) << to_string(tag);
    EXPECT_FALSE(verify_index(path_).problems.empty());
  };
  const std::uint32_t u32 = 0;
  const std::uint64_t u64 = 0;
  refused(kTileOffsets, u32, "not in the file", [](auto& offsets) { offsets[3] = ~0u; });
  refused(kTileOffsets, u32, "the code", [](auto& offsets) { ++offsets[2]; });
  refused(kTileOffsets, u32, "start with 0", [](auto& offsets) { offsets[0] = 1; });
  refused(kTileOffsets, u32, "do not cover", [](auto& offsets) { ++offsets.back(); });
  refused(kTileOffsets, u32, "entries instead", [](auto& offsets) { offsets.push_back(7); });
  refused(kTileBases, u64, "start with 0", [](auto& bases) { bases[0] = 1; });
  refused(kShortBlocks, u64, "not in the file", [](auto& blocks) { blocks[2] = ~0ull >> 8; });
  refused(kShortSizes, std::uint8_t{}, "posi", [](auto& sizes) {
    for (std::uint8_t& size : sizes) size = static_cast<std::uint8_t>(size ^ 1);
  });
  refused(kMainSpans, u32, "'SPAN'", [](auto& words) { words.pop_back(); });
  refused(kMainSpans, u32, ".positions", [](auto& words) {
    for (std::uint32_t& word : words) word ^= 0x01010101;
  });
}

/// Whatever codes hold, what is decoded ascends below the spans, or is an error.
TEST_F(PositionsTest, RandomCodesAreSoundOrErrors) {
  using namespace positions_sections;
  std::mt19937 random(9);
  const auto documents = random_texts(300, 9);
  build(documents, options_with_title());
  std::size_t errors = 0;
  for (int round = 0; round < 30; ++round) {
    const auto flip_bits = [&](std::vector<std::uint8_t>& bytes) {
      for (int i = 0; i < 8; ++i) {
        std::uint8_t& byte = bytes[random() % (bytes.size() - codecs::kPositionPadding)];
        byte = static_cast<std::uint8_t>(byte ^ 1u << random() % 8);
      }
    };
    test::change_values<std::uint8_t>(path_, kPositionsFile,
                                      round % 2 == 0 ? kTileBits : kShortBits, flip_bits);
    try {
      for (const auto& [key, positions] : positions_in(Index::open(path_))) {
        EXPECT_EQ(std::ranges::adjacent_find(positions, std::greater_equal<>()), positions.end());
      }
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr(".positions"));
      ++errors;
    }
  }
  EXPECT_GT(errors, 5u);
}

TEST_F(PositionsTest, RepairKeepsAllOfThemOrNone) {
  const auto documents = random_texts(500, 12);
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

TEST_F(PositionsTest, FlippedBitsAreDamage) {
  build(random_texts(500, 10), options_with_title());
  const Found sound = positions_in(Index::open(path_));
  std::filesystem::path file;
  {
    file = open().positions()->file().path();
    index_.reset();
  }
  const std::string bytes = test::read_file(file);
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = bytes;
    char& byte = damaged[random() % bytes.size()];
    byte = static_cast<char>(byte ^ 1 << random() % 8);
    test::write_file(file, damaged);
    try {
      EXPECT_EQ(positions_in(Index::open(path_)), sound);  // nobody uses these bytes
    } catch (const DamageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(".positions"));
    }
    EXPECT_FALSE(verify_index(path_).problems.empty());
  }
}

}  // namespace
}  // namespace gannet::index
