// The CPU back end against brute force over random collections: same documents, same order, same
// score bits.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <optional>
#include <random>

#include "codecs/codec_set.hpp"
#include "query/backend/backend.hpp"
#include "query/scoring/scorer.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/reference_scorer.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::Collection;
using test::QueryTerm;

/// A random query: its text, what it means, and which of its terms count how often, worked out
/// without the library.
struct Wanted {
  std::string text;
  std::function<bool(std::uint32_t docid)> matches;
  /// Terms in order of first occurrence; occurrences that are not negated. Shared by all parts of a
  /// query.
  std::vector<QueryTerm> terms;
};

class RandomQueries {
 public:
  RandomQueries(const Collection& collection, std::uint32_t terms, Mode mode, unsigned seed)
      : collection_(collection), terms_(terms), mode_(mode), random_(seed) {}

  Wanted next(int depth) {
    Wanted wanted;
    const Part part = clauses(depth, true, wanted.terms);
    wanted.text = part.text;
    wanted.matches = part.matches;
    return wanted;
  }

 private:
  struct Part {
    std::string text;
    std::function<bool(std::uint32_t)> matches;
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  Part word(bool positive, std::vector<QueryTerm>& terms) {
    // One term more than there are: no document has it.
    const std::string term = "t" + std::to_string(below(terms_ + 1));
    auto known = std::find_if(terms.begin(), terms.end(), [&](auto& t) { return t.first == term; });
    if (known == terms.end()) known = terms.insert(terms.end(), {term, 0});
    if (positive) ++known->second;
    const Collection& collection = collection_;
    return {term,
            [&collection, term](std::uint32_t d) { return collection.frequency(term, d) > 0; }};
  }

  Part chain(bool conjunction, int depth, bool positive, std::vector<QueryTerm>& terms) {
    std::vector<Part> parts;
    std::string text;
    for (std::uint32_t n = 2 + below(3); n > 0; --n) {
      parts.push_back(any(depth - 1, positive, terms));
      text += (text.empty() ? "" : conjunction ? " AND " : " OR ") + parts.back().text;
    }
    return {"(" + text + ")", [parts, conjunction](std::uint32_t d) {
              for (const Part& part : parts) {
                if (part.matches(d) != conjunction) return !conjunction;
              }
              return conjunction;
            }};
  }

  Part clauses(int depth, bool positive, std::vector<QueryTerm>& terms) {
    std::vector<Part> must, must_not, unsigned_parts;
    std::string text;
    for (std::uint32_t n = 1 + below(4); n > 0; --n) {
      const std::uint32_t sign = below(5);
      const bool negated = sign == 1;
      const Part part = any(depth - 1, positive != negated, terms);
      (sign == 0 ? must : negated ? must_not : unsigned_parts).push_back(part);
      text += (text.empty() ? "" : " ") +
              std::string(sign == 0 ? "+"
                          : negated ? "-"
                                    : "") +
              part.text;
    }
    const bool all = mode_ == Mode::kAnd;
    return {text, [=](std::uint32_t d) {
              const auto has = [d](const Part& part) { return part.matches(d); };
              if (std::any_of(must_not.begin(), must_not.end(), has)) return false;
              if (!must.empty()) return std::all_of(must.begin(), must.end(), has);
              if (unsigned_parts.empty()) return true;
              return all ? std::all_of(unsigned_parts.begin(), unsigned_parts.end(), has)
                         : std::any_of(unsigned_parts.begin(), unsigned_parts.end(), has);
            }};
  }

  Part any(int depth, bool positive, std::vector<QueryTerm>& terms) {
    const std::uint32_t kind = depth <= 0 ? 0 : below(6);
    if (kind == 1) return chain(true, depth, positive, terms);
    if (kind == 2) return chain(false, depth, positive, terms);
    if (kind == 3) {
      const Part inner = any(depth - 1, !positive, terms);
      return {"(NOT " + inner.text + ")", [inner](std::uint32_t d) { return !inner.matches(d); }};
    }
    if (kind == 4) {
      const Part inner = clauses(depth, positive, terms);
      return {"(" + inner.text + ")", inner.matches};
    }
    return word(positive, terms);
  }

  const Collection& collection_;
  std::uint32_t terms_;
  Mode mode_;
  std::mt19937 random_;
};

/// Scores all documents that match, one by one, and sorts them.
std::vector<Hit> brute_force(const Collection& collection, const Wanted& wanted, float k1,
                             float b) {
  std::vector<Hit> hits;
  const test::Scorer scorer(collection, wanted.terms, k1, b);
  for (std::uint32_t d = 0; d < collection.documents(); ++d) {
    if (wanted.matches(d)) hits.push_back({d, scorer.score(d)});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& x, const Hit& y) { return x.score > y.score; });
  return hits;
}

