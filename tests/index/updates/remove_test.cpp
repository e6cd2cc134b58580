// Deleting and replacing documents: marked in one commit, dropped by merging, never lost halfway.
#include "index/updates/remove.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/manifest/manifest.hpp"
#include "index/reorder.hpp"
#include "index/segment/live_documents.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::Crash;
using test::FaultFileSystem;
using test::TemporaryDirectory;
using test::TextDocument;
using test::VectorSource;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

void build_segment(const fs::path& path, std::vector<TextDocument> documents) {
  VectorSource source(std::move(documents), 7);
  BuildOptions options;
  options.threads = 2;
  options.write.store_text = true;
  build_index(source, path, options);
}

BuildReport add_segment(const fs::path& path, std::vector<TextDocument> documents,
                        bool update = false) {
  VectorSource source(std::move(documents), 5);
  BuildOptions options = options_to_add_to(path);
  options.threads = 2;
  options.update = update;
  return add_documents(source, path, options);
}

std::uint64_t delete_ids(const fs::path& path, const std::vector<std::string>& ids) {
  DocumentRemover remover(path);
  for (const std::string& id : ids) remover.remove(id);
  remover.commit();
  return remover.removed();
}

/// The live documents in order: id and text.
std::vector<std::pair<std::string, std::string>> documents_of(const fs::path& path) {
  const Index index = Index::open(path);
  std::vector<std::pair<std::string, std::string>> documents;
  for (Docid d = 0; d < index.statistics().documents; ++d) {
    if (!index.is_live(d)) continue;
    documents.emplace_back(index.document_id(d), index.stored_text(d).value_or("?"));
  }
  return documents;
}

std::vector<std::pair<std::string, std::string>> texts_of(
    const std::vector<TextDocument>& documents) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const TextDocument& document : documents) texts.emplace_back(document.id, document.text);
  return texts;
}

/// The files of a folder by name, but for the lock.
std::map<std::string, std::string> bytes_by_name(const fs::path& path) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name != "gannet.lock")
      files[name] = test::read_file(entry.path());
  }
  return files;
}

class DeletedFromIndex : public ::testing::Test {
 protected:
  std::vector<TextDocument> part(std::size_t begin, std::size_t end) const {
    return {documents_.begin() + static_cast<std::ptrdiff_t>(begin),
            documents_.begin() + static_cast<std::ptrdiff_t>(end)};
  }
  void expect_sound() const { EXPECT_THAT(verify_index(path_, 1).problems, IsEmpty()); }

  TemporaryDirectory folder_;
  fs::path path_ = folder_.path() / "idx";
  std::vector<TextDocument> documents_ = test::random_documents(300, 120, 30, 5);
};

TEST_F(DeletedFromIndex, IsMarkedAndNothingElseIsWritten) {
  build_segment(path_, part(0, 100));
  add_segment(path_, part(100, 300));
  const auto before = bytes_by_name(path_);
  EXPECT_EQ(delete_ids(path_, {"doc-3", "doc-250", "doc-3", "none"}), 2u);
  auto after = bytes_by_name(path_);
  EXPECT_EQ(after.size(), before.size() + 2) << "a bitmap for each segment";
  for (const auto& [name, bytes] : before) {
    if (name == "manifest.json") continue;
    EXPECT_EQ(after.at(name), bytes) << name;
  }
  const Index index = Index::open(path_);
  EXPECT_EQ(index.statistics().documents, 300u);
  EXPECT_EQ(index.deleted_documents(), 2u);
  EXPECT_FALSE(index.is_live(3));
  EXPECT_FALSE(index.is_live(250));
  EXPECT_TRUE(index.is_live(4));
  EXPECT_FALSE(index.find_document("doc-3"));
  EXPECT_EQ(index.find_document("doc-4"), 4u);
  EXPECT_EQ(index.live(0)->deleted(), 1u);
  expect_sound();

  // More, in one of the two: its bitmap is a new file, and the old one is gone.
  EXPECT_EQ(delete_ids(path_, {"doc-0"}), 1u);
  EXPECT_EQ(bytes_by_name(path_).size(), after.size());
  EXPECT_EQ(Index::open(path_).deleted_documents(), 3u);
  EXPECT_EQ(index.deleted_documents(), 2u) << "who has it open keeps it";
  expect_sound();
}

