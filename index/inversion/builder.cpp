#include "index/builder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/commit/list_writer.hpp"
#include "index/fields/build/field_collector.hpp"
#include "index/files/messages.hpp"
#include "index/inversion/build_budget.hpp"
#include "index/inversion/document_register.hpp"
#include "index/inversion/inverter.hpp"
#include "index/inversion/joined_rows.hpp"
#include "index/inversion/memory_run.hpp"
#include "index/inversion/recorded_options.hpp"
#include "index/inversion/spill_file.hpp"
#include "index/work/pipeline.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// A batch of documents on its way through the pipeline, with the tables to invert it.
struct DocumentBatch {
  DocumentBatch(const WriteOptions& options, TermDictionary& dictionary, std::uint64_t cache,
                const std::stop_token& stop)
      : inverter(options.analyzer, options.schema, dictionary, cache, stop, options.positions) {}

  Inverter inverter;
  std::unique_ptr<RawBatch> raw;
  std::unique_ptr<ParsedBatch> parsed;
  std::vector<Document> documents;  ///< of `parsed`, with the fields to index
  std::vector<TextField> fields;    ///< chosen ones of all documents
  std::vector<std::string> texts;   ///< of documents with several fields
  InvertedBatch inverted;
  std::vector<std::uint32_t> lengths;
  std::vector<DocumentRegister::Entry> entries;
  FieldBatch values;
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
        write_(recorded(options)),
        budget_(BuildBudget::of(options.memory, thread_count(options.threads), write_.positions)),
        writer_(directory, write_),
        values_(has_rows(options) ? nullptr : writer_.fields()),
        documents_(writer_, options.update) {}

  BuildReport run() {
    with_threads(budget_.threads, [this] {
      if (options_.rows != nullptr) report_.skipped = add_rows(writer_, budget_, options_);
      invert_all();
      if (options_.rows != nullptr) check_rows(writer_, documents_.size());
      documents_.finish();
      write_all();
      report_.empty_documents = documents_.empty_documents();
      report_.replaced = documents_.replaced();
      report_.runs = spilled_;
      if (options_.before_commit) options_.before_commit(writer_, report_);
      report_.statistics = writer_.commit();  // encodes the columns of the fields
      report_.deleted = writer_.deleted_documents();
      report_.fallbacks = writer_.fallbacks();
    });
    return report_;
  }

 private:
  void invert_all() {
    std::vector<DocumentBatch> batches;
    batches.reserve(budget_.batches);
    for (std::size_t i = 0; i < budget_.batches; ++i) {
      batches.emplace_back(write_, dictionary_, budget_.cache, options_.stop);
    }
    invert_run(batches);
    while (!ended_) {
      spill(batches);
      invert_run(batches);
    }
    if (!runs_.empty() && !batches_.empty()) spill(batches);
  }

  void invert_run(std::vector<DocumentBatch>& batches) {
    full_ = false;
    do {
      large_ = false;
      for_batches(
          batches, options_.stop, [this](DocumentBatch& batch) { return read(batch); },
          [this](DocumentBatch& batch) { invert(batch); },
          [this](DocumentBatch& batch) { collect(batch); });
    } while (large_ && !full_ && !ended_);
  }

  /// Behind a large batch the pipeline runs empty before the next one is read.
  bool read(DocumentBatch& batch) {
    if (full_ || large_) return false;
    batch.raw = source_.read();
    if (!batch.raw) ended_ = true;
    large_ = batch.raw && batch.raw->memory() > kLargeBatch;
    return !ended_;
  }

  void invert(DocumentBatch& batch) const {
    batch.parsed = source_.parse(std::move(batch.raw));
    choose_fields(batch);
    batch.inverted = batch.inverter.invert(batch.documents, batch.lengths);
    convert_values(batch);
    batch.entries.clear();
    batch.texts.clear();
    batch.texts.reserve(batch.documents.size());
    batch.text_bytes = 0;
    for (std::size_t i = 0; i < batch.documents.size(); ++i) {
      const std::string_view id = batch.documents[i].id;
      const std::string_view text = text_of(batch.documents[i], batch);
      batch.entries.push_back(
          {id, IdSet::hash_of(id), batch.lengths[i], text, has_text_fields(batch, i)});
      batch.text_bytes += text.size();
    }
  }

