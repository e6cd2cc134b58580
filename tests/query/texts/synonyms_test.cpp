// Words with their synonyms are found and scored as if they had been indexed as one word.
#include "query/plan/synonyms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "codecs/base/error.hpp"
#include "index/builder.hpp"
#include "query/explain.hpp"
#include "query/postings/union_cache.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using IndexPointer = std::shared_ptr<const index::Index>;
using Group = std::vector<std::string>;

constexpr std::uint32_t kTerms = 40;

/// What the collection would be if the first word of each group stood where the others stand.
test::Collection mapped(const test::Collection& collection, const std::vector<Group>& groups) {
  test::Collection made = collection;
  for (const Group& group : groups) {
    std::vector<std::uint32_t> sums(collection.documents());
    for (const std::string& word : group) {
      const auto found = made.frequencies.find(word);
      if (found == made.frequencies.end()) continue;
      for (std::size_t d = 0; d < sums.size(); ++d) sums[d] += found->second[d];
      made.frequencies.erase(found);
    }
    made.frequencies[group.front()] = std::move(sums);
  }
  return made;
}

std::string lines_of(const std::vector<Group>& groups) {
  std::string lines;
  for (const Group& group : groups) {
    for (const std::string& word : group) lines += word + ", ";
    lines += "\n";
  }
  return lines;
}

Searcher on_cpu(IndexPointer index, double bounds_bits) {
  return Searcher(std::move(index),
                  {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = bounds_bits}});
}

/// Queries over t0 ... and words that there are not; `word` says what a number is written as.
template <class F>
std::string random_text(unsigned seed, F word) {
  std::mt19937 random(seed);
  std::string text;
  const auto words = 1 + random() % 6;
  for (auto i = words; i > 0; --i) {
    const auto kind = random() % 8;
    if (kind == 0) text += '+';
    if (kind == 1 && i < words) text += '-';
    text += word("t" + std::to_string(random() % (kTerms + 3)));
    if (kind == 2) text += "^2.5";
    text += kind == 3 && i > 1 ? " AND " : " ";
  }
  return text;
}

void expect_same(const Result& found, const Result& expected, const std::string& what) {
  EXPECT_EQ(found.count, expected.count) << what;
  EXPECT_EQ(found.docids, expected.docids) << what;
  EXPECT_EQ(found.scores, expected.scores) << what;  // no NaN, no -0: equal bits
}

const std::vector<Group> kGroups{
    {"t1", "t5", "t9"}, {"t2", "t13"}, {"t11", "t23", "t35"}, {"t0", "nowhere"}, {"t3", "t4"}};

std::string representative(const std::string& word) {
  for (const Group& group : kGroups) {
    if (std::ranges::find(group, word) != group.end()) return group.front();
  }
  return word;
}

struct Pair {
  Pair(const test::Collection& collection, const std::vector<std::uint32_t>& ends,
       const std::vector<bool>& gone = {})
      : words(test::write_segments(folder / "words", collection, ends)),
        one(test::write_segments(folder / "one", mapped(collection, kGroups), ends)) {
    if (!gone.empty()) {
      words = test::with_deleted(*words, gone);
      one = test::with_deleted(*one, gone);
    }
    synonyms =
        std::make_shared<const Synonyms>(parse_synonyms(lines_of(kGroups), "groups"), *words);
  }

  test::TemporaryDirectory folder;
  IndexPointer words, one;
  std::shared_ptr<const Synonyms> synonyms;
};

