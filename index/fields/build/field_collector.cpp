#include "index/fields/build/field_collector.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/fields/build/column_coder.hpp"
#include "index/fields/build/text_coder.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/lexicon/front_coding.hpp"

namespace gannet::index {
namespace {

/// For the spools of all fields together.
constexpr std::size_t kSpoolBytes = std::size_t{4} << 20;
constexpr std::size_t kMinSpool = std::size_t{8} << 10;
/// Spools of a field.
constexpr std::size_t kSpools = 4;

std::size_t spool_bytes(std::size_t fields) {
  return std::max(kSpoolBytes / (kSpools * std::max<std::size_t>(fields, 1)), kMinSpool);
}

/// Writes the dictionaries of keyword fields, one after the other as the strings come.
class DictionaryWriter {
 public:
  DictionaryWriter(const Schema& schema, const std::filesystem::path& scratch,
                   ContainerWriter& file)
      : schema_(schema), scratch_(scratch), file_(file), strings_(schema.fields().size()) {}

  void add(std::uint32_t field, std::string_view text) {
    while (next_ <= field) start_next();
    writer_->add(file_, text);
    ++strings_[field];
  }
  /// Returns how many strings each field has.
  std::vector<std::uint64_t> finish() {
    while (next_ < schema_.fields().size()) start_next();
    end();
    return strings_;
  }

 private:
  void start_next() {
    end();
    const std::size_t field = next_++;
    if (!schema_.fields()[field].is_keyword()) return;
    file_.begin_section(field_tag(FieldSection::kText, field));
    writer_.emplace(scratch_);
  }
  void end() {
    if (!writer_) return;
    writer_->finish(file_, field_tag(FieldSection::kTextBlocks, next_ - 1));
    writer_.reset();
  }

  const Schema& schema_;
  const std::filesystem::path& scratch_;
  ContainerWriter& file_;
  std::vector<std::uint64_t> strings_;
  std::size_t next_ = 0;  ///< field whose dictionary has not been begun
  std::optional<FrontCodingWriter> writer_;
};

/// Appends the lengths of a batch's documents.
void add_lengths(const FieldBatch::Column& column, std::vector<std::uint32_t>& lengths) {
  auto value = column.values.begin();
  for (const std::uint32_t count : column.counts) {
    lengths.push_back(count == 0 ? 0 : static_cast<std::uint32_t>(*value++));
  }
}

}  // namespace

FieldCollector::FieldCollector(const Schema& schema, const std::filesystem::path& scratch,
                               std::stop_token stop)
    : schema_(schema),
      scratch_(scratch),
      stop_(std::move(stop)),
      converter_(schema_, dictionary_),
      keywords_(scratch, stop_),
      lengths_(schema_.fields().size()) {
  const std::size_t buffer = spool_bytes(schema_.fields().size());
  spool_memory_ = kSpools * std::uint64_t{buffer} * schema_.fields().size();
  for (const FieldSpec& field : schema_.fields()) columns_.emplace_back(field, scratch_, buffer);
}

void FieldCollector::add(const FieldBatch& batch) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].add(batch.columns[i]);
    if (schema_.fields()[i].is_text()) add_lengths(batch.columns[i], lengths_[i]);
  }
}

std::uint64_t FieldCollector::lengths_memory() const {
  // A vector that grows is there twice for a moment.
  std::uint64_t memory = 0;
  for (const auto& lengths : lengths_) memory += 3 * sizeof(std::uint32_t) * lengths.size();
  return memory;
}

TextStatistics FieldCollector::text_statistics(std::uint32_t field) const {
  TextStatistics statistics;
  for (const std::uint32_t length : lengths_[field]) {
    statistics.documents += length == 0 ? 0 : 1;
    statistics.tokens += length;
  }
  return statistics;
}

void FieldCollector::spill() {
  if (dictionary_.size() == 0) return;
  keywords_.add(dictionary_);
  dictionary_.clear();
  for (ColumnSpool& column : columns_) column.end_run();
}

FileSummary FieldCollector::write(ContainerWriter& file, std::uint64_t documents) {
  spill();
  DictionaryWriter dictionaries(schema_, scratch_, file);
  keywords_.merge(
      [&](std::uint32_t field, std::string_view text) { dictionaries.add(field, text); });
  const std::vector<std::uint64_t> strings = dictionaries.finish();
  std::vector<FieldRow> rows;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].finish(documents);
    if (columns_[i].spec().is_stored()) {
      rows.push_back(write_texts(file, i, columns_[i], stop_));
      continue;
    }
    std::optional<CodecFallback> fallback;
    rows.push_back(write_column(file, i, columns_[i], strings[i], keywords_, stop_, fallback));
    if (fallback) fallbacks_.push_back(std::move(*fallback));
  }
  file.write_section(kFieldRows, std::span<const FieldRow>(rows));
  return file.finish();
}

}  // namespace gannet::index
