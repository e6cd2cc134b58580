// Damaged and hostile indexes: opening throws typed errors or verify reports problems, and nothing
// crashes. Run under the sanitizers, these tests also show that nothing is read out of bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::change_file;
using test::change_manifest;
using test::change_values;
using test::Collection;
using test::decode;
using test::expect_holds;
using test::names_in;
using test::random_collection;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using test::write_index;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

/// Opens and verifies; what was found, or nothing if all seems well. Any exception but Error is a
/// failure.
std::optional<std::string> find_problem(const std::filesystem::path& directory) {
  std::optional<std::string> problem;
  try {
    Index::open(directory);
  } catch (const Error& error) {
    problem = error.what();
  }
  try {
    const VerifyReport report = verify_index(directory, 1);
    if (!report.problems.empty()) return report.problems.front();
    // What cannot be opened must not pass as sound.
    EXPECT_EQ(problem, std::nullopt);
  } catch (const Error& error) {
    problem = error.what();
  }
  return problem;
}

class DamagedIndex : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    WriteOptions options;
    options.docid_codec = &codecs::list_codec_named(GetParam());
    options.freq_codec = options.docid_codec;
    write_index(path(), random_collection(260, 7, 3, true, true), options);
    ASSERT_EQ(find_problem(path()), std::nullopt);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const std::string& name : names_in(path())) {
      if (name != "gannet.lock") files.push_back(name);
    }
    EXPECT_EQ(files.size(), 5u);
    return files;
  }
  const std::filesystem::path& path() const { return directory_.path(); }

  TemporaryDirectory directory_;
};

TEST_P(DamagedIndex, EveryFlipIsFound) {
  std::mt19937 random(1);
  for (const std::string& name : files()) {
    const std::string good = read_file(path() / name);
    const std::size_t step = good.size() < 2500 ? 1 : 7;
    for (std::size_t at = 0; at < good.size(); at += step) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
      write_file(path() / name, bad);
      EXPECT_NE(find_problem(path()), std::nullopt) << name << ", byte " << at;
    }
    write_file(path() / name, good);
  }
  EXPECT_EQ(find_problem(path()), std::nullopt);
}

TEST_P(DamagedIndex, EveryTruncationIsFoundAtOpen) {
  for (const std::string& name : files()) {
    const std::string good = read_file(path() / name);
    for (std::size_t size = 0; size < good.size(); size += good.size() < 2500 ? 1 : 13) {
      write_file(path() / name, good.substr(0, size));
      EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<Error>(HasSubstr(name)));
    }
    for (const std::string& bad : {good.substr(0, good.size() - 1), good + "\n", good + good}) {
      write_file(path() / name, bad);
      EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<Error>(HasSubstr("rebuild")));
      EXPECT_NE(find_problem(path()), std::nullopt);
    }
    write_file(path() / name, good);
  }
}

TEST_P(DamagedIndex, AMissingFileIsNamed) {
  for (const std::string& name : files()) {
    std::filesystem::rename(path() / name, path() / "elsewhere");
    EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<IoError>(HasSubstr(name)));
    EXPECT_NE(find_problem(path()), std::nullopt);
    std::filesystem::rename(path() / "elsewhere", path() / name);
  }
}

