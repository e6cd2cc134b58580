// Every file of an index, damaged in every way: it is told, no answer is wrong, and what is
// repaired answers as before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/repair.hpp"
#include "index/updates/add.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/all_kinds_source.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/flips.hpp"
#include "tests/support/index/index_content.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::IndexContent;
using test::TextDocument;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kDamagedDocuments = 300;

enum class Texts { kStored, kStoredAndField, kField };

/// How a file is damaged, from its name and its bytes.
struct Damage {
  std::string name;
  std::function<void(const fs::path&, std::string)> inflict;
};

std::string with_flip(std::string bytes, std::size_t at, int mask) {
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ mask);
  return bytes;
}

std::vector<Damage> damages(std::mt19937& random) {
  const auto write = [](auto change) {
    return [change](const fs::path& path, std::string bytes) {
      test::write_file(path, change(std::move(bytes)));
    };
  };
  const std::size_t where = random();
  std::vector<Damage> all;
  all.push_back({"a bit is flipped", write([=](std::string bytes) {
                   const std::size_t at = where % bytes.size();
                   return with_flip(std::move(bytes), at, 1 << where % 8);
                 })});
  all.push_back({"a bit of the end is flipped", write([=](std::string bytes) {
                   const std::size_t at = bytes.size() - 1 - where % 250;
                   return with_flip(std::move(bytes), at, 1 << where % 8);
                 })});
  all.push_back({"bytes are overwritten", write([=](std::string bytes) {
                   const std::size_t at = where % (bytes.size() - 3);
                   return bytes.replace(at, 3, "\xA5\x5A\xA5");
                 })});
  all.push_back({"cut by 3 bytes",
                 write([](std::string bytes) { return bytes.substr(0, bytes.size() - 3); })});
  all.push_back({"cut by 120 bytes",
                 write([](std::string bytes) { return bytes.substr(0, bytes.size() - 120); })});
  all.push_back(
      {"cut in half", write([](std::string bytes) { return bytes.substr(0, bytes.size() / 2); })});
  all.push_back({"empty", write([](const std::string&) { return std::string(); })});
  all.push_back({"too long", write([](std::string bytes) { return std::move(bytes) + "more"; })});
  all.push_back({"missing", [](const fs::path& path, const std::string&) { fs::remove(path); }});
  all.push_back({"a folder", [](const fs::path& path, const std::string&) {
                   fs::remove(path);
                   fs::create_directory(path);
                 }});
  return all;
}

bool is_one_bit(const Damage& damage) { return damage.name.starts_with("a bit"); }

std::size_t times_in(std::string_view text, std::string_view part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++times;
  return times;
}

class AnyDamage : public ::testing::TestWithParam<Texts> {
 protected:
  AnyDamage() {
    const bool fields = GetParam() != Texts::kStored;
    const auto source = [&](std::size_t begin, std::size_t end) -> std::unique_ptr<DocumentSource> {
      if (fields) return std::make_unique<test::AllKindsSource>(documents_, begin, end);
      const auto first = documents_.begin() + static_cast<std::ptrdiff_t>(begin);
      return std::make_unique<test::VectorSource>(
          std::vector(first, first + static_cast<std::ptrdiff_t>(end - begin)), 50);
    };
    BuildOptions options;
    options.write.store_text = GetParam() != Texts::kField;
    if (fields) options.write.schema = test::AllKindsSource::schema();
    options.threads = 1;
    build_index(*source(0, 200), index_, options);
    BuildOptions more = options_to_add_to(index_);
    more.threads = 1;
    add_documents(*source(200, kDamagedDocuments), index_, more);
    DocumentRemover remover(index_);
    for (const char* id : {"doc-5", "doc-77", "doc-261"}) remover.remove(id);
    remover.commit();
    whole_ = IndexContent::of(Index::open(index_));
  }