/// The numbers that stand for ids are other documents' after a merge.
TEST_F(DeletedFromIndex, ByTheirNumbersDocumentsWithoutIdsAreNot) {
  for (TextDocument& document : documents_) document.id.clear();
  build_segment(path_, part(0, 20));
  for (std::size_t i = 20; i < 30; ++i) add_segment(path_, part(i, i + 1));
  const auto expect_refused = [](const fs::path& path) {
    DocumentRemover remover(path);
    EXPECT_THAT([&] { remover.remove("5"); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("have no ids"), HasSubstr("a query"))));
    EXPECT_EQ(remover.removed(), 0u);
  };
  expect_refused(path_);
  {
    DocumentRemover remover(path_);
    EXPECT_TRUE(remover.remove(Docid{3})) << "by a number of the index as it is now";
    remover.commit();
  }
  merge_index(path_, {.tier = 5});
  expect_refused(path_);
  merge_index(path_, {});
  expect_refused(path_);
  const fs::path set = folder_.path() / "set";
  const fs::path joined = folder_.path() / "joined";
  split_index(path_, set, 2, {});
  expect_refused(set / "shard-0001");
  join_shards(set, joined, {});
  expect_refused(joined);
}

/// Reordering writes the numbers that documents had as ids, which stay.
TEST_F(DeletedFromIndex, ByTheIdsThatReorderingGaveDocumentsAre) {
  for (TextDocument& document : documents_) document.id.clear();
  build_segment(path_, part(0, 40));
  const std::string fifth = documents_[5].text;
  reorder_index(path_, parse_order("random"), {});
  EXPECT_EQ(delete_ids(path_, {"3"}), 1u);
  merge_index(path_, {});
  const Index index = Index::open(path_);
  EXPECT_EQ(index.stored_text(index.find_document("5").value()), fifth);
  EXPECT_EQ(delete_ids(path_, {"5", "3", "5"}), 1u);
  for (const auto& [id, text] : documents_of(path_)) EXPECT_NE(text, fifth) << id;
}

TEST_F(DeletedFromIndex, AnIdThatComesTwiceIsThereTwice) {
  build_segment(path_, part(0, 10));
  DocumentRemover remover(path_);
  EXPECT_TRUE(remover.remove("doc-3"));
  EXPECT_TRUE(remover.remove("doc-3"));
  EXPECT_FALSE(remover.remove("doc-none"));
  EXPECT_EQ(remover.removed(), 1u);
}

TEST_F(DeletedFromIndex, NothingToDeleteWritesNothing) {
  build_segment(path_, part(0, 50));
  const auto before = bytes_by_name(path_);
  EXPECT_EQ(delete_ids(path_, {}), 0u);
  EXPECT_EQ(delete_ids(path_, {"none", ""}), 0u);
  {
    DocumentRemover remover(path_);
    EXPECT_TRUE(remover.remove("doc-1"));
    EXPECT_TRUE(remover.remove("doc-1")) << "it is there, and counted once";
    EXPECT_FALSE(remover.remove(Docid{1}));
    EXPECT_THROW(remover.remove(Docid{50}), UsageError);
    // No commit.
  }
  EXPECT_EQ(bytes_by_name(path_), before);
  EXPECT_THROW(DocumentRemover(folder_.path() / "no"), IoError);
}

TEST_F(DeletedFromIndex, OneWriterAtATime) {
  build_segment(path_, part(0, 50));
  const DocumentRemover remover(path_);
  EXPECT_THAT([&] { DocumentRemover second(path_); },
              ThrowsMessage<UsageError>(HasSubstr("another process is writing")));
  EXPECT_THROW(add_segment(path_, part(50, 60)), UsageError);
}

TEST_F(DeletedFromIndex, IdsThatAreDeletedAreFree) {
  build_segment(path_, part(0, 100));
  EXPECT_THROW(add_segment(path_, {{"doc-7", "again"}}), InputError);
  delete_ids(path_, {"doc-7"});
  add_segment(path_, {{"doc-7", "again"}});
  const Index index = Index::open(path_);
  EXPECT_EQ(index.find_document("doc-7"), 100u);
  EXPECT_EQ(index.stored_text(100), "again");
  expect_sound();
}

