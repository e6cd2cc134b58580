#include "tests/soak/expressions/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <span>
#include <sstream>

#include "query/plan/synonyms.hpp"
#include "query/results/hits.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/soak/expressions/reference.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::oracle {
namespace {

using query::BackendChoice;
using query::Hit;
using query::Want;

/// A searcher, and how it is asked.
struct Engine {
  std::string name;
  query::Searcher searcher;
  bool exhaustive;
  std::size_t most_at_once;  ///< plans; 0: all
};

query::SearcherOptions cpu_options(double bits, unsigned threads) {
  query::SearcherOptions options;
  options.backend = BackendChoice::kCpu;
  options.cpu.threads = threads;
  options.cpu.bounds_bits = bits;
  options.cpu.bitmap_bits = bits;
  return options;
}

std::vector<Engine> cpu_engines(const std::shared_ptr<const index::Index>& index) {
  std::vector<Engine> made;
  made.push_back(
      {"cpu, bounds of all lists", query::Searcher(index, cpu_options(1000, 1)), false, 0});
  made.push_back({"cpu, exhaustive", query::Searcher(index, cpu_options(1000, 2)), true, 70});
  query::SearcherOptions some = cpu_options(6, 2);
  some.cpu.candidate_filters = 0;
  made.push_back(
      {"cpu, bounds of some lists, filters on candidates", query::Searcher(index, some), false, 9});
  query::SearcherOptions other = cpu_options(1000, 2);
  other.cpu.candidate_filters = 2;
  other.cpu.filter_bytes = 0;
  other.cpu.simd = codecs::SimdLevel{};
  made.push_back({"cpu, no vectors, bitmaps of filters", query::Searcher(index, other), false, 1});
  made.push_back({"cpu, no bounds", query::Searcher(index, cpu_options(0, 2)), false, 0});
  return made;
}

std::vector<Engine> cuda_engines(const std::shared_ptr<const index::Index>& index) {
  query::SearcherOptions options;
  options.backend = BackendChoice::kCuda;
  options.cuda.pool_bytes = std::uint64_t{256} << 20;
  options.cuda.index_bytes = std::uint64_t{256} << 20;
  options.cuda.bounds_bits = 1000;
  options.cuda.bitmap_bits = 1000;
  options.cuda.column_documents = 0;
  options.cuda.filter_searches = 4;
  std::vector<Engine> made;
  made.push_back({"cuda, bounds of all lists", query::Searcher(index, options), false, 0});
  options.cuda.bounds_bits = 2.5;
  options.cuda.bitmap_bits = 2.5;
  options.cuda.candidate_filters = 0;
  made.push_back({"cuda, bounds of some lists, filters on candidates",
                  query::Searcher(index, options), false, 90});
  options.cuda.candidate_filters = 2;
  made.push_back({"cuda, exhaustive", query::Searcher(index, options), true, 300});
  return made;
}

/// What the reference says of a question, ranked.
struct Expected {
  std::vector<Hit> hits;              ///< all of them, best first
  std::vector<std::uint32_t> docids;  ///< ascending
  Reference::Answer answer;
};

Expected expected_of(const Reference& reference, const Question& question) {
  Expected made;
  made.answer = reference.answer(question);
  for (std::uint32_t d = 0; d < made.answer.matches.size(); ++d) {
    if (made.answer.matches[d] == 0) continue;
    made.docids.push_back(d);
    made.hits.push_back({d, made.answer.scores[d]});
  }
  std::ranges::stable_sort(made.hits, [](const Hit& a, const Hit& b) { return a.score > b.score; });
  return made;
}

/// Where the scores of the library's formulas are not those of the formulas in double.
std::string formula_problem(const Expected& expected) {
  const std::vector<double>& approximate = expected.answer.approximate;
  for (std::size_t d = 0; d < approximate.size(); ++d) {
    const double score = expected.answer.scores[d];
    if (std::abs(score - approximate[d]) <= 1e-2 + 1e-3 * std::abs(approximate[d])) continue;
    return "document " + std::to_string(d) + " has the score " + std::to_string(score) +
           ", by the formula " + std::to_string(approximate[d]);
  }
  return {};
}

/// A plan that is run, and its hits.
struct Task {
  std::size_t question;
  query::Plan plan;
  std::size_t first = 0;  ///< of the expected hits; of a page that is not the first
};

/// Asks questions, all of them in each way.
class Asking {
 public:
  Asking(const Reference& reference, const std::vector<Engine>& engines,
         const std::vector<Question>& questions, unsigned seed, Compared& compared)
      : collection_(reference.collection()),
        questions_(questions),
        engines_(engines),
        reference_(reference),
        random_(seed),
        compared_(compared) {}

  std::optional<Difference> run() {
    if (auto difference = prepare()) return difference;
    for (const Engine& engine : engines_) {
      if (auto difference = search(engine)) return difference;
    }
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const bool some = questions_.size() == 1 || random_() % 6 == 0;
      if (!some) continue;
      ++compared_.columns;
      for (const Engine& engine : engines_) {
        if (auto difference = search_columns(engine, q)) return difference;
      }
    }
    return {};
  }

