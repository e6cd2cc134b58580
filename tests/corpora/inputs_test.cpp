// Compressed inputs, several inputs, batch boundaries and threads: what all readers have in common.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "codecs/base/error.hpp"
#include "corpora/synthetic/random.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::ReaderOptions;
using test::Documents;
using test::gzip;
using test::message_of;
using test::read_all;
using test::TemporaryDirectory;
using test::zstd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReaderOptions skip_malformed() {
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  return options;
}

class InputTest : public ::testing::Test {
 protected:
  Documents read(DocumentFormat format, std::string_view text, const ReaderOptions& options = {}) {
    return read_all(format, {directory_.write("input", text)}, options);
  }
  TemporaryDirectory directory_;
};

using Compressed = InputTest;

TEST_F(Compressed, GzipAndZstdAreToldByTheirMagicBytes) {
  const std::string text = "a\tone\nb\ttwo\n";
  const Documents plain = read(DocumentFormat::kTsv, text);
  EXPECT_EQ(read(DocumentFormat::kTsv, gzip(text)), plain);
  EXPECT_EQ(read(DocumentFormat::kTsv, zstd(text)), plain);
}

TEST_F(Compressed, ManyMembersAndFrames) {
  std::string text, gzipped, zstded;
  for (int i = 0; i < 300; ++i) {
    const std::string part =
        std::to_string(i) + "\t" + std::string(static_cast<std::size_t>(i * 37), 'x') + "\n";
    text += part;
    // Cut inside the line too: members do not end where records do.
    gzipped += gzip(part.substr(0, 2)) + gzip(part.substr(2));
    zstded += zstd(part.substr(0, 2)) + zstd(part.substr(2));
  }
  const Documents plain = read(DocumentFormat::kTsv, text);
  EXPECT_EQ(plain.all.size(), 300u);
  EXPECT_EQ(read(DocumentFormat::kTsv, gzipped), plain);
  EXPECT_EQ(read(DocumentFormat::kTsv, gzipped + std::string(512, '\0')), plain);
  EXPECT_EQ(read(DocumentFormat::kTsv, zstded), plain);
  EXPECT_EQ(read(DocumentFormat::kTsv, zstd("") + zstded + zstd("")), plain);
  // pzstd writes the size of each frame into one before it that is skipped.
  const std::string size("\x50\x2a\x4d\x18\x04\x00\x00\x00\x64\x00\x00\x00", 12);
  EXPECT_EQ(read(DocumentFormat::kTsv, size + zstded + size + zstd("")), plain);
}

TEST_F(Compressed, TruncatedFilesAreErrorsThatNameTheFile) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += std::to_string(i * 7919) + "\ttext " + std::to_string(i * i % 9973) + "\n";
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    for (const std::size_t size :
         {packed.size() - 1, packed.size() - 5, packed.size() / 2, std::size_t{15}}) {
      const auto cut = [&] { read(DocumentFormat::kTsv, packed.substr(0, size)); };
      EXPECT_THAT(message_of<FormatError>(cut), AllOf(HasSubstr("input"), HasSubstr("too early")))
          << size;
    }
  }
}

TEST_F(Compressed, DamagedFilesAreErrors) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += std::to_string(i) + "\ttext " + std::to_string(i * i % 9973) + "\n";
  std::string packed = gzip(text);
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  EXPECT_THROW(read(DocumentFormat::kTsv, packed), FormatError);
  packed = zstd(text).substr(0, 100) + std::string(1000, '\xee');
  EXPECT_THROW(read(DocumentFormat::kTsv, packed), FormatError);
  EXPECT_THAT(message_of<FormatError>([&] { read(DocumentFormat::kTsv, gzip(text) + "rubbish"); }),
              HasSubstr("other bytes follow"));
}

using Inputs = InputTest;

