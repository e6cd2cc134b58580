// Phrases and windows in searches: matches, frequencies and score bits against all choices of
// places in every document, and all ways to search against one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/explain.hpp"
#include "query/plan/batch_statistics.hpp"
#include "query/plan/query_error.hpp"
#include "query/plan/synonyms.hpp"
#include "query/plan/word_expansions.hpp"
#include "query/results/join_results.hpp"
#include "query/scoring/scorer.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/phrases/phrase_queries.hpp"
#include "tests/support/query/phrases/prose.hpp"
#include "tests/support/query/text_queries.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using IndexPointer = std::shared_ptr<const index::Index>;

constexpr std::size_t kPhraseDocuments = 3000;

Searcher phrase_searcher(IndexPointer index, double bounds_bits = 2.5) {
  return Searcher(std::move(index),
                  {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = bounds_bits}});
}

/// The text with windows in the place of some of its words w0, w1, ...
std::string with_windows(const std::string& text, std::mt19937& random) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (text[at] == 'w' && end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    const std::string_view part = std::string_view(text).substr(at, end - at);
    if (part.size() > 1 && random() % 2 == 0) {
      made += test::random_window(random).text();
    } else {
      made += part;
    }
    at = end;
  }
  return made;
}

class PhraseSearch : public testing::Test {
 protected:
  PhraseSearch()
      : documents_(test::random_texts(kPhraseDocuments, 1, 7)),
        whole_(open("whole", {kPhraseDocuments})),
        parts_(open("parts", {700, 2000, kPhraseDocuments})) {}

  IndexPointer open(const std::string& name, const std::vector<std::size_t>& ends) const {
    return test::build_texts(folder_.path() / name, documents_, test::texts_schema(1), ends);
  }

  std::vector<Query> random_queries(unsigned seed, std::size_t number) const {
    test::TextQueries queries(1, seed);
    std::mt19937 random(seed);
    std::vector<Query> made;
    for (std::size_t i = 0; i < number; ++i) {
      made.push_back(queries.next());
      made.back().text = with_windows(made.back().text, random);
      if (made.back().scorer->id == ScorerId::kImpact) made.back().scorer.reset();
      made.back().want = i % 5 == 3 ? Want::kCount : i % 5 == 4 ? Want::kDocids : Want::kTopK;
    }
    return made;
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_;
  IndexPointer whole_, parts_;
};

/// Of one text: how often each document has something, and how often words are there at all.
struct PhraseFacts {
  PhraseFacts(const std::vector<test::TextsDocument>& documents, std::size_t text)
      : documents_(documents), text_(text) {
    for (const test::TextsDocument& document : documents) {
      std::uint32_t length = 0;
      for (const auto& [word, places] : test::places_of(document.texts[text])) {
        length += static_cast<std::uint32_t>(places.size());
        ++frequencies_[word];
      }
      lengths.push_back(length);
      collection.tokens += length;
      collection.having += text > 0 && length > 0 ? 1 : 0;
    }
    collection.documents = documents.size();
  }

  std::vector<std::uint32_t> counts(const test::WordsNear& window) const {
    std::vector<std::uint32_t> counts;
    for (const auto& document : documents_) counts.push_back(window.count(document.texts[text_]));
    return counts;
  }
  std::uint64_t documents_with(const std::string& word) const {
    const auto found = frequencies_.find(word);
    return found == frequencies_.end() ? 0 : found->second;
  }

  std::vector<std::uint32_t> lengths;
  CollectionStatistics collection;