TEST_P(DamagedIndex, AFileOfAnotherBuildIsRefused) {
  TemporaryDirectory other;
  WriteOptions options;
  options.docid_codec = &codecs::list_codec_named(GetParam());
  Collection collection = random_collection(260, 7, 3, true, true);
  collection.ids[0].back() = collection.ids[0].back() == 'x' ? 'y' : 'x';
  write_index(other.path(), collection, options);
  const char* name = "segment-00000001.documents";
  ASSERT_EQ(read_file(other.path() / name).size(), read_file(path() / name).size());
  std::filesystem::copy_file(other.path() / name, path() / name,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT([&] { Index::open(path()); },
              ThrowsMessage<FormatError>(HasSubstr("does not belong to the manifest")));
}

TEST_P(DamagedIndex, HostileWordsAreHarmless) {
  // Every checksum is right, only the words lie: what opens must decode without harm.
  std::mt19937 random(7);
  const std::string good_manifest = read_file(path() / "manifest.json");
  const std::string good_postings = read_file(path() / "segment-00000001.postings");
  int opened = 0;
  for (int round = 0; round < 300; ++round) {
    change_values<std::uint32_t>(path(), kPostingsFile, Tag("WORD"), [&](auto& words) {
      for (int i = 0; i < 1 + round % 3; ++i) {
        words[random() % words.size()] ^= 1u << random() % 32;
      }
    });
    try {
      const Index index = Index::open(path());
      for (TermId t = 0; t < index.statistics().terms; ++t) decode(*index.segments()[0], t);
      ++opened;
    } catch (const FormatError&) {
    }
    find_problem(path());
    write_file(path() / "manifest.json", good_manifest);
    write_file(path() / "segment-00000001.postings", good_postings);
  }
  EXPECT_GT(opened, 0);
}

INSTANTIATE_TEST_SUITE_P(Codecs, DamagedIndex,
                         ::testing::Values("gpu-bp128", "gpu-bp256", "gpu-vbyte128",
                                           "gpu-vbyte1024", "gpu-dfor", "none", "nsf", "nsv",
                                           "gpu-for", "gpu-rfor"),
                         [](const auto& parameters) {
                           std::string name = parameters.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Tables that lie although every checksum is right.
class HostileTables : public ::testing::Test {
 protected:
  void SetUp() override { write_index(path(), random_collection(300, 9, 2, true, true)); }
  const std::filesystem::path& path() const { return directory_.path(); }

  template <class T, class F>
  void expect_refused(FileKind kind, const char (&section)[5], F&& change, const std::string& why) {
    TemporaryDirectory copy;
    const std::filesystem::path index = copy.path() / "index";
    std::filesystem::copy(path(), index);
    std::uint32_t id;
    std::memcpy(&id, section, sizeof id);
    change_values<T>(index, kind, Tag(id), change);
    EXPECT_THAT([&] { Index::open(index); }, ThrowsMessage<FormatError>(HasSubstr(why)));
    EXPECT_THAT(verify_index(index).problems, Contains(HasSubstr(why)));
  }

  TemporaryDirectory directory_;
};

TEST_F(HostileTables, ListTable) {
  using Rows = std::vector<ListEntry>;
  const auto refused = [&](auto change, const std::string& why) {
    expect_refused<ListEntry>(kPostingsFile, "LIST", change, why);
  };
  const std::uint64_t huge = ~std::uint64_t{0};
  refused([](Rows& rows) { rows[0].first_word = 1; }, "start with 0");
  refused([](Rows& rows) { rows[0].first_tile = 1; }, "start with 0");
  refused([&](Rows& rows) { rows[2].first_word = huge; }, "list 2");
  refused([&](Rows& rows) { rows[2].first_word = 0; }, "list 1: it ends before");
  refused([&](Rows& rows) { rows[2].first_tile = huge; }, "list 1: it has not one skip");
  refused([&](Rows& rows) { rows[2].docid_words = ~0u; }, "list 2: its docids reach");
  refused([&](Rows& rows) { rows[3].count = 0; }, "list 3: it is empty");
  refused([&](Rows& rows) { rows[3].count = 301; }, "list 3: it has more postings");
  refused([&](Rows& rows) { rows[3].count = ~0u; }, "list 3: it has more postings");
  refused([&](Rows& rows) { rows.back().first_word += 1; }, "cover all words");
  refused([&](Rows& rows) { rows.back().count = 1; }, "not closed");
  refused([&](Rows& rows) { rows.pop_back(); }, "entries instead of");
  refused([&](Rows& rows) { rows.push_back(rows.back()); }, "entries instead of");
}

TEST_F(HostileTables, SkipsAndBounds) {
  using Values = std::vector<std::uint32_t>;
  const auto refused = [&](const char(&section)[5], auto change, const std::string& why) {
    expect_refused<std::uint32_t>(kPostingsFile, section, change, why);
  };
  refused(
      "SKIP", [](Values& skips) { skips.back() = 300; }, "no document");
  refused(
      "SKIP", [](Values& skips) { skips.back() = ~0u; }, "no document");
  refused(
      "SKIP", [](Values& skips) { skips.pop_back(); }, "MAXF");
  refused(
      "MAXF", [](Values& values) { values.pop_back(); }, "entries instead of");
  refused(
      "MINL", [](Values& values) { values.push_back(1); }, "entries instead of");
}

TEST_F(HostileTables, OffsetsOfTermsAndDocuments) {
  using Offsets = std::vector<std::uint64_t>;
  const auto refused = [&](FileKind kind, const char(&section)[5], auto change, const char* why) {
    expect_refused<std::uint64_t>(kind, section, change, why);
  };
  const auto descend = [](Offsets& offsets) { std::swap(offsets[2], offsets[3]); };
  const auto overshoot = [](Offsets& offsets) { offsets.back() += 1; };
  const auto huge = [](Offsets& offsets) { offsets[1] = ~std::uint64_t{0}; };
  const auto shift = [](Offsets& offsets) { offsets[0] = 1; };
  const auto shorten = [](Offsets& offsets) { offsets.pop_back(); };
  struct Table {
    FileKind kind;
    const char (&section)[5];
  };
  for (const Table& table : {Table{kLexiconFile, "TOFF"}, Table{kDocumentsFile, "IDOF"}}) {
    refused(table.kind, table.section, descend, "smaller than the one before");
    refused(table.kind, table.section, overshoot, "instead of");
    refused(table.kind, table.section, huge, "smaller than the one before");
    refused(table.kind, table.section, shift, "start with 0");
    refused(table.kind, table.section, shorten, "entries instead of");
  }
  refused(kLexiconFile, "CFRQ", shorten, "entries instead of");
  refused(kTextFile, "DOFF", descend, "smaller than the one before");
  refused(
      kTextFile, "DOFF", [](Offsets& offsets) { offsets.back() += 1 << 20; }, "entries instead");
  refused(kTextFile, "BOFF", overshoot, "instead of");
  refused(kTextFile, "BOFF", shift, "start with 0");
  expect_refused<std::uint32_t>(
      kDocumentsFile, "LENS", [](std::vector<std::uint32_t>& lengths) { lengths.pop_back(); },
      "entries instead of");
}

TEST_F(HostileTables, HalfOfTheIds) {
  change_file(path(), kDocumentsFile, [](auto& sections) { sections.erase(sections.begin()); });
  EXPECT_THAT([&] { Index::open(path()); },
              ThrowsMessage<FormatError>(HasSubstr("half of the ids")));
}

TEST_F(HostileTables, AMissingSection) {
  change_file(path(), kPostingsFile, [](auto& sections) { sections.pop_back(); });
  EXPECT_THAT([&] { Index::open(path()); },
              ThrowsMessage<FormatError>(HasSubstr("'MINL' is missing")));
}

TEST_F(HostileTables, AnOptionalSectionOfTheFutureIsIgnored) {
  change_file(path(), kPostingsFile, [](auto& sections) {
    sections.insert(sections.begin() + 1, {Tag("UBND"), 0, "bounds of the future"});
  });
  expect_holds(Index::open(path()), random_collection(300, 9, 2, true, true));
  EXPECT_THAT(verify_index(path()).problems, IsEmpty());
}

TEST_F(HostileTables, TextThatIsNoZstd) {
  change_values<char>(path(), kTextFile, Tag("BLKS"), [](auto& bytes) { bytes[9] ^= 0x55; });
  const Index index = Index::open(path());
  EXPECT_THROW(index.segments()[0]->stored_text(0), FormatError);
  EXPECT_THAT(verify_index(path()).problems, Contains(HasSubstr("text block 0")));
}

TEST_F(HostileTables, ManifestsThatLie) {
  const std::string good = read_file(path() / kManifestName);
  const auto refused = [&](auto change, const std::string& why) {
    change_manifest(path(), change);
    EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<FormatError>(HasSubstr(why)));
    write_file(path() / kManifestName, good);
  };
  const auto both = [](Manifest& manifest, auto change) {
    change(manifest.statistics);
    change(manifest.segments[0].statistics);
  };
  refused([](Manifest& m) { m.statistics.tokens += 1; }, "statistics");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.postings += 1; }); }, "postings");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.terms += 1; }); }, "entries instead of");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.terms = kMaxTerms; }); },
          "entries instead");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.documents = kMaxDocuments; }); },
          "entries");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.documents = kMaxDocuments + 1; }); },
          "large");
  refused([](Manifest& m) { m.segments.push_back(m.segments[0]); }, "more than one");
  refused([](Manifest& m) { m.segments.clear(); }, "are none");
  refused([](Manifest& m) { m.segments[0].name = "../segment-00000001"; }, "no name of a segment");
  refused([](Manifest& m) { m.segments[0].files.erase(m.segments[0].files.begin()); }, "'lexicon'");
  refused([](Manifest& m) { m.segments[0].files[1].kind = "lexicon"; }, "twice");
  refused([](Manifest& m) { m.segments[0].files[1].kind = "../x"; }, "name");
  refused(
      [](Manifest& m) {
        m.segments[0].files.push_back({"columns", {}});
      },
      "'columns' is unknown");
  refused([](Manifest& m) { m.defaults.b = 2; }, "\"b\"");
  refused(
      [](Manifest& m) {
        m.segments[0].docid_codec = m.segments[0].freq_codec =
            &codecs::list_codec_named("gpu-dfor");
      },
      "gpu-dfor");
}

}  // namespace
}  // namespace gannet::index