TEST_F(Inputs, FilesAndDirectoriesInTheirOrder) {
  directory_.write("d/2.tsv", "two\tx\n");
  directory_.write("d/1.tsv", "one\tx");
  directory_.write("d/sub/0.tsv.gz", gzip("zero\tx\n"));
  const auto last = directory_.write("last.tsv", "last\tx\n");
  const auto first = directory_.write("first.tsv", "first\tx");
  EXPECT_THAT(read_all(DocumentFormat::kTsv, {first, directory_ / "d", last}).ids(),
              ElementsAre("first", "one", "two", "zero", "last"));
}

TEST_F(Inputs, WhatIsMissingIsAnError) {
  const auto missing = [&] { read_all(DocumentFormat::kTsv, {directory_ / "nothing"}); };
  EXPECT_THAT(message_of<IoError>(missing), HasSubstr("nothing"));
  EXPECT_THROW(read_all(DocumentFormat::kDirectory, {directory_ / "nothing"}), IoError);
  EXPECT_THROW(read_all(DocumentFormat::kTsv, {}), UsageError);
  std::filesystem::create_directory(directory_ / "empty");
  EXPECT_THROW(read_all(DocumentFormat::kTsv, {directory_ / "empty"}), UsageError);
  EXPECT_THROW(read_all(DocumentFormat::kDirectory, {directory_ / "empty"}), UsageError);
}

TEST_F(Inputs, FormatsHaveNames) {
  EXPECT_EQ(corpora::document_format("jsonl"), DocumentFormat::kJsonl);
  EXPECT_EQ(corpora::document_format("dir"), DocumentFormat::kDirectory);
  EXPECT_THAT(message_of<UsageError>([] { corpora::document_format("xml"); }),
              HasSubstr("jsonl, tsv, csv, trectext, json-vectors, dir"));
  EXPECT_THAT(message_of<UsageError>([] { corpora::document_format("json"); }),
              AllOf(HasSubstr("did you mean 'jsonl'?"), HasSubstr("ds2i and ciff")));
}

