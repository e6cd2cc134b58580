// Any expression over any index of one, two or four texts is answered as a loop over its documents
// answers it, by both back ends: the same matches, counts, hits in their order, and bits of scores.
// Hundreds of expressions here, a hundred thousand by tools/soak.sh --expressions.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "query/searcher.hpp"
#include "tests/soak/expressions/comparison.hpp"
#include "tests/soak/settings.hpp"
#include "tests/support/sanitizers.hpp"

namespace gannet::oracle {
namespace {

using query::BackendChoice;
using soak::setting;

class Expressions : public ::testing::TestWithParam<BackendChoice> {
 protected:
  void SetUp() override {
    std::string why;
    if (GetParam() == BackendChoice::kCuda && !query::cuda_available(&why)) {
      GTEST_SKIP() << "no GPU: " << why;
    }
  }

  /// A collection, and questions to it.
  bool passes(unsigned seed, std::size_t number) {
    std::mt19937 random(seed);
    const Collection collection = random_collection(random);
    std::vector<Question> questions;
    while (questions.size() < number) questions.push_back(random_question(collection, random));
    const auto difference = Comparison(collection, GetParam()).run(questions, seed, compared_);
    if (difference) tell(seed, collection, questions[difference->question], difference->what);
    return !difference;
  }

  void tell(unsigned seed, const Collection& collection, const Question& question,
            const std::string& what) const {
    const char* const script = std::getenv("GANNET_SOAK_AGAIN");
    const std::string again = script != nullptr
                                  ? std::string(script) + " "
                                  : "this test, with GANNET_SOAK_EXPRESSIONS=1 GANNET_SOAK_SEED=";
    ADD_FAILURE() << "seed " << seed << ", " << collection.documents.size() << " documents, "
                  << collection.texts << " texts\n  " << to_string(question) << "\n"
                  << what << "\nagain: " << again << seed;
    const auto reduced =
        reduce(collection, question, GetParam(), setting("GANNET_SOAK_REDUCE", 60));
    if (!reduced) {
      ADD_FAILURE() << "the question by itself shows no difference: it takes the batch";
      return;
    }
    ADD_FAILURE() << "reduced to: " << to_string(reduced->question) << "\n"
                  << reduced->what << "\n"
                  << to_string(reduced->collection, words_of(reduced->question)).substr(0, 8000);
  }

  Compared compared_;
};

TEST_P(Expressions, AnyOneIsAnsweredAsALoopOverTheDocumentsDoes) {
  constexpr std::size_t kPerCollection = 60;
  const unsigned seconds = setting("GANNET_SOAK_SECONDS", 0);
  const unsigned few = test::kSanitized ? 120 : 900;
  const unsigned wanted = setting("GANNET_SOAK_EXPRESSIONS", seconds > 0 ? ~0u : few);
  const unsigned first = setting("GANNET_SOAK_SEED", 1);
  const auto start = std::chrono::steady_clock::now();
  unsigned seed = first;
  const bool tells = setting("GANNET_SOAK_EXPRESSIONS", 0) > 0;
  while (compared_.questions < wanted) {
    // A sanitizer ends the program at once: the seed is there before.
    if (tells) std::cout << "seed " << seed << ", " << compared_.questions << " expressions\n";
    std::cout.flush();
    if (!passes(seed, kPerCollection)) break;
    ++seed;
    const auto passed = std::chrono::steady_clock::now() - start;
    if (seconds > 0 && passed > std::chrono::seconds(seconds)) break;
  }
  std::cout << compared_.questions << " expressions, " << compared_.with_matches
            << " with matches, over " << seed - first << " collections: " << compared_.answers
            << " answers compared, " << compared_.columns << " with columns, "
            << compared_.ranges_skipped << " ranges skipped by bounds, " << compared_.host_plans
            << " plans left to the CPU" << std::endl;
  if (HasFailure() || wanted < 600) return;
  // Without matches or without pruning little would have been compared.
  EXPECT_GT(compared_.with_matches, compared_.questions / 2);
  EXPECT_GT(compared_.ranges_skipped, 0u);
  EXPECT_GT(compared_.columns, 0u);
}

INSTANTIATE_TEST_SUITE_P(Backends, Expressions,
                         ::testing::Values(BackendChoice::kCpu, BackendChoice::kCuda),
                         [](const ::testing::TestParamInfo<BackendChoice>& test) {
                           return test.param == BackendChoice::kCpu ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace gannet::oracle
