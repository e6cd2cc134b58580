// The ds2i layout: reading, hostile files, and round trips through an index.
#include "corpora/lists/ds2i.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "codecs/base/error.hpp"
#include "corpora/synthetic/random.hpp"
#include "index/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::open_ds2i;
using test::message_of;
using test::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Words = std::vector<std::uint32_t>;

std::string bytes_of(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

/// A collection of 5 documents and 3 lists, the second one empty.
struct Files {
  Words docs{1, 5, 3, 0, 2, 4, 0, 1, 3};
  Words freqs{3, 1, 7, 2, 0, 1, 9};
  Words sizes{5, 10, 20, 30, 40, 50};

  std::filesystem::path write(const TemporaryDirectory& directory) const {
    directory.write("c.docs", bytes_of(docs));
    directory.write("c.freqs", bytes_of(freqs));
    directory.write("c.sizes", bytes_of(sizes));
    return directory / "c";
  }
};

class Ds2i : public ::testing::Test {
 protected:
  /// The message of the FormatError from opening `files` or from reading list `i`.
  std::string error(const Files& files, std::uint64_t i = 0) {
    return message_of<FormatError>([&] {
      const auto source = open_ds2i(files.write(directory_));
      Words docids, freqs;
      source->list(i, docids, freqs);
    });
  }
  TemporaryDirectory directory_;
};

TEST_F(Ds2i, ReadsListsLengthsAndNumbersForNames) {
  const auto source = open_ds2i(Files().write(directory_));
  EXPECT_EQ(source->documents(), 5u);
  EXPECT_EQ(source->length(4), 50u);
  EXPECT_EQ(source->document_id(4), "");
  ASSERT_EQ(source->lists(), 3u);
  EXPECT_EQ(source->term(2), "2");
  Words docids{9, 9}, freqs{9};
  source->list(0, docids, freqs);
  EXPECT_THAT(docids, ElementsAre(0, 2, 4));
  EXPECT_THAT(freqs, ElementsAre(1, 7, 2));
  EXPECT_EQ(source->postings(1), 0u);
  source->list(1, docids, freqs);
  EXPECT_TRUE(docids.empty() && freqs.empty());
  source->list(2, docids, freqs);
  EXPECT_THAT(docids, ElementsAre(3));
  EXPECT_THAT(freqs, ElementsAre(9));
}

TEST_F(Ds2i, ReadsNamesWhereThereAreFilesOfThem) {
  directory_.write("c.terms", "zebra\napple\r\nmango");
  directory_.write("c.documents", "d0\nd1\nd2\nd3\nd 4\n");
  const auto source = open_ds2i(Files().write(directory_));
  EXPECT_EQ(source->term(0), "zebra");
  EXPECT_EQ(source->term(1), "apple");
  EXPECT_EQ(source->term(2), "mango");
  EXPECT_EQ(source->document_id(4), "d 4");
}

TEST_F(Ds2i, OneOfTheFilesMayStandForAll) {
  Files().write(directory_);
  EXPECT_EQ(open_ds2i(directory_ / "c.docs")->lists(), 3u);
  EXPECT_EQ(open_ds2i(directory_ / "c.freqs")->lists(), 3u);
}

TEST_F(Ds2i, EmptyCollections) {
  Files files{{1, 0}, {}, {0}};
  const auto source = open_ds2i(files.write(directory_));
  EXPECT_EQ(source->documents(), 0u);
  EXPECT_EQ(source->lists(), 0u);
}

TEST_F(Ds2i, MissingFiles) {
  EXPECT_THROW(open_ds2i(directory_ / "c"), IoError);
  Files().write(directory_);
  std::filesystem::remove(directory_ / "c.freqs");
  EXPECT_THAT(message_of<IoError>([&] { open_ds2i(directory_ / "c"); }), HasSubstr("c.freqs"));
}

struct HostileLists {
  const char* name;
  Files files;
  const char* message;
  std::uint64_t list = 0;
};

class HostileDs2i : public Ds2i, public ::testing::WithParamInterface<HostileLists> {};

TEST_P(HostileDs2i, IsAnErrorThatNamesThePlace) {
  EXPECT_THAT(error(GetParam().files, GetParam().list), HasSubstr(GetParam().message));
}

const Files kGood;

INSTANTIATE_TEST_SUITE_P(
    Files, HostileDs2i,
    ::testing::Values(
        HostileLists{"empty_docs",
                     {{}, kGood.freqs, kGood.sizes},
                     "c.docs: at byte 0: the number of documents"},
        HostileLists{"no_universe", {{1}, kGood.freqs, kGood.sizes}, "c.docs: at byte 0"},
        HostileLists{"long_universe", {{2, 5, 5}, {}, kGood.sizes}, "sequence of length 1"},
        HostileLists{"cut_docs",
                     {{1, 5, 3, 0, 2, 4, 0, 1}, kGood.freqs, kGood.sizes},
                     "c.docs: at byte 28: list 2 has 1 values"},
        HostileLists{"huge_length",
                     {{1, 5, 0xffffffff, 0, 2}, kGood.freqs, kGood.sizes},
                     "list 0 has 4294967295 values"},
        HostileLists{"cut_freqs",
                     {kGood.docs, {3, 1, 7, 2, 0, 1}, kGood.sizes},
                     "c.freqs: at byte 20: list 2"},
        HostileLists{
            "no_freqs", {kGood.docs, {}, kGood.sizes}, "c.freqs: at byte 0: list 0 is missing"},
        HostileLists{"other_length",
                     {kGood.docs, {2, 1, 7, 1, 0, 1, 9}, kGood.sizes},
                     "list 0 has 2 frequencies, but .docs has 3"},
        HostileLists{"more_freqs",
                     {kGood.docs, {3, 1, 7, 2, 0, 1, 9, 1, 1}, kGood.sizes},
                     "c.freqs: at byte 28: words follow"},
        HostileLists{"few_sizes",
                     {kGood.docs, kGood.freqs, {4, 1, 2, 3, 4}},
                     "c.sizes: at byte 0: lengths of 4 documents"},
        HostileLists{"cut_sizes", {kGood.docs, kGood.freqs, {5, 1, 2, 3, 4}}, "c.sizes: at byte 0"},
        HostileLists{"more_sizes",
                     {kGood.docs, kGood.freqs, {5, 1, 2, 3, 4, 5, 6}},
                     "c.sizes: at byte 24: words follow"},
        HostileLists{"unsorted",
                     {{1, 5, 3, 0, 4, 2, 0, 1, 3}, kGood.freqs, kGood.sizes},
                     "c.docs: at byte 20: list 0: docid 2 follows docid 4"},
        HostileLists{"repeated",
                     {{1, 5, 3, 0, 2, 2, 0, 1, 3}, kGood.freqs, kGood.sizes},
                     "c.docs: at byte 20: list 0: docid 2 follows docid 2"},
        HostileLists{"too_large",
                     {{1, 5, 3, 0, 2, 4, 0, 1, 5}, kGood.freqs, kGood.sizes},
                     "c.docs: at byte 32: list 2: docid 5 is too large",
                     2},
        HostileLists{"too_many",
                     {{1, 2, 3, 0, 1, 2}, {3, 1, 1, 1}, {2, 1, 1}},
                     "there are only 2 documents"},
        HostileLists{"zero_freq",
                     {kGood.docs, {3, 1, 0, 2, 0, 1, 9}, kGood.sizes},
                     "c.freqs: at byte 8: list 0: frequency 0"}),
    [](const auto& hostile) { return hostile.param.name; });

TEST_F(Ds2i, FilesOfHalfWords) {
  Files().write(directory_);
  directory_.write("c.docs", bytes_of(Files().docs) + "x");
  EXPECT_THAT(message_of<FormatError>([&] { open_ds2i(directory_ / "c"); }), HasSubstr("37 bytes"));
}

TEST_F(Ds2i, NamesThatDoNotFit) {
  Files().write(directory_);
  directory_.write("c.terms", "a\nb\n");
  EXPECT_THAT(message_of<FormatError>([&] { open_ds2i(directory_ / "c"); }),
              HasSubstr("has 2 lines"));
  directory_.write("c.terms", "a\n\nb\n");
  EXPECT_THAT(message_of<FormatError>([&] { open_ds2i(directory_ / "c"); }),
              HasSubstr("c.terms:2: a name is empty"));
}

/// A random collection written by the test itself, with sorted terms.
struct Collection {
  std::map<std::string, std::pair<Words, Words>> lists;
  Words sizes;
  std::vector<std::string> ids;

  explicit Collection(std::uint64_t seed) {
    corpora::Random random(seed);
    const std::uint32_t documents = 2000;
    for (std::uint32_t i = 0; i < documents; ++i) {
      sizes.push_back(random.below(1000));
      ids.push_back("doc " + std::to_string(corpora::mix64(i)));
    }
    for (int t = 0; t < 200; ++t) {
      auto& [docids, freqs] = lists["t" + std::to_string(random.next())];
      const std::uint32_t step = 1 + random.below(400);
      for (std::uint32_t d = random.below(step); d < documents; d += 1 + random.below(step)) {
        docids.push_back(d);
        freqs.push_back(1 + random.below(1 + random.below(100)));
      }
    }
  }

  std::filesystem::path write(const TemporaryDirectory& directory, const std::string& name) const {
    Words docs{1, static_cast<std::uint32_t>(sizes.size())}, freqs, lengths{docs[1]};
    std::string terms, documents;
    const auto append = [](Words& to, const Words& list) {
      to.push_back(static_cast<std::uint32_t>(list.size()));
      to.insert(to.end(), list.begin(), list.end());
    };
    for (const auto& [term, list] : lists) {
      append(docs, list.first);
      append(freqs, list.second);
      terms += term + '\n';
    }
    lengths.insert(lengths.end(), sizes.begin(), sizes.end());
    for (const std::string& id : ids) documents += id + '\n';
    directory.write(name + ".docs", bytes_of(docs));
    directory.write(name + ".freqs", bytes_of(freqs));
    directory.write(name + ".sizes", bytes_of(lengths));
    directory.write(name + ".terms", terms);
    directory.write(name + ".documents", documents);
    return directory / name;
  }
};

TEST_F(Ds2i, RoundTripsThroughAnIndexAreExact) {
  const auto base = Collection(1).write(directory_, "in");
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    index::BuildOptions options;
    options.write.docid_codec = &codec;
    options.write.overwrite = true;
    index::build_inverted(*open_ds2i(base), directory_ / "index", options);
    std::uint64_t last = 0, whole = 0;
    corpora::export_ds2i(index::Index::open(directory_ / "index"), directory_ / "out",
                         [&](std::uint64_t done, std::uint64_t total) {
                           EXPECT_GE(done, last);
                           last = done;
                           whole = total;
                         });
    EXPECT_EQ(last, whole);
    for (const char* part : {".docs", ".freqs", ".sizes", ".terms", ".documents"}) {
      EXPECT_EQ(test::read_file(directory_ / (std::string("out") + part)),
                test::read_file(directory_ / (std::string("in") + part)))
          << codec.name << " " << part;
    }
  }
}

