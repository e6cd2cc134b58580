// The builder's parts: posting code, dictionary, token cache, id set, runs, rounds, budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <thread>
#include <unordered_map>

#include "index/files/spool.hpp"
#include "index/inversion/build_budget.hpp"
#include "index/inversion/id_set.hpp"
#include "index/inversion/memory_run.hpp"
#include "index/inversion/posting_code.hpp"
#include "index/inversion/spill_file.hpp"
#include "index/lexicon/term_dictionary.hpp"
#include "index/text/words/token_cache.hpp"
#include "index/work/pipeline.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/index/inversion.hpp"
#include "tests/support/index/positions.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

TEST(PostingCode, RoundTripOfExtremes) {
  const std::vector<Docid> gaps = {0, 1, 63, 64, 0, 1u << 20, 1u << 31, 0};
  const std::vector<std::uint32_t> freqs = {1, 2, 3, 129, 130, 1u << 31, kMax, 1};
  std::vector<std::uint8_t> bytes(gaps.size() * kMaxPosting);
  std::uint8_t* end = bytes.data();
  std::vector<Docid> expected;
  Docid next = 1000;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    end = put_posting(gaps[i], freqs[i], end);
    expected.push_back(next + gaps[i]);
    next = expected.back() + 1;
  }
  bytes.resize(static_cast<std::size_t>(end - bytes.data()));
  ListPostings postings;
  FragmentDecoder decoder(FragmentSize::bound(bytes.size(), false), false, postings);
  decoder.add(bytes, 1000);
  decoder.finish();
  EXPECT_EQ(postings.docids, expected);
  EXPECT_EQ(postings.freqs, freqs);
  EXPECT_TRUE(postings.positions.empty());
}

TEST(PostingCode, PositionsComeBack) {
  const std::vector<std::vector<std::uint32_t>> positions = {
      {0}, {5, 6, 300}, {1u << 20, (1u << 31) - 1}, {127, 255}};
  const std::vector<Docid> docids = {1000, 1001, 1200, 70000};
  std::vector<std::uint8_t> bytes(200);
  std::uint8_t* end = bytes.data();
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < docids.size(); ++i) {
    const Docid next = i == 0 ? 1000 : docids[i - 1] + 1;
    end = put_posting(docids[i] - next, static_cast<std::uint32_t>(positions[i].size()), end);
    end = put_positions(positions[i], end);
    all.insert(all.end(), positions[i].begin(), positions[i].end());
  }
  bytes.resize(static_cast<std::size_t>(end - bytes.data()));
  std::vector<std::uint8_t> coded;
  append_fragment(bytes, 1000, coded);
  append_fragment(bytes, 100000, coded);
  ListPostings postings;
  decode_fragments(coded, true, postings);
  EXPECT_EQ(postings.docids,
            (std::vector<Docid>{1000, 1001, 1200, 70000, 100000, 100001, 100200, 169000}));
  EXPECT_EQ(postings.freqs, (std::vector<std::uint32_t>{1, 3, 2, 2, 1, 3, 2, 2}));
  std::vector<std::uint32_t> twice = all;
  twice.insert(twice.end(), all.begin(), all.end());
  EXPECT_EQ(postings.positions, twice);
}

/// A long list of a common word has many positions a posting, for which alone there is room.
TEST(PostingCode, LongListsTakeRoomForWhatTheyHold) {
  constexpr std::size_t kDocuments = 3000, kFreq = 40;
  std::vector<std::uint8_t> bytes(kDocuments * (2 * kMaxPosting + 2 * kFreq)), coded;
  std::vector<std::uint32_t> positions;
  for (std::uint32_t p = 0; p < kFreq; ++p) positions.push_back(p * 200);  // two bytes each
  std::uint8_t* end = bytes.data();
  for (std::size_t d = 0; d < kDocuments; ++d) {
    end = put_positions(positions, put_posting(d % 3 == 0 ? 100 : 0, kFreq, end));
  }
  bytes.resize(static_cast<std::size_t>(end - bytes.data()));
  append_fragment(bytes, 5, coded);
  append_fragment(bytes, 1000000, coded);
  ASSERT_GT(coded.size(), kCountedFragments);
  ListPostings postings;
  decode_fragments(coded, true, postings);
  EXPECT_EQ(postings.docids.size(), 2 * kDocuments);
  EXPECT_EQ(postings.freqs, std::vector<std::uint32_t>(2 * kDocuments, kFreq));
  EXPECT_EQ(postings.positions.size(), 2 * kDocuments * kFreq);
  EXPECT_EQ(postings.positions.back(), positions.back());
  EXPECT_EQ(postings.docids.capacity(), postings.docids.size());
  EXPECT_EQ(postings.positions.capacity(), postings.positions.size());
}

