#include "tools/search/topic_runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/search_columns.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/topics_option.hpp"
#include "tools/search/topic_batch.hpp"

namespace gannet::tools {
namespace {

using Clock = std::chrono::steady_clock;
using Topics = std::span<const corpora::Topic>;

/// Lines that a thread of its own is worth.
constexpr std::uint64_t kLinesPerThread = 16'384;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Planned {
  Topics topics;
  std::vector<query::Plan> plans;
  double seconds = 0;
  double analysis = 0;    ///< of the seconds
  std::size_t taken = 0;  ///< topics of the file, with those that are left out
  std::vector<BadTopic> bad = {};
  /// What `topics` are of, if some were left out.
  std::shared_ptr<const std::vector<corpora::Topic>> kept = {};
};

/// The first query of each of `parts` ranges with about as many hits, and the end.
std::vector<std::size_t> cut(const query::Results& results, std::size_t parts) {
  std::vector<std::size_t> ends{0};
  for (std::size_t part = 1; part < parts; ++part) {
    const std::uint64_t hits = results.offsets.back() * part / parts;
    const auto at = std::upper_bound(results.offsets.begin(), results.offsets.end(), hits);
    const auto query = static_cast<std::size_t>(at - results.offsets.begin()) - 1;
    ends.push_back(std::clamp(query, ends.back(), results.size()));
  }
  ends.push_back(results.size());
  return ends;
}

class TopicRunner {
 public:
  TopicRunner(const query::Searcher& searcher, const TopicRunOptions& options,
              const TopicOutputs& outputs)
      : searcher_(searcher),
        options_(options),
        outputs_(outputs),
        index_(outputs.index != nullptr ? *outputs.index : searcher.index()),
        policy_(options.batch < kOverlapFrom ? std::launch::deferred : std::launch::async) {}

  TopicOutcome run(Topics topics, const std::function<void(std::size_t)>& progress) {
    const Clock::time_point start = Clock::now();
    outcome_.scorer = options_.query.scorer.value_or(query::default_scorer(searcher_.index()));
    outcome_.expansion = expansion_text(options_.expansion, options_.query.dependence);
    outcome_.report.backend = searcher_.backend_name();
    // Last, so that an error waits for the stages that still work, before what they use goes.
    std::future<Planned> coming;
    std::future<void> writing;
    if (!topics.empty()) coming = start_planning(topics);
    for (std::size_t done = 0; done < topics.size(); done += options_.batch) {
      progress(done);
      Planned planned = coming.get();
      const Topics left = topics.subspan(done + planned.taken);
      if (!left.empty()) coming = start_planning(left);
      outcome_.skipped.insert(outcome_.skipped.end(), planned.bad.begin(), planned.bad.end());
      if (planned.plans.empty()) continue;
      TopicBatch searched = search(planned);
      if (writing.valid()) writing.get();
      writing = std::async(policy_, [this, batch = std::move(searched)] { write(batch); });
    }
    if (writing.valid()) writing.get();
    outcome_.timing.wall = since(start);
    return std::move(outcome_);
  }

 private:
  std::future<Planned> start_planning(Topics left) {
    const Topics batch = left.first(std::min(options_.batch, left.size()));
    return std::async(policy_, [this, batch] { return plan(batch); });
  }

  Planned plan(Topics topics) const {
    const Clock::time_point start = Clock::now();
    std::vector<query::Query> queries;
    queries.reserve(topics.size());
    for (const corpora::Topic& topic : topics) {
      queries.push_back(options_.query);
      set_topic(queries.back(), topic);
    }
    query::PlanReport report;
    Planned planned = plan(topics, queries, report);
    planned.taken = topics.size();
    planned.seconds = since(start);
    planned.analysis = report.analysis_seconds;
    return planned;
  }

  Planned plan(Topics topics, std::span<const query::Query> queries,
               query::PlanReport& report) const {
    std::exception_ptr error;
    try {
      return {topics, searcher_.plan(queries, options_.plain, options_.search, &report)};
    } catch (const UsageError&) {
      error = std::current_exception();
    }
    SplitBatch split = split_batch(searcher_, topics, queries, options_.plain, options_.topics_name,
                                   options_.skip_bad, options_.search, error);
    Planned planned{};
    planned.plans = std::move(split.plans);
    planned.bad = std::move(split.bad);
    planned.kept = std::make_shared<const std::vector<corpora::Topic>>(std::move(split.topics));
    planned.topics = *planned.kept;
    return planned;
  }

