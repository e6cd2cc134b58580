#include "tests/soak/model/checks.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "index/verify.hpp"
#include "query/search_columns.hpp"
#include "tests/soak/model/brute_force.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::soak {
namespace {

std::uint32_t bits(float score) { return std::bit_cast<std::uint32_t>(score); }

std::uint32_t most_number(const Snapshot& snapshot) {
  std::uint32_t most = 0;
  for (const VersionPointer& version : snapshot.documents) most = std::max(most, version->number);
  return most;
}

/// The first thing in which two results differ; empty if nothing.
std::string difference(const query::ResultView& found, const query::ResultView& expected) {
  if (found.count != expected.count) {
    return std::to_string(found.count) + " found, not " + std::to_string(expected.count);
  }
  if (found.docids.size() != expected.docids.size()) {
    return std::to_string(found.docids.size()) + " docids, not " +
           std::to_string(expected.docids.size());
  }
  for (std::size_t i = 0; i < expected.docids.size(); ++i) {
    const query::Hit here = found.hits()[static_cast<std::ptrdiff_t>(i)];
    const query::Hit there = expected.hits()[static_cast<std::ptrdiff_t>(i)];
    if (here.docid == there.docid && bits(here.score) == bits(there.score)) continue;
    return "hit " + std::to_string(i) + " is document " + std::to_string(here.docid) + " with " +
           std::to_string(here.score) + ", not " + std::to_string(there.docid) + " with " +
           std::to_string(there.score);
  }
  return {};
}

query::ResultView view_of(const query::Result& result) {
  return {result.count, result.docids, result.scores};
}

void expect_same(const query::ResultView& found, const query::ResultView& expected,
                 const std::string& asked) {
  const std::string what = difference(found, expected);
  if (!what.empty()) throw Failure(asked + ": " + what);
}

}  // namespace

query::Searcher searcher_of(std::shared_ptr<const index::Index> index, std::mt19937& random,
                            query::BackendChoice backend) {
  constexpr double kBits[] = {0, 2.5, 1000};
  query::SearcherOptions options{.backend = backend};
  options.cpu.threads = 1 + random() % 2;
  options.cpu.bounds_bits = kBits[random() % std::size(kBits)];
  options.cpu.bitmap_bits = kBits[random() % std::size(kBits)];
  return query::Searcher(std::move(index), options);
}

void check_answers(const query::Searcher& searcher, const Snapshot& snapshot, std::mt19937& random,
                   unsigned questions) {
  const BruteForce model(snapshot);
  std::vector<Question> asked;
  std::vector<query::Plan> plans;
  for (unsigned i = 0; i < questions; ++i) {
    asked.push_back(random_question(random, most_number(snapshot)));
    plans.push_back(searcher.plan(to_query(asked.back())));
  }
  const query::Results results = searcher.search(plans);
  for (unsigned i = 0; i < questions; ++i) {
    expect_same(results[i], view_of(model.answer(asked[i])), to_string(asked[i]));
  }
  if (asked.empty()) return;
  const query::Result alone = searcher.search(to_query(asked.front()));
  expect_same(view_of(alone), results[0], to_string(asked.front()) + ", asked alone");
}

void check_columns(const query::Searcher& searcher, const Snapshot& snapshot,
                   std::mt19937& random) {
  const BruteForce model(snapshot);
  const Question question = random_question(random, most_number(snapshot));
  std::vector<std::uint32_t> numbers;
  std::map<std::string, std::uint64_t> tags;
  std::uint64_t missing = 0;
  for (std::size_t d = 0; d < snapshot.documents.size(); ++d) {
    if (!model.matches(question, d)) continue;
    const Version& version = *snapshot.documents[d];
    numbers.push_back(version.number);
    if (version.tag) ++tags['t' + std::to_string(*version.tag)];
    if (!version.tag) ++missing;
  }
  std::ranges::sort(numbers, std::greater());
  const query::ColumnQuery wanted{
      .sort = {{.field = "n", .descending = true}}, .k = 20, .facets = {{"tag", 100}}};
  const query::ColumnResults found =
      search_columns(searcher, searcher.plan(to_query(question)), wanted, {.threads = 2});
  const std::string asked = to_string(question) + " by columns: ";
  if (found.count != numbers.size()) throw Failure(asked + std::to_string(found.count) + " found");
  if (found.hits.size() != std::min<std::size_t>(20, numbers.size())) {
    throw Failure(asked + std::to_string(found.hits.size()) + " hits");
  }
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    if (snapshot.documents[found.hits[i].docid]->number == numbers[i]) continue;
    throw Failure(asked + "hit " + std::to_string(i) + " is not number " +
                  std::to_string(numbers[i]));
  }
  const query::Facet& facet = found.facets.front();
  bool same = facet.missing == missing && facet.values.size() == tags.size();
  for (const query::FacetValue& value : facet.values) {
    same = same && tags.contains(value.text) && tags.at(value.text) == value.count;
  }
  if (!same) throw Failure(asked + "other counts of tags");
}

void check_against_one_build(std::shared_ptr<const index::Index> index, const Snapshot& snapshot,
                             std::mt19937& random, unsigned questions,
                             query::BackendChoice backend) {
  constexpr const char* kScorers[] = {"bm25",      "bm25f",          "bm25plus",
                                      "dirichlet", "jelinek-mercer", "pl2"};
  const test::TemporaryDirectory folder;
  VersionSource source(snapshot.documents, true);
  build_index(source, folder / "whole", build_options());
  std::vector<bool> gone(snapshot.live.size());
  for (std::size_t d = 0; d < gone.size(); ++d) gone[d] = !snapshot.live[d];
  const query::Searcher whole =
      searcher_of(test::with_deleted(index::Index::open(folder / "whole"), gone), random);
  const query::Searcher parts = searcher_of(std::move(index), random, backend);
  std::vector<Question> asked;
  std::vector<query::Plan> plans, plans_of_whole;
  for (unsigned i = 0; i < questions; ++i) {
    asked.push_back(random_question(random, most_number(snapshot)));
    query::Query query = to_query(asked.back());
    query.scorer = query::parse_scorer(kScorers[random() % std::size(kScorers)], "", {});
    if (random() % 2 == 0) query.search_fields.push_back({"title", 2});
    plans.push_back(parts.plan(query));
    plans_of_whole.push_back(whole.plan(query));
  }
  const query::Results expected =
      whole.search(plans_of_whole, nullptr, {.stop = {}, .exhaustive = true});
  const query::Results found = parts.search(plans);
  for (unsigned i = 0; i < questions; ++i) {
    expect_same(found[i], expected[i],
                to_string(asked[i]) + " beside one build\n" + query::to_string(plans[i]));
  }
}

void check_directory(const std::filesystem::path& directory, const Archive& archive,
                     const Documents& expected, std::mt19937& random) {
  const index::VerifyReport verified = index::verify_index(directory, 1);
  if (!verified.problems.empty()) throw Failure("damaged: " + verified.problems.front());
  const auto index = std::make_shared<const index::Index>(index::Index::open(directory));
  const Snapshot snapshot = read_snapshot(*index, archive);
  expect_documents(snapshot.alive(), expected);
  check_answers(searcher_of(index, random), snapshot, random, 4);
}

}  // namespace gannet::soak
