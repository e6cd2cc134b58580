// gannet add, as a user types it.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "index/manifest/directory_lock.hpp"
#include "index/updates/set_codec.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class AddCommand : public ::testing::Test {
 protected:
  AddCommand() {
    write_file(first_,
               "{\"id\": \"a\", \"title\": \"sea\", \"text\": \"The whales\", \"year\": 1851}\n"
               "{\"id\": \"b\", \"title\": \"bug\", \"text\": \"a beetle\", \"year\": 1915}\n");
    write_file(second_,
               "{\"id\": \"c\", \"title\": \"sea\", \"text\": \"One whale\", \"year\": 2001}\n");
    const Output made =
        gannet({"index", "--input", first_, "--format", "jsonl", "--output", index_, "--fields",
                "text", "--field", "year:i32", "--field", "title:text", "--store"});
    EXPECT_EQ(made.code, 0) << made.err;
  }
  Output add(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"add", "--index", index_, "--format", "jsonl"});
    return gannet(std::move(more));
  }
  std::string count(const std::string& query) {
    return gannet({"search", "--index", index_, "--count", query}).out;
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
  std::string first_ = folder_ / "first.jsonl";
  std::string second_ = folder_ / "second.jsonl";
};

TEST_F(AddCommand, AddsAsTheIndexWasBuilt) {
  EXPECT_EQ(count("whale"), "1\n");
  const Output added = add({"--input", second_});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out, AllOf(HasSubstr("1 document added"), HasSubstr("3 documents")));
  EXPECT_EQ(count("whale"), "2\n") << "stemmed, from the member that was chosen";
  EXPECT_EQ(count("title:sea"), "2\n");
  EXPECT_EQ(count("whale year:>2000"), "1\n");
  EXPECT_THAT(gannet({"search", "--index", index_, "one"}).out, HasSubstr("One whale"));
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/documents"), "3");
}

TEST_F(AddCommand, AnotherWriterHasAnExitCodeOfItsOwn) {
  const Output busy =
      shell("flock " + index_ + "/gannet.lock $GANNET add " + index_ + " " + second_ + " --json");
  EXPECT_EQ(busy.code, 9) << busy.err;
  EXPECT_THAT(busy.err, AllOf(HasSubstr("\"code\":\"busy\""), HasSubstr("another process")));
  EXPECT_EQ(count("whale"), "1\n");
  EXPECT_EQ(add({"--input", second_}).code, 0) << "when it is done";
}