TEST_F(Ds2i, AFileThatAppearsMeanwhileMayBeKept) {
  const auto base = Collection(1).write(directory_, "in");
  index::build_inverted(*open_ds2i(base), directory_ / "index", {});
  const auto appear = [&](auto, auto) { directory_.write("out.terms", "precious"); };
  EXPECT_THAT(message_of<IoError>([&] {
                corpora::export_ds2i(index::Index::open(directory_ / "index"), directory_ / "out",
                                     appear, {}, index::Existing::kKeep);
              }),
              HasSubstr("out.terms: a file has appeared there meanwhile"));
  EXPECT_EQ(test::read_file(directory_ / "out.terms"), "precious");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out.docs"));
}

TEST_F(Ds2i, UnnamedCollectionsRoundTripUnderTheirNumbers) {
  const auto base = Files().write(directory_);
  index::build_inverted(*open_ds2i(base), directory_ / "index", {});
  corpora::export_ds2i(index::Index::open(directory_ / "index"), directory_ / "out");
  const auto out = open_ds2i(directory_ / "out");
  ASSERT_EQ(out->lists(), 2u);  // lists without postings are not indexed
  EXPECT_EQ(out->term(0), "0");
  EXPECT_EQ(out->term(1), "2");
  EXPECT_EQ(out->document_id(3), "3");
  EXPECT_EQ(test::read_file(directory_ / "out.sizes"), test::read_file(directory_ / "c.sizes"));
}

TEST_F(Ds2i, ExportThatFailsLeavesNothingBehind) {
  index::build_inverted(*open_ds2i(Files().write(directory_)), directory_ / "index", {});
  const auto index = index::Index::open(directory_ / "index");
  struct Cancelled {};
  EXPECT_THROW(
      corpora::export_ds2i(index, directory_ / "out", [](auto, auto) { throw Cancelled(); }),
      Cancelled);
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("out")) << entry.path();
  }
  EXPECT_THROW(corpora::export_ds2i(index, directory_ / "no/such/out"), IoError);
}

}  // namespace
}  // namespace gannet
