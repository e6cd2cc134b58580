// verify_index: mistakes that no table and no checksum shows.
#include "index/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <numeric>

#include "codecs/base/error.hpp"
#include "index/files/file_system.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::add_documents;
using test::change_values;
using test::Collection;
using test::random_collection;
using test::TemporaryDirectory;
using test::write_index;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Mistakes in content that only decoding shows: all tables and checksums are right.
TEST(VerifyIndex, NamesTheTermAndWhatIsWrong) {
  TemporaryDirectory directory;
  const Collection collection = random_collection(2000, 60, 6);
  IndexWriter writer(directory.path(), {.positions = false});
  add_documents(writer, collection);
  std::vector<std::string> terms;
  for (const auto& [term, postings] : collection.lists) {
    if (postings.docids.size() < codecs::kTile) continue;  // has no skips, no bounds
    EncodedList list = encode_list(term, postings.docids, postings.freqs, writer.document_lengths(),
                                   writer.docid_codec(), writer.freq_codec());
    if (terms.size() == 1) list.max_freqs[0] += 1;
    if (terms.size() == 2) list.min_lengths[0] += 1;
    if (terms.size() == 3) list.row.back() ^= 1;  // the lowest bits of the collection frequency
    if (terms.size() == 4) list.skips.back() = 1999 - (list.skips.back() == 1999 ? 1 : 0);
    writer.add_list(list);
    terms.push_back(term);
  }
  ASSERT_GE(terms.size(), 5u);
  writer.commit();
  EXPECT_THAT(verify_index(directory.path()).problems,
              ElementsAre(AllOf(HasSubstr("'" + terms[1] + "'"), HasSubstr("largest frequency")),
                          AllOf(HasSubstr("'" + terms[2] + "'"), HasSubstr("shortest document")),
                          AllOf(HasSubstr("'" + terms[3] + "'"), HasSubstr("add up")),
                          AllOf(HasSubstr("'" + terms[4] + "'"), HasSubstr("skip"))));
}

TEST(VerifyIndex, NamesAMistakeThatEverySegmentHas) {
  TemporaryDirectory directory;
  const Collection collection = random_collection(2000, 60, 6);
  IndexWriter writer(directory.path(), {.positions = false});
  for (const bool second : {false, true}) {
    if (second) writer.next_segment();
    add_documents(writer, collection);
    bool wrong = false;
    for (const auto& [term, postings] : collection.lists) {
      EncodedList list =
          encode_list(term, postings.docids, postings.freqs, writer.document_lengths(),
                      writer.docid_codec(), writer.freq_codec());
      if (!wrong && postings.docids.size() >= codecs::kTile) {
        list.max_freqs[0] += 1;
        wrong = true;
      }
      writer.add_list(list);
    }
  }
  writer.commit();
  const std::vector<std::string> problems = verify_index(directory.path()).problems;
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_NE(problems[0], problems[1]);
}

TEST(VerifyIndex, CountsWhatItChecked) {
  TemporaryDirectory directory;
  const Collection collection = random_collection(500, 20, 6, true, true);
  const Statistics statistics = write_index(directory.path(), collection);
  std::uint64_t last = 0;
  std::uint64_t all = 0;
  const VerifyReport report =
      verify_index(directory.path(), 2, [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GT(done, last);
        EXPECT_LE(done, total);
        last = done;
        all = total;
      });
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.files, 5u);
  EXPECT_EQ(report.lists, statistics.terms);
  EXPECT_EQ(report.postings, statistics.postings);
  EXPECT_EQ(last, all);
  EXPECT_GT(report.bytes, 0u);
  EXPECT_GT(all, report.bytes);
}

TEST(VerifyIndex, CanBeCancelled) {
  TemporaryDirectory directory;
  write_index(directory.path(), random_collection(50, 5, 1));
  EXPECT_THROW(verify_index(directory.path(), 1,
                            [](std::uint64_t, std::uint64_t) { throw UsageError("stop"); }),
               UsageError);
}