TEST_F(Inputs, ProgressCountsTheBytesOfTheFiles) {
  const std::string packed = gzip(std::string("a\t") + std::string(100'000, 'x') + "\n");
  const auto a = directory_.write("a", packed);
  const auto b = directory_.write("b", "b\ty\n");
  const auto source = corpora::open_documents(DocumentFormat::kTsv, {a, b});
  EXPECT_EQ(source->bytes_total(), packed.size() + 4);
  read_all(*source);
  EXPECT_EQ(source->bytes_read(), source->bytes_total());
}

TEST_F(Inputs, ABatchOfAnotherSourceIsRefused) {
  struct Foreign : index::RawBatch {};
  for (const char* name : {"jsonl", "tsv", "trectext", "dir"}) {
    const auto source =
        corpora::open_documents(corpora::document_format(name), {directory_.write("f", "")});
    EXPECT_THROW(source->parse(std::make_unique<Foreign>()), UsageError);
  }
}

/// Inputs of each format with all their oddities, malformed records among them.
struct Sample {
  DocumentFormat format;
  std::vector<std::string> files;
};

std::vector<Sample> samples() {
  std::string lines, objects = "[\n", tsv, trec;
  for (int i = 0; i < 60; ++i) {
    const std::string id = std::to_string(i);
    const std::string body(static_cast<std::size_t>(i * i % 97), static_cast<char>('a' + i % 26));
    const std::string end = i % 3 == 0 ? "\r\n" : "\n";
    lines += i % 11 == 5 ? "{broken" + end
                         : "{\"id\":" + id + ",\"contents\":\"" + body + "\\n\"}" + end;
    objects += "{\"id\": \"" + id + "\",\n \"x\": [{}, \"]\"], \"contents\": \"" + body + "\"},\n";
    tsv += i % 13 == 7 ? "no tab" + end : id + "\t" + body + end + end;
    trec += i % 17 == 3 ? "<doc>" + body
                        : "<DOC>\n<docno>" + id + "</docno><p>" + body + "</p></doc>" + end;
  }
  return {
      {DocumentFormat::kJsonl,
       {lines, "\xef\xbb\xbf" + lines.substr(0, lines.size() - 2), "", objects + "]"}},
      {DocumentFormat::kTsv, {tsv, "", "\xef\xbb\xbf" + tsv, "x\ty"}},
      {DocumentFormat::kTrecText, {trec, "<ROOT>" + trec + "</ROOT>", trec + "<DOC><DOCNO>cut"}}};
}

TEST_F(Inputs, DocumentsAreTheSameForAnyBatchSize) {
  for (const Sample& sample : samples()) {
    std::vector<std::filesystem::path> files;
    for (const std::string& text : sample.files) {
      files.push_back(directory_.write(std::to_string(files.size()), text));
    }
    const Documents expected = read_all(sample.format, files, skip_malformed());
    EXPECT_GT(expected.all.size(), 100u);
    EXPECT_GT(expected.skipped, 0u);
    for (std::size_t batch = 1; batch < 5000; batch = batch * 5 / 4 + 1) {
      ReaderOptions options = skip_malformed();
      options.batch_bytes = batch;
      EXPECT_EQ(read_all(sample.format, files, options), expected) << "batches of " << batch;
    }
  }
}

// Whatever the bytes, reading ends with documents or with an error of the library.
TEST_F(Inputs, FlippedBytesDoNoHarm) {
  corpora::Random random(1);
  for (const Sample& sample : samples()) {
    for (int round = 0; round < 300; ++round) {
      std::string text = sample.files[random.below(sample.files.size())];
      for (std::uint32_t i = random.below(8); i < 8 && !text.empty(); ++i) {
        static constexpr std::string_view kBytes("\"\\{}[]<>/\n\t,:\xff\0 D", 18);
        text[random.below(text.size())] = kBytes[random.below(kBytes.size())];
      }
      text.resize(random.below(2) == 0 ? text.size() : random.below(text.size() + 1));
      ReaderOptions options = skip_malformed();
      options.batch_bytes = 1 + random.below(3000);
      try {
        read_all(sample.format, {directory_.write("f", text)}, options);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("f"));
      }
    }
  }
}

TEST_F(Inputs, ReadingAndParsingStopWhenAsked) {
  std::string jsonl, tsv, trec;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = std::to_string(i);
    jsonl += "{\"id\":" + id + ",\"contents\":\"x\"}\n";
    tsv += id + "\tx\n";
    trec += "<DOC><DOCNO>" + id + "</DOCNO>x</DOC>\n";
  }
  directory_.write("docs/a.html", "<p>x");
  const std::pair<const char*, std::filesystem::path> inputs[] = {
      {"jsonl", directory_.write("a.jsonl", jsonl)},
      {"tsv", directory_.write("a.tsv", gzip(tsv))},
      {"trectext", directory_.write("a.trec", zstd(trec))},
      {"dir", directory_ / "docs"}};
  for (const auto& [format, path] : inputs) {
    std::stop_source stop;
    ReaderOptions options;
    options.stop = stop.get_token();
    options.batch_bytes = 500;
    const auto source = corpora::open_documents(corpora::document_format(format), {path}, options);
    auto raw = source->read();
    stop.request_stop();
    EXPECT_THROW(source->parse(std::move(raw)), CancelledError) << format;
    if (std::string_view(format) == "dir") continue;  // parse() reads the files
    EXPECT_THROW(source->read(), CancelledError) << format;
  }
}

TEST_F(Inputs, APipeThatNobodyWritesToCanBeLeft) {
  const std::filesystem::path pipe = directory_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::stop_source stop;
  ReaderOptions options;
  options.stop = stop.get_token();
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  EXPECT_THROW(read_all(DocumentFormat::kTsv, {pipe}, options), CancelledError);
}

TEST_F(Inputs, APipeIsReadToItsEnd) {
  const std::filesystem::path pipe = directory_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] {
    std::ofstream out(pipe);
    out << "a\t1\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    out << "b\t2\n";
  });
  EXPECT_THAT(read_all(DocumentFormat::kTsv, {pipe}).ids(), ElementsAre("a", "b"));
}

