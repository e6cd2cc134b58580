// SIGINT and SIGTERM at whatever a command is doing: it ends soon, and leaves what was there.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::IsEmpty;

/// A signal is obeyed within a second; machines under load take their time.
constexpr auto kSoon = std::chrono::seconds(5);

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

class Cancellation : public ::testing::Test {
 protected:
  Cancellation() {
    write_file(folder_ / "animals.jsonl", kAnimals);
    EXPECT_EQ(gannet({"index", "--input", folder_ / "animals.jsonl", "--format", "jsonl",
                      "--output", index_})
                  .code,
              0);
  }

  std::vector<std::string> index_command(const std::string& format, const std::string& input) {
    return {kCommand, "index",       "--input",   input, "--format", format, "--output",
            index_,   "--overwrite", "--threads", "2",   "--memory", "4G"};
  }

  /// Runs a command, sends it a signal after a while, and expects that nothing in the folder has
  /// changed. False if the command was done before.
  bool stops(const std::vector<std::string>& command, milliseconds after, int signal = SIGTERM) {
    const auto before = snapshot(folder_.path());
    Process process(command, {});
    std::this_thread::sleep_for(after);
    const Clock::time_point sent = Clock::now();
    process.signal(signal);
    const Output ended = process.wait();
    EXPECT_LT(Clock::now() - sent, kSoon);
    // A signal after the report ends a process that only has to take itself down, which may take
    // instrumented code long.
    const bool reported = ended.code == 128 + signal && !ended.out.empty();
    if (ended.code == 0 || reported) return false;
    // Before it has looked after signals there is nothing to clean up: the signal ends it.
    const bool early = ended.code == 128 + signal && ended.err.empty();
    EXPECT_TRUE(early || ended.code == 130) << ended.code << ended.err;
    EXPECT_THAT(ended.err, AnyOf(IsEmpty(), Eq("gannet " + command[1] + ": interrupted\n")));
    EXPECT_TRUE(snapshot(folder_.path()) == before) << "after " << after.count() << " ms";
    return true;
  }

  /// Signals at many moments; some of them must come before the end.
  void expect_stops(const std::vector<std::string>& command) {
    int stopped = 0;
    for (const int after : {20, 100, 200, 400, 700, 1100}) {
      if (!stops(command, milliseconds(after))) break;
      ++stopped;
    }
    EXPECT_GE(stopped, 1);
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

TEST_F(Cancellation, WhileNobodyWritesToAPipe) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int signal : {SIGTERM, SIGINT}) {
    for (const char* const format : {"jsonl", "tsv", "trectext", "wikipedia"}) {
      std::vector<std::string> command = index_command(format, pipe);
      const auto before = names_in(folder_.path());
      Process process(command, {});
      std::this_thread::sleep_for(milliseconds(300));
      const Clock::time_point sent = Clock::now();
      process.signal(signal);
      EXPECT_THAT(process.wait().code, AnyOf(Eq(130), Eq(128 + signal)));
      EXPECT_LT(Clock::now() - sent, kSoon);
      EXPECT_EQ(names_in(folder_.path()), before);
    }
  }
}

TEST_F(Cancellation, NestedHtml) {
  std::filesystem::create_directory(folder_ / "pages");
  write_file(folder_ / "pages/deep.html", repeated("<div>", long_work(40'000'000)));
  expect_stops(index_command("dir", folder_ / "pages"));
}

TEST_F(Cancellation, HtmlOfAttributes) {
  std::filesystem::create_directory(folder_ / "pages");
  std::string page = "<p ";
  for (std::size_t i = 0; i < long_work(3'000'000); ++i) page += "a" + std::to_string(i) + " ";
  write_file(folder_ / "pages/attributes.html", page + "></p></b></b>" + page);
  expect_stops(index_command("dir", folder_ / "pages"));
}

TEST_F(Cancellation, TrecTextOfUnclosedTags) {
  write_file(folder_ / "docs.trec",
             "<DOC><DOCNO>1</DOCNO>" + repeated("x </doc\n", long_work(40'000'000)) + "</DOC>\n");
  expect_stops(index_command("trectext", folder_ / "docs.trec"));
}