TEST(PostingCode, AWidestPostingFitsItsBound) {
  std::uint8_t bytes[2 * kMaxPosting];
  EXPECT_LE(static_cast<std::size_t>(put_posting(kMax, kMax, bytes) - bytes), kMaxPosting);
}

TEST(TermDictionary, ThreadsAgreeOnNumbers) {
  TermDictionary dictionary;
  constexpr std::size_t kTerms = 20000;
  std::vector<std::vector<TermNumber>> numbers(4, std::vector<TermNumber>(kTerms));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kTerms; ++i) {
        const std::size_t term = t % 2 == 0 ? i : kTerms - 1 - i;
        numbers[t][term] = dictionary.number_of("term" + std::to_string(term));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(dictionary.size(), kTerms);
  for (std::size_t t = 1; t < numbers.size(); ++t) EXPECT_EQ(numbers[t], numbers[0]);
  for (std::size_t i = 0; i < kTerms; ++i) {
    ASSERT_LT(numbers[0][i], dictionary.bound());
    ASSERT_EQ(dictionary.term(numbers[0][i]), "term" + std::to_string(i));
  }
  EXPECT_GT(dictionary.memory(), kTerms * 8);
  dictionary.clear();
  EXPECT_EQ(dictionary.size(), 0u);
  EXPECT_EQ(dictionary.bound(), 0u);
}

TEST(TermDictionary, TermsOfAnySizeAndBytes) {
  TermDictionary dictionary;
  const std::string huge(100000, 'x');
  const std::string nul("\0", 1);
  const TermNumber a = dictionary.number_of(huge);
  const TermNumber b = dictionary.number_of(nul);
  const TermNumber c = dictionary.number_of(nul + nul);
  EXPECT_EQ(dictionary.term(a), huge);
  EXPECT_EQ(dictionary.term(b), nul);
  EXPECT_NE(b, c);
  EXPECT_EQ(dictionary.number_of(huge), a);
}

TEST(TokenCache, TellsTokensOfAllLengthsApart) {
  TokenCache cache(std::uint64_t{64} << 20);
  std::unordered_map<std::string, std::uint32_t> all;
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < 50000; ++i) {
    std::string token(1 + random() % 24, 'a');
    for (char& c : token) c = static_cast<char>(random() % 4);  // NUL bytes among them
    const auto [known, is_new] = all.try_emplace(token, i);
    TokenCache::Slot* slot = cache.find(token);
    ASSERT_EQ(slot == nullptr, is_new);
    if (is_new) {
      slot = &cache.insert(token);
      EXPECT_EQ(slot->batch, 0u);
      slot->term = i;
    }
    ASSERT_EQ(cache.find(token)->term, known->second);
  }
  for (const auto& [token, number] : all) {
    ASSERT_NE(cache.find(token), nullptr);
    ASSERT_EQ(cache.find(token)->term, number);
  }
}

TEST(TokenCache, ForgetsWhenItIsFull) {
  TokenCache cache(64 << 10);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const std::string token = (i % 2 == 0 ? "" : "a rather long token ") + std::to_string(i);
    cache.insert(token).term = i;
    ASSERT_EQ(cache.find(token)->term, i);
  }
  for (std::uint32_t i = 0; i < 100000; i += 2) kept += cache.find(std::to_string(i)) != nullptr;
  EXPECT_LT(kept, 2000u);
}

