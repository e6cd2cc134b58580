// A writer that stays: histories of adds, updates, deletes, commits and rollbacks against a plain
// model; locks, failures, several threads.
#include "index/updates/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "index/updates/add.hpp"
#include "index/updates/merge/merge_plan.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;
using test::TextDocument;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

/// Documents by id, in the order in which they came last.
using Model = std::vector<std::pair<std::string, std::string>>;

void put(Model& model, const std::string& id, const std::string& text) {
  std::erase_if(model, [&](const auto& document) { return document.first == id; });
  model.emplace_back(id, text);
}

Model documents_of(const Index& index) {
  Model documents;
  for (Docid d = 0; d < index.statistics().documents; ++d) {
    if (index.is_live(d)) {
      documents.emplace_back(index.document_id(d), index.stored_text(d).value_or("?"));
    }
  }
  return documents;
}

class Writers : public ::testing::Test {
 protected:
  static WriterOptions options() {
    WriterOptions options;
    options.build.threads = 2;
    options.build.write.store_text = true;
    return options;
  }
  static void add(Writer& writer, const std::string& id, const std::string& text) {
    const TextField field{kContentsField, text};
    writer.add({.id = id, .fields = {&field, 1}});
  }
  static void update(Writer& writer, const std::string& id, const std::string& text) {
    const TextField field{kContentsField, text};
    writer.update({.id = id, .fields = {&field, 1}});
  }

  TemporaryDirectory folder_;
  fs::path path_ = folder_.path() / "idx";
};

TEST_F(Writers, MakeAnIndexAndChangeIt) {
  Writer writer(path_, options());
  EXPECT_THAT(documents_of(Index::open(path_)), IsEmpty());
  add(writer, "a", "red fox");
  add(writer, "b", "blue fox");
  EXPECT_THAT(documents_of(Index::open(path_)), IsEmpty()) << "nothing is committed";
  CommitReport report = writer.commit();
  EXPECT_EQ(report.added, 2u);
  EXPECT_EQ(documents_of(Index::open(path_)), (Model{{"a", "red fox"}, {"b", "blue fox"}}));
  EXPECT_EQ(writer.index()->segments().size(), 1u) << "the empty one is gone";

  update(writer, "a", "green fox");
  EXPECT_TRUE(writer.remove("b"));
  EXPECT_FALSE(writer.remove("b"));
  EXPECT_FALSE(writer.remove("none"));
  add(writer, "b", "again");
  update(writer, "b", "and again");
  report = writer.commit();
  EXPECT_EQ(report.added, 3u);
  EXPECT_EQ(report.removed, 3u);
  EXPECT_EQ(documents_of(*writer.index()), (Model{{"a", "green fox"}, {"b", "and again"}}));
  EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
  const std::uint64_t generation = writer.index()->generation();
  EXPECT_EQ(writer.commit().added, 0u);
  EXPECT_EQ(Index::open(path_).generation(), generation) << "nothing to write";
}

TEST_F(Writers, FollowAModelThroughAnyHistory) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const fs::path path = folder_.path() / std::to_string(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    WriterOptions with = options();
    with.merge_tier = seed % 3 == 0 ? 0 : 2 + seed % 4;
    auto writer = std::make_unique<Writer>(path, with);
    Model committed, model;
    for (int step = 0; step < 250; ++step) {
      const std::string id = "d" + std::to_string(below(60));
      const std::string text = "w" + std::to_string(below(9)) + " x" + std::to_string(step);
      const bool known = std::ranges::count(model, id, &Model::value_type::first) != 0;
      switch (below(12)) {
        case 0:
          writer->commit();
          committed = model;
          ASSERT_EQ(documents_of(*writer->index()), committed);
          break;
        case 1:
          writer->rollback();
          model = committed;
          break;
        case 2:
          if (below(3) == 0) {  // ends without a commit
            writer.reset();
            writer = std::make_unique<Writer>(path, with);
            model = committed;
          }
          break;
        case 3:
        case 4:
          ASSERT_EQ(writer->remove(id), known) << id;
          std::erase_if(model, [&](const auto& document) { return document.first == id; });
          break;
        case 5:
        case 6:
          if (known) {
            ASSERT_THROW(add(*writer, id, text), UsageError);
          } else {
            add(*writer, id, text);
            put(model, id, text);
          }
          break;
        default:
          update(*writer, id, text);
          put(model, id, text);
      }
      ASSERT_EQ(documents_of(*writer->index()), committed) << "only commits show";
    }
    writer->commit();
    writer.reset();
    ASSERT_EQ(documents_of(Index::open(path)), model);
    ASSERT_THAT(verify_index(path, 1).problems, IsEmpty());
  }
}

