// Searches end soon after their deadline or a stop request, whatever they are at, and what they
// leave behind serves the next one.
#include "codecs/base/deadline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <limits>
#include <thread>

#include "codecs/base/cancellation.hpp"
#include "index/text/analyzer.hpp"
#include "query/options/expansion.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "query/searching/searcher_parts.hpp"
#include "query/snippets/snippet.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/fields.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::query {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBlocks = 24;
constexpr std::uint32_t kManyDocuments = kBlocks * index::kFieldBlock;

constexpr int kAttempts = 16;

/// What calls may still take after they were told to end: the 50 ms that are promised, if the
/// machine has a core for each thread. Where it does other work besides, threads wait for their
/// turn, with instrumented code all takes longer. The soonest of some calls counts.
std::chrono::milliseconds soon() {
  if (test::kSanitized) return 5000ms;
  double running = 0;
  const bool known = getloadavg(&running, 1) == 1;
  return known && running < std::thread::hardware_concurrency() / 2.0 ? 50ms : 250ms;
}

/// An index of some lists and a column of numbers, so large that everything takes a while.
class SearchDeadlines : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryDirectory;
    const test::Collection collection = test::random_collection(kManyDocuments, 6, 3);
    test::FieldValues field{index::parse_field("n:u32"), {}};
    field.values.reserve(kManyDocuments);
    for (std::uint32_t d = 0; d < kManyDocuments; ++d)
      field.values.push_back({std::to_string(d % 97)});
    index_ = test::with_fields(*test::write_index(*folder_ / "index", collection), {field});
  }
  static void TearDownTestSuite() {
    index_.reset();
    delete folder_;
  }
  void TearDown() override { column().on_decode({}); }

  static test::MemoryColumn& column() {
    return dynamic_cast<const test::SegmentWithFields&>(*index_->segments().front()).column(0);
  }
  Searcher searcher() const {
    return Searcher(index_, {.backend = BackendChoice::kCpu, .cpu = {.threads = 2}});
  }
  static Query query(const char* text, Want want = Want::kTopK) {
    Query query;
    query.text = text;
    query.want = want;
    return query;
  }

  /// Expects DeadlineError of `call`, and CancelledError where it is stopped, soon enough.
  template <class Call>
  static void expect_ends(const Call& call) {
    const test::Watchdog watchdog("a search that is to end", 120s);
    const auto most = soon();
    auto late = std::chrono::nanoseconds::max();
    for (int i = 0; i < kAttempts && late > most; ++i) {
      const SearchOptions options{.deadline = Clock::now() + 20ms};
      EXPECT_THROW(call(options), DeadlineError);
      EXPECT_GE(Clock::now(), options.deadline);
      late = std::min<std::chrono::nanoseconds>(late, Clock::now() - options.deadline);
    }
    EXPECT_LE(late, most) << "after the deadline";
    late = std::chrono::nanoseconds::max();
    for (int i = 0; i < kAttempts && late > most; ++i) {
      std::stop_source source;
      Clock::time_point stopped;
      std::thread stopper([&] {
        std::this_thread::sleep_for(20ms);
        stopped = Clock::now();
        source.request_stop();
      });
      try {
        call(SearchOptions{.stop = source.get_token()});
        ADD_FAILURE() << "it was not stopped";
      } catch (const DeadlineError&) {
        ADD_FAILURE() << "there is no deadline";
      } catch (const CancelledError&) {
      }
      const Clock::time_point ended = Clock::now();
      stopper.join();
      late = std::min<std::chrono::nanoseconds>(late, ended - stopped);
    }
    EXPECT_LE(late, most) << "after the stop request";
  }

  static test::TemporaryDirectory* folder_;
  static std::shared_ptr<const index::Index> index_;
};

test::TemporaryDirectory* SearchDeadlines::folder_ = nullptr;
std::shared_ptr<const index::Index> SearchDeadlines::index_;

