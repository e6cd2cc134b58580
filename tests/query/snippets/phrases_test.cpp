// Phrases, windows and inexact words in snippets: what is marked, and which pieces are chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/positions/position_cursor.hpp"
#include "query/postings/document_places.hpp"
#include "query/searcher.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/query/phrases/phrase_queries.hpp"
#include "tests/support/query/snippets.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::marked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string padding(std::size_t words) {
  return test::repeated(words, [](std::size_t i) { return "V" + std::to_string(i) + " "; });
}

TEST(SnippetsOfPhrases, WordsAreMarkedWhereThePhraseOccurs) {
  const std::string text = "boundary, a layer; boundary layer. Layer boundary";
  EXPECT_EQ(marked(text, "\"boundary layer\""),
            "boundary, a layer; [boundary] [layer]. Layer boundary");
  EXPECT_EQ(marked(text, "\"boundary layer\" layer"),
            "boundary, a [layer]; [boundary] [layer]. [Layer] boundary");
  EXPECT_EQ(marked(text, "\"layer boundary\"~1"),
            "boundary, a [layer]; [boundary] [layer]. [Layer] [boundary]");
  EXPECT_EQ(marked("to be or not to be", "\"be to\""), "to be or not to be");
  EXPECT_EQ(marked("a a b a", "\"a a\""), "[a] [a] b a");
}

TEST(SnippetsOfPhrases, WindowsMarkTheWordsOfTheirOccurrences) {
  const std::string text = "a x b y y y y b a a x x b";
  EXPECT_EQ(marked(text, "#od2(a b)"), "[a] x [b] y y y y b a a x x b");
  EXPECT_EQ(marked(text, "#od3(a b)"), "[a] x [b] y y y y b a [a] x x [b]");
  EXPECT_EQ(marked(text, "#uw2(a b)"), "a x b y y y y [b] [a] a x x b");
  EXPECT_EQ(marked(text, "a NEAR/2 b"), "[a] x [b] y y y y [b] [a] [a] x x b");
  EXPECT_EQ(marked(text, "a ONEAR/4 b"), "[a] x [b] y y y y b [a] [a] x x [b]");
}

TEST(SnippetsOfPhrases, ExcludedOnesAreNotMarked) {
  EXPECT_EQ(marked("a b c", "c -\"a b\""), "a b [c]");
  EXPECT_EQ(marked("a b c", "c AND NOT #uw2(a b)"), "a b [c]");
  EXPECT_EQ(marked("a b c", "\"b c\" -\"a b\""), "a [b] [c]");
}

TEST(SnippetsOfPhrases, DroppedWordsKeepTheirPlaces) {
  index::AnalyzerConfig config;
  config.stopwords = "english";
  EXPECT_EQ(marked("state of the art; state art", "\"state of the art\"", config),
            "[state] of the [art]; state art");
  EXPECT_EQ(marked("state of the art; state art", "\"state art\"", config),
            "state of the art; [state] [art]");
  EXPECT_EQ(marked("state of the art; state art", "\"state art\"~2", config),
            "[state] of the [art]; [state] [art]");
}

TEST(SnippetsOfPhrases, AMarkNamesThePhrase) {
  test::SnippetQueries queries;
  const Plan plan = queries.plan("x \"a b\"");
  const Snippet snippet = make_snippet("x a b a", plan, queries.analyzer());
  ASSERT_EQ(snippet.fragments.size(), 1u);
  const auto& marks = snippet.fragments[0].marks;
  ASSERT_EQ(marks.size(), 3u);
  EXPECT_EQ(plan.terms()[marks[0].term].text, "x");
  EXPECT_EQ(plan.terms()[marks[1].term].text, "\"a b\"");
  EXPECT_EQ(marks[2], (Mark{4, 5, marks[1].term}));
}

TEST(SnippetsOfPhrases, ThePieceWithThePhraseIsChosen) {
  const std::string text = "boundary and layer " + padding(60) + "the boundary layer " +
                           padding(60) + "layer layer boundary layer layer";
  const SnippetOptions options{.fragments = 1, .length = 40};
  EXPECT_THAT(test::SnippetQueries().line(text, "boundary layer \"boundary layer\"", options),
              HasSubstr("[boundary] [layer]"));
  const std::string early = "cat and cat dog and cat " + padding(60) + "the dog cat " + padding(60);
  EXPECT_THAT(test::SnippetQueries().line(early, "\"dog cat\"", {.fragments = 1, .length = 20}),
              HasSubstr("[dog] [cat]"));
}