void expect_hits(const Result& result, std::vector<Hit> expected, std::uint32_t k,
                 const std::string& text) {
  if (expected.size() > k) expected.resize(k);
  ASSERT_EQ(result.hits().size(), expected.size()) << text;
  ASSERT_EQ(result.count, expected.size()) << text;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(result.hits()[i].docid, expected[i].docid) << text << ", rank " << i;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(result.hits()[i].score),
              std::bit_cast<std::uint32_t>(expected[i].score))
        << text << ", rank " << i;
  }
}

std::vector<std::uint32_t> docids_of(const std::vector<Hit>& hits) {
  std::vector<std::uint32_t> docids;
  for (const Hit& hit : hits) docids.push_back(hit.docid);
  std::sort(docids.begin(), docids.end());
  return docids;
}

Query query_of(const std::string& text, Mode mode, Want want, std::uint32_t k) {
  Query query;
  query.text = text;
  query.mode = mode;
  query.want = want;
  query.k = k;
  return query;
}

constexpr std::uint32_t kSearchTerms = 24;

class SearchTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new Shared;
    shared_->collection = test::random_collection(40001, kSearchTerms, 7);
    shared_->index = test::write_index(shared_->directory.path(), shared_->collection);
  }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }

  struct Shared {
    test::TemporaryDirectory directory;
    Collection collection;
    std::shared_ptr<const index::Index> index;
  };
  static inline Shared* shared_ = nullptr;

  static Searcher searcher(unsigned threads) {
    SearcherOptions options;
    options.backend = BackendChoice::kCpu;
    options.cpu.threads = threads;
    return Searcher(shared_->index, options);
  }
};

class RandomExpressions : public SearchTest, public testing::WithParamInterface<Mode> {};

