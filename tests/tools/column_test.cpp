// gannet encode and decode, and what inspect and verify say of their files, as a user types them.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// `count` values of `size` bytes: slowly ascending, with jumps.
std::string raw_values(std::size_t count, std::size_t size) {
  std::string bytes(count * size, '\0');
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value += i % 7;
    if (i % 1000 == 999) value *= 0x9e3779b97f4a7c15u;
    std::memcpy(bytes.data() + i * size, &value, size);
  }
  return bytes;
}

class ColumnCommands : public ::testing::Test {
 protected:
  Output encode(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"encode",  "--type",   "i32",    "--input",
                                       raw_path_, "--output", encoded_, "--overwrite"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gannet(arguments);
  }

  bool has_temporary_files() const {
    const std::filesystem::directory_iterator entries(folder_.path());
    return std::any_of(begin(entries), end(entries),
                       [](const auto& entry) { return entry.path().extension() == ".tmp"; });
  }

  TemporaryDirectory folder_;
  std::string raw_ = raw_values(10000, 4);
  std::string raw_path_ = folder_ / "raw.i32";
  std::string encoded_ = folder_ / "a.column";
  std::string decoded_ = folder_ / "again.i32";

  void SetUp() override { write_file(raw_path_, raw_); }
};

TEST_F(ColumnCommands, TeachWithExamples) {
  for (const std::string command : {"encode", "decode"}) {
    const Output help = gannet({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, AllOf(StartsWith("Usage: gannet " + command), HasSubstr("Examples:"),
                                HasSubstr("--json"), HasSubstr("--overwrite")));
    EXPECT_THAT(gannet({"--help"}).out, HasSubstr("\n  " + command));
  }
}

TEST_F(ColumnCommands, GiveBackEveryType) {
  for (const std::string type : {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}) {
    const std::size_t size = std::stoul(type.substr(1)) / 8;
    write_file(raw_path_, raw_values(5000, size));
    const Output made = gannet({"encode", "--type", type, "--input", raw_path_, "--output",
                                encoded_, "--overwrite", "--segment", "1500"});
    if (made.code == 2 && made.err.find("auto has no codec") != std::string::npos) continue;
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("5,000 values of type " + type));
    const Output done =
        gannet({"decode", "--input", encoded_, "--output", decoded_, "--overwrite"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(read_file(decoded_), read_file(raw_path_)) << type;
  }
}

TEST_F(ColumnCommands, GiveBackEveryCodec) {
  const Output unknown = encode({"--codec", "zip"});
  ASSERT_EQ(unknown.code, 2);
  const std::string list = unknown.err.substr(unknown.err.find("there are ") + 10);
  std::size_t codecs = 0;
  for (std::size_t at = 0; at < list.size() - 1; ++codecs) {
    const std::size_t end = std::min(list.find(", ", at), list.size() - 1);
    const std::string codec = list.substr(at, end - at);
    at = end + 2;
    ASSERT_EQ(encode({"--codec", codec, "--segment", "3333"}).code, 0) << codec;
    ASSERT_EQ(gannet({"decode", "--input", encoded_, "--output", decoded_, "--overwrite"}).code, 0);
    EXPECT_EQ(read_file(decoded_), raw_) << codec;
    EXPECT_THAT(gannet({"inspect", encoded_}).out, HasSubstr(codec));
  }
  EXPECT_GE(codecs, 6u);
}

TEST_F(ColumnCommands, SayWhatTheyDidAsJson) {
  const Output made = encode({"--codec", "gpu-bp128", "--segment", "4096", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(json_at(made.out, "/values"), "10000");
  EXPECT_EQ(json_at(made.out, "/segments"), "3");
  EXPECT_EQ(json_at(made.out, "/codecs/gpu-bp128"), "10000");
  EXPECT_EQ(json_at(made.out, "/bytes"), std::to_string(std::filesystem::file_size(encoded_)));
  const Output done =
      gannet({"decode", "--input", encoded_, "--output", decoded_, "--backend", "cpu", "--json"});
  EXPECT_EQ(json_at(done.out, "/values"), "10000");
  EXPECT_EQ(json_at(done.out, "/type"), "\"i32\"");
  EXPECT_EQ(json_at(done.out, "/backend"), "\"cpu\"");
}

TEST_F(ColumnCommands, RangesAndStandardStreams) {
  ASSERT_EQ(gannet({"encode", "--type", "i32", "--input", "-", "--output", encoded_, "--segment",
                    "999", "--quiet"},
                   raw_)
                .code,
            0);
  const Output all = gannet({"decode", "--input", encoded_, "--output", "-"});
  EXPECT_EQ(all.out, raw_);
  EXPECT_THAT(all.err, IsEmpty());
  const Output some = gannet(
      {"decode", "--input", encoded_, "--first", "2900", "--count", "1200", "--output", "-"});
  EXPECT_EQ(some.out, raw_.substr(4 * 2900, 4 * 1200));
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--first", "9990", "--output", "-"}).out,
            raw_.substr(4 * 9990));
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--first", "10000", "--output", "-"}).out, "");
  const Output beyond = gannet(
      {"decode", "--input", encoded_, "--first", "9999", "--count", "2", "--output", decoded_});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.err, HasSubstr("--count"));
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--first", "10001", "--output", "-"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(decoded_));
}

TEST_F(ColumnCommands, CompressedInputIsToldByItsName) {
  if (shell("command -v gzip").code != 0) GTEST_SKIP() << "gzip is not installed";
  ASSERT_EQ(shell("gzip -k '" + raw_path_ + "'").code, 0);
  ASSERT_EQ(
      gannet({"encode", "--type", "i32", "--input", raw_path_ + ".gz", "--output", encoded_}).code,
      0);
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--output", "-"}).out, raw_);
  // The first values of a column may look like gzip's magic bytes.
  const std::string lookalike("\x1f\x8b\x08\x00\x1f\x8b\x08\x00", 8);
  write_file(raw_path_, lookalike);
  ASSERT_EQ(encode().code, 0);
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--output", "-"}).out, lookalike);
}

TEST_F(ColumnCommands, EmptyInputIsFine) {
  write_file(raw_path_, "");
  const Output made = encode();
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("0 values"));
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--output", decoded_}).code, 0);
  EXPECT_EQ(read_file(decoded_), "");
  EXPECT_TRUE(std::filesystem::exists(decoded_));
}

TEST_F(ColumnCommands, AnExistingFileIsKept) {
  ASSERT_EQ(encode().code, 0);
  const std::string before = read_file(encoded_);
  const Output again =
      gannet({"encode", "--type", "i32", "--input", raw_path_, "--output", encoded_});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, AllOf(HasSubstr(encoded_), HasSubstr("--overwrite")));
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--output", raw_path_}).code, 2);
  EXPECT_EQ(read_file(raw_path_), raw_);
  for (const std::string& path : {std::string("/dev/null"), folder_.path().string()}) {
    const Output special =
        gannet({"encode", "--type", "i32", "--input", raw_path_, "--output", path, "--overwrite"});
    EXPECT_EQ(special.code, 2);
    EXPECT_THAT(special.err, HasSubstr("not a regular file"));
  }
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--output", folder_.path()}).code, 2);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  // A failure leaves it too, and no other file.
  write_file(raw_path_, raw_.substr(1));
  EXPECT_EQ(encode().code, 3);
  EXPECT_EQ(read_file(encoded_), before);
  EXPECT_FALSE(has_temporary_files());
}