TEST_F(AddCommand, WaitsForAnotherWriter) {
  std::optional<index::DirectoryLock> writer(index_);
  const Output busy = add({"--input", second_, "--wait", "0.2"});
  EXPECT_EQ(busy.code, 9);
  EXPECT_THAT(busy.err, HasSubstr("also after 0.2 s of waiting"));
  EXPECT_EQ(add({"--input", second_, "--wait", "-1"}).code, 2);
  const std::string name = kCommand;
  Process added({name, "add", index_, second_, "--wait", "60"}, "");
  Process deleted({name, "delete", index_, "--id", "a", "--wait", "60"}, "");
  Process merged({name, "merge", index_, "--wait", "60"}, "");
  Process reordered({name, "reorder", index_, "--order", "id", "--wait", "60"}, "");
  Process recoded(
      {name, "set-codec", index_, "--field", "year", "--codec", "gpu-for", "--wait", "60"}, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(added.running());
  EXPECT_TRUE(deleted.running());
  EXPECT_TRUE(recoded.running());
  writer.reset();
  for (Process* const one : {&added, &deleted, &merged, &reordered, &recoded}) {
    const Output done = one->wait();
    EXPECT_EQ(done.code, 0) << done.err;
  }
  EXPECT_EQ(count("*:*"), "2\n");
  EXPECT_EQ(count("whale"), "1\n") << "one came, and one went";
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
}

/// What it waits for may change the options with which documents are added.
TEST_F(AddCommand, ReadsTheIndexAfterTheWait) {
  std::optional<index::DirectoryLock> writer(index_);
  Process added({kCommand, "add", index_, second_, "--wait", "60"}, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  index::MergeOptions held;
  held.lock = std::shared_ptr<index::DirectoryLock>(&*writer, [](index::DirectoryLock*) {});
  index::set_codec(index_, "year", "gpu-for", held);
  held.lock.reset();
  writer.reset();
  const Output done = added.wait();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(count("year:>2000"), "1\n");
}

TEST_F(AddCommand, AnInterruptEndsTheWait) {
  const index::DirectoryLock writer(index_);
  const auto before = snapshot(index_);
  for (const char* const command : {"add", "delete"}) {
    const bool adds = std::string_view(command) == "add";
    Process waiting(
        adds ? std::vector<std::string>{kCommand, "add", index_, second_, "--wait", "60"}
             : std::vector<std::string>{kCommand, "delete", index_, "--id", "a", "--wait", "60"},
        "");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    waiting.signal(SIGINT);
    EXPECT_EQ(waiting.wait().code, 130) << command;
  }
  EXPECT_EQ(snapshot(index_), before);
}

TEST_F(AddCommand, CountsTheDocumentsThatAreThere) {
  write_file(second_,
             "{\"id\": \"a\", \"title\": \"\", \"text\": \"two whales\", \"year\": 1}\n"
             "{\"id\": \"c\", \"title\": \"\", \"text\": \"one bee\", \"year\": 1}\n");
  const auto update = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"update", index_, second_});
    return gannet(std::move(more)).out;
  };
  const std::string report = update({"--json", "--no-merge"});
  EXPECT_EQ(json_at(report, "/documents"), "3") << "a, b and c";
  EXPECT_EQ(json_at(report, "/deleted_documents"), "1") << "the first a";
  EXPECT_EQ(json_at(report, "/added"), "2");
  const std::string told = update({"--no-merge"});
  EXPECT_THAT(told, AllOf(HasSubstr("2 documents added"), HasSubstr(index_ + ": 3 documents, "),
                          HasSubstr("3 deleted documents besides")));
  write_file(second_, "{\"id\": \"d\", \"title\": \"\", \"text\": \"ants\", \"year\": 1}\n");
  for (int i = 0; i < 10; ++i) {  // segments are merged behind it, with and without others
    const std::string one = update({"--json"});
    const std::string now = gannet({"inspect", index_, "--json"}).out;
    EXPECT_EQ(json_at(one, "/documents"), "4");
    EXPECT_EQ(json_at(one, "/deleted_documents"), json_at(now, "/deleted_documents"));
  }
}

TEST_F(AddCommand, SaysWhatItDidAsJson) {
  const std::string report = add({"--input", second_, "--json"}).out;
  EXPECT_EQ(json_at(report, "/documents"), "3");
  EXPECT_EQ(json_at(report, "/added"), "1");
  EXPECT_EQ(json_at(report, "/index"), "\"" + index_ + "\"");
  EXPECT_EQ(json_at(report, "/merge/segments"), "2");
}

TEST_F(AddCommand, SaysWhatWasMergedAfterwards) {
  std::string report;
  for (int i = 0; i < 9; ++i) {
    const std::string id = std::to_string(i);
    write_file(second_, R"({"id": ")" + id + R"(", "text": "one more", "year": 1, "title": ""})");
    report = add({"--input", second_, "--json"}).out;
  }
  EXPECT_EQ(json_at(report, "/merge/segments_before"), "10");
  EXPECT_EQ(json_at(report, "/merge/segments"), "1");
  write_file(second_, R"({"id": "x", "text": "left alone", "year": 1, "title": ""})");
  report = add({"--input", second_, "--json", "--no-merge"}).out;
  EXPECT_EQ(json_at(report, "/added"), "1");
  EXPECT_THAT(report, ::testing::Not(HasSubstr("merge")));
}

