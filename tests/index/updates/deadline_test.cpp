// What writes or checks an index ends with its deadline, and leaves everything as it was.
#include "codecs/base/deadline.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/updates/set_codec.hpp"
#include "index/updates/writer.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/fields_source.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class IndexDeadlines : public ::testing::Test {
 protected:
  IndexDeadlines() {
    BuildOptions options;
    options.write.schema = test::FieldsSource::schema();
    test::build_segments(path("idx"), documents_, {100, 200, 300}, options);
  }

  fs::path path(const std::string& name) const { return folder_.path() / name; }
  /// All files of the index, with what they hold.
  auto files() const { return test::segment_files(path("idx")); }

  static void add(Writer& writer, const std::string& id) {
    const std::vector<TextField> fields{{"text", "some words"}};
    writer.add({.id = id, .fields = fields});
  }

  template <class Options>
  static Options passed() {
    Options options;
    options.deadline = Clock::now() - 1ms;
    return options;
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextDocument> documents_ = test::random_documents(300, 150, 25, 9);
};

TEST_F(IndexDeadlines, ThatHavePassedChangeNothing) {
  const auto before = files();
  BuildOptions build = passed<BuildOptions>();
  test::VectorSource source(documents_, 10);
  EXPECT_THROW(build_index(source, path("new"), build), DeadlineError);
  BuildOptions add = options_to_add_to(path("idx"));
  add.deadline = build.deadline;
  EXPECT_THROW(add_documents(source, path("idx"), add), DeadlineError);
  EXPECT_THROW(merge_index(path("idx"), passed<MergeOptions>()), DeadlineError);
  EXPECT_THROW(merge_index(path("idx"), tiers_after(add, 10)), DeadlineError);
  EXPECT_THROW(merge_into(path("idx"), path("new"), false, passed<MergeOptions>()), DeadlineError);
  EXPECT_THROW(reorder_index(path("idx"), parse_order("bisection"), passed<ReorderOptions>()),
               DeadlineError);
  EXPECT_THROW(split_index(path("idx"), path("new"), 2, passed<ShardOptions>()), DeadlineError);
  EXPECT_THROW(join_shards(path("idx"), path("new"), passed<ShardOptions>()), DeadlineError);
  EXPECT_THROW(repair_index(path("idx"), path("new"), passed<RepairOptions>()), DeadlineError);
  EXPECT_THROW(verify_index(path("idx"), 1, {}, {{}, build.deadline}), DeadlineError);
  EXPECT_THROW(set_codec(path("idx"), "n", "none", passed<MergeOptions>()), DeadlineError);
  EXPECT_THROW(DocumentRemover(path("idx"), {{}, build.deadline}), DeadlineError);
  WriterOptions writer;
  writer.build.deadline = build.deadline;
  EXPECT_THROW(Writer(path("idx"), writer), DeadlineError);
  EXPECT_FALSE(fs::exists(path("new")));
  EXPECT_EQ(files(), before);
}

/// The first word of its progress comes when the work is under way: it takes until the deadline has
/// passed, and what follows must see it.
TEST_F(IndexDeadlines, EndWhatIsUnderWay) {
  const test::Watchdog watchdog("work with a deadline");
  split_index(path("idx"), path("set"), 2, {.threads = 1});
  const auto before = files();
  const auto ends = [&](const char* what, auto options, const auto& work) {
    SCOPED_TRACE(what);
    bool told = false;
    options.threads = 1;
    options.deadline = Clock::now() + 50ms;
    options.progress = [&, deadline = options.deadline](auto&&...) {
      told = true;
      std::this_thread::sleep_until(deadline + 20ms);
    };
    EXPECT_THROW(work(options), DeadlineError);
    EXPECT_TRUE(told) << "it ended before it began";
    EXPECT_FALSE(fs::exists(path("new")));
    EXPECT_EQ(files(), before);
  };
  ends("merge", MergeOptions(), [&](const auto& o) { merge_index(path("idx"), o); });
  ends("merge into", MergeOptions(),
       [&](const auto& o) { merge_into(path("idx"), path("new"), false, o); });
  ends("set-codec", MergeOptions(), [&](const auto& o) { set_codec(path("idx"), "n", "none", o); });
  ends("reorder", ReorderOptions(),
       [&](const auto& o) { reorder_index(path("idx"), parse_order("bisection"), o); });
  ends("split", ShardOptions(),
       [&](const auto& o) { split_index(path("idx"), path("new"), 2, o); });
  ends("join", ShardOptions(), [&](const auto& o) { join_shards(path("set"), path("new"), o); });
  ends("repair", RepairOptions(),
       [&](const auto& o) { repair_index(path("idx"), path("new"), o); });
  bool told = false;
  const Deadline deadline = Clock::now() + 50ms;
  const auto late = [&](std::uint64_t, std::uint64_t) {
    told = true;
    std::this_thread::sleep_until(deadline + 20ms);
  };
  EXPECT_THROW(verify_index(path("idx"), 1, late, {{}, deadline}), DeadlineError);
  EXPECT_TRUE(told);
}

TEST_F(IndexDeadlines, EndDeletions) {
  const auto before = files();
  const Deadline deadline = Clock::now() + 50ms;
  {
    DocumentRemover remover(path("idx"), {{}, deadline});
    EXPECT_TRUE(remover.remove(Docid{3}));
    std::this_thread::sleep_until(deadline + 20ms);
    EXPECT_THROW(remover.remove(Docid{4}), DeadlineError);
    EXPECT_THROW(remover.commit(), DeadlineError);
  }
  EXPECT_EQ(files(), before);
}

TEST_F(IndexDeadlines, EndABuildThatIsUnderWay) {
  const test::Watchdog watchdog("a build with a deadline");
  test::VectorSource source(documents_, 1);
  source.on_read = [](std::size_t) { std::this_thread::sleep_for(5ms); };
  BuildOptions options;
  options.threads = 2;
  options.deadline = Clock::now() + 100ms;
  EXPECT_THROW(build_index(source, path("new"), options), DeadlineError);
  EXPECT_GE(Clock::now(), options.deadline);
  EXPECT_LT(source.bytes_read(), documents_.size()) << "documents that were read";
  EXPECT_FALSE(fs::exists(path("new") / "manifest.json"));
}

TEST_F(IndexDeadlines, EndCallsOfAWriter) {
  WriterOptions options;
  options.build.deadline = Clock::now() + 1h;
  {
    Writer writer(path("idx"), options);
    add(writer, "in time");
    EXPECT_EQ(writer.commit().added, 1u);
  }
  const auto before = files();
  options.build.deadline = Clock::now() + 200ms;
  Writer writer(path("idx"), options);
  add(writer, "late");
  std::this_thread::sleep_until(options.build.deadline);
  std::this_thread::sleep_for(50ms);
  EXPECT_THROW(writer.commit(), DeadlineError);
  EXPECT_THROW(add(writer, "later"), DeadlineError);
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace gannet::index