TEST_F(ColumnCommands, ErrorsSayWhatIsWrong) {
  const auto expect_error = [](const Output& output, int code, const std::string& what) {
    EXPECT_EQ(output.code, code);
    EXPECT_TRUE(is_one_line(output.err)) << output.err;
    EXPECT_THAT(output.err, HasSubstr(what));
    EXPECT_THAT(output.out, IsEmpty());
  };
  write_file(raw_path_, raw_.substr(0, 1001));
  expect_error(encode(), 3, "raw.i32: 1001 bytes are no whole number of values of type i32");
  expect_error(encode({"--codec", "zip"}), 2, "for i32 there are gpu-bp128, ");
  expect_error(encode({"--parameters", "rles"}), 2, "'rles' is not of the form parameter=number");
  expect_error(encode({"--codec", "gpu-bp128", "--parameters", "rles=1"}), 2,
               "gpu-bp128 has no parameter 'rles'");
  expect_error(encode({"--candidates", "none,zip"}), 2, "'zip'");
  expect_error(encode({"--segment", "0"}), 2, "--segment");
  expect_error(
      gannet({"encode", "--type", "i33", "--input", raw_path_, "--output", encoded_}), 2,
      "--type: 'i33' is none of i8, u8, i16, u16, i32, u32, i64, u64 (did you mean 'i32'?)");
  expect_error(gannet({"encode", "--type", "i64", "--codec", "gpu-bp128", "--input", raw_path_,
                       "--output", encoded_}),
               2, "does not code values of type i64");
  expect_error(gannet({"encode", "--type", "i8", "--input", raw_path_, "--output", "-"}), 2,
               "--output");
  expect_error(
      gannet({"encode", "--type", "i8", "--input", folder_ / "none", "--output", encoded_}), 4,
      "none: cannot open");
  expect_error(gannet({"encode", "--type", "i8", "--input", folder_.path(), "--output", encoded_}),
               4, "folder");
  expect_error(
      gannet({"encode", "--type", "i8", "--input", raw_path_, "--output", folder_ / "no/folder"}),
      4, "cannot create");
  expect_error(gannet({"decode", "--input", raw_path_, "--output", decoded_}), 3,
               "not a column file");
  expect_error(gannet({"decode", "--input", "-", "--output", decoded_}), 2, "--input");
  expect_error(gannet({"decode", "--input", folder_ / "none", "--output", decoded_}), 4,
               "cannot open");
}

