// Spans and positions in whatever an index goes through: merged, reordered, cut, joined, repaired;
// and what is planned, limited and stopped on the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/positions/position_code.hpp"
#include "codecs/registry.hpp"
#include "index/positions/encoded_positions.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/positions/positions_writer.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/shard_set.hpp"
#include "index/shards/shard_set_layout.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/merge/merged_lists.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/positions.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using test::kTitleText;
using test::options_with_title;
using test::positions_in;
using test::random_values_of_texts;
using test::ValuesOfTexts;
using test::ValuesSource;

/// By text and id of the document.
using SpansFound = std::map<std::pair<std::uint32_t, std::string>, std::uint32_t>;

SpansFound expected_spans(std::span<const ValuesOfTexts> documents, const WriteOptions& options) {
  SpansFound spans;
  test::PositionsFound ignored;
  const AnalyzerConfig title =
      text_analyzer(options.analyzer, options.schema.fields()[kTitleText].text);
  for (const ValuesOfTexts& document : documents) {
    spans[{kMainText, document.id}] =
        test::add_positions(document.main, options.analyzer, kMainText, document.id, ignored);
    spans[{kTitleText, document.id}] =
        test::add_positions(document.title, title, kTitleText, document.id, ignored);
  }
  return spans;
}

/// Of documents that are not deleted.
SpansFound spans_in(const Index& index) {
  SpansFound spans;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const Segment& segment = *index.segments()[s];
    for (const std::uint32_t text : {kMainText, kTitleText}) {
      const auto found = segment.text_spans(text);
      for (Docid d = 0; d < found.size(); ++d) {
        if (!index.is_live(index.docid_base(s) + d)) continue;
        spans[{text, segment.document_id(d)}] = found[d];
      }
    }
  }
  return spans;
}

class PositionsUpkeep : public testing::Test {
 protected:
  void build(std::span<const ValuesOfTexts> documents, const BuildOptions& options) {
    ValuesSource source(documents, 50);
    build_index(source, path_, options);
  }
  std::filesystem::path file_of(FileKind kind) const {
    return path_ / file_name(read_manifest(path_).segments.front(), kind.name);
  }
  /// Bytes of a section, or of a file at a place, that are others now, with their checksums wrong.
  static void damage(const std::filesystem::path& path, std::uint64_t first, std::size_t count) {
    std::string bytes = test::read_file(path);
    for (std::size_t i = first; i < first + count; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    test::write_file(path, bytes);
  }
  void damage_lengths() const {
    constexpr Tag kLengths{"LENS"};
    std::uint64_t first = 0;
    {
      const ContainerReader file(file_of(kDocumentsFile), kDocumentsFile);
      for (const SectionRow& row : file.sections()) {
        if (row.id == kLengths) first = row.offset;
      }
    }
    ASSERT_GT(first, 0u);
    damage(file_of(kDocumentsFile), first + 800, 60);
  }

  test::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "index";
  std::filesystem::path repaired_ = directory_.path() / "repaired";
};

TEST_F(PositionsUpkeep, SpansStayWhateverBecomesOfTheIndex) {
  const auto documents = random_values_of_texts(500, 31);
  SpansFound spans = expected_spans(documents, options_with_title().write);
  build(std::span(documents).first(200), options_with_title());
  const auto rest = std::span(documents).subspan(200);
  ValuesSource more(rest, 20);
  build_index(more, path_, options_to_add_to(path_));
  EXPECT_EQ(spans_in(Index::open(path_)), spans) << "added to";
  {
    DocumentRemover remover(path_);
    for (Docid d = 0; d < 500; d += 3) remover.remove(d);
    remover.commit();
    std::erase_if(
        spans, [](const auto& entry) { return std::stoul(entry.first.second.substr(1)) % 3 == 0; });
  }
  const auto ordered = directory_.path() / "ordered", shards = directory_.path() / "shards",
             joined = directory_.path() / "joined";
  split_index(path_, shards, 3, {});
  EXPECT_EQ(spans_in(open_shards(shards)), spans) << "cut";
  join_shards(shards, joined, {});
  EXPECT_EQ(spans_in(Index::open(joined)), spans) << "joined";
  ReorderOptions reorder;
  reorder.output = ordered;
  DocumentOrder order;
  order.key = DocumentOrder::Key::kRandom;
  reorder_index(path_, order, reorder);
  EXPECT_EQ(spans_in(Index::open(ordered)), spans) << "reordered";
  merge_index(path_, {});
  EXPECT_EQ(spans_in(Index::open(path_)), spans) << "merged";
}

TEST_F(PositionsUpkeep, SpansThatCannotBeDecodedAreAnErrorForEachWhoAsks) {
  build(random_values_of_texts(300, 32), options_with_title());
  test::change_values<std::uint32_t>(path_, kPositionsFile, positions_sections::kMainSpans,
                                     [](auto& words) { words.pop_back(); });
  const Index index = Index::open(path_);
  const Segment& segment = *index.segments().front();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT([&] { segment.text_spans(kMainText); },
                testing::ThrowsMessage<FormatError>(HasSubstr("'SPAN'")));
  }
  EXPECT_EQ(segment.text_spans(kTitleText).size(), 300u);
}