TEST_P(RandomExpressions, MatchAndRankAsBruteForceDoes) {
  Searcher cpu = searcher(2);
  RandomQueries random(shared_->collection, kSearchTerms, GetParam(), 11);
  for (int round = 0; round < 120; ++round) {
    const Wanted wanted = random.next(round % 5);
    const std::vector<Hit> expected = brute_force(shared_->collection, wanted, 0.9f, 0.4f);
    const auto search = [&](Want want, std::uint32_t k) {
      return cpu.search(query_of(wanted.text, GetParam(), want, k));
    };
    for (const std::uint32_t k : {0u, 1u, 10u, 1000u, 0xffffffffu}) {
      expect_hits(search(Want::kTopK, k), expected, k, wanted.text);
    }
    ASSERT_EQ(search(Want::kCount, 10).count, expected.size()) << wanted.text;
    const Result docids = search(Want::kDocids, 10);
    ASSERT_EQ(docids.docids, docids_of(expected)) << wanted.text;
    ASSERT_EQ(docids.count, expected.size()) << wanted.text;
    if (testing::Test::HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomExpressions, testing::Values(Mode::kOr, Mode::kAnd));

/// The sum of the plan's contributions, document by document.
std::vector<Hit> ranked_by(const Collection& collection, const Plan& plan, const Wanted& wanted) {
  std::vector<Hit> hits;
  for (std::uint32_t d = 0; d < collection.documents(); ++d) {
    if (!wanted.matches(d)) continue;
    float sum = 0;
    for (const PlanTerm& term : plan.terms()) {
      const std::uint32_t frequency = collection.frequency(term.text, d);
      if (frequency == 0 || !term.scored()) continue;
      sum += contribution(plan.constants(), term.constants, frequency, collection.lengths[d]);
    }
    hits.push_back({d, sum});
  }
  std::ranges::stable_sort(hits, std::greater<>(), &Hit::score);
  return hits;
}

TEST_F(SearchTest, EveryScorerRanksByTheSumOfItsContributions) {
  const Searcher cpu = searcher(2);
  for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
    RandomQueries random(shared_->collection, kSearchTerms, mode, 13);
    for (const ScorerInfo& scorer : all_scorers()) {
      for (int round = 0; round < 6; ++round) {
        const Wanted wanted = random.next(round % 3);
        Query query = query_of(wanted.text, mode, Want::kTopK, 500);
        query.scorer = standard_scorer(scorer.id);
        const std::vector<Hit> expected = ranked_by(shared_->collection, cpu.plan(query), wanted);
        expect_hits(cpu.search(query), expected, 500,
                    std::string(scorer.name) + ": " + wanted.text);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(SearchTest, WeightsCountAndTiesGoByDocid) {
  const Searcher cpu = searcher(2);
  Query query = query_of("t3^2.5 t5^0 t7^0.125", Mode::kOr, Want::kTopK, 40'001);
  query.scorer = standard_scorer(ScorerId::kImpact);
  std::vector<Hit> expected;
  for (std::uint32_t d = 0; d < shared_->collection.documents(); ++d) {
    const auto frequency = [&](const char* term) {
      return static_cast<float>(shared_->collection.frequency(term, d));
    };
    const float score = 2.5f * frequency("t3") + 0.125f * frequency("t7");
    if (score > 0 || frequency("t5") > 0) expected.push_back({d, score});
  }
  std::ranges::stable_sort(expected, std::greater<>(), &Hit::score);
  expect_hits(cpu.search(query), expected, query.k, query.text);
}

TEST_F(SearchTest, ParametersOfTheQueryCount) {
  Searcher cpu = searcher(1);
  for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
    RandomQueries random(shared_->collection, kSearchTerms, mode, 5);
    for (const auto& [k1, b] : {std::pair(0.0f, 0.0f), std::pair(1.2f, 0.75f),
                                std::pair(5.0f, 1.0f), std::pair(1e9f, 1.0f)}) {
      const Wanted wanted = random.next(1);
      Query query = query_of(wanted.text, mode, Want::kTopK, 300);
      query.scorer = bm25(k1, b);
      expect_hits(cpu.search(query), brute_force(shared_->collection, wanted, k1, b), 300,
                  wanted.text);
    }
  }
}

TEST_F(SearchTest, PureNegationsMatchTheRestWithScoreZero) {
  Searcher cpu = searcher(1);
  const Result result = cpu.search(query_of("-t1", Mode::kOr, Want::kTopK, 5));
  ASSERT_EQ(result.hits().size(), 5u);
  std::uint32_t docid = 0;
  for (const Hit hit : result.hits()) {
    while (shared_->collection.frequency("t1", docid) > 0) ++docid;
    EXPECT_EQ(hit, (Hit{docid++, 0.0f}));
    EXPECT_FALSE(std::signbit(hit.score));
  }
}

TEST_F(SearchTest, NothingMatches) {
  Searcher cpu = searcher(2);
  for (const char* text : {"", "?!", "zzz", "zzz yyy", "zzz AND t0", "+zzz t0", "t0 AND NOT t0"}) {
    for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
      const Result result = cpu.search(query_of(text, Mode::kOr, want, 10));
      EXPECT_EQ(result.count, 0u) << text;
      EXPECT_TRUE(result.docids.empty()) << text;
      EXPECT_TRUE(result.docids.empty()) << text;
    }
  }
  EXPECT_TRUE(cpu.search(std::span<const Plan>()).empty());
}

TEST_F(SearchTest, ThreadsAndBatchSizesDoNotMatter) {
  std::vector<Plan> plans;
  Searcher one = searcher(1);
  for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
    RandomQueries random(shared_->collection, kSearchTerms, mode, 3);
    for (int i = 0; i < 60; ++i) {
      const Want want = i % 3 == 0 ? Want::kDocids : i % 3 == 1 ? Want::kCount : Want::kTopK;
      plans.push_back(
          one.plan(query_of(random.next(i % 4).text, mode, want, i % 2 == 0 ? 10 : 700)));
    }
  }
  const Results expected = one.search(plans);
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    Searcher cpu = searcher(threads);
    for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, plans.size()}) {
      for (std::size_t begin = 0; begin < plans.size(); begin += batch) {
        const auto part = std::span(plans).subspan(begin, std::min(batch, plans.size() - begin));
        const Results results = cpu.search(part);
        ASSERT_EQ(results.size(), part.size());
        for (std::size_t i = 0; i < part.size(); ++i) {
          test::expect_same(results[i], expected[begin + i], plans[begin + i]);
        }
      }
    }
  }
}

TEST_F(SearchTest, ReportCountsPostingsAndTiles) {
  Searcher cpu = searcher(1);
  const auto run = [&](const char* text, Mode mode) {
    const Plan plan = cpu.plan(query_of(text, mode, Want::kTopK, 10));
    Report report;
    cpu.search(std::span(&plan, 1), &report, {.stop = {}, .exhaustive = true});
    EXPECT_EQ(report.ranges_total, 0u);
    return report;
  };
  const std::uint32_t df1 = shared_->collection.document_frequency("t1");
  const std::uint32_t df11 = shared_->collection.document_frequency("t11");
  const Report either = run("t1 t11 zzz", Mode::kOr);
  EXPECT_EQ(either.postings, df1 + df11);
  EXPECT_EQ(either.tiles_total, codecs::tile_count(df1) + codecs::tile_count(df11));
  EXPECT_EQ(either.tiles_decoded, either.tiles_total);
  // The short list's documents lie in few tiles of the long one.
  const Report both = run("t1 t11", Mode::kAnd);
  EXPECT_EQ(both.tiles_total, either.tiles_total);
  EXPECT_LE(both.tiles_decoded, codecs::tile_count(df11) + df11);
  EXPECT_LT(both.tiles_decoded, both.tiles_total / 2);
}