TEST_F(SearchDeadlines, EndBatchesOfAnyKind) {
  const Searcher one = searcher();
  for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
    const std::size_t batch = want == Want::kCount ? 200'000 : 4000;  // counts take microseconds
    for (const char* text : {"t1 t2 t4", "+t1 +t2 t3", "t0 -t3"}) {
      for (const bool exhaustive : {false, true}) {
        SCOPED_TRACE(testing::Message() << text << " " << static_cast<int>(want) << exhaustive);
        const std::vector<Plan> plans(batch, one.plan(query(text, want)).with_k(1000));
        const auto expected = one.search(std::span(plans).first(1));
        expect_ends([&](SearchOptions options) {
          options.exhaustive = exhaustive;
          return one.search(plans, nullptr, options);
        });
        const auto after = one.search(std::span(plans).first(1));
        test::expect_same(after[0], expected[0], plans.front());
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Of queries that are all syntax, without a term that is looked up.
TEST_F(SearchDeadlines, EndTheReadingOfLongQueries) {
  const auto repeated = [](std::size_t times, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string deep = std::string(190, '(') + "t0" + std::string(190, ')') + " ";
  const std::string groups = repeated(2000, deep);
  const std::string chain = repeated(1'000'000, "t0 OR ") + "t1";
  const std::string values = "n:(" + repeated(1'000'000, "7 OR ") + "8)";
  const Searcher one = searcher();
  for (const std::string* text : {&groups, &chain, &values}) {
    SCOPED_TRACE(text->substr(0, 12));
    const Query wanted = query(text->c_str(), Want::kCount);
    expect_ends([&](const SearchOptions& options) { return one.search(wanted, options); });
  }
}

TEST_F(SearchDeadlines, EndAFilterAndTheNextSearchMakesTheRestOfIt) {
  Query filtered = query("t0", Want::kCount);
  filtered.filter = Filter::range("n", "3", "50");
  const std::uint64_t expected = searcher().search(filtered).count;
  const Searcher one = searcher();
  column().on_decode([] { std::this_thread::sleep_for(10ms); });
  expect_ends([&](const SearchOptions& options) {
    // A filter of its own each time: what was found out of the last one stays.
    static int number = 0;
    Query own = filtered;
    own.filter = Filter::range("n", "3", std::to_string(60 + number++ % 30));
    return one.search(own, options);
  });
  const SearchOptions soon{.deadline = Clock::now() + 30ms};
  EXPECT_THROW(one.search(filtered, soon), DeadlineError);
  column().on_decode({});
  EXPECT_EQ(one.search(filtered).count, expected);
}

/// A stop that a column's decoder hears is the caller's own: others who wait for the filter get it.
TEST_F(SearchDeadlines, AFilterThatSeveralWaitForIsMadeThoughOneOfThemStops) {
  Query filtered = query("t0", Want::kCount);
  filtered.filter = Filter::range("n", "3", "50");
  const std::uint64_t expected = searcher().search(filtered).count;
  const Searcher one = searcher();
  std::stop_source source;
  column().on_decode([&] {
    source.request_stop();  // as soon as anything is decoded
    throw_if_stopped();     // as codecs ask
  });
  EXPECT_THROW(one.search(filtered, {.stop = source.get_token()}), CancelledError);
  EXPECT_EQ(one.search(filtered).count, expected);
}

TEST_F(SearchDeadlines, EndColumnsOfMatches) {
  const Searcher one = searcher();
  const Plan plan = one.plan(query("t0"));
  ColumnQuery facets, histogram, aggregates;
  facets.facets = {{"n", 5}};
  histogram.histograms = {{.field = "n", .width = "10"}};
  aggregates.aggregates = {"n"};
  for (const ColumnQuery* wanted : {&facets, &histogram, &aggregates}) {
    SCOPED_TRACE(wanted == &facets ? "facets" : wanted == &histogram ? "histogram" : "aggregates");
    column().on_decode([] { std::this_thread::sleep_for(10ms); });
    expect_ends([&](const SearchOptions& options) {
      const Searcher fresh = searcher();  // without decoded columns
      const ColumnOptions columns{.threads = 2, .stop = options.stop, .deadline = options.deadline};
      return search_columns(fresh, plan, *wanted, columns);
    });
    column().on_decode({});
    EXPECT_EQ(search_columns(one, plan, *wanted).count, kManyDocuments);
  }
}

TEST_F(SearchDeadlines, ThatHavePassedEndEveryEntry) {
  const Searcher one = searcher();
  const SearchOptions passed{.deadline = Clock::now() - 1ms};
  const Query wanted = query("t1 t2");
  const std::vector<Plan> plans{one.plan(wanted)};
  EXPECT_THROW(one.plan(wanted, false, passed), DeadlineError);
  EXPECT_THROW(one.plan(std::span(&wanted, 1), false, passed), DeadlineError);
  EXPECT_THROW(one.search(wanted, passed), DeadlineError);
  EXPECT_THROW(one.search(plans, nullptr, passed), DeadlineError);
  EXPECT_THROW(one.search(std::span(plans).first(0), nullptr, passed), DeadlineError);
  std::vector<Matches> matches(1);
  const std::vector<Plan> docids{plans.front().with_want(Want::kDocids)};
  EXPECT_THROW(parts_of(one).search_to_bitmaps(docids, matches, nullptr, passed), DeadlineError);
  EXPECT_THROW(one.expand(plans, parse_expansion("rm3"), nullptr, passed), DeadlineError);
  ColumnQuery facets;
  facets.facets = {{"n", 5}};
  EXPECT_THROW(search_columns(one, plans, facets, {}, nullptr, passed), DeadlineError);
  EXPECT_THROW(search_columns(one, plans, facets, {.deadline = passed.deadline}), DeadlineError);
  EXPECT_THROW(make_snippet("a text", plans.front(), index::Analyzer(index_->analyzer()),
                            {.deadline = passed.deadline}),
               DeadlineError);
  EXPECT_EQ(one.search(plans).size(), 1u);
}

}  // namespace
}  // namespace gannet::query