  TopicBatch search(Planned& planned) {
    const Clock::time_point begin = Clock::now();
    if (options_.expansion) {
      planned.plans =
          searcher_.expand(planned.plans, *options_.expansion, nullptr, options_.search);
    }
    const double expanding = since(begin);
    const Clock::time_point start = Clock::now();
    query::Report report;
    TopicBatch searched = run(planned, report);
    searched.kept = planned.kept;
    const double seconds = since(start);
    outcome_.report.add(report);
    outcome_.timing.analysis += planned.analysis;
    outcome_.timing.planning += planned.seconds - planned.analysis;
    outcome_.timing.expanding += expanding;
    outcome_.timing.searching += seconds;
    outcome_.timing.batches.push_back(planned.seconds + expanding + seconds);
    return searched;
  }

  TopicBatch run(const Planned& planned, query::Report& report) const {
    if (options_.answer) {
      return {planned.topics, options_.answer(planned.plans, report), {}};
    }
    if (options_.columns.query.empty()) {
      return {planned.topics, searcher_.search(planned.plans, &report, options_.search), {}};
    }
    TopicBatch batch{planned.topics, {}, {}};
    batch.columns = query::search_columns(searcher_, planned.plans, options_.columns.query,
                                          options_.columns.options, &report, options_.search);
    batch.results = take_hits(batch.columns);
    return batch;
  }

  /// The lines of queries [first, last) of a batch.
  corpora::RunLines lines(const TopicBatch& batch, std::size_t first, std::size_t last) const {
    corpora::RunLines lines(options_.tag, options_.layout);
    StopCheck check(options_.search.stop);
    const bool by_rank = options_.columns.query.sorts();
    for (std::size_t i = first; i < last; ++i) {
      throw_if_stopped(options_.search.stop);
      std::uint64_t rank = 0;
      for (const query::Hit hit : batch.results[i].hits()) {
        check();
        const std::string id = index_.document_id(hit.docid);
        if (by_rank) {
          lines.add_ranked(batch.topics[i].id, id, ++rank, batch.hits(i));
        } else {
          lines.add(batch.topics[i].id, id, ++rank, hit.score);
        }
      }
    }
    return lines;
  }

  /// The lines of a batch, made in parts by `make(first, last)`, each by a thread if that is worth
  /// it, and taken in order.
  template <class Make, class Take>
  void make_lines(const TopicBatch& batch, const Make& make, const Take& take) const {
    const std::uint64_t parts = std::clamp<std::uint64_t>(
        batch.results.offsets.back() / kLinesPerThread, 1, std::max(1u, options_.threads));
    const std::vector<std::size_t> ends = cut(batch.results, static_cast<std::size_t>(parts));
    std::vector<std::future<decltype(make(0, 0))>> made;
    for (std::size_t part = 0; part + 1 < ends.size(); ++part) {
      // The first part is this thread's own.
      made.push_back(std::async(part == 0 ? std::launch::deferred : std::launch::async,
                                [&, part] { return make(ends[part], ends[part + 1]); }));
    }
    for (auto& part : made) take(part.get());
  }

  void write(const TopicBatch& batch) {
    const Clock::time_point start = Clock::now();
    if (outputs_.run != nullptr) {
      make_lines(
          batch, [&](std::size_t first, std::size_t last) { return lines(batch, first, last); },
          [&](const corpora::RunLines& made) { outputs_.run->append(made.text()); });
    }
    if (outputs_.answers) {
      make_lines(
          batch,
          [&](std::size_t first, std::size_t last) {
            return answer_lines(index_, batch, options_.columns, first, last, options_.search.stop);
          },
          outputs_.answers);
    }
    for (std::size_t i = 0; i < batch.topics.size(); ++i) {
      outcome_.hits += batch.hits(i);
      outcome_.without_hits += batch.hits(i) == 0 ? 1u : 0u;
    }
    outcome_.timing.writing += since(start);
  }

  const query::Searcher& searcher_;
  const TopicRunOptions& options_;
  const TopicOutputs& outputs_;
  const index::Index& index_;
  std::launch policy_;
  /// The report and the first two times are the calling thread's, the rest the writing stage's.
  TopicOutcome outcome_;
};

}  // namespace

TopicOutcome run_topics(const query::Searcher& searcher, const TopicRunOptions& options,
                        std::span<const corpora::Topic> topics, const TopicOutputs& outputs,
                        const std::function<void(std::size_t done)>& progress) {
  return within_limits(options.search, [&](const query::SearchOptions& limited) {
    TopicRunOptions inner = options;
    inner.search = limited;
    if (limited.stop != options.search.stop) inner.columns.options.stop = limited.stop;
    return TopicRunner(searcher, inner, outputs).run(topics, progress);
  });
}

}  // namespace gannet::tools