TEST_F(DeletedFromIndex, DocumentsAreReplaced) {
  build_segment(path_, part(0, 100));
  add_segment(path_, part(100, 200));
  std::vector<TextDocument> news{{"doc-5", "one"}, {"new", "two"},    {"doc-150", "three"},
                                 {"new", "four"},  {"doc-5", "five"}, {"doc-5", "six"}};
  const BuildReport report = add_segment(path_, news, true);
  EXPECT_EQ(report.replaced, 5u) << "two of the index, three of the input";
  auto expected = texts_of(part(0, 200));
  std::erase_if(expected, [](const auto& document) {
    return document.first == "doc-5" || document.first == "doc-150";
  });
  expected.insert(expected.end(), {{"doc-150", "three"}, {"new", "four"}, {"doc-5", "six"}});
  EXPECT_EQ(documents_of(path_), expected);
  expect_sound();
  EXPECT_EQ(add_segment(path_, {{"newer", "x"}}, true).replaced, 0u);
  EXPECT_EQ(add_segment(path_, {{"new", "seven"}}, true).replaced, 1u);
  EXPECT_EQ(documents_of(path_).back().second, "seven");
  merge_index(path_, {});
  EXPECT_EQ(Index::open(path_).deleted_documents(), 0u);
  EXPECT_EQ(documents_of(path_).size(), expected.size() + 1);
  expect_sound();
}

TEST_F(DeletedFromIndex, ABuildMayReplaceItsOwnDocuments) {
  VectorSource source({{"a", "one"}, {"b", "two"}, {"a", "three"}}, 2);
  BuildOptions options;
  options.update = true;
  options.write.store_text = true;
  EXPECT_EQ(build_index(source, path_, options).replaced, 1u);
  EXPECT_THAT(documents_of(path_), ElementsAre(std::pair<std::string, std::string>("b", "two"),
                                               std::pair<std::string, std::string>("a", "three")));
  expect_sound();
}

TEST_F(DeletedFromIndex, MergedIsTheIndexOfWhatIsLeft) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const fs::path path = folder_.path() / ("idx" + std::to_string(seed));
    std::size_t at = 0;
    for (std::size_t end = 20 + random() % 200; at < 300; end = at + 1 + random() % 150) {
      end = std::min<std::size_t>(end, 300);
      if (at == 0) {
        build_segment(path, part(at, end));
      } else {
        add_segment(path, part(at, end));
      }
      at = end;
    }
    std::vector<TextDocument> left;
    std::vector<std::string> gone;
    for (std::size_t d = 0; d < 300; ++d) {
      // In some histories a run that is likely to be a whole segment.
      const bool deleted = random() % 100 < seed * 12 || (seed % 2 == 1 && d < 40);
      deleted ? gone.push_back(documents_[d].id) : left.push_back(documents_[d]);
    }
    delete_ids(path, gone);
    ASSERT_EQ(documents_of(path), texts_of(left));
    const MergeReport report = merge_index(path, {});
    EXPECT_EQ(report.segments, 1u);
    EXPECT_EQ(report.dropped, gone.size());
    EXPECT_EQ(report.documents, left.size());
    ASSERT_EQ(documents_of(path), texts_of(left));
    EXPECT_THAT(verify_index(path, 1).problems, IsEmpty());
    const fs::path whole = folder_.path() / ("whole" + std::to_string(seed));
    build_segment(whole, left);
    std::map<std::string, std::string> expected, merged;
    for (const auto& [name, bytes] : bytes_by_name(whole))
      expected[fs::path(name).extension()] = bytes;
    for (const auto& [name, bytes] : bytes_by_name(path))
      merged[fs::path(name).extension()] = bytes;
    expected.erase(".json");
    merged.erase(".json");
    EXPECT_TRUE(merged == expected) << "the same bytes";
  }
}