TEST_F(Cancellation, OneHugePageOfAWiki) {
  const std::string head = "<page><title>A</title><id>1</id><revision><text>";
  for (const std::string unit : {"{{x|[[y|\n", "&lt;&amp;amp;"}) {
    write_file(folder_ / "dump.xml",
               head + repeated(unit, long_work(60'000'000)) + "</text></revision></page>\n");
    expect_stops(index_command("wikipedia", folder_ / "dump.xml"));
  }
}

TEST_F(Cancellation, OneHugeRecord) {
  std::string words;
  for (int i = 0; words.size() < long_work(60'000'000); ++i)
    words += "word" + std::to_string(i % 999'983) + ' ';
  write_file(folder_ / "docs.jsonl", "{\"id\":1,\"contents\":\"" + words + "\"}");
  expect_stops(index_command("jsonl", folder_ / "docs.jsonl"));
}

/// Commands that wait for another process that writes to their stdin, or reads their stdout.
class Waiting : public ::testing::Test {
 protected:
  Waiting() {
    EXPECT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    std::string documents;
    for (int i = 0; i < 5000; ++i) {
      documents += "{\"id\": \"document-" + std::to_string(i) + "\", \"contents\": \"cat\"}\n";
    }
    write_file(folder_ / "docs.jsonl", documents);
    write_file(folder_ / "topics", "1\tcat\n");
    write_file(folder_ / "raw", std::string(400'000, 'x'));
    EXPECT_EQ(shell(in_folder("$GANNET index --input docs.jsonl --format jsonl --output idx")).code,
              0);
    EXPECT_EQ(shell(in_folder("$GANNET encode --type u32 --input raw --output column")).code, 0);
  }

  std::string in_folder(const std::string& line) const {
    return "cd '" + folder_.path().string() + "' && " + line;
  }

  /// The command waits, and a signal ends it soon. "1<>pipe": a pipe that somebody has opened for
  /// reading, and does not read.
  void expect_stops(const std::string& command) const {
    const auto before = names_in(folder_.path());
    for (const int signal : {SIGTERM, SIGINT}) {
      const std::string line = in_folder("exec '" + std::string(kCommand) + "' " + command);
      Process process({"/bin/sh", "-c", line}, {});
      std::this_thread::sleep_for(milliseconds(500));
      EXPECT_TRUE(process.running()) << command;
      const Clock::time_point sent = Clock::now();
      process.signal(signal);
      while (process.running() && Clock::now() - sent < kSoon) {
        std::this_thread::sleep_for(milliseconds(5));
      }
      process.signal(SIGKILL);
      const Output ended = process.wait();
      EXPECT_THAT(ended.code, AnyOf(Eq(130), Eq(128 + signal))) << command << ended.err;
      EXPECT_EQ(names_in(folder_.path()), before) << command;
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(Waiting, ForRawValues) {
  expect_stops("encode --type u32 --input - --output out.column 0<>pipe");
  expect_stops("encode --type u32 --input pipe --output out.column");
}

TEST_F(Waiting, ForLines) {
  expect_stops("delete --index idx --ids - 0<>pipe");
  expect_stops("delete --index idx --ids pipe");
  expect_stops("search --index idx - 0<>pipe");
}

TEST_F(Waiting, ForAReaderOfStdout) {
  expect_stops("run --index idx --topics topics --k 5000 --output - 1<>pipe");
  expect_stops("run --index idx --topics topics --k 5000 --output /dev/fd/1 1<>pipe");
  expect_stops("generate --documents 100000 --output - 1<>pipe");
  expect_stops("decode --input column --output - 1<>pipe");
}

TEST_F(Waiting, ForAReaderOfANamedPipe) {
  expect_stops("run --index idx --topics topics --k 5000 --output pipe");
  expect_stops("run --index idx --topics topics --k 5000 --output pipe 3<>pipe");
  expect_stops("generate --documents 100000 --output pipe 3<>pipe");
  expect_stops("decode --input column --output pipe");
  expect_stops("export --index idx --format ciff --output pipe");
}

TEST_F(Cancellation, EncodingASegment) {
  // No codec makes less of them than another, so that each has to encode them all.
  std::mt19937_64 random(1);
  std::string values;
  while (values.size() < long_work(60'000'000)) {
    const std::uint64_t two = random();
    values.append(reinterpret_cast<const char*>(&two), sizeof two);
  }
  write_file(folder_ / "raw", values);
  for (const int after : {300, 600}) {
    EXPECT_TRUE(stops({kCommand, "encode", "--type", "u32", "--input", folder_ / "raw", "--output",
                       folder_ / "column", "--threads", "1"},
                      milliseconds(after)));
  }
}

/// One codec, one segment: there is nothing to stop between.
TEST_F(Cancellation, EncodingByOneCodec) {
  std::mt19937_64 random(2);
  std::string values;
  while (values.size() < long_work(80'000'000)) {
    const std::uint64_t eight = random();
    values.append(reinterpret_cast<const char*>(&eight), sizeof eight);
  }
  write_file(folder_ / "raw", values);
  for (const int after : {300, 600}) {
    EXPECT_TRUE(stops({kCommand, "encode", "--type", "u8", "--codec", "deflate", "--segment",
                       "500000000", "--input", folder_ / "raw", "--output", folder_ / "column"},
                      milliseconds(after)));
  }
}

TEST_F(Cancellation, WritingTheHitsOfOneTopic) {
  const std::string lists = folder_ / "lists";
  // So many in instrumented code too: a tenth is written before the signal comes.
  const std::string documents = "1000000";
  ASSERT_EQ(gannet({"generate", "--documents", documents, "--lists", "1", "--format", "ds2i",
                    "--output", lists})
                .code,
            0);
  ASSERT_EQ(
      gannet({"index", "--input", lists, "--format", "ds2i", "--output", folder_ / "large"}).code,
      0);
  std::filesystem::create_directory(folder_ / "runs");
  write_file(folder_ / "topics", "1\t0\n");
  Process process({kCommand, "run", "--index", folder_ / "large", "--topics", folder_ / "topics",
                   "--k", documents, "--output", folder_ / "runs/run"},
                  {});
  // Its temporary file grows while hits are written.
  const auto written = [&] {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "runs")) {
      bytes += entry.file_size();
    }
    return bytes;
  };
  while (process.running() && written() == 0) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  process.signal(SIGTERM);
  const Output ended = process.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_THAT(names_in(folder_ / "runs"), IsEmpty());
}

/// A batch of everything: most of the time goes into planning it, and little into one query.
TEST_F(Cancellation, RunOfManyTopics) {
  std::string topics;
  for (std::size_t i = 0; i < long_work(700'000); ++i) {
    topics += std::to_string(i) + "\tcat dog word" + std::to_string(i) + " words of the query\n";
  }
  write_file(folder_ / "topics.tsv", topics);
  const std::vector<std::string> command = {kCommand,    "run",
                                            "--index",   index_,
                                            "--topics",  folder_ / "topics.tsv",
                                            "--output",  folder_ / "out.run",
                                            "--batch",   "16000000",
                                            "--backend", "cpu"};
  milliseconds after(200);
  int stopped = 0;
  while (stopped < 5 && stops(command, after)) {
    ++stopped;
    after += milliseconds(500);
  }
  EXPECT_GE(stopped, 2);
}

/// Commands over a collection that takes a build seconds and several runs.
class LongWork : public Cancellation {
 protected:
  LongWork() {
    EXPECT_EQ(gannet({"generate", "--documents", std::to_string(long_work(60'000)), "--vocabulary",
                      "500000", "--output", input_})
                  .code,
              0);
  }
  std::string input_ = folder_ / "docs.jsonl";
};

TEST_F(LongWork, InversionSpillingMergingWriting) {
  std::vector<std::string> command = index_command("jsonl", input_);
  command.emplace_back("--store");
  milliseconds after(100);
  int stopped = 0;
  while (stopped < 10 && stops(command, after, stopped % 2 == 0 ? SIGTERM : SIGINT)) {
    ++stopped;
    after += milliseconds(550);
  }
  EXPECT_GE(stopped, 2);
}

TEST_F(LongWork, VerifyExportGenerate) {
  const std::string large = folder_ / "large";
  ASSERT_EQ(gannet({"index", "--input", input_, "--format", "jsonl", "--output", large}).code, 0);
  for (const int after : {10, 50, 200}) {
    stops({kCommand, "verify", large}, milliseconds(after));
    stops({kCommand, "export", "--index", large, "--format", "ds2i", "--output", folder_ / "lists"},
          milliseconds(after));
    for (const char* const name :
         {"lists.docs", "lists.freqs", "lists.sizes", "lists.terms", "lists.documents"}) {
      std::filesystem::remove(folder_ / name);
    }
    EXPECT_TRUE(stops(
        {kCommand, "generate", "--documents", "100000000", "--output", folder_ / "generated.jsonl"},
        milliseconds(after)));
    EXPECT_TRUE(stops({kCommand, "generate", "--documents", "20000000", "--lists", "100000",
                       "--format", "ds2i", "--output", folder_ / "generated"},
                      milliseconds(after)));
  }
}

/// Long queries, of which one takes seconds.
TEST_F(LongWork, RunOfLongQueries) {
  const std::string large = folder_ / "large";
  ASSERT_EQ(gannet({"index", "--input", input_, "--format", "jsonl", "--output", large}).code, 0);
  const std::string documents = read_file(input_).substr(0, long_work(4'000'000));
  std::string words;
  for (const char c : documents)
    words += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : ' ';
  write_file(folder_ / "topics.tsv", "1\t" + words + "\n2\t" + words + "\n");
  for (const char* const mode : {"or", "and"}) {
    std::vector<std::string> command = {kCommand,    "run",
                                        "--index",   large,
                                        "--topics",  folder_ / "topics.tsv",
                                        "--output",  folder_ / "out.run",
                                        "--mode",    mode,
                                        "--backend", "cpu"};
    for (const int after : {300, 1100}) {
      if (!stops(command, milliseconds(after))) break;
    }
  }
}

TEST_F(LongWork, ASecondSignalEndsTheProcessAtOnce) {
  Process process(index_command("jsonl", input_), {});
  while (process.running() && names_in(index_).size() < 6) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  process.signal(SIGINT);
  process.signal(SIGTERM);
  const Output ended = process.wait();
  EXPECT_THAT(ended.code, AnyOf(Eq(128 + SIGINT), Eq(128 + SIGTERM)));
  EXPECT_THAT(ended.err, IsEmpty());  // it had no time to say that it was interrupted
}

TEST_F(LongWork, AnIgnoredSignalStaysIgnored) {
  const std::string line = std::string("trap '' INT; exec '") + kCommand + "' index --input '" +
                           input_ + "' --format jsonl --output '" + index_ + "' --overwrite";
  Process process({"/bin/sh", "-c", line}, {});
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    process.signal(SIGINT);
  }
  EXPECT_EQ(process.wait().code, 0);
}

TEST_F(Cancellation, ATimeoutEndsASearchOrARunWithACodeOfItsOwn) {
  const std::string topics = folder_ / "topics.tsv";
  const std::string output = folder_ / "out.run";
  write_file(topics, "1\tcat\n2\tdog\n");
  const auto search = [&](const char* seconds) {
    return gannet({"search", "--index", index_, "--timeout", seconds, "cat"});
  };
  const auto run = [&](const char* seconds) {
    return gannet(
        {"run", "--index", index_, "--topics", topics, "--output", output, "--timeout", seconds});
  };
  for (const auto& ended : {search("0"), run("0")}) {
    EXPECT_EQ(ended.code, 124);
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, ::testing::HasSubstr("not done within --timeout"));
  }
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(search("60").code, 0);
  EXPECT_EQ(run("60").code, 0);
  EXPECT_EQ(search("-1").code, 2);
  EXPECT_EQ(search("nan").code, 2);
}

}  // namespace
}  // namespace gannet::test