TEST_F(ColumnCommands, AFullDiskIsAnError) {
  ASSERT_EQ(encode().code, 0);
  const Output full =
      shell("$GANNET decode --input '" + encoded_ + "' --output - --backend cpu > /dev/full");
  EXPECT_EQ(full.code, 4);
  EXPECT_THAT(full.err, HasSubstr("cannot write to stdout"));
  const Output limited = shell("ulimit -f 8; $GANNET decode --input '" + encoded_ + "' --output '" +
                               decoded_ + "' --backend cpu");
  EXPECT_EQ(limited.code, 4) << limited.err;
  EXPECT_THAT(limited.err, HasSubstr("cannot write"));
  EXPECT_FALSE(std::filesystem::exists(decoded_));
  EXPECT_FALSE(has_temporary_files());
}

TEST_F(ColumnCommands, BackEndsGiveTheSame) {
  ASSERT_EQ(encode({"--segment", "1024"}).code, 0);
  EXPECT_EQ(gannet({"decode", "--input", encoded_, "--output", "-", "--backend", "zpu"}).code, 2);
  const Output cuda = gannet({"decode", "--input", encoded_, "--output", "-", "--first", "100",
                              "--count", "7000", "--backend", "cuda"});
  if (cuda.code == 5) GTEST_SKIP() << cuda.err;
  ASSERT_EQ(cuda.code, 0) << cuda.err;
  EXPECT_EQ(cuda.out, raw_.substr(400, 28000));
}

TEST_F(ColumnCommands, InspectAndVerifyKnowColumnFiles) {
  ASSERT_EQ(encode({"--codec", "gpu-dfor", "--segment", "4000"}).code, 0);
  const Output text = gannet({"inspect", encoded_});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("i32"), HasSubstr("10,000"), HasSubstr("gpu-dfor")));
  const Output json = gannet({"inspect", encoded_, "--json"});
  EXPECT_EQ(json_at(json.out, "/segments/2/values"), "2000");
  EXPECT_EQ(json_at(json.out, "/segments/1/first"), "4000");
  EXPECT_EQ(json_at(json.out, "/segments/1/codec"), "\"gpu-dfor\"");
  EXPECT_THAT(gannet({"verify", encoded_}).out, HasSubstr("sound (10,000 values)"));

  std::string bytes = read_file(encoded_);
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  write_file(encoded_, bytes);
  const Output damaged = gannet({"verify", encoded_});
  EXPECT_EQ(damaged.code, 1);
  EXPECT_TRUE(is_one_line(damaged.out)) << damaged.out;
  EXPECT_THAT(damaged.out, HasSubstr("segment 0 (from value 0): the checksum is wrong"));
  EXPECT_EQ(json_at(gannet({"verify", encoded_, "--json"}).out, "/sound"), "false");
  const Output refused = gannet({"decode", "--input", encoded_, "--output", decoded_});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("segment 0"));
  EXPECT_FALSE(std::filesystem::exists(decoded_));
  write_file(encoded_, bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(gannet({"verify", encoded_}).code, 1);
  EXPECT_EQ(gannet({"inspect", encoded_}).code, 3);
}

}  // namespace
}  // namespace gannet::test
