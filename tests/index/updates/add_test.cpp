// Adding documents to an index: new segments, nothing else changed, refused where it must be.
#include "index/updates/add.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "index/index.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::Crash;
using test::FaultFileSystem;
using test::random_documents;
using test::TemporaryDirectory;
using test::TextDocument;
using test::VectorSource;
using ::testing::HasSubstr;

std::vector<TextDocument> part(const std::vector<TextDocument>& all, std::size_t begin,
                               std::size_t end) {
  return {all.begin() + static_cast<std::ptrdiff_t>(begin),
          all.begin() + static_cast<std::ptrdiff_t>(end)};
}

void build(const fs::path& path, std::vector<TextDocument> documents, WriteOptions write = {}) {
  VectorSource source(std::move(documents), 7);
  BuildOptions options;
  options.write = std::move(write);
  options.threads = 2;
  build_index(source, path, options);
}

BuildReport add(const fs::path& path, std::vector<TextDocument> documents) {
  VectorSource source(std::move(documents), 5);
  BuildOptions options = options_to_add_to(path);
  options.threads = 2;
  return add_documents(source, path, options);
}

/// By term, the docids and frequencies in the whole index.
using TermPostings = std::map<std::string, std::vector<std::pair<Docid, std::uint32_t>>>;
TermPostings postings_of(const Index& index) {
  TermPostings all;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const Segment& segment = *index.segments()[s];
    for (TermId id = 0; id < segment.statistics().terms; ++id) {
      const PostingList list = segment.list(id);
      std::vector<std::uint32_t> docids(list.count), freqs(list.count);
      list.decode_docids(docids.data());
      list.decode_frequencies(freqs.data());
      for (std::size_t i = 0; i < list.count; ++i) {
        all[segment.term(id)].emplace_back(index.docid_base(s) + docids[i], freqs[i]);
      }
    }
  }
  return all;
}

/// The bytes of all files of a folder.
std::map<std::string, std::string> files_of(const fs::path& path) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file()) {
      files[entry.path().filename().string()] = test::read_file(entry.path());
    }
  }
  return files;
}

class AddedDocuments : public ::testing::Test {
 protected:
  TemporaryDirectory folder_;
  fs::path path_ = folder_.path() / "idx";
  std::vector<TextDocument> documents_ = random_documents(300, 120, 30, 5);
};

TEST_F(AddedDocuments, AreThoseOfOneBuildHoweverTheyAreCut) {
  build(folder_.path() / "whole", documents_, {.store_text = true});
  const Index whole = Index::open(folder_.path() / "whole");
  for (unsigned seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    const fs::path path = folder_.path() / std::to_string(seed);
    std::size_t end = 1 + random() % 200;
    build(path, part(documents_, 0, end), {.store_text = true});
    std::size_t segments = 1;
    while (end < documents_.size()) {
      const std::size_t begin = end;
      end = std::min(documents_.size(), begin + 1 + random() % 90);
      const BuildReport report = add(path, part(documents_, begin, end));
      EXPECT_EQ(report.statistics.documents, end);
      ++segments;
    }
    const Index index = Index::open(path);
    ASSERT_EQ(index.segments().size(), segments);
    EXPECT_EQ(index.statistics().documents, whole.statistics().documents);
    EXPECT_EQ(index.statistics().tokens, whole.statistics().tokens);
    EXPECT_EQ(index.statistics().postings, whole.statistics().postings);
    EXPECT_EQ(postings_of(index), postings_of(whole));
    for (Docid d = 0; d < documents_.size(); ++d) {
      ASSERT_EQ(index.document_id(d), whole.document_id(d));
      ASSERT_EQ(index.stored_text(d), whole.stored_text(d));
    }
    EXPECT_TRUE(verify_index(path, 2).problems.empty());
  }
}

TEST_F(AddedDocuments, LeaveWhatIsThereAsItIs) {
  build(path_, part(documents_, 0, 100));
  const Index before = Index::open(path_);
  const auto old = files_of(path_);
  add(path_, part(documents_, 100, 200));
  for (const auto& [name, bytes] : files_of(path_)) {
    if (name != "manifest.json" && old.contains(name)) {
      EXPECT_EQ(bytes, old.at(name)) << name;
    }
  }
  EXPECT_EQ(before.statistics().documents, 100u) << "who has it open keeps it";
  EXPECT_EQ(before.document_id(99), "doc-99");
  EXPECT_EQ(Index::open(path_).statistics().documents, 200u);
}

