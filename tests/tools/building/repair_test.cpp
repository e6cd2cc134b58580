// gannet repair, as a user types it.
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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

class RepairCommand : public ::testing::Test {
 protected:
  void damage() {
    const std::string file = index_ + "/segment-00000001.text";
    std::string bytes = read_file(file);
    bytes[70] = static_cast<char>(bytes[70] ^ 0x55);
    write_file(file, bytes);
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
  std::string output_ = folder_ / "new";
};

TEST_F(RepairCommand, SaysThatNothingIsMissing) {
  const Output repaired = gannet({"repair", index_, "--output", output_});
  EXPECT_EQ(repaired.code, 0) << repaired.err;
  EXPECT_THAT(repaired.out, AllOf(HasSubstr("4 documents"), HasSubstr("nothing is lost")));
  EXPECT_EQ(gannet({"search", "--index", output_, "cat"}).out,
            gannet({"search", "--index", index_, "cat"}).out);
}

TEST_F(RepairCommand, SaysWhatIsLost) {
  damage();
  EXPECT_EQ(gannet({"verify", index_}).code, 1);
  const Output repaired = gannet({"repair", index_, "--output", output_});
  EXPECT_EQ(repaired.code, 1) << repaired.err;
  EXPECT_THAT(repaired.out, AllOf(HasSubstr("lost: 4 stored texts"),
                                  HasSubstr("was damaged: segment-00000001.text")));
  EXPECT_EQ(gannet({"verify", output_}).code, 0);
  EXPECT_EQ(gannet({"search", "--index", output_, "--count", "cat"}).out, "2\n");
  const std::string report =
      gannet({"repair", index_, "--output", output_, "--overwrite", "--json"}).out;
  EXPECT_EQ(json_at(report, "/texts_lost"), "4");
  EXPECT_EQ(json_at(report, "/documents"), "4");
}

TEST_F(RepairCommand, LosesNothingWherePostingsAreCutAndTextsAreStored) {
  const std::string file = index_ + "/segment-00000001.postings";
  for (const bool much : {false, true}) {
    const std::string bytes = read_file(file);
    write_file(file, bytes.substr(0, much ? 100 : bytes.size() - 3));
    EXPECT_EQ(gannet({"search", index_, "cat"}).code, 7);
    const Output repaired = gannet({"repair", index_, "--output", output_, "--overwrite"});
    EXPECT_EQ(repaired.code, 0) << repaired.out << repaired.err;
    EXPECT_THAT(repaired.out, AllOf(HasSubstr("4 documents"), HasSubstr("nothing is lost"),
                                    HasSubstr(much ? "made anew from the stored texts: "
                                                   : "put right: 1 damaged part of a file")));
    write_file(file, bytes);
    EXPECT_EQ(gannet({"search", output_, "cat"}).out, gannet({"search", index_, "cat"}).out);
  }
}

/// Whatever is wrong with a file, it is damage; but one that may not be read may be whole.
TEST_F(RepairCommand, AFileThatIsNotThereIsDamageToAllReaders) {
  namespace fs = std::filesystem;
  const std::vector<std::vector<std::string>> readers{{"search", index_, "cat"},
                                                      {"get", index_, "d-cat"},
                                                      {"inspect", index_},
                                                      {"merge", index_},
                                                      {"reorder", index_, "--order", "id"}};
  for (const std::string kind : {"postings", "lexicon", "documents", "text"}) {
    const fs::path file = index_ + "/segment-00000001." + kind;
    const std::string bytes = read_file(file);
    const std::vector<std::function<void()>> damages{
        [&] { fs::remove(file); }, [&] { write_file(file, ""); },
        [&] { write_file(file, bytes.substr(0, bytes.size() / 2)); },
        [&] {
          fs::remove(file);
          fs::create_directory(file);
        }};
    for (std::size_t i = 0; i < damages.size(); ++i) {
      damages[i]();
      for (const std::vector<std::string>& command : readers) {
        const Output refused = gannet(command);
        EXPECT_EQ(refused.code, 7) << command.front() << ' ' << i << ": " << refused.err;
        EXPECT_THAT(refused.err, AllOf(HasSubstr(file.filename().string()),
                                       HasSubstr("`gannet repair`"), HasSubstr("backup")));
      }
      EXPECT_EQ(gannet({"verify", index_}).code, 1);
      fs::remove_all(file);
      write_file(file, bytes);
    }
  }
}

TEST_F(RepairCommand, WhatToDoAboutDamageIsSaidOnce) {
  damage();
  const Output checked = gannet({"verify", index_});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.out, AllOf(HasSubstr("segment-00000001.text"), Not(HasSubstr("gannet "))));
  EXPECT_TRUE(is_one_line(checked.err)) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("`gannet repair` saves what is whole"));
  EXPECT_THAT(gannet({"verify", index_, "--json"}).out, Not(HasSubstr("gannet repair")));
  EXPECT_THAT(gannet({"repair", index_, "--output", output_}).out, Not(HasSubstr("gannet ")));
  // Without the manifest there is other advice.
  write_file(index_ + "/manifest.json", "{}");
  const Output lost = gannet({"verify", index_});
  EXPECT_THAT(lost.out, HasSubstr("restore it from a backup"));
  EXPECT_EQ(lost.err, "");
}

TEST_F(RepairCommand, RefusesWhatItCannotDo) {
  EXPECT_EQ(gannet({"repair", index_}).code, 2);
  EXPECT_EQ(gannet({"repair", index_, "--output", index_}).code, 2);
  EXPECT_EQ(gannet({"repair", folder_ / "no", "--output", output_}).code, 4);
  write_file(index_ + "/manifest.json", "{}");
  EXPECT_EQ(gannet({"repair", index_, "--output", output_}).code, 7);
  EXPECT_FALSE(std::filesystem::exists(output_));
}

}  // namespace
}  // namespace gannet::test