TEST_F(Writers, AreAloneAndSaySo) {
  Writer writer(path_, options());
  EXPECT_THAT([&] { Writer second(path_, options()); },
              ThrowsMessage<UsageError>(HasSubstr("another process is writing an index here")));
  add(writer, "a", "x");
  writer.commit();
  EXPECT_THROW(merge_index(path_, {}), UsageError) << "between commits too";
}

TEST_F(Writers, RefuseOptionsThatTheyWouldIgnore) {
  WriterOptions update;
  update.build.update = true;
  WriterOptions commit;
  commit.build.before_commit = [](IndexWriter&, const BuildReport&) {};
  for (const WriterOptions& options : {update, commit}) {
    EXPECT_THROW(Writer(path_, options), UsageError);
  }
  EXPECT_FALSE(std::filesystem::exists(path_ / "manifest.json"));
}

TEST_F(Writers, RefuseWhatWouldSpoilACommit) {
  WriterOptions with = options();
  with.build.write.schema = Schema({parse_field("n:i32")});
  Writer writer(path_, with);
  add(writer, "a", "x");
  EXPECT_THROW(add(writer, "", "no id"), UsageError);
  const FieldText wrong{0, "x"};
  EXPECT_THROW(writer.add({.id = "b", .values = {&wrong, 1}}), InputError);
  const WeightedTerm term{"t", 3};
  EXPECT_THROW(writer.add({.id = "b", .terms = {&term, 1}}), UsageError);
  const FieldText right{0, "7"};
  writer.add({.id = "b", .values = {&right, 1}});
  writer.commit();
  EXPECT_EQ(documents_of(*writer.index()), (Model{{"a", "x"}, {"b", ""}}));
  EXPECT_THROW(add(writer, "", "no id"), UsageError) << "of what was committed, too";
}

TEST_F(Writers, DocumentsMayHaveNoIds) {
  Writer writer(path_, options());
  EXPECT_FALSE(writer.remove("1")) << "there are no documents yet";
  for (const char* text : {"one", "two", "three"}) add(writer, "", text);
  EXPECT_THROW(add(writer, "a", "x"), UsageError);
  EXPECT_THROW(writer.remove("1"), UsageError) << "a number is no id";
  writer.commit();
  EXPECT_THROW(writer.remove("1"), UsageError);
  writer.commit();
  EXPECT_EQ(documents_of(*writer.index()), (Model{{"0", "one"}, {"1", "two"}, {"2", "three"}}));
}

TEST_F(Writers, TakeDocumentsFromAnyThread) {
  Writer writer(path_, options());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string number = std::to_string(t) + "-" + std::to_string(i);
        add(writer, number, "word" + number + " common text that fills some batches " + number);
        if (i % 7 == 0) writer.remove(number);
        if (i % 500 == 499) writer.commit();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  writer.commit();
  EXPECT_EQ(documents_of(*writer.index()).size(), 4u * (2000 - 286));
  EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
}

TEST_F(Writers, SegmentsAreMergedByTiers) {
  WriterOptions with = options();
  with.merge_tier = 3;
  Writer writer(path_, with);
  std::vector<std::size_t> segments;
  for (int i = 0; i < 7; ++i) {
    add(writer, std::to_string(i), "text " + std::to_string(i));
    writer.commit();
    segments.push_back(writer.index()->segments().size());
  }
  EXPECT_EQ(segments, (std::vector<std::size_t>{1, 2, 1, 2, 1, 2, 1}));
}