TEST(IdSet, FindsWhatIsThere) {
  IdSet ids;
  for (Docid i = 0; i < 100000; ++i) {
    ASSERT_EQ(ids.insert(IdSet::hash_of("id" + std::to_string(i)), i), std::nullopt);
  }
  EXPECT_EQ(ids.insert(IdSet::hash_of("id4711"), 100000), Docid{4711});
  EXPECT_LT(ids.memory(), 100000u * 33);
  EXPECT_GE(ids.memory(), 100000u * 16);
}

TEST(IdSet, LowHalvesAloneDoNotMakeADuplicate) {
  IdSet ids;
  EXPECT_EQ(ids.insert({42, 1}, 0), std::nullopt);
  EXPECT_EQ(ids.insert({42, 2}, 1), std::nullopt);
  EXPECT_EQ(ids.insert({42, 2}, 2), Docid{1});
}

TEST(Rounds, AreConsumedInOrderAndBoundedInNumber) {
  std::vector<int> rounds(3);
  int produced = 0;
  int consumed = 0;
  std::atomic<int> alive{0};
  std::atomic<int> most{0};
  for_batches(
      rounds, std::stop_token(),
      [&](int& round) {
        round = produced;
        if (produced == 500) return false;
        ++produced;
        most = std::max(most.load(), ++alive);
        return true;
      },
      [&](int& round) { round *= 2; },
      [&](int& round) {
        EXPECT_EQ(round, 2 * consumed++);
        --alive;
      });
  EXPECT_EQ(consumed, 500);
  EXPECT_LE(most, 3);
}

TEST(BuildBudget, PartsFitTheWhole) {
  for (const std::uint64_t mega : {64u, 100u, 256u, 2048u, 65536u}) {
    for (const unsigned threads : {1u, 2u, 16u, 256u}) {
      const std::uint64_t memory = mega << 20;
      const BuildBudget budget = BuildBudget::of(memory, threads);
      EXPECT_GE(budget.batches, 2u);
      EXPECT_EQ(budget.threads, std::min<std::size_t>(threads, budget.batches));
      EXPECT_GT(budget.run, memory / 8) << mega << " MB, " << threads << " threads";
      EXPECT_LT(budget.run + budget.batches * budget.cache, memory);
      EXPECT_GE(budget.batch_postings, 1024u);
      EXPECT_GE(budget.fan_in, 2u);
    }
  }
  EXPECT_THROW(BuildBudget::of(kMinBuildMemory - 1, 1), UsageError);
}

/// Tables of a batch's occurrences take room, and so does what is set aside of positions.
TEST(BuildBudget, PartsFitTheWholeWithPositions) {
  constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
  for (const std::uint64_t mega : {64u, 100u, 256u, 2048u, 65536u}) {
    for (const unsigned threads : {1u, 2u, 16u, 256u}) {
      const BuildBudget budget = BuildBudget::of(mega * kMega, threads, true);
      const BuildBudget without = BuildBudget::of(mega * kMega, threads);
      EXPECT_GE(budget.batches, 2u);
      EXPECT_LE(budget.batches, without.batches);
      EXPECT_GT(budget.run, mega * kMega / 16) << mega << " MB, " << threads << " threads";
      const std::uint64_t batches = budget.batches * (12 * kMega + budget.cache);
      EXPECT_LE(budget.run + batches + 30 * kMega, mega * kMega);
    }
  }
}

/// A run of documents from random texts, inverted in batches of 20, starting at docid `base`.
class Runs : public testing::Test {
 protected:
  std::filesystem::path spill(const std::vector<test::TextDocument>& documents, std::size_t first,
                              std::size_t end, bool with_positions = false) {
    TermDictionary dictionary;
    Inverter inverter(AnalyzerConfig{}, {}, dictionary, 1 << 20, {}, with_positions);
    std::vector<InvertedBatch> batches;
    std::vector<std::uint32_t> lengths;
    for (std::size_t i = first; i < end; i += 20) {
      std::vector<TextField> fields;
      for (std::size_t j = i; j < std::min(i + 20, end); ++j) {
        fields.push_back({kContentsField, documents[j].text});
      }
      std::vector<Document> batch;
      for (std::size_t j = 0; j < fields.size(); ++j) {
        batch.push_back({documents[i + j].id, std::span(fields).subspan(j, 1)});
      }
      batches.push_back(inverter.invert(batch, lengths));
      batches.back().base = static_cast<Docid>(i);
    }
    MemoryRun run(dictionary, std::move(batches));
    const auto path = new_path();
    write_run(run, path, 100);
    return path;
  }