TEST_F(AddedDocuments, OfNoneNothingIsWritten) {
  build(path_, part(documents_, 0, 100));
  const auto old = files_of(path_);
  EXPECT_EQ(add(path_, {}).statistics.documents, 100u);
  EXPECT_EQ(files_of(path_), old);
  EXPECT_EQ(std::distance(fs::directory_iterator(path_), fs::directory_iterator()),
            static_cast<std::ptrdiff_t>(old.size()))
      << "nothing is left behind";
}

TEST_F(AddedDocuments, MustHaveNewIds) {
  build(path_, part(documents_, 0, 100));
  add(path_, part(documents_, 100, 150));
  const auto old = files_of(path_);
  EXPECT_THAT(test::message_of<InputError>([&] { add(path_, part(documents_, 149, 160)); }),
              HasSubstr("the id 'doc-149' is in the index already (docid 149)"));
  EXPECT_THAT(test::message_of<InputError>([&] {
                add(path_, {{"x", "word"}, {"y", "word"}, {"x", "word"}});
              }),
              HasSubstr("documents 150 and 152 (counted from 0) both have the id 'x'"));
  EXPECT_THAT(test::message_of<UsageError>([&] {
                add(path_, {{"", "word"}});
              }),
              HasSubstr("has no id"));
  EXPECT_EQ(files_of(path_), old);
}

TEST_F(AddedDocuments, NeedAnIndexThatHasIdsIfTheyHave) {
  EXPECT_THROW(add(path_, documents_), IoError);
  EXPECT_FALSE(fs::exists(path_));
  build(path_, {{"", "a few words"}});
  EXPECT_THAT(test::message_of<UsageError>([&] { add(path_, documents_); }),
              HasSubstr("have none"));
}

TEST_F(AddedDocuments, WithoutIdsAreCalledByTheirNumbers) {
  build(path_, {{"", "a few words"}, {"", "more"}});
  add(path_, {{"", "words"}, {"", "still more"}});
  const Index index = Index::open(path_);
  EXPECT_EQ(index.document_id(1), "1");
  EXPECT_EQ(index.document_id(2), "2") << "not 0, as its segment would say";
  EXPECT_EQ(index.document_id(3), "3");
  EXPECT_TRUE(verify_index(path_, 1).problems.empty());
}

TEST_F(AddedDocuments, NeedTheOptionsOfTheIndex) {
  build(path_, part(documents_, 0, 10));
  VectorSource source(part(documents_, 10, 20), 5);
  EXPECT_THROW(add_documents(source, path_, {}), UsageError);
  BuildOptions options = options_to_add_to(path_);
  options.write.analyzer.stemmer = "german";
  EXPECT_THAT(test::message_of<UsageError>([&] { add_documents(source, path_, options); }),
              HasSubstr("another analyzer"));
  options = options_to_add_to(path_);
  options.write.store_text = true;
  EXPECT_THAT(test::message_of<UsageError>([&] { add_documents(source, path_, options); }),
              HasSubstr("no stored text"));
  options = options_to_add_to(path_);
  options.write.schema = Schema({parse_field("year:i32")});
  EXPECT_THAT(test::message_of<UsageError>([&] { add_documents(source, path_, options); }),
              HasSubstr("other fields"));
}

TEST_F(AddedDocuments, AreReadAsTheIndexWasBuilt) {
  WriteOptions write;
  write.analyzer.stemmer = "none";
  write.analyzer.fold_accents = true;
  write.docid_codec = &codecs::list_codec_named("gpu-vbyte128");
  write.freq_codec = &codecs::list_codec_named("none");
  write.defaults = {1.25f, 0.75f};
  write.contents = {"title", "body"};
  write.schema = Schema({parse_field("year:i32"), parse_field("tag:keyword:multi")});
  build(path_, part(documents_, 0, 10), write);
  const BuildOptions options = options_to_add_to(path_);
  EXPECT_EQ(options.write.analyzer.stemmer, "none");
  EXPECT_TRUE(options.write.analyzer.fold_accents);
  EXPECT_EQ(options.write.docid_codec->name, "gpu-vbyte128");
  EXPECT_EQ(options.write.freq_codec->name, "none");
  EXPECT_EQ(options.write.defaults, write.defaults);
  EXPECT_EQ(options.write.contents, write.contents);
  EXPECT_EQ(options.write.schema, write.schema);
  EXPECT_FALSE(options.write.store_text);
  add(path_, part(documents_, 10, 20));
  EXPECT_EQ(Index::open(path_).segments()[1]->docid_codec().name, "gpu-vbyte128");
}