TEST_F(Writers, ServeTasksOfAnArenaThatWaitForEachOther) {
  const test::Watchdog watchdog("a writer of several tasks");
  Writer writer(path_, options());
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_for(0, 24, [&](int i) {
      add(writer, std::to_string(i), "some words");
      if (i % 3 == 0) writer.commit();
    });
  });
  writer.commit();
  EXPECT_EQ(documents_of(Index::open(path_)).size(), 24u);
}

TEST_F(Writers, AreStopped) {
  std::stop_source stop;
  WriterOptions with = options();
  with.build.stop = stop.get_token();
  Writer writer(path_, with);
  add(writer, "a", "x");
  stop.request_stop();
  EXPECT_THROW(add(writer, "b", "x"), CancelledError);
  EXPECT_THROW(writer.commit(), CancelledError);
  EXPECT_THAT(documents_of(Index::open(path_)), IsEmpty());
}

TEST_F(Writers, AFullDiskLosesNoCommit) {
  const fs::path root = folder_.path() / "disk";
  for (std::size_t call = 0;; ++call) {
    fs::remove_all(root);
    Writer writer(root / "idx", options());
    add(writer, "a", "x");
    writer.commit();
    test::FaultFileSystem faults(root);
    faults.fail_at(call, ENOSPC);
    bool failed = false;
    {
      const ReplacedFileSystem replaced(faults);
      try {
        add(writer, "b", "y");
        writer.remove("a");
        writer.commit();
      } catch (const Error&) {
        failed = true;
      }
    }
    const Model now = documents_of(Index::open(root / "idx"));
    ASSERT_TRUE(now == (Model{{"b", "y"}}) || (failed && now == (Model{{"a", "x"}}))) << call;
    // The writer goes on from what is there.
    ASSERT_EQ(documents_of(*writer.index()), now);
    ASSERT_EQ(writer.remove("a"), now.front().first == "a") << call;
    ASSERT_EQ(writer.remove("b"), now.front().first == "b") << call;
    add(writer, "c", "z");
    writer.commit();
    ASSERT_EQ(documents_of(Index::open(root / "idx")), (Model{{"c", "z"}}));
    if (!failed) break;
  }
}

