// gannet shard, as a user types it, and the commands that take what it makes.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ShardCommand : public ::testing::Test {
 protected:
  ShardCommand() {
    std::string lines;
    for (int i = 0; i < 30; ++i) {
      const char* const text = i % 3 == 0 ? "red fox" : i % 7 == 0 ? "red" : "a lazy dog and a fox";
      lines += "{\"id\": \"d" + std::to_string(i) + "\", \"contents\": \"" + text + "\"}\n";
    }
    write_file(folder_ / "docs.jsonl", lines);
    write_file(folder_ / "topics.tsv", "1\tred fox\n2\tlazy\n3\tdog unknown\n4\tunknown\n");
    const Output made = gannet(
        {"index", "--input", folder_ / "docs.jsonl", "--format", "jsonl", "--output", index_});
    EXPECT_EQ(made.code, 0) << made.err;
  }

  std::string run(const std::string& index, const std::string& name) {
    const Output ran = gannet({"run", "--index", index, "--topics", folder_ / "topics.tsv",
                               "--output", folder_ / name, "--backend", "cpu"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return read_file(folder_ / name);
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
  std::string set_ = folder_ / "set";
};

TEST_F(ShardCommand, CutsAndJoins) {
  const std::string expected = run(index_, "whole.run");
  const Output made = gannet({"shard", index_, "--shards", "4", "--output", set_});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("30 documents of 4 shards are in "));
  EXPECT_EQ(run(set_, "set.run"), expected);
  EXPECT_EQ(gannet({"verify", set_ + "/shard-0003"}).code, 0);
  const Output inspected = gannet({"inspect", set_, "--json"});
  EXPECT_EQ(json_at(inspected.out, "/documents"), "30") << inspected.out;
  const Output joined = gannet({"shard", "--join", set_, "--output", folder_ / "joined", "--json"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(json_at(joined.out, "/documents"), "30");
  EXPECT_EQ(json_at(joined.out, "/shards"), "4");
  EXPECT_EQ(read_file(folder_ / "joined/manifest.json"), read_file(index_ + "/manifest.json"));
}

TEST_F(ShardCommand, ASetIsVerifiedAsOneIndex) {
  ASSERT_EQ(gannet({"shard", index_, "--shards", "4", "--output", set_}).code, 0);
  const Output sound = gannet({"verify", set_});
  EXPECT_EQ(sound.code, 0) << sound.err;
  EXPECT_THAT(sound.out, HasSubstr("set: sound (21 files"));
  EXPECT_EQ(json_at(gannet({"verify", set_, "--json"}).out, "/postings"),
            json_at(gannet({"verify", index_, "--json"}).out, "/postings"));

  const std::string lexicon = set_ + "/shard-0002/segment-00000001.lexicon";
  const std::string before = read_file(lexicon);
  std::string bytes = before;
  bytes[70] = static_cast<char>(bytes[70] ^ 1);
  write_file(lexicon, bytes);
  const Output damaged = gannet({"verify", set_});
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.out, HasSubstr("shard-0002: segment-00000001.lexicon: its checksum"));
  write_file(lexicon, before);

  ASSERT_EQ(gannet({"delete", "--index", set_ + "/shard-0001", "--id", "d9"}).code, 0);
  const Output changed = gannet({"verify", set_});
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, HasSubstr("shard-0001")) << "it is sound, but not the set's any more";
}

TEST_F(ShardCommand, CommandsThatWriteRefuseASetAndSayWhatToDo) {
  ASSERT_EQ(gannet({"shard", index_, "--shards", "2", "--output", set_}).code, 0);
  const auto before = snapshot(set_);
  const std::vector<std::vector<std::string>> commands{
      {"add", "--index", set_, "--input", folder_ / "docs.jsonl", "--format", "jsonl"},
      {"update", "--index", set_, "--input", folder_ / "docs.jsonl", "--format", "jsonl"},
      {"delete", "--index", set_, "--id", "d3"},
      {"merge", set_},
      {"set-codec", set_, "--field", "n", "--codec", "auto"},
      {"reorder", set_, "--order", "id"},
      {"repair", set_, "--output", folder_ / "repaired"},
      {"shard", set_, "--shards", "3", "--output", folder_ / "other"}};
  for (const auto& command : commands) {
    const Output refused = gannet(command);
    EXPECT_EQ(refused.code, 2) << command[0] << ": " << refused.err;
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr("is a set of shards"), HasSubstr("gannet shard --join " + set_)))
        << command[0];
  }
  EXPECT_EQ(snapshot(set_), before);
}

TEST_F(ShardCommand, RefusesWhatItCannotDo) {
  EXPECT_EQ(gannet({"shard", index_, "--output", set_}).code, 2);
  EXPECT_EQ(gannet({"shard", "--shards", "2", "--output", set_}).code, 2);
  EXPECT_EQ(gannet({"shard", index_, "--shards", "2"}).code, 2);
  EXPECT_EQ(gannet({"shard", index_, "--shards", "0", "--output", set_}).code, 2);
  EXPECT_EQ(gannet({"shard", index_, "--shards", "2", "--join", set_, "--output", set_}).code, 2);
  EXPECT_EQ(gannet({"shard", folder_ / "no", "--shards", "2", "--output", set_}).code, 4);
  EXPECT_EQ(gannet({"shard", "--join", index_, "--output", set_}).code, 4);
  ASSERT_EQ(gannet({"shard", index_, "--shards", "2", "--output", set_}).code, 0);
  EXPECT_THAT(gannet({"shard", index_, "--shards", "2", "--output", set_}).err,
              HasSubstr("shards already"));
  // To a shard nothing is added: its set would be no set any more.
  ASSERT_EQ(gannet({"delete", "--index", set_ + "/shard-0000", "--id", "d1"}).code, 0);
  const Output searched = gannet({"search", "--index", set_, "fox"});
  EXPECT_EQ(searched.code, 3);
  EXPECT_THAT(searched.err, AllOf(HasSubstr("shard-0000"), HasSubstr("changed since")));
}

}  // namespace
}  // namespace gannet::test
