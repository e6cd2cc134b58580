// Judged collections: effectiveness and the first query's hits against the values of an independent
// exact BM25.
#include <gtest/gtest.h>

#include <cstdlib>

#include "corpora/documents/documents.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "corpora/evaluation/qrels.hpp"
#include "corpora/topics/topics.hpp"
#include "index/builder.hpp"
#include "query/searcher.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

struct ReferenceHit {
  const char* document;
  double score;
};

struct Reference {
  const char* collection;
  std::size_t topics;  ///< how many of the topics file are used
  std::size_t queries;
  double map, ndcg10, precision10;
  std::vector<ReferenceHit> first_hits;  ///< of the first query
};

std::filesystem::path data_directory() {
  const char* set = std::getenv("GANNET_DATA");
  return set != nullptr ? set : std::string(test::kSourceFolder) + "/../shared/data";
}

class Judged : public testing::TestWithParam<Reference> {
 protected:
  void SetUp() override {
    directory_ = data_directory() / GetParam().collection;
    if (!std::filesystem::exists(directory_ / "docs.jsonl.zst")) {
      GTEST_SKIP() << "no judged collection at " << directory_ << " (set GANNET_DATA)";
    }
    const auto source =
        corpora::open_documents(corpora::DocumentFormat::kJsonl, {directory_ / "docs.jsonl.zst"});
    index::build_index(*source, built_.path() / "index", {});
    index_ = std::make_shared<const index::Index>(index::Index::open(built_.path() / "index"));
    topics_ = corpora::read_topics(directory_ / "queries.tsv");
    topics_.resize(std::min(topics_.size(), GetParam().topics));
  }

  /// Results of all topics, k = 1000, as one batch.
  Results search(const ScorerSpec& scorer = {}, unsigned threads = 0) const {
    SearcherOptions options;
    options.backend = BackendChoice::kCpu;
    options.cpu.threads = threads;
    Searcher searcher(index_, options);
    std::vector<Plan> plans;
    for (const corpora::Topic& topic : topics_) {
      Query query;
      query.text = topic.text;
      query.k = 1000;
      query.scorer = scorer;
      plans.push_back(searcher.plan(query, true));
    }
    return searcher.search(plans);
  }

  corpora::Run run_of(const Results& results) const {
    corpora::Run run;
    for (std::size_t i = 0; i < results.size(); ++i) {
      corpora::RankedList list{topics_[i].id, {}};
      for (const Hit hit : results[i].hits()) {
        const std::uint64_t rank = list.documents.size() + 1;
        list.documents.push_back({index_->document_id(hit.docid), rank, hit.score});
      }
      run.push_back(std::move(list));
    }
    return run;
  }

  /// The judgements of the topics that are used.
  corpora::Qrels qrels() const {
    const corpora::Qrels all = corpora::read_qrels(directory_ / "qrels.txt");
    corpora::Qrels used;
    for (const corpora::Topic& topic : topics_) {
      if (const auto found = all.find(topic.id); found != all.end()) used.insert(*found);
    }
    return used;
  }

  std::filesystem::path directory_;
  test::TemporaryDirectory built_;
  std::shared_ptr<const index::Index> index_;
  std::vector<corpora::Topic> topics_;
};

TEST_P(Judged, EffectivenessAndFirstHitsSlow) {
  const Reference& reference = GetParam();
  const Results results = search();
  const corpora::Evaluation evaluation = corpora::evaluate(run_of(results), qrels());
  EXPECT_EQ(evaluation.queries.size(), reference.queries);
  EXPECT_NEAR(evaluation.mean.average_precision, reference.map, 0.01);
  EXPECT_NEAR(evaluation.mean.at_cutoff(10).ndcg, reference.ndcg10, 0.01);
  EXPECT_NEAR(evaluation.mean.at_cutoff(10).precision, reference.precision10, 0.01);
  RecordProperty("MAP", std::to_string(evaluation.mean.average_precision));
  RecordProperty("nDCG@10", std::to_string(evaluation.mean.at_cutoff(10).ndcg));
  RecordProperty("P@10", std::to_string(evaluation.mean.at_cutoff(10).precision));

  ASSERT_GE(results[0].hits().size(), reference.first_hits.size());
  for (std::size_t i = 0; i < reference.first_hits.size(); ++i) {
    const Hit hit = results[0].hits()[i];
    EXPECT_EQ(index_->document_id(hit.docid), reference.first_hits[i].document);
    EXPECT_NEAR(hit.score, reference.first_hits[i].score, 0.002);
  }
}

/// No scorer is far from BM25, and none depends on how the work is divided.
TEST_P(Judged, ScorersAreEffectiveAndDeterministicSlow) {
  for (const ScorerInfo& scorer : all_scorers()) {
    const ScorerSpec spec = standard_scorer(scorer.id);
    const Results results = search(spec, 1);
    const Results again = search(spec, 2);
    ASSERT_EQ(results.docids, again.docids) << scorer.name;
    ASSERT_EQ(results.scores, again.scores) << scorer.name;
    if (scorer.id == ScorerId::kImpact) continue;  // sums of frequencies: no model of relevance
    const corpora::Evaluation evaluation = corpora::evaluate(run_of(results), qrels());
    EXPECT_GT(evaluation.mean.average_precision, 0.75 * GetParam().map) << scorer.name;
    EXPECT_LT(evaluation.mean.average_precision, 1.15 * GetParam().map) << scorer.name;
    RecordProperty("MAP_" + std::string(scorer.name),
                   std::to_string(evaluation.mean.average_precision));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Collections, Judged,
    testing::Values(Reference{"cranfield",
                              1000,
                              225,
                              0.2917,
                              0.3529,
                              0.2187,
                              {{"51", 22.786}, {"486", 21.664}, {"184", 19.133}}},
                    Reference{"cisi",
                              1000,
                              76,
                              0.1920,
                              0.3427,
                              0.3184,
                              {{"928", 29.351}, {"429", 28.127}, {"1090", 27.729}}},
                    Reference{"cacm",
                              1000,
                              52,
                              0.3094,
                              0.4616,
                              0.3327,
                              {{"1938", 23.958}, {"1410", 20.965}, {"1827", 20.627}}},
                    Reference{"med",
                              1000,
                              29,
                              0.5099,
                              0.6651,
                              0.6241,
                              {{"72", 11.217}, {"500", 11.016}, {"13", 10.990}}},
                    Reference{"medquad", 1000, 1000, 0.4477, 0.5151, 0.0759, {}}),
    [](const auto& test) { return std::string(test.param.collection); });

}  // namespace
}  // namespace gannet::query