/// Memory of a merge is planned by what its lists hold, positions included.
TEST_F(PositionsUpkeep, MergedListsCountPositions) {
  build(random_values_of_texts(600, 33), options_with_title());
  const Index index = Index::open(path_);
  const std::vector<MergedSegment> segments{{*index.segments().front(), nullptr, 0},
                                            {*index.segments().front(), nullptr, 600}};
  using Places = MergedLists::Places;
  for (const Places places : {Places::kKept, Places::kLeftOut}) {
    MergedLists lists(segments, places);
    PendingList list;
    ListPostings postings;
    std::size_t long_lists = 0;
    while (lists.next(list)) {
      lists.postings(list, postings);
      EXPECT_EQ(list.max_values, postings.docids.size() + postings.positions.size());
      EXPECT_EQ(postings.positions.empty(), places == Places::kLeftOut);
      long_lists += postings.docids.size() >= 2 * codecs::kTile ? 1 : 0;
    }
    EXPECT_GT(long_lists, 3u);
  }
}

/// Lengths follow from lists that are whole.
TEST_F(PositionsUpkeep, RepairKeepsThemWhereLengthsAloneAreDamaged) {
  const auto documents = random_values_of_texts(3000, 34);
  build(documents, options_with_title());
  const test::PositionsFound sound = positions_in(Index::open(path_));
  damage_lengths();
  const RepairReport report = repair_index(path_, repaired_, {.threads = 2});
  EXPECT_GT(report.lengths_lost, 0u);
  EXPECT_EQ(report.positions_lost, 0u);
  EXPECT_THAT(verify_index(repaired_).problems, IsEmpty());
  EXPECT_EQ(positions_in(Index::open(repaired_)), sound);
  EXPECT_EQ(spans_in(Index::open(repaired_)),
            expected_spans(documents, options_with_title().write));
}

TEST_F(PositionsUpkeep, RepairLosesThemWhereListsThatCountLengthsAreLost) {
  build(random_values_of_texts(3000, 35), options_with_title());
  damage_lengths();
  damage(file_of(kPostingsFile), 9000, 100);
  const RepairReport report = repair_index(path_, repaired_, {.threads = 2});
  EXPECT_GT(report.lists_lost, 0u);
  EXPECT_GT(report.lengths_lost, 0u);
  EXPECT_EQ(report.positions_lost, 1u);
  EXPECT_FALSE(report.nothing_missing());
  EXPECT_THAT(verify_index(repaired_).problems, IsEmpty());
}

