// Building from lists that are inverted already.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "index/builder.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/inversion.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using testing::HasSubstr;

/// Lists in memory.
class VectorLists final : public InvertedSource {
 public:
  struct List {
    std::string name;
    std::vector<std::uint32_t> docids, freqs;
  };
  std::vector<std::uint32_t> lengths;
  std::vector<std::string> ids;  ///< empty: none
  std::vector<List> all;
  std::function<void(std::uint64_t)> on_list = [](std::uint64_t) {};

  std::uint64_t documents() const override { return lengths.size(); }
  std::uint32_t length(std::uint64_t docid) const override { return lengths[docid]; }
  std::string document_id(std::uint64_t docid) const override {
    return ids.empty() ? std::string() : ids[docid];
  }
  std::uint64_t lists() const override { return all.size(); }
  std::string term(std::uint64_t i) const override { return all[i].name; }
  std::uint64_t postings(std::uint64_t i) const override { return all[i].docids.size(); }
  void list(std::uint64_t i, std::vector<std::uint32_t>& docids,
            std::vector<std::uint32_t>& freqs) const override {
    on_list(i);
    docids = all[i].docids;
    freqs = all[i].freqs;
  }
};

/// `count` lists named by their numbers; list i has every docid that i + 1 divides.
VectorLists numbered_lists(std::uint32_t count, std::uint32_t documents) {
  VectorLists source;
  source.lengths.assign(documents, 100);
  for (std::uint32_t i = 0; i < count; ++i) {
    VectorLists::List list{std::to_string(i), {}, {}};
    for (std::uint32_t docid = 0; docid < documents; docid += i + 1) {
      list.docids.push_back(docid);
      list.freqs.push_back(1 + docid % 3);
    }
    source.all.push_back(std::move(list));
  }
  return source;
}

test::Inversion postings_of(const VectorLists& source) {
  test::Inversion postings;
  for (const auto& list : source.all) {
    for (std::size_t i = 0; i < list.docids.size(); ++i) {
      postings[list.name][list.docids[i]] = list.freqs[i];
    }
  }
  return postings;
}

TEST(InvertedBuilder, TermsNamedByNumberAreSortedByBytes) {
  const test::TemporaryDirectory directory;
  const VectorLists source = numbered_lists(1234, 5000);
  const BuildReport report = build_inverted(source, directory / "index", {});
  EXPECT_EQ(test::read_postings(directory / "index"), postings_of(source));
  EXPECT_EQ(report.statistics.documents, 5000u);
  EXPECT_EQ(report.statistics.terms, 1234u);
  EXPECT_EQ(report.statistics.tokens, 500000u);
  const Index index = Index::open(directory / "index");
  EXPECT_EQ(index.segments().at(0)->term(2), "10");
  EXPECT_EQ(index.segments().at(0)->document_id(17), "17");
}

TEST(InvertedBuilder, SameBytesWithAnyThreadsAndMemory) {
  const test::TemporaryDirectory directory;
  const VectorLists source = numbered_lists(3000, 20000);
  build_inverted(source, directory / "reference", {});
  const auto reference = test::snapshot(directory / "reference");
  for (const unsigned threads : {1u, 2u, 8u}) {
    BuildOptions options;
    options.threads = threads;
    options.memory = std::uint64_t{64} << 20;
    const auto path = directory / std::to_string(threads);
    build_inverted(source, path, options);
    EXPECT_TRUE(test::snapshot(path) == reference) << threads;
  }
}

TEST(InvertedBuilder, KeepsIdsAndCountsEmptyDocuments) {
  const test::TemporaryDirectory directory;
  VectorLists source;
  source.lengths = {3, 0, 2};
  source.ids = {"x", "y", "z"};
  source.all = {{"beta", {0, 2}, {1, 2}}, {"alpha", {0}, {2}}};
  EXPECT_EQ(build_inverted(source, directory / "index", {}).empty_documents, 1u);
  const Index index = Index::open(directory / "index");
  EXPECT_EQ(index.segments().at(0)->document_id(2), "z");
  EXPECT_EQ(index.segments().at(0)->term(0), "alpha");
}

TEST(InvertedBuilder, ListsWithoutPostingsAreLeftOut) {
  const test::TemporaryDirectory directory;
  VectorLists source;
  source.lengths = {1};
  source.all = {{"b", {}, {}}, {"c", {0}, {1}}, {"a", {}, {}}};
  EXPECT_EQ(build_inverted(source, directory / "index", {}).statistics.terms, 1u);
}

TEST(InvertedBuilder, NothingAtAll) {
  const test::TemporaryDirectory directory;
  build_inverted(VectorLists{}, directory / "index", {});
  EXPECT_EQ(Index::open(directory / "index").statistics().documents, 0u);
}

template <class Exception>
std::string failure(const VectorLists& source) {
  const test::TemporaryDirectory directory;
  try {
    build_inverted(source, directory / "index", {});
    ADD_FAILURE() << "the build went through";
  } catch (const Exception& error) {
    EXPECT_FALSE(std::filesystem::exists(directory / "index")) << "leftovers";
    return error.what();
  }
  return {};
}

TEST(InvertedBuilder, TermsAndIdsThatOccurTwice) {
  VectorLists source = numbered_lists(50, 100);
  source.all[31].name = "7";
  const std::string message = failure<UsageError>(source);
  EXPECT_THAT(message, HasSubstr("lists 7 and 31"));
  source = numbered_lists(3, 3);
  source.ids = {"p", "q", "p"};
  EXPECT_THAT(failure<InputError>(source), HasSubstr("documents 0 and 2"));
}

TEST(InvertedBuilder, ListsThatContradictThemselves) {
  VectorLists source = numbered_lists(50, 100);
  std::swap(source.all[5].docids[0], source.all[5].docids[1]);
  EXPECT_THAT(failure<UsageError>(source), HasSubstr("'5'"));
  source = numbered_lists(50, 100);
  source.all[5].docids.back() = 100;  // no such document
  EXPECT_THAT(failure<UsageError>(source), HasSubstr("'5'"));
  source = numbered_lists(50, 100);
  source.all[5].freqs.pop_back();
  EXPECT_THAT(failure<UsageError>(source), HasSubstr("'5'"));
}

TEST(InvertedBuilder, ErrorsOfTheSourceComeThrough) {
  VectorLists source = numbered_lists(500, 1000);
  source.on_list = [](std::uint64_t i) {
    if (i == 400) throw FormatError("list 400 is damaged");
  };
  EXPECT_EQ(failure<FormatError>(source), "list 400 is damaged");
}

}  // namespace
}  // namespace gannet::index
