// The CUDA back end gives exactly what the CPU back end gives: ids, order and the bits of the
// scores, whatever the codecs, the query, k and the size of the batch.
#include "query/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::random_collection;
using test::TemporaryDirectory;
using test::write_index;

class CudaBackendTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void open(std::uint32_t documents, std::uint32_t terms, const char* docids = "gpu-bp128",
            const char* freqs = "gpu-bp128") {
    index::WriteOptions options;
    options.docid_codec = &codecs::list_codec_named(docids);
    options.freq_codec = &codecs::list_codec_named(freqs);
    directory_ = std::make_unique<TemporaryDirectory>();
    index_ =
        write_index(directory_->path() / "index", random_collection(documents, terms, 7), options);
    terms_ = terms;
    cpu_ = make_cpu_backend(index_, {});
    cuda_ = make_cuda_backend(index_, {.device = 0, .pool_bytes = std::uint64_t{256} << 20});
    analyzer_ = std::make_unique<index::Analyzer>(index_->analyzer());
  }

  Plan plan(const std::string& text, Want want = Want::kTopK, std::uint32_t k = 10,
            Mode mode = Mode::kOr) {
    Query query;
    query.text = text;
    query.want = want;
    query.k = k;
    query.mode = mode;
    return make_plan(*index_, *analyzer_, query);
  }

  std::string term() { return "t" + std::to_string(random_() % (terms_ + 1)); }

  /// A random expression of the query language; the last term of term() is one that no document
  /// has.
  std::string expression(int depth) {
    if (depth == 0 || random_() % 4 == 0) return term();
    const int operands = 2 + static_cast<int>(random_() % 2);
    const char* const joint = random_() % 2 == 0 ? " AND " : " OR ";
    std::string text = "(";
    for (int i = 0; i < operands; ++i) {
      if (i > 0) text += joint;
      if (random_() % 5 == 0) text += "NOT ";
      text += expression(depth - 1);
    }
    return text + ")";
  }

  std::vector<Plan> random_plans(int count) {
    std::vector<Plan> plans;
    for (int i = 0; i < count; ++i) {
      const Want want =
          std::array{Want::kTopK, Want::kTopK, Want::kCount, Want::kDocids}[random_() % 4];
      const std::uint32_t k = std::array{1u, 10u, 100u, 1000u, 5000u}[random_() % 5];
      std::string text;
      switch (random_() % 4) {
        case 0:
        case 1:
          for (std::uint32_t t = 0; t < 1 + random_() % 8; ++t) text += term() + " ";
          break;
        case 2:
          text = "+" + term() + " " + term() + " -" + term() + " " + term();
          break;
        default:
          text = expression(3);
      }
      plans.push_back(plan(text, want, k, random_() % 3 == 0 ? Mode::kAnd : Mode::kOr));
    }
    return plans;
  }

  void expect_equal(std::span<const Plan> plans) {
    Report on_cpu;
    Report on_gpu;
    const auto expected = cpu_->run(plans, {}, on_cpu);
    const auto actual = cuda_->run(plans, {}, on_gpu);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(actual[i], expected[i], plans[i]);
    }
    EXPECT_EQ(on_gpu.postings, on_cpu.postings);
  }

  std::mt19937 random_{31};
  std::unique_ptr<TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
  std::uint32_t terms_ = 0;
  std::unique_ptr<Backend> cpu_, cuda_;
  std::unique_ptr<index::Analyzer> analyzer_;
};

TEST_F(CudaBackendTest, RandomQueriesOnEveryCodec) {
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    open(30'000, 30, codec.name.data(), codec.name.data());
    expect_equal(random_plans(200));
  }
}