void expect_one_term(const Pair& pair, unsigned seed) {
  for (const double bits : {0.0, 2.5, 100.0}) {
    const Searcher words = on_cpu(pair.words, bits);
    const Searcher one = on_cpu(pair.one, bits);
    for (const ScorerInfo& scorer : all_scorers()) {
      if (scorer.id == ScorerId::kImpact || scorer.id == ScorerId::kBm25F) continue;
      for (unsigned i = 0; i < 12; ++i) {
        Query query;
        query.scorer = standard_scorer(scorer.id);
        query.k = i % 3 == 0 ? 3 : i % 3 == 1 ? 50 : 100'000;
        query.want = i % 7 == 5 ? Want::kCount : i % 7 == 6 ? Want::kDocids : Want::kTopK;
        query.mode = i % 4 == 3 ? Mode::kAnd : Mode::kOr;
        query.text = random_text(seed * 100 + i, representative);
        const Result expected = one.search(query);
        query.text = random_text(seed * 100 + i, [](const std::string& word) { return word; });
        query.synonyms = pair.synonyms;
        const std::string what = std::string(scorer.name) + ": " + query.text;
        expect_same(words.search(query), expected, what);
        expect_same(words.search(query, {.stop = {}, .exhaustive = true}), expected, what);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Synonyms, AreScoredAsOneTerm) {
  expect_one_term(Pair(test::random_collection(6000, kTerms, 1), {6000}), 1);
}

TEST(Synonyms, AreScoredAsOneTermInSeveralSegmentsWithDeletions) {
  // Short lists in the first segment, and terms that it has not.
  expect_one_term(Pair(test::random_collection(7000, kTerms, 2), {90, 4000, 7000}), 2);
  expect_one_term(Pair(test::random_collection(5000, kTerms, 3), {2500, 5000},
                       test::random_deletions(5000, 0.3, 3, 100, 900)),
                  3);
}

TEST(Synonyms, OfManyTermsAreOneTerm) {
  std::vector<Group> all(1);
  for (std::uint32_t t = 0; t < kTerms; ++t) all[0].push_back("t" + std::to_string(t));
  const test::Collection collection = test::random_collection(3000, kTerms, 5);
  const test::TemporaryDirectory folder;
  const IndexPointer index = test::write_index(folder / "words", collection);
  Query query;
  query.text = "t7";
  const Result expected = on_cpu(test::write_index(folder / "one", mapped(collection, all)), 2.5)
                              .search({.text = "t0"});
  query.synonyms = std::make_shared<const Synonyms>(parse_synonyms(lines_of(all), "f"), *index);
  expect_same(on_cpu(index, 2.5).search(query), expected, "all");
}

/// Words of several texts, with each scored by itself or all by BM25F.
TEST(Synonyms, OfSeveralTextsAreOneTermInEach) {
  const std::map<std::string, std::string> first{{"w4", "w1"}, {"w9", "w1"}, {"w7", "w2"}};
  const auto mapped_text = [&](const std::string& text) {
    std::istringstream words(text);
    std::string all;
    for (std::string word; words >> word;) {
      const auto found = first.find(word);
      all += (found == first.end() ? word : found->second) + " ";
    }
    return all;
  };
  const std::vector<test::TextsDocument> documents = test::random_texts(900, 2, 6);
  std::vector<test::TextsDocument> as_one = documents;
  for (test::TextsDocument& document : as_one) {
    for (std::string& text : document.texts) text = mapped_text(text);
  }
  const index::Schema schema = test::texts_schema(2);
  const test::TemporaryDirectory folder;
  const std::vector<std::size_t> ends{400, 900};
  const IndexPointer words = test::build_texts(folder / "words", documents, schema, ends);
  const IndexPointer one = test::build_texts(folder / "one", as_one, schema, ends);
  const auto synonyms =
      std::make_shared<const Synonyms>(parse_synonyms("w1, w4, w9\nw2, w7\n", "f"), *words);
  std::mt19937 random(6);
  for (int i = 0; i < 60; ++i) {
    Query query;
    query.scorer = standard_scorer(i % 2 == 0 ? ScorerId::kBm25 : ScorerId::kBm25F);
    query.mode = i % 3 == 0 ? Mode::kAnd : Mode::kOr;
    std::string text;
    for (auto n = 1 + random() % 3; n > 0; --n) {
      text += "w" + std::to_string(random() % 12) + " ";
    }
    query.text = mapped_text(text);
    const Result expected = on_cpu(one, 1000).search(query);
    query.text = text;
    query.synonyms = synonyms;
    expect_same(on_cpu(words, 1000).search(query), expected, text);
  }
}

TEST(Synonyms, OfImpactsAddUp) {
  index::WriteOptions options;
  options.defaults.payload.impacts = true;
  const test::Collection collection = test::random_collection(2000, kTerms, 9);
  const test::TemporaryDirectory folder;
  const IndexPointer words = test::write_index(folder / "words", collection, options);
  const IndexPointer one = test::write_index(folder / "one", mapped(collection, kGroups), options);
  Query query;
  query.text = "t1 t2 t11 t6";
  const Result expected = on_cpu(one, 2.5).search(query);
  query.text = "t9 t13 t35 t6";
  query.synonyms = std::make_shared<const Synonyms>(parse_synonyms(lines_of(kGroups), "f"), *words);
  expect_same(on_cpu(words, 2.5).search(query), expected, query.text);
}

/// Documents of texts, as an index has them.
struct Texts {
  explicit Texts(std::vector<std::string> texts, index::BuildOptions options = {}) {
    std::vector<test::TextDocument> documents;
    for (std::string& text : texts) {
      documents.push_back({std::to_string(documents.size()), std::move(text)});
    }
    test::VectorSource source(std::move(documents), 8);
    index::build_index(source, folder / "idx", options);
    index = std::make_shared<const index::Index>(index::Index::open(folder / "idx"));
  }
  std::shared_ptr<const Synonyms> synonyms(std::string_view rules) const {
    return std::make_shared<const Synonyms>(parse_synonyms(rules, "rules"), *index);
  }
  std::vector<index::Docid> found(const std::string& text, std::string_view rules) const {
    Query query;
    query.text = text;
    query.want = Want::kDocids;
    query.synonyms = synonyms(rules);
    const Result result = on_cpu(index, 2.5).search(query);
    return {result.docids.begin(), result.docids.end()};
  }

  test::TemporaryDirectory folder;
  IndexPointer index;
};

TEST(Synonyms, AreAnalysedAsDocumentsAre) {
  const Texts texts({"Running cars", "an automobile", "a bus"});
  EXPECT_THAT(texts.found("CAR", "Cars, Automobiles"), ElementsAre(0, 1));
  EXPECT_THAT(texts.found("-car bus", "cars, bus"), IsEmpty());
}

TEST(Synonyms, AMappingReplacesTheWord) {
  const Texts texts({"tv", "telly", "television", "set"});
  EXPECT_THAT(texts.found("tv", "tv, telly => television, set"), ElementsAre(2, 3));
  EXPECT_THAT(texts.found("television", "tv, telly => television, set"), ElementsAre(2));
  EXPECT_THAT(texts.found("tv", "tv => television"), ElementsAre(2));
  EXPECT_THAT(texts.found("tv", "tv => tv, television"), ElementsAre(0, 2));
}

TEST(Synonyms, LinesAddUpAndAreNotFollowed) {
  const Texts texts({"one", "two", "three"});
  const char* const rules = "one, two\ntwo, three\n";
  EXPECT_THAT(texts.found("one", rules), ElementsAre(0, 1));
  EXPECT_THAT(texts.found("two", rules), ElementsAre(0, 1, 2));
}

TEST(Synonyms, WordsOfOneUnionInAQueryAddUpTheirWeights) {
  const Texts texts({"car", "auto"});
  Query query;
  query.text = "car auto";
  query.synonyms = texts.synonyms("car, auto");
  const Plan plan = on_cpu(texts.index, 2.5).plan(query);
  ASSERT_EQ(plan.terms().size(), 1);
  EXPECT_EQ(plan.terms()[0].weight, 2);
  EXPECT_EQ(plan.terms()[0].text, "SYNONYM(auto car)");
  EXPECT_EQ(plan.terms()[0].document_frequency, 2);
  EXPECT_TRUE(plan.has_unions());
}

TEST(SynonymOperator, IsTheUnionOfItsWords) {
  const Texts texts({"a red car", "auto auto", "bus", "car auto bus"});
  const Searcher searcher = on_cpu(texts.index, 2.5);
  const auto found = [&](const std::string& text, std::string_view rules) {
    Query query;
    query.text = text;
    if (!rules.empty()) query.synonyms = texts.synonyms(rules);
    return searcher.search(query);
  };
  expect_same(found("SYNONYM(cars autos)", ""), found("car", "car, auto"), "as from a file");
  expect_same(found("+SYNONYM(car auto)^2 bus", ""), found("+car^2 bus", "car, auto"), "signs");
  expect_same(found("SYNONYM(car tram)", "car, auto"), found("car", "car, auto, tram"), "both");
  expect_same(found("SYNONYM(car)", ""), found("car", ""), "one word");
  expect_same(found("SYNONYM (car)", ""), found("synonym car", ""), "a word");
  EXPECT_EQ(found("bus -SYNONYM(car auto)", "").docids.size(), 1);
}

TEST(SynonymOperator, HasWordsAlone) {
  const Texts texts({"car"});
  const auto error = [&](std::string_view text) {
    return test::message_of<UsageError>(
        [&] { on_cpu(texts.index, 2.5).plan({.text = std::string(text)}); });
  };
  for (const char* text : {"a SYNONYM(b -c)", "a SYNONYM(b AND c)", "a SYNONYM(b^2 c)",
                           "a SYNONYM(b (c d))", "a SYNONYM(b SYNONYM(c d))"}) {
    EXPECT_THAT(error(text), HasSubstr("column 3: SYNONYM(...) has words alone")) << text;
  }
  EXPECT_THAT(error("SYNONYM()"), HasSubstr("nothing between the parentheses"));
  EXPECT_THAT(error("SYNONYM(x-ray y)"), HasSubstr("'x-ray' is 2 words of this index"));
}

TEST(Synonyms, EntriesOfSeveralWordsAreLeftOutAndNamed) {
  index::BuildOptions options;
  options.write.analyzer.stopwords = "english";
  const Texts texts({"ny", "york", "big"}, options);
  const auto synonyms = texts.synonyms("# cities\nny, new york\nthe, big\n");
  EXPECT_EQ(synonyms->left_out_count(), 2);
  EXPECT_EQ(synonyms->left_out()[0].line, 2);
  EXPECT_EQ(synonyms->left_out()[0].entry, "new york");
  EXPECT_EQ(synonyms->left_out()[1].entry, "the");
  EXPECT_THAT(texts.found("ny", "ny, new york"), ElementsAre(0));
}

TEST(Synonyms, AreExplainedAsOneTerm) {
  const Texts texts({"car auto auto", "bus"});
  Query query;
  query.text = "car";
  query.synonyms = texts.synonyms("car, auto");
  const Searcher searcher = on_cpu(texts.index, 2.5);
  const Explanation told = explain(*texts.index, searcher.plan(query), 0);
  ASSERT_EQ(told.terms.size(), 1);
  EXPECT_EQ(told.terms[0].term, "SYNONYM(auto car)");
  EXPECT_EQ(told.terms[0].frequency, 3);
  EXPECT_EQ(told.score, searcher.search(query).scores[0]);
}

TEST(Synonyms, OfAPlanForAnotherIndexAreLookedUpThere) {
  const Texts texts({"car", "auto", "bus"});
  const Texts other({"bus", "auto", "auto car"});
  Query query;
  query.text = "car";
  query.want = Want::kDocids;
  query.synonyms = texts.synonyms("car, auto");
  const Plan plan = on_cpu(texts.index, 2.5).plan(query);
  const Results found = on_cpu(other.index, 2.5).search(std::span(&plan, 1));
  EXPECT_THAT(found[0].docids, ElementsAre(1, 2));
}

TEST(ParseSynonyms, HasSolrsFormat) {
  const auto rules = parse_synonyms(
      "# comment\n\n  # another\na, b ,c\r\nx\\, y\\=>z , \\\\ => w\n one two=>three,\n,,\nlast",
      "f");
  ASSERT_EQ(rules.size(), 4);
  EXPECT_EQ(rules[0].line, 4);
  EXPECT_THAT(rules[0].from, ElementsAre("a", "b", "c"));
  EXPECT_THAT(rules[0].to, IsEmpty());
  EXPECT_THAT(rules[1].from, ElementsAre("x, y=>z", "\\"));
  EXPECT_THAT(rules[1].to, ElementsAre("w"));
  EXPECT_THAT(rules[2].from, ElementsAre("one two"));
  EXPECT_THAT(rules[2].to, ElementsAre("three"));
  EXPECT_THAT(rules[3].from, ElementsAre("last"));
}

TEST(ParseSynonyms, WhatIsWrongHasItsLine) {
  const auto error = [](std::string_view text) {
    return test::message_of<UsageError>([&] { parse_synonyms(text, "s.txt"); });
  };
  EXPECT_THAT(error("a, b\na => b => c\n"), HasSubstr("s.txt:2: there are two arrows"));
  EXPECT_THAT(error("a =>\n"), HasSubstr("s.txt:1: an arrow (=>) wants words on both sides"));
  EXPECT_THAT(error("=> a"), HasSubstr("s.txt:1: "));
  EXPECT_THAT(error("a\n\n\xFF, b"), HasSubstr("s.txt:3: is not UTF-8"));
}

TEST(Synonyms, HugeFilesTakeLinearTime) {
  const Texts texts({"w1", "w2"});
  std::string line, lines;
  for (int i = 0; i < 70'000; ++i) {
    const std::string word = "w" + std::to_string(i);
    line += word + ",";
    lines += "w1, " + word + "\n";
  }
  const auto one_line = texts.synonyms(line);  // each word stands for all
  EXPECT_THAT(test::message_of<UsageError>([&] { one_line->of(index::kMainText, "w7"); }),
              HasSubstr("stands for 70000 words"));
  const auto many_lines = texts.synonyms(lines);
  EXPECT_THAT(many_lines->of(index::kMainText, "w7"), ElementsAre("w1", "w7"));
}

TEST(Plan, UnionsAreChecked) {
  const auto plan_of = [](std::vector<std::string> any_of) {
    Plan::Parts parts;
    parts.collection = {10, 10};
    parts.terms.push_back({.text = "any", .document_frequency = 1, .weight = 1, .any_of = any_of});
    parts.expression = {{Node::Kind::kTerm, 0}};
    return Plan(std::move(parts));
  };
  EXPECT_NO_THROW(plan_of({"a", "b"}));
  EXPECT_THROW(plan_of({"a"}), UsageError);
  EXPECT_THROW(plan_of({"b", "a"}), UsageError);
  EXPECT_THROW(plan_of({"a", "a"}), UsageError);
}

TEST(UnionCache, StaysWithinItsBytes) {
  const test::TemporaryDirectory folder;
  const IndexPointer index =
      test::write_index(folder / "idx", test::random_collection(3000, kTerms, 7));
  const auto& segment = index->segments().front();
  UnionCache cache(20'000);
  for (index::TermId id = 0; id + 1 < kTerms; ++id) {
    const auto list = cache.of(segment, {id, id + 1}, index::kMainText);
    EXPECT_EQ(cache.of(segment, {id, id + 1}, index::kMainText)->list().count, list->list().count);
    EXPECT_LE(cache.bytes(), 20'000);
  }
  const auto first = cache.of(segment, {38, 39}, index::kMainText);
  EXPECT_EQ(cache.of(segment, {38, 39}, index::kMainText), first);  // kept
}

TEST(UnionCache, ServesManyThreads) {
  const test::TemporaryDirectory folder;
  const IndexPointer index =
      test::write_index(folder / "idx", test::random_collection(2000, kTerms, 8));
  const auto& segment = index->segments().front();
  UnionCache cache(10'000);
  std::vector<std::uint64_t> expected;
  for (index::TermId id = 0; id < 20; ++id) {
    expected.push_back(
        MadeList(*segment, std::vector<index::TermId>{id, id + 7}, index::kMainText).occurrences());
  }
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& errors : wrong) {
      threads.emplace_back([&] {
        for (index::TermId i = 0; i < 400; ++i) {
          const index::TermId id = i * 7 % 20;
          const auto list = cache.of(segment, {id, id + 7}, index::kMainText);
          errors += list->occurrences() == expected[id] ? 0 : 1;
        }
      });
    }
  }
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(MadeList, SumsDoNotWrap) {
  test::Collection collection;
  collection.lengths = {5, 5};
  collection.frequencies["a"] = {0xffffffffu, 1};
  collection.frequencies["b"] = {0xffffffffu, 2};
  const test::TemporaryDirectory folder;
  const IndexPointer index = test::write_index(folder / "idx", collection);
  const MadeList any(*index->segments().front(), std::vector<index::TermId>{0, 1},
                     index::kMainText);
  std::vector<std::uint32_t> frequencies(2);
  any.list().decode_frequencies(frequencies.data());
  EXPECT_THAT(frequencies, ElementsAre(0xffffffffu, 3));
}

}  // namespace
}  // namespace gannet::query