/// All pairs of posting codecs; the others beside gpu-bp128.
bool is_tested(const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec) {
  const auto posting = [](const codecs::ListCodec& codec) {
    return codecs::has_codec<codecs::PostingCodecs>(codec.id);
  };
  if (posting(docid_codec) && posting(freq_codec)) return true;
  return docid_codec.name == "gpu-bp128" || freq_codec.name == "gpu-bp128";
}

TEST(Search, EveryPairOfCodecs) {
  const Collection collection = test::random_collection(17000, 8, 21);
  for (const codecs::ListCodec& docid_codec : codecs::all_list_codecs()) {
    for (const codecs::ListCodec& freq_codec : codecs::all_list_codecs()) {
      if (!is_tested(docid_codec, freq_codec)) continue;
      SCOPED_TRACE(std::string(docid_codec.name) + " and " + std::string(freq_codec.name));
      test::TemporaryDirectory directory;
      index::WriteOptions options;
      options.docid_codec = &docid_codec;
      options.freq_codec = &freq_codec;
      Searcher searcher(test::write_index(directory.path(), collection, options),
                        {BackendChoice::kCpu, {2}, {}});
      for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
        RandomQueries random(collection, 8, mode, 2);
        for (int i = 0; i < 6; ++i) {
          const Wanted wanted = random.next(i % 3);
          expect_hits(searcher.search(query_of(wanted.text, mode, Want::kTopK, 100)),
                      brute_force(collection, wanted, 0.9f, 0.4f), 100, wanted.text);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

/// Sizes around the boundaries of words, tiles and windows.
TEST(Search, CollectionsOfAnySize) {
  for (const std::uint32_t documents :
       {1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 16383u, 16384u, 16385u}) {
    SCOPED_TRACE(documents);
    const Collection collection = test::random_collection(documents, 5, documents);
    test::TemporaryDirectory directory;
    Searcher searcher(test::write_index(directory.path(), collection),
                      {BackendChoice::kCpu, {3}, {}});
    for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
      RandomQueries random(collection, 5, mode, documents);
      for (int i = 0; i < 15; ++i) {
        const Wanted wanted = random.next(i % 4);
        const std::vector<Hit> expected = brute_force(collection, wanted, 0.9f, 0.4f);
        expect_hits(searcher.search(query_of(wanted.text, mode, Want::kTopK, 20)), expected, 20,
                    wanted.text);
        ASSERT_EQ(searcher.search(query_of(wanted.text, mode, Want::kDocids, 0)).docids,
                  docids_of(expected));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Search, EmptyCollection) {
  test::TemporaryDirectory directory;
  Searcher searcher(test::write_index(directory.path(), Collection{}),
                    {BackendChoice::kCpu, {2}, {}});
  for (const char* text : {"t0", "t0 AND t1", "-t0", ""}) {
    for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
      EXPECT_EQ(searcher.search(query_of(text, Mode::kOr, want, 10)).count, 0u) << text;
    }
  }
}

TEST(Search, ThousandsOfTerms) {
  Collection collection;
  collection.lengths.assign(3000, 10);
  std::string text;
  std::vector<QueryTerm> terms;
  for (std::uint32_t t = 0; t < 3000; ++t) {
    const std::string term = "w" + std::to_string(t);
    std::vector<std::uint32_t> list(3000, 0);
    list[t] = 1;
    list[(t * 7 + 1) % 3000] = 2;
    collection.frequencies[term] = std::move(list);
    text += term + " ";
    terms.push_back({term, 1});
  }
  test::TemporaryDirectory directory;
  Searcher searcher(test::write_index(directory.path(), collection),
                    {BackendChoice::kCpu, {2}, {}});
  const Wanted all{text, [](std::uint32_t) { return true; }, terms};
  expect_hits(searcher.search(query_of(text, Mode::kOr, Want::kTopK, 50)),
              brute_force(collection, all, 0.9f, 0.4f), 50, "all terms");
  EXPECT_EQ(searcher.search(query_of(text, Mode::kAnd, Want::kTopK, 50)).count, 0u);
  // A general expression with as many terms: the documents without w0, all of which have another
  // term.
  EXPECT_EQ(searcher.search(query_of("-w0 " + text, Mode::kOr, Want::kCount, 0)).count, 2998u);
}

}  // namespace
}  // namespace gannet::query
