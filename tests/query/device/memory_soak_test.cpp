// Searches of 16 threads with budgets of device memory from 64 MB upwards, for as long as
// tools/gpu_soak.sh says: an index of several segments, filters, columns, and another user of the
// device that comes and goes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/failing_resource.hpp"
#include "tests/support/query/memory_work.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using SoakClock = std::chrono::steady_clock;

constexpr unsigned kSoakThreads = 16;

std::uint64_t soak_setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::stoull(text);
}

/// A budget and what happened with it.
struct SoakStep {
  std::uint64_t megabytes = 0;
  bool hogged = false;  ///< another user took most of the device, and gave it back, in turn
  test::WorkDone done;
  double seconds = 0;
  MemoryState state;  ///< at the end, before the searcher is closed
};

std::string json_of(const SoakStep& step) {
  std::ostringstream text;
  const Report& report = step.done.report;
  text << "{\"budget_mb\": " << step.megabytes
       << ", \"hogged\": " << (step.hogged ? "true" : "false") << ", \"seconds\": " << step.seconds
       << ", \"searches\": " << step.done.pieces << ", \"wrong\": " << step.done.wrong
       << ", \"failed\": " << step.done.failed << ", \"queries\": " << report.queries
       << ", \"failures\": " << report.memory.failures << ", \"splits\": " << report.memory.splits
       << ", \"given_back_mb\": " << report.memory.given_back / test::kMegabyte
       << ", \"host_mb_read\": " << report.host_bytes_read / test::kMegabyte
       << ", \"host_plans\": {";
  for (std::size_t i = 0; i < kHostReasons; ++i) {
    const auto reason = static_cast<HostReason>(i);
    text << (i == 0 ? "" : ", ") << '"' << name_of(reason) << "\": " << report.host_plans[reason];
  }
  text << "}, \"used_mb\": {";
  for (std::size_t i = 0; i < kMemoryUses; ++i) {
    const auto use = static_cast<MemoryUse>(i);
    text << (i == 0 ? "" : ", ") << '"' << name_of(use)
         << "\": " << step.state.used_by(use) / test::kMegabyte;
  }
  text << "}}";
  return text.str();
}

class CudaMemorySoak : public testing::Test {
 protected:
  void SetUp() override {
    seconds_ = soak_setting("GANNET_GPU_SOAK_SECONDS", 0);
    if (seconds_ == 0) GTEST_SKIP() << "tools/gpu_soak.sh runs it";
    std::string why;
    ASSERT_TRUE(cuda_available(&why)) << why;
    const auto documents =
        static_cast<std::uint32_t>(soak_setting("GANNET_GPU_SOAK_DOCUMENTS", 3'000'000));
    index_ = test::with_fields(
        *test::write_segments(
            directory_ / "index", test::random_collection(documents, test::kTerms, 1),
            {documents / 9, documents / 4, documents / 2, documents / 5 * 4, documents}),
        test::memory_fields(documents, 1));
    host_ = std::make_unique<Searcher>(
        index_, SearcherOptions{.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}});
    work_ = std::make_unique<test::MemoryWork>(*host_, 24, 64, 1);
  }

  SoakStep run(std::uint64_t megabytes, bool hogged, double seconds) {
    SoakStep step{megabytes, hogged, {}, 0, {}};
    SearcherOptions options{.backend = BackendChoice::kCuda, .cpu = {}, .cuda = {}};
    options.cuda.device_bytes = megabytes * test::kMegabyte;
    options.cuda.column_documents = 0;
    options.cuda.filter_searches = 64;
    const auto start = SoakClock::now();
    const auto end = start + std::chrono::duration<double>(seconds);
    try {
      const Searcher searcher(index_, options);
      std::atomic<bool> ended = false;
      std::thread other([&] {
        while (hogged && !ended) {
          const test::DeviceHog hog(16 * test::kMegabyte);
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
        }
      });
      step.done =
          test::work_at_random(*work_, searcher, kSoakThreads, static_cast<unsigned>(megabytes),
                               [&](std::uint64_t) { return SoakClock::now() < end; });
      ended = true;
      other.join();
      step.state = cuda::device_budget(0).state();
    } catch (const std::exception& error) {
      ++step.done.failed;
      step.done.first_error = error.what();
    }
    step.seconds = std::chrono::duration<double>(SoakClock::now() - start).count();
    return step;
  }

  std::uint64_t seconds_ = 0;
  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> host_;
  std::unique_ptr<test::MemoryWork> work_;
};

TEST_F(CudaMemorySoak, AnyBudgetGivesTheAnswersOfTheCpu) {
  const std::vector<std::uint64_t> budgets{64, 80, 96, 128, 160, 192, 256, 384, 512, 1024};
  const double each = static_cast<double>(seconds_) / static_cast<double>(budgets.size() + 2);
  std::vector<SoakStep> steps;
  for (const std::uint64_t megabytes : budgets) steps.push_back(run(megabytes, false, each));
  steps.push_back(run(128, true, each));
  steps.push_back(run(4096, true, each));
  SoakStep all;
  std::string json;
  for (const SoakStep& step : steps) {
    SCOPED_TRACE(step.megabytes);
    EXPECT_EQ(step.done.wrong, 0u);
    EXPECT_EQ(step.done.failed, 0u) << step.done.first_error;
    EXPECT_GT(step.done.pieces, 0u);
    EXPECT_LE(step.state.all_used(), step.megabytes * test::kMegabyte);
    std::cout << json_of(step) << std::endl;
    json += (json.empty() ? "" : ",\n  ") + json_of(step);
    all.done.pieces += step.done.pieces;
    all.done.wrong += step.done.wrong;
    all.done.failed += step.done.failed;
    all.done.report.add(step.done.report);
  }
  EXPECT_GT(all.done.report.memory.failures, 0u) << "the smallest budgets are short of memory";
  if (const char* const file = std::getenv("GANNET_GPU_SOAK_JSON"); file != nullptr && *file != 0) {
    std::ofstream(file) << "{\"device\": \"" << codecs::cuda::device_name()
                        << "\", \"threads\": " << kSoakThreads << ", \"steps\": [\n  " << json
                        << "]}\n";
  }
  std::cout << "gpu soak: " << steps.size() << " budgets, " << kSoakThreads << " threads, "
            << all.done.pieces << " searches, " << all.done.report.queries << " queries, "
            << all.done.wrong << " wrong, " << all.done.failed << " failed; "
            << all.done.report.memory.failures << " times no room, "
            << all.done.report.memory.splits << " batches cut, "
            << all.done.report.memory.given_back / test::kMegabyte << " MB given back, "
            << all.done.report.host_plans[HostReason::kDeviceMemory]
            << " plans to the CPU for want of memory" << std::endl;
}

}  // namespace
}  // namespace gannet::query