 private:
  std::optional<Difference> prepare() {
    const query::Searcher& searcher = engines_.front().searcher;
    const auto synonyms = std::make_shared<const query::Synonyms>(
        query::parse_synonyms(kSynonymRules, "rules"), searcher.index());
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const Question& question = questions_[q];
      Expected& expected = expected_.emplace_back(expected_of(reference_, question));
      ++compared_.questions;
      if (!expected.docids.empty()) ++compared_.with_matches;
      if (std::string problem = formula_problem(expected); !problem.empty()) {
        return Difference{q, std::move(problem)};
      }
      try {
        const query::Plan plan = searcher.plan(to_query(question, searcher.index(), synonyms));
        tasks_.push_back({q, plan});
        tasks_.push_back({q, plan.with_want(Want::kCount)});
        tasks_.push_back({q, plan.with_want(Want::kDocids)});
        if (question.page && !expected.hits.empty()) tasks_.push_back(page(q, plan));
        plans_.push_back(plan);
      } catch (const std::exception& error) {
        return Difference{q, std::string("planning: ") + error.what()};
      }
    }
    return {};
  }

  Task page(std::size_t q, const query::Plan& plan) const {
    const std::vector<Hit>& hits = expected_[q].hits;
    const auto last =
        static_cast<std::size_t>(*questions_[q].page * static_cast<double>(hits.size()));
    const query::PageStart start =
        questions_[q].page_known ? page_after(hits[last], last + 1) : query::page_after(hits[last]);
    return {q, plan.with_page(start), last + 1};
  }

  /// All tasks, in batches of random sizes, in a random order.
  std::optional<Difference> search(const Engine& engine) {
    std::vector<std::size_t> order(tasks_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    for (std::size_t begin = 0; begin < order.size();) {
      const std::size_t left = order.size() - begin;
      const std::size_t size =
          engine.most_at_once == 0 ? left : std::min(left, 1 + random_() % engine.most_at_once);
      if (auto difference = search(engine, std::span(order).subspan(begin, size))) {
        return difference;
      }
      begin += size;
    }
    return {};
  }

  std::optional<Difference> search(const Engine& engine, std::span<const std::size_t> numbers) {
    std::vector<query::Plan> plans;
    for (const std::size_t number : numbers) plans.push_back(tasks_[number].plan);
    query::Results results;
    try {
      query::Report report;
      results = engine.searcher.search(plans, &report, {.exhaustive = engine.exhaustive});
      compared_.ranges_skipped += report.ranges_total - report.ranges_searched;
      compared_.host_plans += report.host_plans.total();
    } catch (const std::exception& error) {
      return Difference{tasks_[numbers.front()].question, engine.name + ": " + error.what()};
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Task& task = tasks_[numbers[i]];
      std::string problem = problem_of(task, results[i]);
      ++compared_.answers;
      if (problem.empty()) continue;
      return Difference{task.question, engine.name + ", a batch of " +
                                           std::to_string(numbers.size()) + ": " + problem + "\n" +
                                           to_string(task.plan)};
    }
    return {};
  }

  std::string problem_of(const Task& task, const query::ResultView& found) const {
    const Expected& expected = expected_[task.question];
    std::ostringstream problem;
    if (task.plan.want() != Want::kTopK) {
      const bool counts = task.plan.want() == Want::kCount;
      if (found.count != expected.docids.size()) {
        problem << (counts ? "counts " : "docids: ") << found.count << " documents, not "
                << expected.docids.size();
      } else if (!counts && !std::ranges::equal(found.docids, expected.docids)) {
        problem << "other docids";
      }
      return problem.str();
    }
    const std::size_t all = expected.hits.size() - std::min(task.first, expected.hits.size());
    const std::size_t wanted = std::min<std::size_t>(task.plan.k(), all);
    const char* const what = task.first > 0 ? "page: " : "hits: ";
    for (std::size_t i = 0; i < std::min(wanted, found.docids.size()); ++i) {
      const Hit hit = expected.hits[task.first + i];
      const Hit own = found.hits()[i];
      if (hit.docid == own.docid && same_bits(hit.score, own.score)) continue;
      problem << what << "number " << i << " is document " << own.docid << " with " << std::hexfloat
              << own.score << ", not " << hit.docid << " with " << hit.score;
      return problem.str();
    }
    if (found.docids.size() != wanted) {
      problem << what << found.docids.size() << " of them, not " << wanted;
    }
    return problem.str();
  }

  static bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }

  std::optional<Difference> search_columns(const Engine& engine, std::size_t q) {
    try {
      query::ColumnQuery wanted;
      wanted.k = questions_[q].k;
      wanted.facets = {{"tag", 3}, {"year", 40}};
      wanted.aggregates = {"year"};
      const query::SearchOptions how{.exhaustive = engine.exhaustive};
      const query::ColumnResults plain =
          query::search_columns(engine.searcher, plans_[q], wanted, {.threads = 2}, nullptr, how);
      wanted.sort = {{.field = "year", .descending = true}, {.field = "", .descending = true}};
      const query::ColumnResults sorted =
          query::search_columns(engine.searcher, plans_[q], wanted, {.threads = 2}, nullptr, how);
      for (const query::ColumnResults* results : {&plain, &sorted}) {
        std::string problem = column_problem(q, *results);
        if (problem.empty()) problem = hits_problem(q, *results, results == &sorted);
        if (problem.empty()) continue;
        return Difference{q, engine.name + ", columns: " + problem + "\n" + to_string(plans_[q])};
      }
    } catch (const std::exception& error) {
      return Difference{q, engine.name + ", columns: " + error.what()};
    }
    return {};
  }

  const Document& document(std::uint32_t docid) const { return collection_.documents[docid]; }

  /// By the value, as facets have them: most first, equal ones in the order of the values.
  template <class Value, class Text>
  static std::vector<query::FacetValue> by_count(const std::map<Value, std::uint64_t>& counts,
                                                 Text text) {
    std::vector<query::FacetValue> values;
    for (const auto& [value, count] : counts) values.push_back({text(value), count});
    std::ranges::stable_sort(values, std::greater<>(), &query::FacetValue::count);
    return values;
  }

  static std::string facet_problem(const query::Facet& facet, std::uint32_t most,
                                   std::vector<query::FacetValue> values, std::uint64_t missing) {
    std::uint64_t others = 0;
    for (; values.size() > most; values.pop_back()) others += values.back().count;
    if (facet.values == values && facet.others == others && facet.missing == missing) return {};
    return "the facet of " + facet.field;
  }

  std::string column_problem(std::size_t q, const query::ColumnResults& results) const {
    const std::vector<std::uint32_t>& docids = expected_[q].docids;
    if (results.count != docids.size()) return "the count " + std::to_string(results.count);
    std::map<char, std::uint64_t> tags;
    std::map<std::int32_t, std::uint64_t> years;
    std::int64_t sum = 0;
    std::uint64_t without_tags = 0;
    std::uint64_t without_year = 0;
    for (const std::uint32_t docid : docids) {
      const Document& own = document(docid);
      for (const char tag : own.tags) ++tags[tag];
      without_tags += own.tags.empty() ? 1 : 0;
      without_year += own.year ? 0 : 1;
      if (!own.year) continue;
      ++years[*own.year];
      sum += *own.year;
    }
    std::string problem =
        facet_problem(results.facets[0], 3,
                      by_count(tags, [](char tag) { return std::string(1, tag); }), without_tags);
    if (problem.empty()) {
      problem = facet_problem(results.facets[1], 40,
                              by_count(years, [](std::int32_t y) { return std::to_string(y); }),
                              without_year);
    }
    if (!problem.empty()) return problem;
    const query::Aggregate& own = results.aggregates[0];
    const bool some = !years.empty();
    const bool same =
        own.documents == docids.size() - without_year && own.missing == without_year &&
        own.values == own.documents && own.distinct == years.size() &&
        own.min == (some ? std::optional(std::to_string(years.begin()->first)) : std::nullopt) &&
        own.max == (some ? std::optional(std::to_string(years.rbegin()->first)) : std::nullopt) &&
        own.sum == std::to_string(sum);
    return same ? "" : "the aggregate of year";
  }

  std::string hits_problem(std::size_t q, const query::ColumnResults& results, bool sorted) const {
    std::vector<Hit> hits = expected_[q].hits;
    if (sorted) {
      std::ranges::stable_sort(hits, [&](const Hit& a, const Hit& b) {
        return document(a.docid).year > document(b.docid).year;  // none is less than all
      });
    }
    if (hits.size() > questions_[q].k) hits.resize(questions_[q].k);
    const bool same = std::ranges::equal(results.hits, hits, [](const Hit& a, const Hit& b) {
      return a.docid == b.docid && same_bits(a.score, b.score);
    });
    return same ? "" : sorted ? "sorted hits" : "hits";
  }

  const Collection& collection_;
  const std::vector<Question>& questions_;
  const std::vector<Engine>& engines_;
  const Reference& reference_;
  std::mt19937 random_;
  Compared& compared_;
  std::vector<Expected> expected_;
  std::vector<query::Plan> plans_;  ///< by question
  std::vector<Task> tasks_;
};

}  // namespace

struct Comparison::Parts {
  Parts(Collection given, BackendChoice backend)
      : collection(std::move(given)),
        reference(collection),
        engines(engines_on(backend, build(collection, folder / "index"))) {}

  static std::vector<Engine> engines_on(BackendChoice backend,
                                        const std::shared_ptr<const index::Index>& index) {
    return backend == BackendChoice::kCpu ? cpu_engines(index) : cuda_engines(index);
  }

  const test::TemporaryDirectory folder;
  const Collection collection;
  const Reference reference;
  const std::vector<Engine> engines;
};

Comparison::Comparison(Collection collection, BackendChoice backend)
    : parts_(std::make_unique<Parts>(std::move(collection), backend)) {}

Comparison::~Comparison() = default;

std::optional<Difference> Comparison::run(const std::vector<Question>& questions, unsigned seed,
                                          Compared& compared) const {
  return Asking(parts_->reference, parts_->engines, questions, seed, compared).run();
}

}  // namespace gannet::oracle