 private:
  const std::vector<test::TextsDocument>& documents_;
  std::size_t text_;
  std::map<std::string, std::uint64_t> frequencies_;
};

/// Lucene's: constants for the sum of the words' idf. Others: of the window's own frequencies.
TermConstants expected_constants(const ScorerSpec& scorer, const PhraseFacts& facts,
                                 const test::WordsNear& window,
                                 const std::vector<std::uint32_t>& counts, float weight) {
  const bool sums = scorer.id == ScorerId::kBm25 || scorer.id == ScorerId::kBm25Plus ||
                    scorer.id == ScorerId::kTfIdf;
  TermStatistics own;
  for (const std::uint32_t count : counts) {
    own.documents += count > 0 ? 1 : 0;
    own.occurrences += count;
  }
  if (!sums) return term_constants(scorer, facts.collection, own, weight);
  double factor = 0, a = 0;
  for (const std::string& word : window.words) {
    const std::uint64_t df = facts.documents_with(word);
    const TermConstants one = term_constants(scorer, facts.collection, {df, df}, weight);
    factor += double{one.factor};
    a += double{one.a};
  }
  return {static_cast<float>(factor), static_cast<float>(a), 0};
}

TEST_F(PhraseSearch, AloneIsWhatEachDocumentHas) {
  const PhraseFacts main(documents_, 0);
  const PhraseFacts field(documents_, 1);
  const Searcher searcher = phrase_searcher(parts_);
  std::mt19937 random(11);
  std::size_t found = 0;
  for (int round = 0; round < 90; ++round) {
    const test::WordsNear window = test::random_window(random);
    const bool in_field = round % 4 == 3;
    const PhraseFacts& facts = in_field ? field : main;
    const auto& scorers = all_scorers();
    ScorerSpec scorer = standard_scorer(scorers[random() % scorers.size()].id);
    if (scorer.id == ScorerId::kImpact || scorer.id == ScorerId::kBm25F) scorer = bm25(0.9f, 0.4f);
    const float weight = round % 3 == 0 ? 2.5f : 1.0f;
    Query query;
    query.text = (in_field ? "f0:" : "contents:") + window.text() + (weight == 1 ? "" : "^2.5");
    query.k = kPhraseDocuments;
    query.scorer = scorer;
    SCOPED_TRACE(query.text + " by " + to_string(scorer));

    const std::vector<std::uint32_t> counts = facts.counts(window);
    const PlanConstants shared = plan_constants(scorer, facts.collection);
    const TermConstants own = expected_constants(scorer, facts, window, counts, weight);
    std::map<std::uint32_t, float> expected;
    for (std::uint32_t d = 0; d < counts.size(); ++d) {
      if (counts[d] > 0) expected[d] = contribution(shared, own, counts[d], facts.lengths[d]);
    }
    const Result result = searcher.search(query);
    ASSERT_EQ(result.docids.size(), expected.size());
    for (std::size_t i = 0; i < result.docids.size(); ++i) {
      ASSERT_TRUE(expected.contains(result.docids[i])) << result.docids[i];
      ASSERT_EQ(std::bit_cast<std::uint32_t>(result.scores[i]),
                std::bit_cast<std::uint32_t>(expected[result.docids[i]]))
          << result.docids[i];
    }
    query.want = Want::kCount;
    EXPECT_EQ(searcher.search(query).count, expected.size());
    found += expected.size();
    if (result.docids.empty()) continue;
    const Explanation why = explain(*parts_, searcher.plan(query), result.docids[0]);
    ASSERT_EQ(why.terms.size(), 1u);
    EXPECT_EQ(why.terms[0].frequency, counts[result.docids[0]]);
    EXPECT_EQ(why.terms[0].document_frequency, expected.size());
  }
  EXPECT_GT(found, 10'000u);
}

TEST_F(PhraseSearch, AllWaysToSearchFindTheSame) {
  const std::vector<Query> queries = random_queries(3, 250);
  const Searcher whole = phrase_searcher(whole_);
  const std::vector<Plan> plans = whole.plan(queries);
  const Results expected = whole.search(plans, nullptr, {.stop = {}, .exhaustive = true});
  std::size_t hits = 0, phrases = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    hits += expected[i].docids.size();
    phrases += plans[i].has_phrases() ? 1 : 0;
  }
  EXPECT_GT(hits, 10'000u);
  EXPECT_GT(phrases, 150u);
  for (const IndexPointer& index : {whole_, parts_}) {
    for (const double bits : {0.0, 2.5, 100.0}) {
      const Searcher searcher = phrase_searcher(index, bits);
      const std::vector<Plan> own = searcher.plan(queries);
      const Results found = searcher.search(own);
      const Results again = searcher.search(plans);  // of another index
      for (std::size_t i = 0; i < plans.size(); ++i) {
        SCOPED_TRACE(queries[i].text);
        test::expect_same(found[i], expected[i], own[i]);
        test::expect_same(again[i], expected[i], plans[i]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Deleted documents count for statistics, and are never found.
TEST_F(PhraseSearch, FindsNoDeletedDocuments) {
  const std::vector<bool> gone = test::random_deletions(kPhraseDocuments, 0.3, 5, 100, 400);
  const Searcher all = phrase_searcher(whole_);
  const Searcher live = phrase_searcher(test::with_deleted(*parts_, gone));
  std::vector<Query> queries = random_queries(4, 60);
  for (Query& query : queries) {
    query.k = kPhraseDocuments;
    if (query.want == Want::kCount) query.want = Want::kDocids;
    const Result everything = all.search(query);
    std::vector<std::uint32_t> docids;
    std::vector<float> scores;
    for (std::size_t i = 0; i < everything.docids.size(); ++i) {
      if (gone[everything.docids[i]]) continue;
      docids.push_back(everything.docids[i]);
      if (!everything.scores.empty()) scores.push_back(everything.scores[i]);
    }
    const Result found = live.search(query);
    EXPECT_TRUE(std::ranges::equal(found.docids, docids)) << query.text;
    EXPECT_TRUE(std::ranges::equal(found.scores, scores)) << query.text;
  }
}

/// Of shards, each of which plans with what it has.
TEST_F(PhraseSearch, ShardsFindWhatTheWholeFinds) {
  const std::vector<Query> queries = random_queries(6, 80);
  const Searcher whole = phrase_searcher(parts_);
  const std::vector<Plan> plans = whole.plan(queries);
  const Results expected = whole.search(plans);
  std::vector<Searcher> shards;
  std::vector<std::vector<Plan>> own;
  for (std::size_t s = 0; s < parts_->segments().size(); ++s) {
    shards.push_back(phrase_searcher(
        std::make_shared<const index::Index>(std::vector{parts_->segments()[s]}, parts_->analyzer(),
                                             parts_->defaults(), parts_->schema())));
    own.push_back(shards.back().plan(queries));
  }
  BatchStatistics sum(own[0]);
  for (std::size_t s = 1; s < own.size(); ++s) sum.add(BatchStatistics(own[s]));
  Results joined;
  for (std::size_t s = 0; s < own.size(); ++s) {
    const std::vector<Plan> exact = sum.apply(own[s]);
    Results found = shards[s].search(exact);
    renumber(found, parts_->docid_base(s));
    joined = s == 0 ? std::move(found) : join_results(exact, joined, found);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    SCOPED_TRACE(queries[i].text);
    test::expect_same(joined[i], expected[i], plans[i]);
    if (HasFatalFailure()) return;
  }
}

class Phrases : public testing::Test, public test::Prose {};

TEST_F(Phrases, OfProse) {
  build({"The boundary layer of a wing.", "Layers on the boundary; a boundary-layer.",
         "To be, or not to be: that is the question.", "X-ray tubes, and an x ray tube",
         "heat and mass transfer", "transfer of heat"});
  EXPECT_THAT(found("\"boundary layer\""), ElementsAre(0, 1)) << "stemmed as words are";
  EXPECT_THAT(found("+boundary -\"boundary layer\""), IsEmpty());
  EXPECT_THAT(found("\"to be or not to be\""), ElementsAre(2));
  EXPECT_THAT(found("\"be to\""), IsEmpty());
  EXPECT_THAT(found("\"x-ray tube\""), ElementsAre(3));
  EXPECT_THAT(found("#uw4(x-ray tube)"), ElementsAre(3));
  EXPECT_THAT(found("\"heat transfer\""), IsEmpty());
  EXPECT_THAT(found("\"heat transfer\"~1"), IsEmpty());
  EXPECT_THAT(found("\"heat transfer\"~2"), ElementsAre(4));
  EXPECT_THAT(found("\"heat transfer\"~3"), ElementsAre(4, 5));
  EXPECT_THAT(found("#od3(heat transfer)"), ElementsAre(4));
  EXPECT_THAT(found("#uw3(heat transfer)"), ElementsAre(5));
  EXPECT_THAT(found("heat NEAR/2 transfer"), ElementsAre(5));
  EXPECT_THAT(found("transfer NEAR/3 heat"), ElementsAre(4, 5));
  EXPECT_THAT(found("transfer ONEAR/3 heat"), ElementsAre(5));
  EXPECT_THAT(found("\"heat transfer\"~3 AND mass"), ElementsAre(4));
  EXPECT_THAT(found("\"heat transfer\"~3 OR \"boundary layer\""), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(found("+\"heat transfer\"~3 -(mass ONEAR/1 transfer)"), ElementsAre(5));
  EXPECT_THAT(found("\"boundary\""), ElementsAre(0, 1)) << "a phrase of one word";
  EXPECT_THAT(found("\"boundary nowhere\""), IsEmpty());
  EXPECT_THAT(found("\"...\""), IsEmpty());
  EXPECT_THAT(found("contents:\"boundary layer\"^2"), ElementsAre(0, 1));
  EXPECT_THAT(found("f0:\"boundary layer\""), IsEmpty());
}

/// A dropped word takes its place, in documents and in phrases.
TEST_F(Phrases, WithStopWords) {
  index::AnalyzerConfig analyzer;
  analyzer.stopwords = "english";
  build({"lord of the rings", "lord rings", "lord of rings", "the lord"}, analyzer);
  EXPECT_THAT(found("\"lord of the rings\""), ElementsAre(0));
  EXPECT_THAT(found("\"lord in a rings\""), ElementsAre(0)) << "any word that is dropped";
  EXPECT_THAT(found("\"lord rings\""), ElementsAre(1));
  EXPECT_THAT(found("\"lord rings\"~1"), ElementsAre(1, 2));
  EXPECT_THAT(found("\"the lord of rings\""), ElementsAre(2));
  EXPECT_THAT(found("\"the lord of\""), ElementsAre(0, 1, 2, 3)) << "one word is left";
  EXPECT_THAT(found("lord \"of the\""), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(found("#od1(lord of the rings)"), ElementsAre(0));
  EXPECT_THAT(found("#od3(lord of rings)"), ElementsAre(0, 2));
  EXPECT_THAT(found("#uw3(lord of the rings)"), ElementsAre(1, 2)) << "what is dropped is left out";
  EXPECT_EQ(plan("\"lord of the rings\"").terms()[0].text, "\"lord ? ? ring\"");
}

TEST_F(Phrases, OfWordsWithSynonyms) {
  build({"swept wing", "swept aerofoil", "swept back wing", "aerofoil swept"});
  Query query;
  query.synonyms =
      std::make_shared<const Synonyms>(parse_synonyms("wing, aerofoil\n", "synonyms"), *index_);
  EXPECT_THAT(found("\"swept wing\""), ElementsAre(0));
  EXPECT_THAT(found("\"swept wing\"", query), ElementsAre(0, 1));
  EXPECT_THAT(found("\"swept aerofoil\"~1", query), ElementsAre(0, 1, 2));
}

TEST_F(Phrases, WithTheBeginningOfTheLastWord) {
  build({"solar power", "solar powered cars", "solar cells", "power solar", "solar pow"});
  EXPECT_THAT(found("\"solar pow*\""), ElementsAre(0, 1, 4));
  EXPECT_THAT(found("\"solar pow*\"~2"), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(found("\"solar nowh*\""), IsEmpty());
  EXPECT_THAT(found("\"pow*\""), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(error("\"so* power\""), HasSubstr("query, column 4: in a phrase '*' stands behind"));
  EXPECT_THAT(error("\"solar *ower\""), HasSubstr("query, column 8"));
  EXPECT_EQ(plan("\"solar pow*\"").terms()[0].text, "\"solar pow*\"");
}

/// What the analyzer separates in it are words of the phrase.
TEST_F(Phrases, WithTheBeginningOfAWordThatIsSeparated) {
  build({"an x-ray tube", "an x ramp", "an x of rays", "xray"});
  EXPECT_THAT(found("\"x-ra*\""), ElementsAre(0, 1));
  EXPECT_THAT(found("\"an x-ra*\""), ElementsAre(0, 1));
  EXPECT_EQ(plan("\"an x-ra*\"").terms()[0].text, "\"an x ra*\"");
  EXPECT_THAT(error("\"an ra—*\""), HasSubstr("query, column 5: no term of this index"));
  const std::vector<Query> queries{{.text = "\"an x-ra*\"", .search_fields = {{"contents", 1}}}};
  const WordExpansions words = expand_words(*index_, queries);
  ASSERT_EQ(words.words().size(), 1u);
  EXPECT_EQ(words.words().begin()->first.word, "ra*");
  EXPECT_THAT(words.words().begin()->second.terms, ElementsAre("ramp", "ray"));
  Query given = queries.front();
  given.expansions = std::make_shared<const WordExpansions>(words);
  EXPECT_THAT(found("\"an x-ra*\"", given), ElementsAre(0, 1));
}

/// Terms may have blanks, so phrases of different words may be called alike.
TEST_F(Phrases, OfTermsWithBlanksAreToldApart) {
  const auto phrase = [](const std::string& one, const std::string& other) {
    return Phrase{{{.any_of = {one}}, {.any_of = {other}}}, {WindowKind::kNear, 0, {0, 1}}};
  };
  const Phrase left = phrase("a b", "c");
  const Phrase right = phrase("a", "b c");
  EXPECT_EQ(phrase_text(left), phrase_text(right));
  EXPECT_NE(phrase_key(left), phrase_key(right));
  Plan::Parts parts;
  parts.collection = {10, 100};
  for (const Phrase& one : {left, right}) {
    parts.terms.push_back(phrase_term(Phrase(one)));
    parts.terms.back().weight = 1;
    parts.terms.back().document_frequency = parts.terms.size();
  }
  parts.expression = {{Node::Kind::kTerm, 0}, {Node::Kind::kTerm, 1}, {Node::Kind::kOr, 2}};
  const Plan both(std::move(parts));
  const BatchStatistics numbers(std::span(&both, 1));
  const std::vector<Plan> applied = numbers.apply(std::span(&both, 1));
  EXPECT_EQ(applied[0].terms()[0].document_frequency, 1u);
  EXPECT_EQ(applied[0].terms()[1].document_frequency, 2u);
}

TEST_F(Phrases, WithoutPositionsAreAnError) {
  build({"boundary layer"}, {}, false);
  EXPECT_THAT(error("wing \"boundary layer\""),
              AllOf(HasSubstr("query, column 7"), HasSubstr("without --no-positions")));
  EXPECT_THAT(error("boundary NEAR/2 layer"), HasSubstr("without --no-positions"));
  EXPECT_THAT(found("boundary layer"), ElementsAre(0));
}

TEST_F(Phrases, HaveAtMostSoManyWords) {
  std::string most;
  for (std::uint32_t i = 0; i < kMaxWindowWords; ++i) most += "w" + std::to_string(i) + " ";
  build({most + "end", "w0 w1"});
  EXPECT_THAT(found('"' + most + '"'), ElementsAre(0));
  EXPECT_THAT(found('"' + most + "\"~9"), ElementsAre(0));
  EXPECT_THAT(found('"' + most + "end\""), ElementsAre(0)) << "which has more words";
  EXPECT_THAT(error('"' + most + "end\"~9"), HasSubstr("at most 32 words, not 33"));
  EXPECT_THAT(error("#uw99(" + most + "end)"), HasSubstr("at most 32 words, not 33"));
}

/// The beginning of a word may stand for as many terms as a phrase has; with another word there is
/// one too many.
TEST_F(Phrases, HaveAtMostSoManyTerms) {
  std::string words = "solar ";
  for (std::uint32_t i = 0; i < Query::kMaxExpansions; ++i) words += "w" + std::to_string(i) + " ";
  build({words});
  const Query query{.max_expansions = Query::kMaxExpansions};
  EXPECT_THAT(found("w*", query), ElementsAre(0));
  EXPECT_THAT(test::message_of<QueryError>([&] { found("\"solar w*\"", query); }),
              AllOf(HasSubstr("query, column 2: the words of 'solar w*' stand for 65537 terms"),
                    HasSubstr("65536 at most; write more of the last word")));
}

TEST_F(Phrases, AreNamedInPlans) {
  build({"heat and mass transfer"});
  const auto name = [&](const std::string& text) { return plan(text).terms()[0].text; };
  EXPECT_EQ(name("\"heat transfer\""), "\"heat transfer\"");
  EXPECT_EQ(name("#od1(heat transfer)"), "\"heat transfer\"") << "they are the same";
  EXPECT_EQ(name("heat ONEAR/1 transfer"), "\"heat transfer\"");
  EXPECT_EQ(name("\"heat transfer\"~2"), "\"heat transfer\"~2");
  EXPECT_EQ(name("#od3(heat transfer)"), "#od3(heat transfer)");
  EXPECT_EQ(name("#uw3(heat transfer)"), "#uw3(heat transfer)");
  EXPECT_EQ(name("heat NEAR/2 transfer"), "#uw3(heat transfer)");
  EXPECT_EQ(name("heat ONEAR/2 transfer"), "ONEAR/2(heat transfer)");
  const Plan both = plan("\"heat transfer\"~2 mass \"heat transfer\"~2^3");
  ASSERT_EQ(both.terms().size(), 2u);
  EXPECT_EQ(both.terms()[0].weight, 4.0f) << "the weights of a repeated phrase add up";
  EXPECT_THAT(to_string(both), HasSubstr("of words in 1, 1 documents"));
}

TEST_F(Phrases, OfPlansThatAreMadeByHand) {
  build({"a b", "b a", "a c b"});
  const auto made = [] {
    Plan::Parts parts;
    parts.collection = {3, 7};
    QueryTerm term =
        phrase_term({{{.any_of = {"a"}}, {.any_of = {"b"}}}, {WindowKind::kNear, 1, {0, 1}}});
    term.weight = 1;
    term.document_frequency = 2;
    parts.terms.push_back(term);
    parts.expression = {{Node::Kind::kTerm, 0}};
    return parts;
  };
  const Plan plan{made()};
  const Results results = phrase_searcher(index_).search(std::span(&plan, 1));
  EXPECT_THAT(std::vector<std::uint32_t>(results.docids.begin(), results.docids.end()),
              ElementsAre(0, 2));
  const auto error_with = [&](auto change) {
    Plan::Parts wrong = made();
    change(wrong.terms[0]);
    return test::message_of<UsageError>([&] { Plan(std::move(wrong)); });
  };
  EXPECT_THAT(error_with([](QueryTerm& term) { term.phrase.words.pop_back(); }),
              HasSubstr("2 to 32 words"));
  EXPECT_THAT(error_with([](QueryTerm& term) {
                term.phrase.window.places = {0, 1, 2};
              }),
              HasSubstr("a place for each word"));
  EXPECT_THAT(error_with([](QueryTerm& term) {
                term.phrase.window.places = {1, 0};
              }),
              HasSubstr("ascend from 0"));
  EXPECT_THAT(error_with([](QueryTerm& term) { term.phrase.words[0].any_of = {}; }),
              HasSubstr("no term"));
  EXPECT_THAT(error_with([](QueryTerm& term) {
                term.any_of = {"a", "c"};
              }),
              HasSubstr("not those of its words"));
  EXPECT_THAT(error_with([](QueryTerm& term) { term.phrase.words[0].document_frequency = 9; }),
              HasSubstr("than there are"));
}

}  // namespace
}  // namespace gannet::query