TEST(VerifyIndex, ReportsAtMostAHundredProblems) {
  TemporaryDirectory directory;
  Collection collection = random_collection(200, 0, 9);
  std::vector<Docid> all(200);
  std::iota(all.begin(), all.end(), 0u);
  for (int i = 100; i < 250; ++i) {
    collection.lists[std::to_string(i)] = {all, std::vector<std::uint32_t>(200, 1)};
  }
  write_index(directory.path(), collection);
  change_values<std::uint16_t>(directory.path(), kPostingsFile, Tag("MAXF"), [](auto& bounds) {
    for (auto& bound : bounds) ++bound;
  });
  const VerifyReport report = verify_index(directory.path());
  ASSERT_THAT(report.problems, SizeIs(kMaxProblems));
  const Index index = Index::open(directory.path());
  const std::string first(index.segments()[0]->term(0));
  EXPECT_THAT(report.problems.front(), HasSubstr("'" + first + "'"));
}

TEST(VerifyIndex, FindsTermsOutOfOrderAndWrongTokens) {
  TemporaryDirectory directory;
  Collection collection = random_collection(10, 0, 1);
  for (const char* term : {"aa", "bb", "cc"}) collection.lists[term] = {{1, 3}, {2, 1}};
  write_index(directory.path(), collection);
  change_values<char>(directory.path(), kLexiconFile, Tag("TERM"),
                      [](auto& text) { text[4] = 'a', text[5] = 'a'; });
  change_values<std::uint32_t>(directory.path(), kDocumentsFile, Tag("LENS"),
                               [](auto& lengths) { lengths[0] += 1; });
  EXPECT_THAT(verify_index(directory.path()).problems,
              ElementsAre(AllOf(HasSubstr("lexicon"), HasSubstr("term 1 ('aa')")),
                          AllOf(HasSubstr("documents"), HasSubstr("tokens"))));
}

TEST(VerifyIndex, DocidsBeyondTheDocuments) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.docid_codec = &codecs::list_codec_named("none");
  Collection collection = random_collection(300, 0, 1);
  for (Docid docid = 1; docid < 257; docid += 2) {
    collection.lists["a"].docids.push_back(docid);
    collection.lists["a"].freqs.push_back(1);
  }
  write_index(directory.path(), collection, options);
  const auto set_word = [&](std::size_t at, std::uint32_t value) {
    change_values<std::uint32_t>(directory.path(), kPostingsFile, Tag("WORD"),
                                 [&](auto& words) { words[at] = value; });
  };
  set_word(1, 300);
  EXPECT_THAT(verify_index(directory.path()).problems,
              ElementsAre(HasSubstr("posting 1: there is no such document")));
  set_word(1, 1);
  EXPECT_THAT(verify_index(directory.path()).problems,
              ElementsAre(HasSubstr("posting 1: the docid is not ascending")));
  set_word(1, 3);
  EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty());
  set_word(128, ~0u);
  EXPECT_THAT(verify_index(directory.path()).problems,
              ElementsAre(HasSubstr("posting 0: the frequency is out of range")));
}

/// Files of one kind may not be opened.
class ForbiddenFiles : public FileSystem {
 public:
  int open(const std::filesystem::path& path, int flags) override {
    if (path.extension() != ".postings") return FileSystem::open(path, flags);
    errno = EACCES;
    return -1;
  }
};

/// A file without permission to read may be whole: it is not called damaged, and a reader is not
/// told to write elsewhere.
TEST(VerifyIndex, AFileThatMayNotBeReadIsAnError) {
  TemporaryDirectory directory;
  write_index(directory.path(), random_collection(20, 5, 6));
  ForbiddenFiles forbidden;
  const ReplacedFileSystem replaced(forbidden);
  EXPECT_THAT([&] { verify_index(directory.path()); },
              ::testing::ThrowsMessage<IoError>(
                  AllOf(HasSubstr(".postings: cannot open"), HasSubstr("check the permissions"),
                        ::testing::Not(HasSubstr("write elsewhere")))));
}

}  // namespace
}  // namespace gannet::index
