// Work that takes memory of a device in every way: plans of all kinds, with filters, and columns.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/random_fields.hpp"

namespace gannet::test {

inline constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

/// Fields for MemoryWork, of so many documents: a year, any number of 32 bits, a tag.
inline std::vector<FakeField> memory_fields(std::uint32_t documents, unsigned seed) {
  Random random(seed);
  FakeField year{{.name = "year", .type = index::FieldType::kInteger, .bits = 32}, {}, {}};
  FakeField number{{.name = "n", .type = index::FieldType::kInteger, .bits = 32}, {}, {}};
  FakeField tag{{.name = "tag", .type = index::FieldType::kKeyword}, {}, {}};
  for (std::uint32_t d = 0; d < documents; ++d) {
    year.keys.push_back({signed_key(1990 + below(random, 30))});
    number.keys.push_back({signed_key(below(random, 0x7fffffff))});
    tag.texts.emplace_back();
    if (below(random, 20) != 0)
      tag.texts.back().push_back("k" + std::to_string(below(random, 100)));
  }
  return {std::move(year), std::move(number), std::move(tag)};
}

/// Batches of plans and questions to columns, with what the host answers.
class MemoryWork {
 public:
  struct Batch {
    std::vector<query::Plan> plans;
    bool exhaustive;
    query::Results expected;
  };
  struct Columns {
    query::Plan plan;
    query::ColumnQuery query;
    query::ColumnResults expected;
  };

  /// `host`: a searcher of the CPU.
  MemoryWork(const query::Searcher& host, std::size_t batches, std::size_t plans, unsigned seed)
      : random_(seed) {
    for (std::size_t b = 0; b < batches; ++b) add_batch(host, b, plans);
    const std::vector<query::Plan> some = Queries(seed + 77).plans(host, 8, {10});
    for (const query::Plan& plan : some) add_columns(host, plan);
  }

  std::size_t size() const { return batches_.size() + columns_.size(); }

  /// Whether `searcher` answers piece `number` of the work as the host does; adds what was done to
  /// `report`. Throws what the searcher throws.
  bool same(const query::Searcher& searcher, std::size_t number, query::Report& report) const {
    if (number >= batches_.size()) {
      const Columns& asked = columns_[number - batches_.size()];
      return search_columns(searcher, asked.plan, asked.query) == asked.expected;
    }
    const Batch& batch = batches_[number];
    query::Report mine;
    const query::Results found =
        searcher.search(batch.plans, &mine, {.exhaustive = batch.exhaustive});
    report.add(mine);
    return found.counts == batch.expected.counts && found.offsets == batch.expected.offsets &&
           std::ranges::equal(found.docids, batch.expected.docids) &&
           std::ranges::equal(found.scores, batch.expected.scores);
  }

 private:
  using Plan = query::Plan;

  query::Filter filter() {
    const int least = 1990 + static_cast<int>(random_() % 30);
    query::Filter filter =
        query::Filter::range("year", std::to_string(least),
                             std::to_string(least + 1 + static_cast<int>(random_() % 20)));
    if (random_() % 2 == 0) {
      filter = std::move(filter) &&
               query::Filter::range("n", "0", std::to_string(random_() % 0x7fffffff));
    }
    if (random_() % 3 == 0) {
      filter =
          std::move(filter) || query::Filter::equal("tag", "k" + std::to_string(random_() % 99));
    }
    return filter;
  }

  /// Every kind in turn: ranked, with filters, exhaustive, counts and docids.
  void add_batch(const query::Searcher& host, std::size_t number, std::size_t plans) {
    Batch batch{{}, number % 4 == 3, {}};
    const std::vector<std::uint32_t> ks =
        number % 3 == 0 ? std::vector<std::uint32_t>{10, 1000} : std::vector<std::uint32_t>{10};
    for (const Plan& plan : Queries(static_cast<unsigned>(random_())).plans(host, plans, ks)) {
      Plan made = plan;
      if (number % 4 == 1 || (number % 4 == 2 && random_() % 3 == 0))
        made = filtered(plan, filter());
      if (number % 4 == 2 && random_() % 2 == 0) {
        made = plan.with_want(random_() % 8 == 0 ? query::Want::kDocids : query::Want::kCount);
      }
      batch.plans.push_back(std::move(made));
    }
    batch.expected = host.search(batch.plans);
    batches_.push_back(std::move(batch));
  }

  void add_columns(const query::Searcher& host, const Plan& plan) {
    query::ColumnQuery asked;
    asked.k = static_cast<std::uint32_t>(random_() % 30);
    if (random_() % 2 == 0) asked.sort.push_back({"n", random_() % 2 == 0, false});
    asked.facets.push_back({random_() % 2 == 0 ? "tag" : "year", 10});
    const Plan filtered_plan = random_() % 2 == 0 ? filtered(plan, filter()) : plan;
    query::ColumnResults expected = search_columns(host, filtered_plan, asked);
    columns_.push_back({filtered_plan, std::move(asked), std::move(expected)});
  }

  static Plan filtered(const Plan& plan, const query::Filter& filter) {
    Plan::Parts parts{plan.want(), plan.k(), plan.scorer(), plan.collection(), {}, {}, filter};
    parts.terms.assign(plan.terms().begin(), plan.terms().end());
    parts.expression = plan.expression();
    return Plan(std::move(parts));
  }

  std::mt19937 random_;
  std::vector<Batch> batches_;
  std::vector<Columns> columns_;
};

/// What threads found that did the work for a while.
struct WorkDone {
  std::uint64_t pieces = 0;
  std::uint64_t wrong = 0;
  std::uint64_t failed = 0;
  std::string first_error;
  query::Report report;
};

/// `threads` do pieces of work at random, each until go_on(pieces so far of it) is false.
template <class GoOn>
WorkDone work_at_random(const MemoryWork& work, const query::Searcher& searcher, unsigned threads,
                        unsigned seed, const GoOn& go_on) {
  WorkDone all;
  std::mutex mutex;
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      std::mt19937 random(1000 * seed + t);
      WorkDone mine;
      while (go_on(mine.pieces)) {
        ++mine.pieces;
        try {
          if (!work.same(searcher, random() % work.size(), mine.report)) ++mine.wrong;
        } catch (const std::exception& error) {
          ++mine.failed;
          if (mine.first_error.empty()) mine.first_error = error.what();
        }
      }
      const std::lock_guard lock(mutex);
      all.pieces += mine.pieces;
      all.wrong += mine.wrong;
      all.failed += mine.failed;
      if (all.first_error.empty()) all.first_error = mine.first_error;
      all.report.add(mine.report);
    });
  }
  for (std::thread& worker : workers) worker.join();
  return all;
}

}  // namespace gannet::test