TEST_F(AddCommand, RefusesIdsThatAreThere) {
  const Output again = add({"--input", first_});
  EXPECT_EQ(again.code, 3);
  EXPECT_THAT(again.err, HasSubstr("the id 'a' is in the index already"));
  EXPECT_EQ(count("whale"), "1\n");
}

TEST_F(AddCommand, UpdatesNoDocumentsWithoutIds) {
  const std::string plain = folder_ / "plain";
  VectorSource source({{"", "red fox"}, {"", "red dog"}}, 2);
  index::build_index(source, plain, {});
  const auto before = snapshot(plain);
  const Output update =
      gannet({"update", "--index", plain, "--input", second_, "--format", "jsonl"});
  EXPECT_EQ(update.code, 2);
  EXPECT_THAT(update.err, AllOf(HasSubstr("have no ids"), HasSubstr("gannet add")));
  EXPECT_EQ(snapshot(plain), before);
}

TEST_F(AddCommand, NeedsAnIndex) {
  const Output nowhere =
      gannet({"add", "--index", folder_ / "no", "--input", second_, "--format", "jsonl"});
  EXPECT_EQ(nowhere.code, 4);
  EXPECT_THAT(nowhere.err, HasSubstr("there is no such directory"));
  EXPECT_EQ(gannet({"add", "--input", second_, "--format", "jsonl"}).code, 2);
}

TEST_F(AddCommand, NamesTheIndexThatIsThere) {
  std::filesystem::copy(index_, std::string(folder_ / "docs.gannet"),
                        std::filesystem::copy_options::recursive);
  const Output output = gannet({"search", "--index", folder_ / "docs", "fox"});
  EXPECT_EQ(output.code, 4);
  EXPECT_THAT(output.err, HasSubstr("there is an index " + std::string(folder_ / "docs.gannet")));
}

TEST_F(AddCommand, TakesRowsAndPostingLists) {
  const std::string ciff = folder_ / "z.ciff";
  const std::string lists = folder_ / "lists";
  write_file(folder_ / "plain.jsonl", "{\"id\": \"x\", \"contents\": \"red fox\"}\n");
  ASSERT_EQ(
      gannet({"index", "--input", folder_ / "plain.jsonl", "--format", "jsonl", "--output", lists})
          .code,
      0);
  ASSERT_EQ(gannet({"export", "--index", lists, "--format", "ciff", "--output", ciff}).code, 0);
  const std::string target = folder_ / "target";
  write_file(folder_ / "more.jsonl", "{\"id\": \"y\", \"contents\": \"red dog\"}\n");
  ASSERT_EQ(gannet({"index", "--input", folder_ / "more.jsonl", "--format", "jsonl", "--output",
                    target, "--stemmer", "none"})
                .code,
            0);
  const Output refused = gannet({"add", "--index", target, "--input", ciff, "--format", "ciff"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("posting lists come without positions"));
  EXPECT_EQ(gannet({"verify", target}).code, 0);
  ASSERT_EQ(gannet({"index", "--input", folder_ / "more.jsonl", "--format", "jsonl", "--output",
                    target, "--stemmer", "none", "--no-positions", "--overwrite"})
                .code,
            0);
  const Output added = gannet({"add", "--index", target, "--input", ciff, "--format", "ciff"});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(gannet({"search", "--index", target, "--count", "red"}).out, "2\n");
}

TEST_F(AddCommand, HelpTeaches) {
  const std::string help = gannet({"help", "add"}).out;
  EXPECT_THAT(help, AllOf(HasSubstr("gannet add IDX PATH"), HasSubstr("Ids must be new"),
                          HasSubstr("--on-error")));
  EXPECT_THAT(gannet({"--help"}).out, HasSubstr("add documents to an index"));
}

}  // namespace
}  // namespace gannet::test
