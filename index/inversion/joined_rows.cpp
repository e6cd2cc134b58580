#include "index/inversion/joined_rows.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/fields/build/field_collector.hpp"
#include "index/index_writer.hpp"
#include "index/work/pipeline.hpp"

namespace gannet::index {
namespace {

struct RowBatch {
  std::unique_ptr<RawBatch> raw;
  FieldBatch values;
  std::uint64_t skipped = 0;
};

/// Rows become numbers in parallel and go to disk in order. Strings stay in memory until they have
/// used up the budget for a run; then the pipeline runs empty and they are set aside.
class RowReader {
 public:
  RowReader(FieldCollector& fields, const BuildBudget& budget, const BuildOptions& options)
      : fields_(fields), budget_(budget), options_(options) {}

  std::uint64_t run() {
    std::vector<RowBatch> batches(budget_.batches);
    while (!ended_) {
      full_ = false;
      for_batches(
          batches, options_.stop, [this](RowBatch& batch) { return read(batch); },
          [this](RowBatch& batch) { convert(batch); }, [this](RowBatch& batch) { add(batch); });
      fields_.spill();
    }
    batches.clear();
    if (options_.memory_freed) options_.memory_freed();
    return skipped_;
  }

 private:
  bool read(RowBatch& batch) {
    if (full_) return false;
    batch.raw = options_.rows->read();
    if (!batch.raw) ended_ = true;
    return !ended_;
  }

  void convert(RowBatch& batch) const {
    const std::unique_ptr<ParsedBatch> rows = options_.rows->parse(std::move(batch.raw));
    fields_.converter().start(batch.values);
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const Document row = (*rows)[i];
      fields_.converter().add(row.id, row.values, batch.values);
    }
    batch.skipped = rows->skipped;
  }

  void add(RowBatch& batch) {
    fields_.add(batch.values);
    skipped_ += batch.skipped;
    if (options_.progress) {
      options_.progress("reading rows", options_.rows->bytes_read(), options_.rows->bytes_total());
    }
    if (fields_.memory() >= budget_.run) full_ = true;
  }

  FieldCollector& fields_;
  const BuildBudget& budget_;
  const BuildOptions& options_;
  std::atomic<bool> full_ = false;  ///< the strings have used up their budget
  bool ended_ = false;
  std::uint64_t skipped_ = 0;
};

}  // namespace

bool has_rows(const BuildOptions& options) {
  if (options.rows != nullptr && options.write.schema.empty()) {
    throw UsageError("rows hold values of fields, but the schema has none; declare at least one");
  }
  if (options.rows != nullptr && options.write.schema.has_text()) {
    throw UsageError(
        "rows hold values, and no texts to be searched; text fields come with the documents");
  }
  return options.rows != nullptr;
}

std::uint64_t add_rows(IndexWriter& writer, const BuildBudget& budget,
                       const BuildOptions& options) {
  return RowReader(*writer.fields(), budget, options).run();
}

void check_rows(IndexWriter& writer, std::uint64_t documents) {
  const std::uint64_t rows = writer.fields()->documents();
  if (rows == documents) return;
  throw InputError("there are " + std::to_string(rows) + " rows for " + std::to_string(documents) +
                   " documents; row i holds the fields of document i, so there must be one for "
                   "each (an empty one for a document without fields)");
}

}  // namespace gannet::index
