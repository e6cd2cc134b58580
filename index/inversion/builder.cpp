#include "index/builder.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "index/inversion/build_budget.hpp"
#include "index/inversion/inverter.hpp"
#include "index/inversion/rounds.hpp"
#include "index/inversion/runs/memory_run.hpp"
#include "index/inversion/runs/spill_file.hpp"
#include "index/inversion/tables/document_register.hpp"
#include "index/inversion/thread_limit.hpp"
#include "index/lists/list_writer.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Gives freed memory back to the system. Many threads' worth of small blocks would else stay with
/// malloc and count towards the peak of the next phase.
void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

/// A batch of documents on its way through the pipeline, with the tables to invert it.
struct BatchRound {
  BatchRound(const AnalyzerConfig& analyzer, TermDictionary& dictionary, std::uint64_t cache)
      : inverter(analyzer, dictionary, cache) {}

  Inverter inverter;
  std::unique_ptr<RawBatch> raw;
  std::unique_ptr<ParsedBatch> parsed;
  InvertedBatch inverted;
  std::vector<std::uint32_t> lengths;
  std::vector<DocumentRegister::Entry> entries;
  std::uint64_t text_bytes = 0;
};

/// One call of build_index().
///
/// Documents are inverted into memory until the budget for a run is used up; then the pipeline runs
/// empty, the run goes to disk in term order, dictionary and caches start anew. At the end the runs
/// are merged; a single run is written from memory.
class Build {
 public:
  Build(DocumentSource& source, const fs::path& directory, const BuildOptions& options)
      : source_(source),
        options_(options),
        budget_(BuildBudget::of(options.memory, thread_count(options.threads))),
        writer_(directory, options.write),
        documents_(writer_) {}

  BuildReport run() {
    with_threads(budget_.threads, [this] {
      invert_all();
      documents_.finish();
      write_all();
    });
    report_.statistics = writer_.commit();
    report_.empty_documents = documents_.empty_documents();
    report_.runs = spilled_;
    return report_;
  }

 private:
  void invert_all() {
    std::vector<BatchRound> rounds;
    rounds.reserve(budget_.batches);
    for (std::size_t i = 0; i < budget_.batches; ++i) {
      rounds.emplace_back(options_.write.analyzer, dictionary_, budget_.cache);
    }
    invert_run(rounds);
    while (!ended_) {
      spill(rounds);
      invert_run(rounds);
    }
    if (!runs_.empty() && !batches_.empty()) spill(rounds);
  }

  void invert_run(std::vector<BatchRound>& rounds) {
    full_ = false;
    in_rounds(
        rounds, [this](BatchRound& round) { return read(round); },
        [this](BatchRound& round) { invert(round); },
        [this](BatchRound& round) { collect(round); });
  }

  bool read(BatchRound& round) {
    if (full_) return false;
    round.raw = source_.read();
    if (!round.raw) ended_ = true;
    return !ended_;
  }

  void invert(BatchRound& round) const {
    round.parsed = source_.parse(std::move(round.raw));
    const std::vector<Document>& documents = round.parsed->documents;
    round.inverted = round.inverter.invert(documents, round.lengths);
    round.entries.clear();
    round.text_bytes = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto [id, text] = documents[i];
      round.entries.push_back({id, IdSet::hash_of(id), round.lengths[i], text});
      round.text_bytes += text.size();
    }
  }

  void collect(BatchRound& round) {
    round.inverted.base = static_cast<Docid>(documents_.size());
    documents_.add(round.entries);
    report_.text_bytes += round.text_bytes;
    report_.skipped += round.parsed->skipped;
    round.parsed.reset();
    fragments_ += round.inverted.terms.size();
    batch_memory_ += round.inverted.memory();
    batches_.push_back(std::move(round.inverted));
    if (options_.progress) {
      options_.progress("inverting", source_.bytes_read(), source_.bytes_total());
    }
    if (memory_of_run() + documents_.memory() >= budget_.run) finish_run();
  }

  std::uint64_t memory_of_run() const {
    return dictionary_.memory() + batch_memory_ + MemoryRun::memory(dictionary_.size(), fragments_);
  }

  void finish_run() {
    if (documents_.memory() > budget_.run / 4 * 3) {
      throw UsageError("a memory budget of " + std::to_string(options_.memory) +
                       " bytes is too small for more than " + std::to_string(documents_.size()) +
                       " documents: their ids and lengths take " +
                       std::to_string(documents_.memory()) + " bytes; give twice as much memory");
    }
    full_ = true;
  }

  void spill(std::vector<BatchRound>& rounds) {
    for (BatchRound& round : rounds) round.inverter.forget();
    {
      MemoryRun run(dictionary_, std::exchange(batches_, {}));
      runs_.push_back(new_run_path());
      write_run(run, runs_.back(), budget_.round_weight);
    }
    ++spilled_;
    batch_memory_ = fragments_ = 0;
    dictionary_.clear();
    return_free_memory();
  }

  void write_all() {
    return_free_memory();
    if (runs_.empty()) {
      MemoryRun run(dictionary_, std::exchange(batches_, {}));
      write(run, run.terms());
    } else {
      reduce_runs(runs_, budget_.fan_in, budget_.round_weight, [this] { return new_run_path(); });
      MergedRuns merged(runs_);
      write(merged, 0);
    }
  }

  void write(ListSource& lists, std::uint64_t total) {
    write_lists(lists, writer_, budget_.round_weight, [&](std::uint64_t done) {
      if (options_.progress) options_.progress("writing lists", done, total);
    });
  }

  fs::path new_run_path() { return writer_.scratch() / ("run-" + std::to_string(run_number_++)); }

  DocumentSource& source_;
  const BuildOptions& options_;
  BuildBudget budget_;
  IndexWriter writer_;
  DocumentRegister documents_;
  TermDictionary dictionary_;
  std::vector<InvertedBatch> batches_;  ///< of the current run
  std::uint64_t batch_memory_ = 0;
  std::uint64_t fragments_ = 0;     ///< in batches_
  std::atomic<bool> full_ = false;  ///< the run has used up its budget
  bool ended_ = false;              ///< the source has
  std::vector<fs::path> runs_;
  std::uint64_t run_number_ = 0;
  std::uint64_t spilled_ = 0;
  BuildReport report_;
};

}  // namespace

BuildReport build_index(DocumentSource& source, const std::filesystem::path& directory,
                        const BuildOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  BuildReport report = Build(source, directory, options).run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