  void convert_values(DocumentBatch& batch) const {
    if (options_.rows != nullptr) refuse_values(batch);
    if (values_ == nullptr) return;
    values_->converter().start(batch.values);
    for (std::size_t i = 0; i < batch.documents.size(); ++i) {
      const Document& document = batch.documents[i];
      values_->converter().add(document.id, document.values, batch.values);
      for (const std::uint32_t field : batch.inverter.text_fields()) {
        FieldConverter::set_length(field, batch.inverter.text_lengths(field)[i], batch.values);
      }
    }
  }

  static void refuse_values(const DocumentBatch& batch) {
    for (const Document& document : batch.documents) {
      if (document.values.empty()) continue;
      throw UsageError("document '" + printable(document.id) +
                       "' has values of fields, but rows are to have them");
    }
  }

  static bool has_text_fields(const DocumentBatch& batch, std::size_t document) {
    return std::ranges::any_of(batch.inverter.text_fields(), [&](std::uint32_t field) {
      return batch.inverter.text_lengths(field)[document] != 0;
    });
  }

  void choose_fields(DocumentBatch& batch) const {
    const ParsedBatch& parsed = *batch.parsed;
    batch.documents.clear();
    batch.fields.clear();
    for (std::size_t i = 0; i < parsed.size(); ++i) batch.documents.push_back(parsed[i]);
    if (options_.fields.empty()) return;
    std::vector<std::size_t> ends;
    for (const Document& document : batch.documents) {
      for (const std::string& wanted : options_.fields) {
        std::copy_if(document.fields.begin(), document.fields.end(),
                     std::back_inserter(batch.fields),
                     [&](const TextField& field) { return field.name == wanted; });
      }
      ends.push_back(batch.fields.size());
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::size_t first = i == 0 ? 0 : ends[i - 1];
      batch.documents[i].fields = std::span(batch.fields).subspan(first, ends[i] - first);
    }
  }

  /// All fields as one text.
  static std::string_view text_of(const Document& document, DocumentBatch& batch) {
    if (document.fields.empty()) return {};
    if (document.fields.size() == 1) return document.fields.front().text;
    std::string& text = batch.texts.emplace_back();
    for (const TextField& field : document.fields) {
      if (&field != &document.fields.front()) text += '\n';
      text += field.text;
    }
    return text;
  }

  void collect(DocumentBatch& batch) {
    batch.inverted.base = static_cast<Docid>(documents_.size());
    documents_.add(batch.entries, [&](std::size_t i) { return batch.parsed->place(i); });
    if (values_ != nullptr) values_->add(batch.values);
    if (write_.positions) collect_spans(batch);
    report_.text_bytes += batch.text_bytes;
    report_.skipped += batch.parsed->skipped;
    report_.left_out += batch.parsed->left_out;
    std::ranges::move(batch.parsed->broken_files, std::back_inserter(report_.broken_files));
    batch.parsed.reset();
    fragments_ += batch.inverted.terms.size();
    batch_memory_ += batch.inverted.memory();
    batches_.push_back(std::move(batch.inverted));
    if (options_.progress) {
      options_.progress("inverting", source_.bytes_read(), source_.bytes_total());
    }
    if (memory_of_run() + memory_of_documents() >= budget_.run) finish_run();
  }

  void collect_spans(const DocumentBatch& batch) {
    for (const std::uint32_t span : batch.inverter.spans(kMainText)) {
      writer_.add_span(kMainText, span);
    }
    for (const std::uint32_t field : batch.inverter.text_fields()) {
      for (const std::uint32_t span : batch.inverter.spans(field)) writer_.add_span(field, span);
    }
  }