TEST_F(Inputs, LineNumbersAreTheSameForAnyBatchSize) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "{\"id\":" + std::to_string(i) + ",\"contents\":\"x\"}\n";
  const auto file = directory_.write("f", text + "broken");
  for (const std::size_t batch :
       {std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{1} << 20}) {
    ReaderOptions options;
    options.batch_bytes = batch;
    const auto read = [&] { read_all(DocumentFormat::kJsonl, {file}, options); };
    EXPECT_THAT(message_of<InputError>(read), HasSubstr("f:1001: "));
  }
}

TEST_F(Inputs, ParsesInManyThreads) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += "{\"id\":\"" + std::to_string(i) + "\",\"contents\":\"document \\u0041 " +
            std::to_string(i) + "\"}\n";
  }
  ReaderOptions options;
  options.batch_bytes = 10'000;
  const auto source =
      corpora::open_documents(DocumentFormat::kJsonl, {directory_.write("f", text)}, options);
  std::mutex mutex;
  std::map<int, std::string> found;
  const auto work = [&] {
    for (;;) {
      std::unique_lock lock(mutex);
      auto raw = source->read();
      lock.unlock();
      if (raw == nullptr) return;
      const auto batch = source->parse(std::move(raw));
      lock.lock();
      for (std::size_t i = 0; i < batch->size(); ++i) {
        const index::Document document = (*batch)[i];
        found[std::stoi(std::string(document.id))] = document.fields.front().text;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  ASSERT_EQ(found.size(), 20'000u);
  for (const auto& [i, contents] : found) ASSERT_EQ(contents, "document A " + std::to_string(i));
}

/// Shares of the files, one behind the other, have the documents of the whole.
TEST(SharedInputs, GiveTheDocumentsOfTheWhole) {
  const TemporaryDirectory directory;
  std::vector<std::filesystem::path> inputs;
  for (const std::string name : {"b/2.txt", "b/1.txt", "b/sub/3.txt", "b/none.bin", "a.txt"}) {
    directory.write(name, "text of " + name + "\n");
  }
  inputs = {directory / "b", directory / "a.txt"};
  const auto files = corpora::input_files(inputs);
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0].path, directory / "b" / "1.txt");
  EXPECT_EQ(files[0].bytes, 16u);
  EXPECT_EQ(files[4].path, directory / "a.txt");
  for (const DocumentFormat format : {DocumentFormat::kDirectory, DocumentFormat::kTsv}) {
    ReaderOptions options = skip_malformed();
    const Documents whole = read_all(format, inputs, options);
    for (std::size_t cut = 1; cut < files.size(); ++cut) {
      SCOPED_TRACE(cut);
      options.files = {0, cut};
      Documents parts = read_all(format, inputs, options);
      options.files = {cut, files.size()};
      const Documents rest = read_all(format, inputs, options);
      parts.all.insert(parts.all.end(), rest.all.begin(), rest.all.end());
      parts.skipped += rest.skipped;
      EXPECT_EQ(parts, whole);
    }
  }
  ReaderOptions none;
  none.files = {5, 7};
  EXPECT_THROW(corpora::open_documents(DocumentFormat::kTsv, inputs, none), UsageError);
}

TEST(RealData, AllJsonlCollectionsRead) {
  const auto data = test::data_folder();
  if (data.empty()) GTEST_SKIP() << "no test data: set GANNET_DATA";
  const std::pair<const char*, std::size_t> sets[] = {
      {"cranfield", 1400}, {"cisi", 1460}, {"cacm", 3204}, {"med", 1033}, {"medquad", 16406}};
  for (const auto& [name, documents] : sets) {
    EXPECT_EQ(read_all(DocumentFormat::kJsonl, {data / name / "docs.jsonl.zst"}).all.size(),
              documents);
  }
}

}  // namespace
}  // namespace gannet
