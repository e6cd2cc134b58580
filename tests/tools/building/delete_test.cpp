// gannet delete and gannet update, as a user types them.
#include <gmock/gmock.h>

#include "index/manifest/directory_lock.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class DeleteCommand : public ::testing::Test {
 protected:
  std::string search(const std::string& query) const {
    return gannet({"search", "--index", index_, query}).out;
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(DeleteCommand, TakesIds) {
  EXPECT_THAT(search("cat"), AllOf(HasSubstr("d-cat"), HasSubstr("d-dog")));
  const Output deleted = gannet({"delete", "--index", index_, "--id", "d-cat", "--id", "d-fish"});
  EXPECT_EQ(deleted.code, 0) << deleted.err;
  EXPECT_EQ(deleted.out, "2 documents deleted, 2 are left\n");
  EXPECT_THAT(search("cat"), AllOf(Not(HasSubstr("d-cat")), HasSubstr("d-dog")));
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "fish OR cat"}).out, "2\n");
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
  EXPECT_THAT(gannet({"inspect", index_}).out, HasSubstr("deleted      2 documents"));
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/deleted_documents"), "2");
  const Output exported =
      gannet({"export", "--index", index_, "--format", "ciff", "--output", folder_ / "out.ciff"});
  EXPECT_EQ(exported.code, 2);
  EXPECT_THAT(exported.err, HasSubstr("merge it first"));

  EXPECT_THAT(gannet({"merge", index_}).out, HasSubstr("2 deleted documents are gone"));
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/documents"), "2");
  EXPECT_THAT(search("cat"), HasSubstr("d-dog"));
}

TEST_F(DeleteCommand, NamesIdsThatAreNotThere) {
  write_file(folder_ / "ids",
             "\xef\xbb\xbf"
             "d-dog\r\nnobody\n\nnor\xc3\xa4\n");
  const Output deleted = gannet({"delete", "--index", index_, "--ids", folder_ / "ids", "--json"});
  EXPECT_EQ(deleted.code, 1);
  EXPECT_EQ(json_at(deleted.err, "/note"), "\"2 ids are not there: 'nobody', 'nor\xc3\xa4'\"");
  EXPECT_EQ(json_at(deleted.out, "/deleted"), "1");
  EXPECT_EQ(json_at(deleted.out, "/not_found"), "2");
  EXPECT_EQ(json_at(deleted.out, "/documents"), "3");
  const Output piped = shell("printf 'd-cat\\n' | $GANNET delete --index '" + index_ + "' --ids -");
  EXPECT_EQ(piped.out, "1 document deleted, 2 are left\n") << piped.err;
}

TEST_F(DeleteCommand, TakesWhatMatches) {
  const Output dry = gannet({"delete", "--index", index_, "--query", "dog -cat", "--dry-run"});
  EXPECT_EQ(dry.out, "1 document would be deleted, 3 would be left\n") << dry.err;
  EXPECT_THAT(search("swim"), HasSubstr("d-fish"));
  EXPECT_EQ(gannet({"delete", "--index", index_, "--query", "dog -cat"}).out,
            "1 document deleted, 3 are left\n");
  EXPECT_THAT(search("swim"), Not(HasSubstr("d-fish")));
  EXPECT_EQ(gannet({"delete", "--index", index_, "--query", "dog -cat"}).out,
            "0 documents deleted, 3 are left\n")
      << "what is deleted does not match";
}

/// Also what a killed writer has left stays, and another writer's lock does not matter.
TEST_F(DeleteCommand, ADryRunWritesNothing) {
  write_file(index_ + "/segment-00000009.postings", "left by a killed writer");
  const auto listing = [&] { return shell("ls -la --time-style=full-iso '" + index_ + "'").out; };
  const std::string before = listing();
  const Output dry = gannet({"delete", "--index", index_, "--id", "d-cat", "--dry-run"});
  EXPECT_EQ(dry.out, "1 document would be deleted, 3 would be left\n") << dry.err;
  EXPECT_EQ(listing(), before);
  const index::DirectoryLock other(index_);
  EXPECT_EQ(gannet({"delete", "--index", index_, "--id", "d-cat", "--dry-run"}).code, 0);
  EXPECT_NE(gannet({"delete", "--index", index_, "--id", "d-cat"}).code, 0) << "the lock holds";
}

/// What a full disk does: the shell's limit of file sizes takes the place of the disk's end.
TEST_F(DeleteCommand, ADiskWithoutRoomLeavesTheIndexAsItWas) {
  std::string many;
  for (int i = 0; i < 20'000; ++i) {
    many += "{\"id\": \"" + std::to_string(i) + "\", \"contents\": \"cat\"}\n";
  }
  write_file(folder_ / "many.jsonl", many);
  const std::string path = folder_ / "many";
  ASSERT_EQ(gannet({"index", folder_ / "many.jsonl", "--output", path, "--quiet"}).code, 0);
  const auto before = snapshot(path);
  const Output full = shell("ulimit -f 4; $GANNET delete '" + path + "' --id 7");  // 2 or 4 KiB
  EXPECT_EQ(full.code, 4) << full.out;
  EXPECT_THAT(full.err, AllOf(HasSubstr(path + "/segment-00000001.live-00000002: cannot write"),
                              HasSubstr("raise the limit of file sizes (ulimit -f)"),
                              HasSubstr("what was there before is intact")));
  EXPECT_EQ(snapshot(path), before);
  EXPECT_EQ(gannet({"delete", path, "--id", "7"}).code, 0);
}