  std::uint64_t memory_of_run() const {
    return dictionary_.memory() + batch_memory_ +
           MemoryRun::memory(dictionary_.size(), fragments_) +
           (values_ == nullptr ? 0 : values_->memory());
  }

  std::uint64_t memory_of_documents() const {
    std::uint64_t memory =
        documents_.memory() + (values_ == nullptr ? 0 : values_->lengths_memory());
    if (write_.positions) memory += spans_memory();
    return memory;
  }

  std::uint64_t spans_memory() const {
    // A vector that grows is there twice for a moment.
    std::uint64_t texts = 1;
    for (const FieldSpec& field : write_.schema.fields()) texts += field.is_text() ? 1 : 0;
    return 3 * sizeof(std::uint32_t) * texts * documents_.size();
  }

  void finish_run() {
    if (memory_of_documents() > budget_.run / 4 * 3) {
      throw UsageError("a memory budget of " + std::to_string(options_.memory) +
                       " bytes is too small for more than " + std::to_string(documents_.size()) +
                       " documents: their ids and lengths take " +
                       std::to_string(memory_of_documents()) + " bytes; give twice as much memory");
    }
    full_ = true;
  }

  void spill(std::vector<DocumentBatch>& batches) {
    for (DocumentBatch& batch : batches) batch.inverter.forget();
    {
      MemoryRun run(dictionary_, std::exchange(batches_, {}), options_.stop);
      runs_.push_back(new_run_path());
      write_run(run, runs_.back(), budget_.batch_postings, options_.stop);
    }
    if (values_ != nullptr) values_->spill();
    ++spilled_;
    batch_memory_ = fragments_ = 0;
    dictionary_.clear();
    memory_freed();
  }

  void memory_freed() const {
    if (options_.memory_freed) options_.memory_freed();
  }

  void write_all() {
    memory_freed();
    if (runs_.empty()) {
      MemoryRun run(dictionary_, std::exchange(batches_, {}), options_.stop);
      write(run, run.terms());
    } else {
      reduce_runs(runs_, budget_.fan_in, budget_.batch_postings, options_.stop,
                  [this] { return new_run_path(); });
      MergedRuns merged(runs_, write_.positions);
      write(merged, 0);
    }
  }

  void write(ListSource& lists, std::uint64_t total) {
    write_lists(lists, writer_, budget_.batch_postings, options_.stop, [&](std::uint64_t done) {
      if (options_.progress) options_.progress("writing lists", done, total);
    });
  }

  fs::path new_run_path() { return writer_.scratch() / ("run-" + std::to_string(run_number_++)); }

  DocumentSource& source_;
  const BuildOptions& options_;
  WriteOptions write_;  ///< what is recorded of the options
  BuildBudget budget_;
  IndexWriter writer_;
  FieldCollector* values_;  ///< of the documents' fields; nullptr: there are none
  DocumentRegister documents_;
  TermDictionary dictionary_;
  std::vector<InvertedBatch> batches_;  ///< of the current run
  std::uint64_t batch_memory_ = 0;
  std::uint64_t fragments_ = 0;     ///< in batches_
  std::atomic<bool> full_ = false;  ///< the run has used up its budget
  bool large_ = false;              ///< the batch that was read last is worked on alone
  bool ended_ = false;              ///< the source has
  std::vector<fs::path> runs_;
  std::uint64_t run_number_ = 0;
  std::uint64_t spilled_ = 0;
  BuildReport report_;
};

}  // namespace

std::size_t record_limit(std::uint64_t memory) {
  return static_cast<std::size_t>(std::max<std::uint64_t>(memory / 32, std::uint64_t{4} << 20));
}

BuildReport build_index(DocumentSource& source, const std::filesystem::path& directory,
                        const BuildOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const BuildOptions& limited) {
      return build_index(source, directory, limited);
    });
  }
  const auto start = std::chrono::steady_clock::now();
  BuildReport report = Build(source, directory, options).run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