  std::filesystem::path new_path() { return directory_ / ("run" + std::to_string(number_++)); }

  static test::Inversion read_all(ListSource& source) {
    test::Inversion postings;
    PendingList list;
    std::string previous;
    ListPostings found;
    while (source.next(list)) {
      EXPECT_LT(previous, list.term);
      previous = list.term;
      source.postings(list, found);
      const std::vector<Docid>& docids = found.docids;
      EXPECT_GE(list.max_values, docids.size());
      EXPECT_TRUE(std::is_sorted(docids.begin(), docids.end()));
      for (std::size_t i = 0; i < docids.size(); ++i) {
        postings[list.term][docids[i]] = found.freqs[i];
      }
    }
    return postings;
  }

  test::TemporaryDirectory directory_;
  int number_ = 0;
};

TEST_F(Runs, MergeToTheNaiveInversion) {
  const auto documents = test::random_documents(600, 500, 40, 1);
  const auto expected = test::naive_inversion(documents, AnalyzerConfig{});
  for (const std::size_t size : {600u, 300u, 97u, 40u}) {
    std::vector<std::filesystem::path> runs;
    for (std::size_t first = 0; first < 600; first += size) {
      runs.push_back(spill(documents, first, std::min<std::size_t>(first + size, 600)));
    }
    MergedRuns merged(runs);
    EXPECT_EQ(read_all(merged), expected) << "runs of " << size;
  }
}

TEST_F(Runs, ManyRunsAreMergedInSeveralPasses) {
  const auto documents = test::random_documents(400, 300, 30, 2);
  std::vector<std::filesystem::path> runs;
  for (std::size_t first = 0; first < 400; first += 20) {
    runs.push_back(spill(documents, first, first + 20));
  }
  const auto spilled = runs;
  reduce_runs(runs, 3, 50, {}, [this] { return new_path(); });
  EXPECT_LE(runs.size(), 3u);
  for (const auto& path : spilled) EXPECT_FALSE(std::filesystem::exists(path));
  MergedRuns merged(runs);
  EXPECT_EQ(read_all(merged), test::naive_inversion(documents, AnalyzerConfig{}));
}

TEST_F(Runs, PositionsComeThroughSeveralPasses) {
  const auto documents = test::random_documents(400, 300, 30, 5);
  std::vector<std::filesystem::path> runs;
  for (std::size_t first = 0; first < 400; first += 20) {
    runs.push_back(spill(documents, first, first + 20, true));
  }
  reduce_runs(runs, 3, 50, {}, [this] { return new_path(); });
  test::PositionsFound expected, found;
  for (const test::TextDocument& document : documents) {
    test::add_positions({document.text}, AnalyzerConfig{}, kMainText, document.id, expected);
  }
  MergedRuns merged(runs, true);
  PendingList list;
  ListPostings postings;
  while (merged.next(list)) {
    merged.postings(list, postings);
    EXPECT_GE(list.max_values, postings.docids.size() + postings.positions.size());
    auto at = postings.positions.begin();
    for (std::size_t i = 0; i < postings.docids.size(); ++i) {
      auto& positions = found[{list.term, documents[postings.docids[i]].id}];
      positions.assign(at, at + static_cast<std::ptrdiff_t>(postings.freqs[i]));
      at += static_cast<std::ptrdiff_t>(postings.freqs[i]);
    }
    EXPECT_EQ(at, postings.positions.end());
  }
  EXPECT_EQ(found, expected);
}