/// Lists that are made anew of stored texts bring lengths and positions.
TEST_F(PositionsUpkeep, RepairMakesThemAnewWithLengths) {
  BuildOptions options;
  options.write.analyzer.stopwords = "english";
  options.write.store_text = true;
  auto documents = random_values_of_texts(3000, 36);
  for (ValuesOfTexts& document : documents) {
    document.main.resize(1);
    document.title.clear();
  }
  build(documents, options);
  const test::PositionsFound sound = positions_in(Index::open(path_));
  damage_lengths();
  damage(file_of(kPostingsFile), 9000, 100);
  const RepairReport report = repair_index(path_, repaired_, {.threads = 2});
  EXPECT_GT(report.lists_rebuilt, 0u);
  EXPECT_EQ(report.positions_lost, 0u);
  EXPECT_THAT(verify_index(repaired_).problems, IsEmpty());
  EXPECT_EQ(positions_in(Index::open(repaired_)), sound);
}

TEST_F(PositionsUpkeep, ShardsWithAndWithoutAreToldApart) {
  const auto documents = random_values_of_texts(20, 37);
  for (const bool first_has : {true, false}) {
    const auto set = directory_.path() / "set";
    for (const std::size_t shard : {0u, 1u}) {
      BuildOptions options = options_with_title();
      options.write.positions = (shard == 0) == first_has;
      const auto part = std::span(documents).subspan(shard * 10, 10);
      ValuesSource source(part, 20);
      build_index(source, set / shard_name(shard), options);
    }
    EXPECT_THAT([&] { check_shards(set, 2); },
                testing::ThrowsMessage<FormatError>(AllOf(
                    HasSubstr(first_has ? "shard-0001: it has no positions, and shard-0000 has;"
                                        : "shard-0001: it has positions, and shard-0000 has none;"),
                    HasSubstr("--no-positions"))));
  }
}

/// Nobody makes room for what no file can hold.
TEST(PositionsLimits, ATileOfMoreThan4GbIsRefusedAtOnce) {
  std::vector<Docid> docids(codecs::kTile);
  for (std::size_t i = 0; i < docids.size(); ++i) docids[i] = static_cast<Docid>(i);
  const std::vector<std::uint32_t> freqs(docids.size(), std::uint32_t{1} << 30), values{0, 1};
  const std::vector<std::uint32_t> spans(docids.size(), codecs::kMaxSpan);
  EXPECT_THAT(
      [&] {
        encode_list_positions("the", docids, freqs, {values, spans});
      },
      testing::ThrowsMessage<UsageError>(AllOf(HasSubstr("'the'"), HasSubstr("more than 4 GB"))));
}

TEST_F(PositionsUpkeep, StopRequestsAreHeard) {
  build(random_values_of_texts(600, 38), options_with_title());
  const Index index = Index::open(path_);
  const Segment& segment = *index.segments().front();
  std::stop_source source;
  source.request_stop();
  for (TermId t = 0; t < segment.statistics().terms; ++t) {
    const PostingList list = segment.list(t);
    std::vector<std::uint32_t> docids(list.count), freqs(list.count), positions;
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    const StopScope scope(source.get_token());
    EXPECT_THROW(decode_list_positions(segment, t, list, docids, freqs, positions), CancelledError);
  }
  // A document of many occurrences.
  std::vector<std::uint32_t> all(1 << 17);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  const std::vector<std::uint32_t> docids{0}, freqs{1 << 17}, spans{1 << 18};
  EXPECT_TRUE(encode_list_positions("the", docids, freqs, {all, spans}).there);
  const std::vector<std::uint32_t> many(10000, 3), lengths(10000, 2);
  PositionsWriter writer(directory_.path() / "file", directory_.path());
  const StopScope scope(source.get_token());
  EXPECT_THROW(encode_list_positions("the", docids, freqs, {all, spans}), CancelledError);
  const SpansOfText text{kMainText, many, lengths};
  EXPECT_THROW(writer.finish({&text, 1}), CancelledError);
}

}  // namespace
}  // namespace gannet::index