TEST_F(DeletedFromIndex, AllOfItCanBe) {
  build_segment(path_, part(0, 60));
  add_segment(path_, part(60, 100));
  std::vector<std::string> ids;
  for (const TextDocument& document : part(0, 100)) ids.push_back(document.id);
  EXPECT_EQ(delete_ids(path_, ids), 100u);
  EXPECT_THAT(documents_of(path_), IsEmpty());
  expect_sound();
  EXPECT_EQ(merge_index(path_, {}).documents, 0u);
  const Index index = Index::open(path_);
  EXPECT_EQ(index.statistics().documents, 0u);
  EXPECT_EQ(index.segments().size(), 1u);
  expect_sound();
  add_segment(path_, part(0, 10));
  EXPECT_EQ(documents_of(path_), texts_of(part(0, 10)));
  expect_sound();
}

TEST_F(DeletedFromIndex, MergingKeepsThemWhereItIsTold) {
  build_segment(path_, part(0, 100));
  add_segment(path_, part(100, 110));
  add_segment(path_, part(110, 115));
  delete_ids(path_, {"doc-1", "doc-112"});
  const MergeReport report = merge_index(path_, {.max_segments = 2, .drop_deleted = false});
  EXPECT_EQ(report.dropped, 1u);
  const Index index = Index::open(path_);
  EXPECT_EQ(index.segments().size(), 2u);
  EXPECT_EQ(index.deleted_documents(), 1u);
  EXPECT_EQ(documents_of(path_).size(), 113u);
  EXPECT_EQ(merge_index(path_, {.max_segments = 2}).dropped, 1u);
  EXPECT_EQ(Index::open(path_).deleted_documents(), 0u);
  expect_sound();
}

TEST_F(DeletedFromIndex, ACrashLeavesOneOrTheOther) {
  const fs::path root = folder_.path() / "disk";
  FaultFileSystem faults(root);
  std::size_t first = 0;
  {
    const ReplacedFileSystem replaced(faults);
    faults.create_directory(root);
    build_segment(root / "idx", part(0, 20));
    add_segment(root / "idx", part(20, 30));
    first = faults.log().size();
    delete_ids(root / "idx", {"doc-1", "doc-25"});
    add_segment(root / "idx", {{"doc-2", "new"}, {"doc-26", "newer"}}, true);
    merge_index(root / "idx", {});
  }
  // Live documents and deleted ones of each state.
  const std::set<std::pair<std::size_t, std::uint64_t>> states{{30, 0}, {28, 2}, {28, 4}, {28, 0}};
  std::set<std::pair<std::size_t, std::uint64_t>> seen;
  for (std::size_t count = first; count <= faults.log().size(); ++count) {
    for (const Crash crash : test::kCrashes) {
      for (unsigned seed = 0; seed < (crash == Crash::kRandom ? 2u : 1u); ++seed) {
        const TemporaryDirectory disk;
        write_crashed(faults.log(), count, crash, seed, disk.path());
        const fs::path path = disk.path() / "idx";
        seen.emplace(documents_of(path).size(), Index::open(path).deleted_documents());
        ASSERT_THAT(verify_index(path, 1).problems, IsEmpty()) << count;
        // The next writer goes on from there, and cleans up.
        ASSERT_EQ(delete_ids(path, {"doc-0"}), 1u);
        ASSERT_FALSE(Index::open(path).find_document("doc-0"));
      }
    }
  }
  EXPECT_EQ(seen, states);
}

TEST_F(DeletedFromIndex, AFullDiskChangesNothing) {
  const fs::path root = folder_.path() / "disk";
  for (std::size_t call = 0;; ++call) {
    fs::remove_all(root);
    build_segment(root / "idx", part(0, 20));
    FaultFileSystem faults(root);
    faults.fail_at(call, ENOSPC);
    const ReplacedFileSystem replaced(faults);
    try {
      delete_ids(root / "idx", {"doc-1"});
      if (faults.calls() <= call) break;  // nothing fails any more
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("free some space")) << call;
      const std::size_t documents = documents_of(root / "idx").size();
      ASSERT_TRUE(documents == 20 || documents == 19) << call;
      ASSERT_THAT(verify_index(root / "idx", 1).problems, IsEmpty()) << call;
    }
  }
  EXPECT_EQ(documents_of(root / "idx").size(), 19u);
}