TEST_F(DeleteCommand, AnswersNameTheFilterThatWasAskedFor) {
  ASSERT_EQ(gannet({"delete", "--index", index_, "--id", "d-cat"}).code, 0);
  EXPECT_THAT(gannet({"search", "--index", index_, "dog", "--json"}).out,
              Not(HasSubstr("\"filter\": \"")));
}

TEST_F(DeleteCommand, AnIndexWithoutDocumentsThatAreLeftCanBeReordered) {
  ASSERT_EQ(gannet({"delete", "--index", index_, "--query", "*:*", "--yes"}).code, 0);
  for (const char* order : {"id", "random", "bisection"}) {
    const Output reordered = gannet({"reorder", index_, "--order", order});
    EXPECT_EQ(reordered.code, 0) << reordered.err;
    EXPECT_EQ(gannet({"verify", index_}).code, 0);
    EXPECT_EQ(gannet({"search", "--index", index_, "--count", "cat"}).out, "0\n");
  }
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/documents"), "0");
}

TEST_F(DeleteCommand, RefusesWhatItCannotDo) {
  const Output nothing = gannet({"delete", "--index", index_});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("say what to delete"));
  EXPECT_EQ(gannet({"delete", "--index", folder_ / "no", "--id", "x"}).code, 4);
  for (const char* match : {"--query", "--filter"}) {
    for (const char* id : {"--id", "--ids"}) {
      const Output both = gannet({"delete", "--index", index_, id, "d-cat", match, "dog"});
      EXPECT_EQ(both.code, 2);
      EXPECT_THAT(both.err, HasSubstr("do not go together"));
    }
  }
  EXPECT_EQ(gannet({"delete", "--index", index_, "--ids", folder_ / "no"}).code, 4);
  EXPECT_EQ(gannet({"delete", "--index", index_, "--query", "(cat"}).code, 2);
  EXPECT_EQ(gannet({"delete", "--index", index_, "--filter", "year:2000"}).code, 2);
  EXPECT_THAT(search("cat"), HasSubstr("d-cat"));
}

TEST_F(DeleteCommand, AnIdThatIsNamedTwiceIsThere) {
  write_file(folder_ / "ids", "d-dog\nd-cat\n");
  const Output deleted = gannet(
      {"delete", "--index", index_, "--id", "d-cat", "--id", "d-cat", "--ids", folder_ / "ids"});
  EXPECT_EQ(deleted.code, 0) << deleted.err;
  EXPECT_EQ(deleted.out, "2 documents deleted, 2 are left\n");
  EXPECT_EQ(deleted.err, "");
  EXPECT_EQ(gannet({"delete", "--index", index_, "--id", "d-cat"}).code, 1) << "it is gone now";
}

TEST_F(DeleteCommand, AsksBeforeNothingIsLeft) {
  const Output refused = gannet({"delete", "--index", index_, "--query", "*:*"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("all 4 documents"), HasSubstr("nothing was deleted"),
                                 HasSubstr("--yes")));
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "*:*"}).out, "4\n");
  EXPECT_EQ(gannet({"delete", "--index", index_, "--query", "*:*", "--dry-run"}).code, 0);
  // At a terminal, it asks: script(1) makes one.
  const auto answered = [&](const std::string& answer) {
    return shell("printf '" + answer + "\\n' | script -qec \"$GANNET delete --index '" + index_ +
                 "' --query '*:*'\" /dev/null");
  };
  if (shell("command -v script").code == 0) {
    EXPECT_THAT(answered("n").out, AllOf(HasSubstr("delete all 4 documents of"), HasSubstr("[y/N]"),
                                         HasSubstr("nothing was deleted")));
    EXPECT_EQ(gannet({"search", "--index", index_, "--count", "*:*"}).out, "4\n");
    EXPECT_THAT(answered("y").out, HasSubstr("4 documents deleted, 0 are left"));
  } else {
    EXPECT_EQ(gannet({"delete", "--index", index_, "--query", "*:*", "--yes"}).code, 0);
  }
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "*:*"}).out, "0\n");
  EXPECT_EQ(gannet({"delete", "--index", index_, "--query", "*:*"}).code, 0)
      << "where there is nothing, nothing is lost";
}

TEST_F(DeleteCommand, UpdatesTakeThePlaceOfDocuments) {
  write_file(folder_ / "new.jsonl",
             "{\"id\": \"d-cat\", \"contents\": \"A zebra.\"}\n"
             "{\"id\": \"d-horse\", \"contents\": \"A horse.\"}\n");
  const std::vector<std::string> input{"--index",  index_, "--input", folder_ / "new.jsonl",
                                       "--format", "jsonl"};
  std::vector<std::string> add{"add"}, update{"update"};
  add.insert(add.end(), input.begin(), input.end());
  update.insert(update.end(), input.begin(), input.end());
  const Output refused = gannet(add);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("'d-cat' is in the index already"), HasSubstr("update")));
  const Output updated = gannet(update);
  EXPECT_EQ(updated.code, 0) << updated.err;
  EXPECT_THAT(updated.out, HasSubstr("1 document replaced"));
  EXPECT_THAT(search("mats"), Not(HasSubstr("d-cat")));
  EXPECT_THAT(search("zebra"), HasSubstr("d-cat"));
  EXPECT_THAT(search("horse"), HasSubstr("d-horse"));
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
}

}  // namespace
}  // namespace gannet::test