/// Of one phrase here and a word of another there, the phrase that is whole.
TEST(SnippetsOfPhrases, AWholePhraseIsWorthMoreThanItsParts) {
  const std::string text = "dog " + padding(3) + "cat " + padding(60) + "dog cat " + padding(60);
  EXPECT_THAT(test::SnippetQueries().line(text, "#uw6(dog cat)", {.fragments = 1, .length = 10}),
              HasSubstr("[dog] [cat]"));
}

/// Texts of words w0 to w21 and t, which the analyzer drops; what is marked, from all choices of
/// places.
TEST(SnippetsOfPhrases, AreThoseOfAllChoicesOfPlaces) {
  index::AnalyzerConfig config;
  config.stemmer = "none";
  config.stopword_list = {"t"};
  test::SnippetQueries queries(config);
  std::mt19937 random(12);
  std::size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    std::vector<std::string> tokens;
    for (std::size_t n = 1 + random() % 40; n > 0; --n) {
      const double x = static_cast<double>(random() % 1000) / 1000;
      const std::string word = "w" + std::to_string(static_cast<int>(x * x * 20));
      tokens.push_back(random() % 9 == 0 ? "t" : word);
      text += tokens.back() + " ";
    }
    std::map<std::string, std::vector<std::uint32_t>> places = test::places_of(text);
    const test::WordsNear window = test::random_window(random);
    const test::WordsNear other = test::random_window(random);
    const std::string word = "w" + std::to_string(random() % 8);
    const bool excluded = random() % 2 == 0;
    std::set<std::uint32_t> expected = window.occurrences(places).places();
    if (!excluded) expected.merge(std::set(other.occurrences(places).places()));
    for (const std::uint32_t place : places[word]) expected.insert(place);
    const std::string query = window.text() + " " + word + (excluded ? " -" : " ") + other.text();
    std::string line;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      if (i > 0) line += " ";
      line += expected.contains(i) ? "[" + tokens[i] + "]" : tokens[i];
    }
    ASSERT_EQ(queries.line(text, query, {.fragments = 1, .length = 10'000}), line) << query;
    found += window.occurrences(places).count();
  }
  EXPECT_GT(found, 400u);
}

/// Texts of more matches than are kept, and a phrase at their end.
TEST(SnippetsOfPhrases, LongTextsAreReadToTheirEnd) {
  const std::string text =
      test::repeated(100'000, [](std::size_t) { return std::string("cat and "); }) + "dog cat";
  EXPECT_EQ(test::SnippetQueries().line(text, "cat \"dog cat\"", {.fragments = 1, .length = 20}),
            "… and [cat] and [dog] [cat]");
}

/// Documents whose main texts are of several values.
class ValuesSource final : public index::DocumentSource {
 public:
  explicit ValuesSource(const std::vector<std::vector<std::string>>& documents)
      : documents_(documents) {}

  std::unique_ptr<index::RawBatch> read() override {
    return std::exchange(done_, true) ? nullptr : std::make_unique<Raw>();
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch>) const override {
    auto parsed = std::make_unique<Batch>();
    parsed->ids.reserve(documents_.size());
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      parsed->add(parsed->ids.emplace_back("d" + std::to_string(i)));
      for (const std::string& value : documents_[i]) parsed->add_field("contents", value);
    }
    return parsed;
  }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  struct Raw : index::RawBatch {};
  struct Batch : index::ParsedBatch {
    std::vector<std::string> ids;
  };
  const std::vector<std::vector<std::string>>& documents_;
  bool done_ = false;
};

class SnippetsOfIndex : public testing::Test {
 protected:
  void open(const std::vector<std::vector<std::string>>& documents) {
    options_.write.store_text = true;
    options_.write.analyzer.stemmer = "none";
    options_.write.analyzer.stopword_list = {"t"};
    options_.memory = std::uint64_t{256} << 20;
    ValuesSource source(documents);
    index::build_index(source, folder_.path() / "index", options_);
    index_ = std::make_shared<const index::Index>(index::Index::open(folder_.path() / "index"));
    analyzer_ = std::make_unique<index::Analyzer>(index_->analyzer());
  }

  Plan plan(const std::string& text) {
    Query query;
    query.text = text;
    return make_plan(*index_, *analyzer_, query);
  }

  /// All of a document's text with [marks].
  std::string line(const std::string& query, index::Docid docid) {
    const std::string text = index_->stored_text(docid).value();
    SnippetMaker maker(plan(query), *analyzer_, {.fragments = 1, .length = 10'000});
    return to_plain_text(maker.make(text, *index_, docid), text, {.open = "[", .close = "]"});
  }

  test::TemporaryDirectory folder_;
  index::BuildOptions options_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<index::Analyzer> analyzer_;
};

TEST_F(SnippetsOfIndex, InexactWordsMarkAllTheirTerms) {
  open({{"aerofoil aeroplane airfoil area, aerofoils of wing and wings, winged"}});
  EXPECT_EQ(line("aero*", 0),
            "[aerofoil] [aeroplane] airfoil area, [aerofoils] of wing and wings, winged");
  EXPECT_EQ(line("*foil", 0),
            "[aerofoil] aeroplane [airfoil] area, aerofoils of wing and wings, winged");
  EXPECT_EQ(line("/a.*a/ win?s", 0),
            "aerofoil aeroplane airfoil [area], aerofoils of wing and [wings], winged");
  EXPECT_EQ(line("wing~1", 0),
            "aerofoil aeroplane airfoil area, aerofoils of [wing] and [wings], winged");
  EXPECT_EQ(line("\"of win*\" -aero*", 0),
            "aerofoil aeroplane airfoil area, aerofoils [of] [wing] and wings, winged");
  EXPECT_EQ(line("\"and win*\" aero*", 0),
            "[aerofoil] [aeroplane] airfoil area, [aerofoils] of wing [and] [wings], winged");
}

TEST_F(SnippetsOfIndex, NoPhraseCrossesTheEndOfAValue) {
  open({{"a b", "c a", "b"}, {"a b\nc a\nb"}});
  EXPECT_EQ(line("\"b c\" \"a b\"", 0), "[a] [b] c a b");
  EXPECT_EQ(line("\"b c\" \"a b\"", 1), "[a] [b] [c] [a] [b]");
  EXPECT_EQ(line("\"b c\"~100", 0), "a [b] [c] a b");
  EXPECT_EQ(line("\"b c\"~99", 0), "a b c a b");
}

/// What is marked, by the positions that the index has: of random values, with words that are
/// dropped and values that have no words.
TEST_F(SnippetsOfIndex, PlacesAreThoseOfTheIndex) {
  std::mt19937 random(5);
  std::vector<std::vector<std::string>> documents;
  for (int i = 0; i < 300; ++i) {
    auto& values = documents.emplace_back();
    for (std::size_t n = 1 + random() % 4; n > 0; --n) {
      std::string& value = values.emplace_back();
      for (std::size_t words = random() % 6; words > 0; --words) {
        const std::string word = "w" + std::to_string(random() % 5);
        value += (value.empty() ? "" : " ") + (random() % 6 == 0 ? std::string("t") : word);
      }
      if (random() % 4 == 0) value += "\nw1";
    }
  }
  open(documents);
  const index::Segment& segment = *index_->segments().front();
  for (int round = 0; round < 20; ++round) {
    test::WordsNear window = test::random_window(random);
    for (std::string& word : window.words) word = "w" + std::to_string(random() % 5);
    if (round % 4 == 0) window.written.distance += 97;
    for (index::Docid d = 0; d < documents.size(); ++d) {
      std::map<std::string, std::vector<std::uint32_t>> places;
      for (int w = 0; w < 5; ++w) {
        const std::string word = "w" + std::to_string(w);
        const auto own = places_in(segment, word, d);
        if (!own.empty()) places[word] = own;
      }
      const std::set<std::uint32_t> expected = window.occurrences(places).places();
      std::map<std::string, std::size_t> seen;
      std::string shown;
      const std::string text = index_->stored_text(d).value();
      analyzer_->tokenize(text, [&](std::string_view token) {
        const std::string word(token);
        const std::size_t at = seen[word]++;
        const bool is_marked = word != "t" && expected.contains(places.at(word)[at]);
        shown += (shown.empty() ? "" : " ") + (is_marked ? "[" + word + "]" : word);
      });
      ASSERT_EQ(line(window.text(), d), shown) << window.text();
    }
  }
}

/// Without an index, places of one value are those that the index has.
TEST_F(SnippetsOfIndex, PlacesOfTheTextAreThoseOfTheIndex) {
  open({{"t w1 Wéird-w2, t t x² 東京都 w3 1,000.50 it's t"}});
  const std::string text = index_->stored_text(0).value();
  index::Analyzer::Worker worker(*analyzer_);
  std::map<std::string, std::vector<std::uint32_t>> places;
  std::uint32_t place = 0;
  analyzer_->tokenize(text, [&](std::string_view token) {
    const std::string term(worker.term_of(token));
    if (!term.empty()) places[term].push_back(place);
    ++place;
  });
  ASSERT_GT(places.size(), 6u);
  for (const auto& [term, own] : places) {
    EXPECT_EQ(places_in(*index_->segments().front(), term, 0), own) << term;
  }
}

}  // namespace
}  // namespace gannet::query