TEST_F(AddedDocuments, OneWriterAtATime) {
  build(path_, part(documents_, 0, 10));
  VectorSource source(part(documents_, 10, 20), 5);
  source.on_read = [&](std::size_t batch) {
    if (batch != 1) return;
    EXPECT_THAT(test::message_of<UsageError>([&] { add(path_, part(documents_, 20, 30)); }),
                HasSubstr("process " + std::to_string(::getpid())));
  };
  add_documents(source, path_, options_to_add_to(path_));
  EXPECT_EQ(Index::open(path_).statistics().documents, 20u);
}

/// After a crash at any operation, the index has the documents of the last commit, or also those
/// that were being added.
TEST_F(AddedDocuments, ACrashLosesNoCommit) {
  const fs::path root = folder_.path() / "disk";
  FaultFileSystem faults(root);
  std::size_t first = 0;
  {
    const ReplacedFileSystem replaced(faults);
    faults.create_directory(root);
    build(root / "idx", part(documents_, 0, 60));
    add(root / "idx", part(documents_, 60, 100));
    first = faults.log().size();
    add(root / "idx", part(documents_, 100, 120));
  }
  std::set<std::uint64_t> seen;
  std::size_t crashes = 0;
  for (std::size_t count = first; count <= faults.log().size(); ++count) {
    for (const Crash crash : test::kCrashes) {
      for (unsigned seed = 0; seed < (crash == Crash::kRandom ? 4u : 1u); ++seed) {
        const TemporaryDirectory disk;
        write_crashed(faults.log(), count, crash, seed, disk.path());
        const std::uint64_t documents = Index::open(disk.path() / "idx").statistics().documents;
        ASSERT_TRUE(documents == 100 || documents == 120) << count;
        ASSERT_TRUE(verify_index(disk.path() / "idx", 1).problems.empty()) << count;
        seen.insert(documents);
        // The next command takes it up from there.
        if (++crashes % 10 == 0) {
          const fs::path index = disk.path() / "idx";
          add(index, part(documents_, 120, 130));
          ASSERT_EQ(Index::open(index).statistics().documents, documents + 10);
          // Four files a segment, the manifest and the lock: leftovers are gone.
          const std::size_t segments = Index::open(index).segments().size();
          ASSERT_EQ(files_of(index).size(), 4 * segments + 2) << count;
          ASSERT_EQ(std::distance(fs::directory_iterator(index), fs::directory_iterator()),
                    static_cast<std::ptrdiff_t>(4 * segments + 2));
        }
      }
    }
  }
  EXPECT_EQ(seen, (std::set<std::uint64_t>{100, 120}));
}

TEST_F(AddedDocuments, AFullDiskLeavesTheIndex) {
  const fs::path root = folder_.path() / "disk";
  for (std::size_t call = 0;; ++call) {
    fs::remove_all(root);
    build(root / "idx", part(documents_, 0, 60));
    const auto old = files_of(root / "idx");
    FaultFileSystem faults(root);
    faults.fail_at(call, ENOSPC);
    const ReplacedFileSystem replaced(faults);
    try {
      add(root / "idx", part(documents_, 60, 70));
      if (faults.calls() <= call) break;  // nothing fails any more
    } catch (const Error&) {
      const std::uint64_t documents = Index::open(root / "idx").statistics().documents;
      ASSERT_TRUE(documents == 60 || documents == 70) << call;
      ASSERT_TRUE(verify_index(root / "idx", 1).problems.empty()) << call;
      if (documents == 70) continue;
      const auto now = files_of(root / "idx");
      for (const auto& [name, bytes] : old) ASSERT_EQ(now.at(name), bytes) << name << " " << call;
    }
  }
}

}  // namespace
}  // namespace gannet::index