  /// All answers are right, or the damage is told, with the file's name, and once what to do.
  void expect_no_wrong_answer(const std::string& file) const {
    try {
      EXPECT_TRUE(IndexContent::of(Index::open(index_)) == whole_);
    } catch (const DamageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file));
      EXPECT_EQ(times_in(error.what(), "backup"), 1u) << error.what();
    }
  }

  /// Postings as IndexContent has them: positions stand behind the frequency.
  static std::set<std::string> without_positions(const std::set<std::string>& postings) {
    std::set<std::string> without;
    for (const std::string& posting : postings) {
      without.insert(posting.substr(0, posting.find(' ', posting.rfind('\n'))));
    }
    return without;
  }

  /// What was kept of each document is what it had.
  void expect_kept(const RepairReport& report) const {
    const IndexContent kept = IndexContent::of(Index::open(output_));
    std::set<std::string> back;  // deleted ones
    for (const auto& [id, text] : kept.documents) {
      const auto before = whole_.documents.find(id);
      if (before == whole_.documents.end()) {
        back.insert(id);
        continue;
      }
      EXPECT_TRUE(text == before->second || (text.empty() && report.texts_lost > 0)) << id;
      EXPECT_TRUE(kept.lengths.at(id) == whole_.lengths.at(id) || report.lengths_lost > 0) << id;
      if (report.columns_lost == 0 && whole_.values.contains(id)) {
        EXPECT_EQ(kept.values.at(id), whole_.values.at(id));
      }
    }
    EXPECT_LE(back.size(), report.deleted_back);
    EXPECT_EQ(kept.documents.size() - back.size() + report.documents_lost, whole_.documents.size());
    const auto id_of = [](const std::string& posting) {
      const std::size_t at = posting.find('\n') + 1;
      return posting.substr(at, posting.find('\n', at) - at);
    };
    const std::set<std::string> whole =
        report.positions_lost > 0 ? without_positions(whole_.postings) : whole_.postings;
    for (const std::string& posting : kept.postings) {
      EXPECT_TRUE(whole.contains(posting) || back.contains(id_of(posting))) << posting;
    }
    EXPECT_EQ(report.lists_lost > 0, report.postings_lost > 0);
    if (report.lists_lost > 0) return;
    for (const std::string& posting : whole) {
      EXPECT_TRUE(kept.postings.contains(posting) || !kept.documents.contains(id_of(posting)))
          << posting;
    }
  }

  /// What may be lost by the damage of a file.
  void expect_small_loss(const std::string& file, const Damage& damage,
                         const RepairReport& report) const {
    const bool lists = file.ends_with(".lexicon") || file.ends_with(".postings");
    const bool end = damage.name == "cut by 120 bytes" && !file.ends_with(".fields") &&
                     !file.ends_with(".positions");
    if (is_one_bit(damage) || end || damage.name == "cut by 3 bytes" || damage.name == "too long") {
      EXPECT_TRUE(report.nothing_missing()) << report.problems.front();
      EXPECT_GT(report.blocks_restored, 0u);
    }
    if (!lists) return;
    EXPECT_EQ(report.documents_lost + report.texts_lost + report.columns_lost, 0u);
    EXPECT_TRUE(report.nothing_missing() || GetParam() != Texts::kStored);
  }

  void expect_all_well(const fs::path& path, const Damage& damage) {
    const std::string file = path.filename().string();
    SCOPED_TRACE(file + ": " + damage.name);
    const std::string sound = test::read_file(path);
    damage.inflict(path, sound);
    EXPECT_THAT(verify_index(index_, 1).problems, Not(IsEmpty()));
    expect_no_wrong_answer(file);
    const RepairReport report = repair_index(index_, output_, {.overwrite = true, .threads = 1});
    EXPECT_THAT(verify_index(output_, 1).problems, IsEmpty());
    expect_kept(report);
    expect_small_loss(file, damage, report);
    fs::remove_all(path);
    test::write_file(path, sound);
  }

  test::TemporaryDirectory folder_;
  fs::path index_ = folder_.path() / "idx";
  fs::path output_ = folder_.path() / "out";
  std::vector<TextDocument> documents_ = test::random_documents(kDamagedDocuments, 400, 30, 5);
  IndexContent whole_;
};

TEST_P(AnyDamage, OfAnyFileIsToldAndRepaired) {
  std::mt19937 random(7);
  constexpr std::uint64_t kOfARound = 100;  // about
  const std::uint64_t rounds = (test::damage_flips(kOfARound) + kOfARound - 1) / kOfARound;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (const std::string& name : test::names_in(index_)) {
      if (!name.starts_with("segment-")) continue;
      for (const Damage& damage : damages(random)) {
        expect_all_well(index_ / name, damage);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(AnyDamage, OfTheManifestIsTold) {
  std::mt19937 random(8);
  const fs::path path = index_ / "manifest.json";
  const std::string sound = test::read_file(path);
  for (const Damage& damage : damages(random)) {
    SCOPED_TRACE(damage.name);
    damage.inflict(path, sound);
    const bool there = fs::is_regular_file(path);
    const auto expect_told = [&](const std::function<void()>& call) {
      if (there) {
        EXPECT_THROW(call(), DamageError);
      } else {  // a folder without a manifest is no index
        EXPECT_THROW(call(), IoError);
      }
    };
    expect_told([&] { Index::open(index_); });
    expect_told([&] { verify_index(index_, 1); });
    expect_told([&] { repair_index(index_, output_, {}); });
    EXPECT_FALSE(fs::exists(output_));
    fs::remove_all(path);
    test::write_file(path, sound);
  }
}

std::string name_of_texts(const ::testing::TestParamInfo<Texts>& info) {
  switch (info.param) {
    case Texts::kStored:
      return "StoredTexts";
    case Texts::kStoredAndField:
      return "StoredTextsAndFields";
    case Texts::kField:
      return "FieldsAlone";
  }
  return {};
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyDamage,
                         ::testing::Values(Texts::kStored, Texts::kStoredAndField, Texts::kField),
                         name_of_texts);

}  // namespace
}  // namespace gannet::index
