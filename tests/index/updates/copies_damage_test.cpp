// Whatever copies an index looks at every byte that it reads: of damage nothing gets into a copy,
// and what was there stays as it is.
//
// GANNET_DAMAGE_FLIPS says how many bits each command meets flipped, one at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "index/manifest/manifest.hpp"
#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/shard_set.hpp"
#include "index/split/split.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/all_kinds_source.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/flips.hpp"
#include "tests/support/index/index_content.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::AllKindsSource;
using test::damage_flips;
using test::Flips;
using test::IndexContent;
using test::read_file;
using test::snapshot;
using test::TemporaryDirectory;
using test::TextDocument;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kFlipsOfACopy = 25;
constexpr std::uint64_t kFlipsOfAShard = 75;
constexpr std::size_t kDocumentsToCopy = 420;

/// An index of two segments of like size, with deleted documents.
class DamagedCopies : public ::testing::Test {
 protected:
  DamagedCopies() {
    BuildOptions options;
    options.write.store_text = true;
    options.write.schema = AllKindsSource::schema();
    options.threads = 2;
    AllKindsSource first(documents_, 0, 220);
    build_index(first, index_, options);
    add(220, 400);
    DocumentRemover remover(index_);
    for (const char* id : {"doc-5", "doc-77", "doc-301"}) remover.remove(id);
    remover.commit();
  }

  void add(std::size_t begin, std::size_t end) {
    BuildOptions options = options_to_add_to(index_);
    options.threads = 2;
    AllKindsSource source(documents_, begin, end);
    add_documents(source, index_, options);
  }

  /// Runs a command on the index with a bit flipped, again and again: it refuses, and all is as it
  /// was, or it does what it does to the whole index, to the byte.
  void expect_nothing_through(const fs::path& damaged, const std::function<void()>& command,
                              std::uint64_t usual = kFlipsOfACopy) {
    const auto whole = snapshot(damaged);
    command();
    const auto changed = snapshot(damaged);
    const auto made = snapshot(output_);
    const auto restore = [&] {
      fs::remove_all(output_);
      for (const auto& [name, bytes] : snapshot(damaged)) {
        if (!whole.contains(name)) fs::remove_all(damaged / name);
      }
      for (const auto& [name, bytes] : whole) {
        if (fs::is_directory(damaged / name)) continue;
        if (!fs::exists(damaged / name) || read_file(damaged / name) != bytes) {
          test::write_file(damaged / name, bytes);
        }
      }
    };
    restore();
    Flips flips(fs::exists(damaged / kManifestName) ? damaged : damaged / shard_name(0), 7);
    std::uint64_t refused = 0;
    const std::uint64_t rounds = damage_flips(usual);
    for (std::uint64_t i = 0; i < rounds && !HasFailure(); ++i) {
      SCOPED_TRACE(flips.flip());
      const auto before = snapshot(damaged);
      try {
        command();
        EXPECT_EQ(snapshot(output_), made);
        for (const auto& [name, bytes] : snapshot(damaged)) {
          const bool as_before = before.contains(name) && before.at(name) == bytes;
          const bool as_of_whole = changed.contains(name) && changed.at(name) == bytes;
          EXPECT_TRUE(as_before || as_of_whole) << name;
        }
        restore();
      } catch (const Error& error) {
        ++refused;
        EXPECT_NE(dynamic_cast<const FormatError*>(&error), nullptr) << error.what();
        EXPECT_TRUE(snapshot(damaged) == before) << error.what();
        EXPECT_FALSE(fs::exists(output_)) << error.what();
        flips.undo();
      }
    }
    EXPECT_TRUE(snapshot(damaged) == whole);
    EXPECT_GT(refused * 3, rounds);
    RecordProperty("refused", static_cast<int>(refused));
    std::printf("  %llu of %llu flips refused\n", static_cast<unsigned long long>(refused),
                static_cast<unsigned long long>(rounds));
  }

  TemporaryDirectory folder_;
  fs::path index_ = folder_.path() / "idx";
  fs::path output_ = folder_.path() / "out";
  std::vector<TextDocument> documents_ = test::random_documents(kDocumentsToCopy, 300, 40, 5);
};

TEST_F(DamagedCopies, Merge) {
  expect_nothing_through(index_, [&] { merge_index(index_, {.threads = 1}); });
}

TEST_F(DamagedCopies, MergeByTiers) {
  expect_nothing_through(index_, [&] { merge_index(index_, {.tier = 2, .threads = 1}); });
}

TEST_F(DamagedCopies, MergeIntoAnother) {
  expect_nothing_through(index_, [&] { merge_into(index_, output_, false, {.threads = 1}); });
}

TEST_F(DamagedCopies, Reorder) {
  const DocumentOrder order = parse_order("field:n");
  expect_nothing_through(index_, [&] { reorder_index(index_, order, {.threads = 1}); });
}

TEST_F(DamagedCopies, ReorderIntoAnother) {
  const DocumentOrder order = parse_order("field:n");
  expect_nothing_through(index_,
                         [&] { reorder_index(index_, order, {.output = output_, .threads = 1}); });
}

TEST_F(DamagedCopies, Split) {
  expect_nothing_through(index_, [&] { split_index(index_, output_, 2, {.threads = 1}); });
}