/// On a disk that is nearly full, what deleting writes is what it needs.
TEST_F(DeletedFromIndex, DeletingWritesNoSegment) {
  const fs::path root = folder_.path() / "disk";
  build_segment(root / "idx", part(0, 20));
  FaultFileSystem faults(root);
  {
    const ReplacedFileSystem replaced(faults);
    delete_ids(root / "idx", {"doc-1"});
  }
  std::size_t written = 0;
  for (const test::FileOperation& one : faults.log()) {
    if (one.kind != test::FileOperation::kWrite) continue;
    EXPECT_THAT(one.path, AnyOf(HasSubstr(".live-"), HasSubstr("manifest.json"))) << one.path;
    ++written;
  }
  EXPECT_EQ(written, 2u);
}

class HostileLiveDocuments : public DeletedFromIndex {
 protected:
  HostileLiveDocuments() {
    build_segment(path_, part(0, 100));
    delete_ids(path_, {"doc-1", "doc-99"});
  }
  fs::path live() const {
    const Manifest manifest = read_manifest(path_);
    return path_ / file_name(manifest.segments[0], *manifest.segments[0].find(kLiveFile));
  }
  void expect_refused(const std::string& why) {
    EXPECT_THAT([&] { Index::open(path_); }, ThrowsMessage<FormatError>(HasSubstr(why)));
    EXPECT_FALSE(verify_index(path_, 1).problems.empty());
  }
};

TEST_F(HostileLiveDocuments, AreNamedByTheCommit) {
  EXPECT_EQ(live().filename(), "segment-00000001.live-00000002");
  EXPECT_THAT(test::read_file(path_ / "manifest.json"),
              HasSubstr("\"requires\": [\n    \"live\"\n"));
}

TEST_F(HostileLiveDocuments, ChangedBitsAreNoticed) {
  std::string bytes = test::read_file(live());
  bytes[64] = static_cast<char>(bytes[64] ^ 3);
  test::write_file(live(), bytes);
  expect_refused("checksum");
}

TEST_F(HostileLiveDocuments, OfAnotherCommitAreNoticed) {
  const fs::path other = folder_.path() / "other";
  build_segment(other, part(0, 100));
  delete_ids(other, {"doc-2", "doc-98"});
  test::write_file(live(), test::read_file(other / live().filename()));
  expect_refused("does not belong to the manifest");
}

TEST_F(HostileLiveDocuments, MissingOnesAreNoticed) {
  fs::remove(live());
  EXPECT_THROW(Index::open(path_), DamageError);
  EXPECT_FALSE(verify_index(path_, 1).problems.empty());
}

TEST_F(HostileLiveDocuments, WrongCountsAreNoticed) {
  test::change_manifest(path_, [](Manifest& manifest) { manifest.segments[0].deleted = 3; });
  expect_refused("2 deleted documents, the manifest says 3");
  test::change_manifest(path_, [](Manifest& manifest) { manifest.segments[0].deleted = 101; });
  EXPECT_THROW(Index::open(path_), FormatError);
}

TEST_F(HostileLiveDocuments, CountsAndFilesGoTogether) {
  test::change_manifest(path_, [](Manifest& manifest) { manifest.segments[0].deleted = 0; });
  EXPECT_THAT([&] { Index::open(path_); }, ThrowsMessage<FormatError>(HasSubstr("\"deleted\"")));
}

TEST_F(HostileLiveDocuments, StrangersFilesAreNotTouched) {
  test::write_file(path_ / "segment-00000001.live-notes", "mine");
  test::write_file(path_ / "notes.txt", "mine");
  fs::create_directory(path_ / "segment-00000077.text");
  test::write_file(path_ / "segment-00000077.text" / "film", "mine");
  fs::create_symlink(path_ / "notes.txt", path_ / "segment-00000078.text");
  test::write_file(path_ / "segment-00000001.live-00000009", "left by a writer that was killed");
  EXPECT_EQ(delete_ids(path_, {"doc-5"}), 1u);
  merge_index(path_, {});
  EXPECT_FALSE(fs::exists(path_ / "segment-00000001.live-00000009"));
  for (const char* name : {"segment-00000001.live-notes", "notes.txt", "segment-00000077.text/film",
                           "segment-00000078.text"}) {
    EXPECT_EQ(test::read_file(path_ / name), "mine") << name;
  }
  expect_sound();
}

}  // namespace
}  // namespace gannet::index
