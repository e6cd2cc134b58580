// gannet bench codecs, as a user types it. Nothing here depends on how fast the machine is.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

double number_at(const std::string& json, std::string_view pointer) {
  return std::strtod(json_at(json, pointer).c_str(), nullptr);
}

class BenchCodecs : public ::testing::Test {
 protected:
  /// 4,096 values of 16 bits, all below 16: gpu-bp128 has four bits each and an endpoint a block.
  void SetUp() override {
    std::string bytes;
    for (int i = 0; i < 4096; ++i) bytes += {static_cast<char>(i % 16), '\0'};
    write_file(path_, bytes);
  }
  Output bench(std::vector<std::string> more) {
    std::vector<std::string> arguments{"bench",     "codecs", "--input",   path_,
                                       "--type",    "u16",    "--backend", "cpu",
                                       "--repeats", "1",      "--values",  "5000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gannet(arguments);
  }
  TemporaryDirectory folder_;
  std::string path_ = folder_ / "a.u16";
};

TEST_F(BenchCodecs, TeachesWithAnExample) {
  const Output help = gannet({"bench", "codecs", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Usage: gannet bench codecs"), HasSubstr("Examples:")));
  EXPECT_THAT(gannet({"bench", "--help"}).out, HasSubstr("\n  codecs"));
}

TEST_F(BenchCodecs, BitsAreExact) {
  const Output done = bench({"--codec", "gpu-bp128,none", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json_at(done.out, "/results/0/codec"), "\"gpu-bp128\"");
  EXPECT_EQ(json_at(done.out, "/results/0/values"), "4096");
  EXPECT_EQ(number_at(done.out, "/results/0/bits_per_value"), 4 + 33 * 32 / 4096.0);
  EXPECT_EQ(number_at(done.out, "/results/1/bits_per_value"), 32);
  EXPECT_EQ(json_at(done.out, "/results/0/cpu_values"), "8192");
  EXPECT_GT(number_at(done.out, "/results/0/cpu_encode_gb_per_second"), 0);
  EXPECT_GT(number_at(done.out, "/results/0/cpu_decode_gb_per_second"), 0);
  EXPECT_EQ(json_at(done.out, "/results/0/gpu_decode_gb_per_second"), "null");
  EXPECT_EQ(json_at(done.out, "/gpu"), "null");
}

TEST_F(BenchCodecs, TablesHaveARowForEachCodec) {
  const std::string other = folder_ / "b.u16";
  write_file(other, std::string(2000, '\7'));
  const Output done = bench(
      {"--input", other, "--codec", "gpu-bp128,gpu-dfor,auto", "--output", folder_ / "all.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("a.u16: 4,096 values"), HasSubstr("b.u16: 1,000 values"),
                              HasSubstr("\ngpu-bp128 "), HasSubstr("\nauto ("),
                              HasSubstr("all 2 columns"), Not(HasSubstr("decode, GPU"))));
  const std::string json = read_file(folder_ / "all.json");
  EXPECT_EQ(json_at(json, "/results/5/codec"), "\"auto\"");
  EXPECT_NE(json_at(json, "/results/5/chosen"), "\"auto\"");
}

TEST_F(BenchCodecs, AllAreThoseForTheType) {
  const Output done = bench({"--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string unknown = bench({"--codec", "zip"}).err;
  std::size_t codecs = 0;
  for (std::size_t at = 0; (at = done.out.find("\"codec\":\"", at)) != std::string::npos;
       ++codecs) {
    at += 9;
    EXPECT_THAT(unknown, HasSubstr(done.out.substr(at, done.out.find('"', at) - at)));
  }
  EXPECT_GE(codecs, 6u);
}

TEST_F(BenchCodecs, EmptyColumnsHaveNoSpeed) {
  write_file(path_, "");
  const Output done = bench({"--codec", "gpu-dfor"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("0 values"));
}

TEST_F(BenchCodecs, WrongCommandLines) {
  EXPECT_EQ(bench({"--codec", "zip"}).code, 2);
  EXPECT_EQ(bench({"--codec", "none", "--parameters", "rles=1"}).code, 2);
  EXPECT_THAT(bench({"--parameters", "rles=1"}).err, HasSubstr("name the one codec"));
  EXPECT_EQ(gannet({"bench", "codecs", "--type", "u16"}).code, 2);
  EXPECT_EQ(gannet({"bench", "codecs", "--type", "u17", "--input", path_}).code, 2);
  EXPECT_EQ(gannet({"bench", "codecs", "--type", "u16", "--input", folder_ / "none"}).code, 4);
  write_file(path_, "odd");
  const Output odd = bench({});
  EXPECT_EQ(odd.code, 3);
  EXPECT_THAT(odd.err, HasSubstr("a.u16: 3 bytes"));
}

}  // namespace
}  // namespace gannet::test