TEST_F(DamagedCopies, Join) {
  const fs::path set = folder_.path() / "set";
  split_index(index_, set, 2, {.threads = 1});
  expect_nothing_through(
      set, [&] { join_shards(set, output_, {.threads = 1}); }, kFlipsOfAShard);
}

/// An add copies nothing: the damage stays where it is, and is found there.
TEST_F(DamagedCopies, Add) {
  const auto whole = snapshot(index_);
  Flips flips(index_, 11);
  for (std::uint64_t i = 0; i < damage_flips(kFlipsOfACopy) && !HasFailure(); ++i) {
    SCOPED_TRACE(flips.flip());
    const auto before = snapshot(index_);
    bool added = false;
    try {
      add(400, 402);
      added = true;
    } catch (const FormatError&) {
      EXPECT_TRUE(snapshot(index_) == before);
    }
    if (added) {
      for (const auto& [name, bytes] : before) {
        if (name == kManifestName) continue;
        EXPECT_TRUE(read_file(index_ / name) == bytes) << name;
      }
      EXPECT_THAT(verify_index(index_, 1).problems, Not(IsEmpty()));
      for (const std::string& name : test::names_in(index_)) {
        if (!whole.contains(name)) fs::remove(index_ / name);
      }
      test::write_file(index_ / kManifestName, whole.at(kManifestName));
    }
    flips.undo();
  }
  EXPECT_TRUE(snapshot(index_) == whole);
}

/// What repairing saves is what was there: nothing is made up, and what is missing is counted.
TEST_F(DamagedCopies, Repair) {
  const auto whole = snapshot(index_);
  IndexContent all = IndexContent::of(Index::open(index_));
  const IndexContent living = all;
  for (const std::size_t deleted : {5u, 77u, 301u}) {  // which may come back
    all.documents[documents_[deleted].id] = documents_[deleted].text;
  }
  Flips flips(index_, 13);
  for (std::uint64_t i = 0; i < damage_flips(kFlipsOfACopy) && !HasFailure(); ++i) {
    SCOPED_TRACE(flips.flip());
    const auto before = snapshot(index_);
    try {
      const RepairReport report = repair_index(index_, output_, {.overwrite = true, .threads = 1});
      EXPECT_THAT(verify_index(output_, 1).problems, IsEmpty());
      const IndexContent saved = IndexContent::of(Index::open(output_));
      std::uint64_t texts = 0;
      for (const auto& [id, text] : saved.documents) {
        ASSERT_TRUE(all.documents.contains(id)) << id;
        if (text == all.documents[id]) continue;
        EXPECT_EQ(text, "");
        ++texts;
      }
      EXPECT_LE(texts, report.texts_lost);
      EXPECT_GE(saved.documents.size() + report.documents_lost, living.documents.size());
      EXPECT_LE(saved.documents.size(), living.documents.size() + report.deleted_back);
      std::uint64_t lengths = 0;
      for (const auto& [id, length] : living.lengths) {
        const auto same = saved.lengths.find(id);
        if (same != saved.lengths.end() && same->second != length) ++lengths;
      }
      EXPECT_LE(lengths, report.lists_lost == 0 ? 0 : report.lengths_lost);
      for (const std::string& posting : saved.postings) {
        if (report.deletions_lost != 0) break;
        ASSERT_TRUE(living.postings.contains(posting)) << posting;
      }
      if (saved.postings.size() < living.postings.size()) {
        EXPECT_GT(report.documents_lost + report.lists_lost, 0u);
      }
      EXPECT_FALSE(report.problems.empty());
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr(kManifestName));
    }
    EXPECT_TRUE(snapshot(index_) == before);
    flips.undo();
  }
  EXPECT_TRUE(snapshot(index_) == whole);
}

TEST_F(DamagedCopies, TheMessageNamesFileSectionAndListAndWhatToDo) {
  const auto flip = [&](FileKind kind, Tag section) {
    const fs::path path = index_ / ("segment-00000001." + std::string(kind.name));
    std::string bytes = read_file(path);
    {
      const ContainerReader file(path, kind);
      for (const SectionRow& row : file.sections()) {
        if (row.id == section) bytes[row.offset + row.length / 2] ^= 4;
      }
    }
    test::write_file(path, bytes);
  };
  const auto message = [&] {
    try {
      merge_index(index_, {.threads = 1});
    } catch (const DamageError& error) {
      return std::string(error.what());
    }
    return std::string("merged");
  };
  flip(kPostingsFile, Tag("WORD"));
  EXPECT_THAT(message(), AllOf(HasSubstr("segment-00000001.postings"), HasSubstr("section 'WORD'"),
                               HasSubstr("the list"), HasSubstr("'word0'"),
                               HasSubstr("`gannet repair`"), HasSubstr("`gannet verify`")));
  flip(kPostingsFile, Tag("WORD"));
  flip(kPostingsFile, Tag("ROWS"));
  EXPECT_THAT(message(), AllOf(HasSubstr("section 'ROWS'"), HasSubstr("the lists of '")));
  flip(kPostingsFile, Tag("ROWS"));
  flip(kFieldsFile, Tag("T001"));
  EXPECT_THAT(message(), AllOf(HasSubstr("segment-00000001.fields"), HasSubstr("'T001'")));
  flip(kFieldsFile, Tag("T001"));
  EXPECT_EQ(message(), "merged");
}

}  // namespace
}  // namespace gannet::index