TEST_F(Runs, EmptyRuns) {
  const std::vector<test::TextDocument> documents = {{"a", ""}, {"b", "x"}};
  MergedRuns merged({spill(documents, 0, 1), spill(documents, 1, 2), spill(documents, 0, 0)});
  EXPECT_EQ(read_all(merged), test::naive_inversion(documents, AnalyzerConfig{}));
}

TEST_F(Runs, TruncatedFilesAreErrors) {
  const auto documents = test::random_documents(20, 300, 30, 3);
  const auto path = spill(documents, 0, 20);
  const auto size = std::filesystem::file_size(path);
  const auto whole = test::naive_inversion(documents, AnalyzerConfig{}).size();
  for (std::uintmax_t cut = 1; cut < size; cut += 7) {
    std::filesystem::resize_file(path, size - cut);
    try {
      MergedRuns merged({path});
      // A cut between two records cannot be told from the end of a run.
      EXPECT_LT(read_all(merged).size(), whole);
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(path.string()));
    }
  }
}

TEST_F(Runs, FilesThatCannotBeOpenedOrWritten) {
  EXPECT_THROW(MergedRuns({directory_ / "absent"}), IoError);
  TermDictionary dictionary;
  MemoryRun run(dictionary, {});
  EXPECT_THROW(write_run(run, directory_ / "no" / "folder", 100), IoError);
}

/// Every call that changes a file fails once, while runs are written and merged into fewer.
TEST_F(Runs, DisksThatFailAreErrors) {
  const auto documents = test::random_documents(40, 100, 30, 4);
  const auto build = [&] {
    std::vector<std::filesystem::path> runs;
    for (std::size_t first = 0; first < 40; first += 10) {
      runs.push_back(spill(documents, first, first + 10));
    }
    reduce_runs(runs, 2, 50, {}, [this] { return new_path(); });
  };
  test::FaultFileSystem counting(directory_.path());
  {
    const ReplacedFileSystem replaced(counting);
    build();
  }
  ASSERT_GT(counting.calls(), 20u);
  int failed = 0;
  for (std::size_t call = 0; call < counting.calls(); ++call) {
    test::FaultFileSystem faults(directory_.path());
    faults.fail_at(call, ENOSPC);
    const ReplacedFileSystem replaced(faults);
    try {
      build();
    } catch (const IoError& error) {
      ++failed;
      EXPECT_THAT(error.what(), testing::HasSubstr(directory_.path().string()));
    }
  }
  EXPECT_EQ(failed, static_cast<int>(counting.calls()));
}

TEST_F(Runs, SpoolsUseTheFileSystemOfWriters) {
  const std::vector<std::byte> bytes(std::size_t{3} << 20, std::byte{7});
  test::FaultFileSystem counting(directory_.path());
  {
    const ReplacedFileSystem replaced(counting);
    Spool spool(directory_.path());
    spool.append(bytes);
    EXPECT_TRUE(std::filesystem::is_empty(directory_.path())) << "it has no name";
    std::vector<std::byte> drained;
    spool.drain([&](auto part) { drained.insert(drained.end(), part.begin(), part.end()); });
    EXPECT_EQ(drained, bytes);
  }
  EXPECT_GE(counting.calls(), 3u);
  test::FaultFileSystem faults(directory_.path());
  faults.fail_at(0, ENOSPC);
  const ReplacedFileSystem replaced(faults);
  Spool spool(directory_.path());
  EXPECT_THROW(spool.append(bytes), IoError);
}

TEST_F(Runs, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  TermDictionary dictionary;
  Inverter inverter(AnalyzerConfig{}, dictionary, 1 << 20);
  const std::vector<TextField> fields = {{kContentsField, "some words to write"}};
  const std::vector<Document> documents = {{"a", fields}};
  std::vector<std::uint32_t> lengths;
  std::vector<InvertedBatch> batches;
  batches.push_back(inverter.invert(documents, lengths));
  MemoryRun run(dictionary, std::move(batches));
  EXPECT_THROW(write_run(run, "/dev/full", 100), IoError);
}

}  // namespace
}  // namespace gannet::index
