// Builds that end early: what was there before stays as it was, and nothing is left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "index/builder.hpp"
#include "index/index.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::VectorSource;
using testing::HasSubstr;

struct Interruption : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class BuilderFailures : public testing::TestWithParam<unsigned> {
 protected:
  BuilderFailures() {
    VectorSource source(test::random_documents(20, 50, 10, 1), 5);
    build_index(source, path_, {});
    before_ = test::snapshot(path_);
    options_.threads = GetParam();
    options_.write.overwrite = true;
  }

  /// Builds over the index that is there; expects `Exception` and an untouched directory.
  template <class Exception>
  std::string message_of_failure(VectorSource& source) {
    std::string message;
    try {
      build_index(source, path_, options_);
      ADD_FAILURE() << "the build went through";
    } catch (const Exception& error) {
      message = error.what();
    }
    EXPECT_TRUE(test::snapshot(path_) == before_) << "the old index has changed";
    EXPECT_EQ(Index::open(path_).statistics().documents, 20u);
    return message;
  }

  /// Whether a spilled run lies in the directory.
  bool has_run() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.path().filename().string().starts_with("run-")) return true;
    }
    return false;
  }

  test::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "index";
  std::map<std::string, std::string> before_;
  BuildOptions options_;
};

TEST_P(BuilderFailures, SourceFailsWhileReading) {
  for (const std::size_t at : {0u, 1u, 30u, 100u}) {
    VectorSource source(test::random_documents(1000, 100, 10, 2), 10);
    source.on_read = [&](std::size_t batch) {
      if (batch == at) throw Interruption("reading " + std::to_string(batch));
    };
    EXPECT_EQ(message_of_failure<Interruption>(source), "reading " + std::to_string(at));
  }
}

TEST_P(BuilderFailures, SourceFailsWhileParsing) {
  for (const std::size_t at : {0u, 1u, 30u, 99u}) {
    VectorSource source(test::random_documents(1000, 100, 10, 2), 10);
    source.on_parse = [&](std::size_t batch) {
      if (batch == at) throw InputError("parsing " + std::to_string(batch));
    };
    EXPECT_EQ(message_of_failure<InputError>(source), "parsing " + std::to_string(at));
  }
}

TEST_P(BuilderFailures, SeveralBatchesFailAtATime) {
  VectorSource source(test::random_documents(1000, 100, 10, 2), 10);
  source.on_parse = [&](std::size_t batch) {
    if (batch >= 5) throw InputError("parsing");
  };
  EXPECT_EQ(message_of_failure<InputError>(source), "parsing");
}

TEST_P(BuilderFailures, CancelledInEveryStage) {
  for (const std::string_view stage : {"inverting", "writing lists"}) {
    VectorSource source(test::random_documents(1000, 100, 10, 2), 10);
    options_.progress = [&](std::string_view now, std::uint64_t, std::uint64_t) {
      if (now == stage) throw Interruption("cancelled");
    };
    EXPECT_EQ(message_of_failure<Interruption>(source), "cancelled") << stage;
  }
}

TEST_P(BuilderFailures, CancelledAfterSpillingSlow) {
  options_.memory = std::uint64_t{64} << 20;
  for (const std::string_view stage : {"inverting", "writing lists"}) {
    VectorSource source(test::random_documents(25000, 3000000, 100, 3), 500);
    bool spilled = false;
    options_.progress = [&](std::string_view now, std::uint64_t, std::uint64_t) {
      spilled = spilled || has_run();
      if (spilled && now == stage) throw Interruption("cancelled");
    };
    EXPECT_EQ(message_of_failure<Interruption>(source), "cancelled") << stage;
  }
}

TEST_P(BuilderFailures, StoppedInEveryStage) {
  options_.memory = std::uint64_t{64} << 20;
  for (const std::string_view stage : {"inverting", "writing lists"}) {
    VectorSource source(test::random_documents(25000, 3000000, 100, 3), 500);
    std::stop_source stop;
    options_.stop = stop.get_token();
    bool spilled = false;
    options_.progress = [&](std::string_view now, std::uint64_t, std::uint64_t) {
      spilled = spilled || has_run();
      if (spilled && now == stage) stop.request_stop();
    };
    EXPECT_EQ(message_of_failure<CancelledError>(source), "cancelled") << stage;
  }
}

TEST_P(BuilderFailures, StoppedInsideOfADocument) {
  std::string text;
  for (int i = 0; i < 2'000'000; ++i) text += std::to_string(i) + ' ';
  VectorSource source({{"long", text}}, 1);
  std::stop_source stop;
  options_.stop = stop.get_token();
  source.on_parse = [&](std::size_t) { stop.request_stop(); };
  EXPECT_EQ(message_of_failure<CancelledError>(source), "cancelled");
}

TEST_P(BuilderFailures, StoppedBeforeItBegan) {
  VectorSource source(test::random_documents(10, 10, 10, 2), 10);
  std::stop_source stop;
  stop.request_stop();
  options_.stop = stop.get_token();
  EXPECT_EQ(message_of_failure<CancelledError>(source), "cancelled");
}

TEST_P(BuilderFailures, DuplicateIdsAreNamed) {
  auto documents = test::random_documents(1000, 100, 10, 2);
  documents[777].id = documents[123].id;
  VectorSource source(documents, 10);
  const std::string message = message_of_failure<InputError>(source);
  EXPECT_THAT(message, HasSubstr("123"));
  EXPECT_THAT(message, HasSubstr("777"));
  EXPECT_THAT(message, HasSubstr("'doc-123'"));
}

TEST_P(BuilderFailures, DuplicateIdsInOneBatchAndAcrossEmptyDocuments) {
  VectorSource source({{"x", ""}, {"y", "text"}, {"x", ""}}, 10);
  EXPECT_THAT(message_of_failure<InputError>(source), HasSubstr("documents 0 and 2"));
}

TEST_P(BuilderFailures, SomeDocumentsWithoutId) {
  VectorSource source({{"x", "a"}, {"", "b"}}, 1);
  EXPECT_THAT(message_of_failure<UsageError>(source), HasSubstr("document 1"));
}

TEST_P(BuilderFailures, MemoryBelowTheMinimum) {
  VectorSource source(test::random_documents(10, 10, 10, 2), 10);
  options_.memory = (std::uint64_t{64} << 20) - 1;
  EXPECT_THAT(message_of_failure<UsageError>(source), HasSubstr("64M"));
}

TEST_P(BuilderFailures, UnknownStemmer) {
  VectorSource source(test::random_documents(10, 10, 10, 2), 10);
  options_.write.analyzer.stemmer = "klingon";
  EXPECT_THAT(message_of_failure<UsageError>(source), HasSubstr("klingon"));
}

TEST_P(BuilderFailures, ProgressComesFromOneThreadAtATimeAndGrows) {
  VectorSource source(test::random_documents(1000, 100, 10, 2), 10);
  std::atomic<int> inside{0};
  std::vector<std::string> stages;
  options_.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(++inside, 1);
    EXPECT_LE(done, total);
    if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
    --inside;
  };
  build_index(source, path_, options_);
  EXPECT_THAT(stages, testing::ElementsAre("inverting", "writing lists"));
}

INSTANTIATE_TEST_SUITE_P(Threads, BuilderFailures, testing::Values(1u, 4u));

}  // namespace
}  // namespace gannet::index