TEST_F(CudaBackendTest, MixedCodecs) {
  open(20'000, 20, "gpu-vbyte1024", "gpu-bp256");
  expect_equal(random_plans(100));
  open(20'000, 20, "gpu-dfor", "gpu-vbyte128");
  expect_equal(random_plans(100));
}

TEST_F(CudaBackendTest, SmallCollections) {
  for (const std::uint32_t documents : {1u, 2u, 31u, 127u, 128u, 129u, 2047u, 2048u, 2049u}) {
    open(documents, 12);
    expect_equal(random_plans(60));
  }
}

TEST_F(CudaBackendTest, EveryBatchSizeGivesTheSame) {
  open(50'000, 25);
  const std::vector<Plan> plans = random_plans(300);
  Report report;
  const auto together = cuda_->run(plans, {}, report);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto alone = cuda_->run(std::span(plans).subspan(i, 1), {}, report);
    test::expect_same(alone[0], together[i], plans[i]);
  }
}

TEST_F(CudaBackendTest, EveryK) {
  open(40'000, 14);
  std::vector<Plan> plans;
  for (const std::uint32_t k : {0u, 1u, 2u, 127u, 128u, 511u, 512u, 513u, 2047u, 2048u, 2049u,
                                10'000u, 39'999u, 40'000u, 1'000'000u, 0xffffffffu}) {
    plans.push_back(plan("t0 t1 t2 t5", Want::kTopK, k));
    plans.push_back(plan("t0 t1", Want::kTopK, k, Mode::kAnd));
    plans.push_back(plan("NOT t1", Want::kTopK, k));
    plans.push_back(plan("t11", Want::kTopK, k));
  }
  expect_equal(plans);
}

TEST_F(CudaBackendTest, ManyTermsAndDeepNesting) {
  open(10'000, 200);
  std::string all;
  std::string any;
  std::string deep = "t1";
  for (int t = 0; t < 200; ++t) {
    all += "t" + std::to_string(t % 3) + " ";
    any += "t" + std::to_string(t) + " ";
    if (t < 70) deep = "(t" + std::to_string(t) + (t % 2 == 0 ? " AND (" : " OR (") + deep + "))";
  }
  std::vector<Plan> plans;
  for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
    plans.push_back(plan(any, want, 50));
    plans.push_back(plan(all, want, 50, Mode::kAnd));
    plans.push_back(plan("+t0 " + any, want, 50));
    plans.push_back(plan(deep, want, 50));
  }
  expect_equal(plans);
}

TEST_F(CudaBackendTest, ParametersPerQuery) {
  open(20'000, 10);
  std::vector<Plan> plans;
  for (const float k1 : {0.0f, 0.5f, 1.2f, 100.0f}) {
    for (const float b : {0.0f, 0.3f, 1.0f}) {
      Query query;
      query.text = "t0 t1 t1 t4";
      query.scorer = bm25(k1, b);
      query.k = 300;
      plans.push_back(make_plan(*index_, *analyzer_, query));
    }
  }
  expect_equal(plans);
}

TEST_F(CudaBackendTest, EveryScorerAndWeights) {
  open(30'000, 14);
  std::vector<Plan> plans;
  for (const ScorerInfo& scorer : all_scorers()) {
    for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
      for (const char* text : {"t0", "t0 t1^2.5 t4^0.01", "+t2 t3^7 -t5 t6", "t3^0 t4 t9 t12"}) {
        for (const std::uint32_t k : {10u, 1000u}) {
          Query query;
          query.text = text;
          query.mode = mode;
          query.scorer = standard_scorer(scorer.id);
          query.k = k;
          plans.push_back(make_plan(*index_, *analyzer_, query));
        }
      }
    }
  }
  expect_equal(plans);
}

TEST_F(CudaBackendTest, NothingToDo) {
  open(1000, 5);
  expect_equal({});
  const std::vector<Plan> plans{plan(""), plan("nosuchterm"), plan("+t0 +nosuchterm"),
                                plan("t0", Want::kTopK, 0), plan("NOT nosuchterm", Want::kCount)};
  expect_equal(plans);
}

/// Batches whose docids are many times the memory that a call may use.
TEST_F(CudaBackendTest, DocidsAreFetchedInParts) {
  open(200'000, 12);
  cuda_ = make_cuda_backend(index_, {.device = 0, .pool_bytes = std::uint64_t{1} << 20});
  std::vector<Plan> plans;
  for (const char* text : {"t0", "NOT t5", "t3 t11", "t0 t1 t2", "t11", "NOT nowhere", "t1 -t0"}) {
    for (int i = 0; i < 4; ++i) plans.push_back(plan(text, Want::kDocids));
  }
  expect_equal(plans);
  cuda_ = make_cuda_backend(index_, {.device = 0, .pool_bytes = 4096});
  expect_equal(std::span(plans).first(8));
}

TEST_F(CudaBackendTest, SmallPoolsGiveTheSame) {
  open(60'000, 20);
  cuda_ = make_cuda_backend(index_, {.device = 0, .pool_bytes = std::uint64_t{2} << 20});
  expect_equal(random_plans(200));
}

/// More callers than execution contexts, from threads whose current device is another one.
TEST_F(CudaBackendTest, EveryDeviceFromEveryThread) {
  const int devices = codecs::cuda::device_count();
  open(30'000, 20);
  const std::vector<Plan> plans = random_plans(150);
  Report report;
  const Results expected = cpu_->run(plans, {}, report);
  std::vector<std::unique_ptr<Backend>> backends;
  for (int d = 0; d < devices; ++d) {
    backends.push_back(make_cuda_backend(
        index_, {.device = d, .pool_bytes = std::uint64_t{64} << 20, .concurrent_calls = 1}));
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const codecs::cuda::DeviceGuard other(t % devices);
      for (int round = 0; round < 4; ++round) {
        Report mine;
        const Results results = backends[(t + round) % devices]->run(plans, {}, mine);
        wrong += results.counts == expected.counts && results.docids == expected.docids &&
                         results.scores == expected.scores
                     ? 0
                     : 1;
        if (codecs::cuda::current_device() != t % devices) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// Two calls at a time whose launches of one kernel need different amounts of shared memory: many
/// cursors and several cache slots, or one of each.
TEST_F(CudaBackendTest, SmallAndLargeLaunchesAtTheSameTime) {
  open(2'000, 200);
  std::string all;
  for (int t = 0; t < 200; ++t) all += "t" + std::to_string(t) + " ";
  const std::vector<Plan> sides = {plan("t0"), plan(all)};
  Report report;
  const Results expected = cpu_->run(sides, {}, report);
  constexpr int kRounds = 1500;
  std::atomic<int> wrong = 0;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (const std::size_t side : {0, 1}) {
    threads.emplace_back([&, side] {
      for (int round = 0; round < kRounds; ++round) {
        try {
          Report mine;
          const Results results = cuda_->run(std::span(sides).subspan(side, 1), {}, mine);
          const bool same = std::ranges::equal(results[0].hits(), expected[side].hits());
          wrong += same ? 0 : 1;
        } catch (const CudaError&) {
          ++failed;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(failed, 0);
}

TEST_F(CudaBackendTest, OptionsOutOfRangeAreRefused) {
  open(1000, 5);
  EXPECT_THROW(make_cuda_backend(index_, {.concurrent_calls = 0}), UsageError);
  EXPECT_THROW(make_cuda_backend(index_, {.concurrent_calls = 65}), UsageError);
  EXPECT_THROW(make_cuda_backend(index_, {.device = 1000}), Error);
  EXPECT_THROW(make_cuda_backend(index_, {.device = -1}), Error);
}

TEST_F(CudaBackendTest, AutomaticallyTheCpuIsTakenIfTheIndexDoesNotFit) {
  open(1000, 5);
  SearcherOptions options;
  options.cuda.pool_bytes = std::uint64_t{1} << 50;
  const Searcher searcher(index_, options);
  EXPECT_EQ(searcher.backend_name(), "cpu");
  const Plan planned = plan("t0 t1");
  Report report;
  EXPECT_EQ(searcher.search(std::span(&planned, 1), &report).size(), 1u);
  EXPECT_NE(report.reason.find("MB are free"), std::string::npos) << report.reason;
}

TEST_F(CudaBackendTest, AnIndexThatDoesNotFitIsRefused) {
  open(1000, 5);
  EXPECT_THROW(make_cuda_backend(index_, {.device = 0, .pool_bytes = std::uint64_t{1} << 50}),
               DeviceMemoryError);
}

}  // namespace
}  // namespace gannet::query