/// A child of fork() has the writer's memory, but none of its threads, and must leave its files
/// alone: what it says by its exit code is whether a call was refused.
TEST_F(Writers, BelongToTheirProcess) {
  auto writer = std::make_unique<Writer>(path_, options());
  add(*writer, "a", "x");
  writer->commit();
  add(*writer, "b", "y");
  int wait[2];
  ASSERT_EQ(::pipe(wait), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::close(wait[1]);
    bool refused = false;
    try {
      writer->remove("a");
    } catch (const UsageError&) {
      refused = true;
    }
    writer.reset();
    char ignored;
    while (::read(wait[0], &ignored, 1) > 0) continue;  // until the parent lets it end
    ::_exit(refused ? 0 : 1);
  }
  ::close(wait[0]);
  add(*writer, "c", "z");
  writer->commit();
  EXPECT_EQ(documents_of(Index::open(path_)), (Model{{"a", "x"}, {"b", "y"}, {"c", "z"}}));
  EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
  writer.reset();
  // The child lives, and has the lock's file open.
  EXPECT_NO_THROW(Writer(path_, options()));
  ::close(wait[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(Writers, NoticeAnotherOnePastTheLock) {
  Writer writer(path_, options());
  add(writer, "a", "x");
  writer.commit();
  add(writer, "b", "y");
  fs::remove(path_ / "gannet.lock");
  {
    Writer other(path_, options());
    add(other, "c", "z");
    other.commit();
  }
  EXPECT_THAT([&] { writer.commit(); }, ThrowsMessage<IoError>(HasSubstr("another writer")));
  EXPECT_EQ(documents_of(Index::open(path_)), (Model{{"a", "x"}, {"c", "z"}}));
  EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
}

/// Network file systems may report that a rename failed which was done.
TEST_F(Writers, ARenameThatIsReportedToHaveFailedLosesNothing) {
  class Unsure : public FileSystem {
   public:
    int rename(const fs::path& from, const fs::path& to) override {
      const int done = FileSystem::rename(from, to);
      if (to.filename() != "manifest.json") return done;
      errno = EIO;
      return -1;
    }
  };
  Writer writer(path_, options());
  add(writer, "a", "x");
  writer.commit();
  add(writer, "b", "y");
  Unsure unsure;
  {
    const ReplacedFileSystem replaced(unsure);
    EXPECT_THROW(writer.commit(), IoError);
  }
  EXPECT_EQ(documents_of(Index::open(path_)), (Model{{"a", "x"}, {"b", "y"}}));
  EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty());
  add(writer, "c", "z");
  writer.commit();
  EXPECT_EQ(documents_of(Index::open(path_)), (Model{{"a", "x"}, {"b", "y"}, {"c", "z"}}));
}

TEST(MergePlans, MakeNoSegmentOfTooManyDocuments) {
  using Runs = std::vector<SegmentRun>;
  using Sizes = std::vector<std::uint64_t>;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 28;
  EXPECT_EQ(plan_merges(Sizes{kHalf, kHalf, kHalf}, 1), (Runs{{0, 2}}));
  EXPECT_EQ(plan_merges(Sizes{kHalf, 2 * kHalf, 7, 8}, 1), (Runs{{2, 2}}));
  EXPECT_EQ(plan_merges(Sizes{60, 50, 50}, 1, 100), (Runs{{1, 2}}));
  EXPECT_EQ(plan_tiers(Sizes{40, 40, 40, 40, 40}, 2, 100), (Runs{{0, 2}, {2, 2}}));
  EXPECT_EQ(plan_tiers(Sizes{40, 40, 40}, 3, 100), Runs{});
}

TEST(MergeTiers, JoinWhatIsAlike) {
  using Runs = std::vector<SegmentRun>;
  using Sizes = std::vector<std::uint64_t>;
  EXPECT_EQ(plan_tiers(Sizes{}, 2), Runs{});
  EXPECT_EQ(plan_tiers(Sizes{1, 1}, 3), Runs{});
  EXPECT_EQ(plan_tiers(Sizes{1, 1000, 2}, 3), (Runs{{0, 3}}));
  EXPECT_EQ(plan_tiers(Sizes{5000, 1, 1, 1}, 3), (Runs{{1, 3}}));
  EXPECT_EQ(plan_tiers(Sizes{5000, 1, 1, 1}, 10), Runs{});
  // What is joined counts in the tier above.
  EXPECT_EQ(plan_tiers(Sizes{3000, 2900, 1000, 1000, 900}, 3), (Runs{{0, 5}}));
  EXPECT_EQ(plan_tiers(Sizes{3000, 2900, 10, 1100, 900}, 3), (Runs{{0, 4}}));
  EXPECT_EQ(plan_tiers(Sizes{3000, 2900, 10, 900}, 3), Runs{}) << "small ones are not alike";
  EXPECT_EQ(plan_tiers(Sizes{3001, 1000, 1000, 900}, 3), (Runs{{1, 3}}));
  EXPECT_EQ(plan_tiers(Sizes{9000, 9000, 1, 9000}, 3), (Runs{{0, 4}}));
  // Adding a thousand times: few segments stay, and each document is written few times.
  Sizes sizes;
  std::uint64_t written = 0;
  for (int i = 0; i < 1000; ++i) {
    sizes.push_back(100);
    for (const SegmentRun& run : plan_tiers(sizes, 10)) {
      const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(run.first);
      std::uint64_t sum = 0;
      for (std::size_t s = 0; s < run.count; ++s) sum += first[static_cast<std::ptrdiff_t>(s)];
      sizes.erase(first + 1, first + static_cast<std::ptrdiff_t>(run.count));
      *(sizes.begin() + static_cast<std::ptrdiff_t>(run.first)) = sum;
      written += sum;
    }
    ASSERT_LE(sizes.size(), 30u);
  }
  EXPECT_LE(written, 4u * 100'000);
}

}  // namespace
}  // namespace gannet::index
