// The fields of a segment while it is built: values come in batches, columns are written at the
// end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "index/fields/build/column_spool.hpp"
#include "index/fields/build/field_batch.hpp"
#include "index/fields/build/keyword_runs.hpp"
#include "index/fields/codec_fallback.hpp"
#include "index/fields/text_terms.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// Gathers the values of all documents of a segment; numbers go to disk at once, strings when they
/// are asked to. Not thread-safe, except converter().
class FieldCollector {
 public:
  /// `scratch`: a directory for temporary files.
  FieldCollector(const Schema& schema, const std::filesystem::path& scratch, std::stop_token stop);
  FieldCollector(const FieldCollector&) = delete;
  FieldCollector& operator=(const FieldCollector&) = delete;

  const FieldConverter& converter() const { return converter_; }
  /// Appends the next documents.
  void add(const FieldBatch& batch);
  std::uint64_t documents() const { return columns_.front().documents(); }

  /// Bytes of memory: of the strings, which spill() gives back, and of the spools' buffers, which
  /// stay. Thread-safe.
  std::uint64_t memory() const { return dictionary_.memory() + spool_memory_; }
  /// Bytes that the lengths of text fields take: they stay to the end.
  std::uint64_t lengths_memory() const;
  /// The lengths in tokens of a text field, of the documents added so far.
  std::span<const std::uint32_t> text_lengths(std::uint32_t field) const { return lengths_[field]; }
  /// What the segment has of a text field.
  TextStatistics text_statistics(std::uint32_t field) const;
  /// Sets the strings aside on disk. No batch may be under way between converter() and add().
  void spill();

  /// Writes the columns of `documents` documents, of which those that were not added have no field,
  /// and finishes the file. Throws InputError for values that no column can hold together. Once, at
  /// the end.
  FileSummary write(ContainerWriter& file, std::uint64_t documents);
  /// After write(): columns that their field's codec could not code.
  const std::vector<CodecFallback>& fallbacks() const { return fallbacks_; }

 private:
  Schema schema_;
  std::filesystem::path scratch_;
  std::stop_token stop_;
  TermDictionary dictionary_;
  FieldConverter converter_;
  std::vector<ColumnSpool> columns_;
  std::uint64_t spool_memory_;  ///< what they take at most
  KeywordRuns keywords_;
  std::vector<std::vector<std::uint32_t>> lengths_;  ///< by field; of texts
  std::vector<CodecFallback> fallbacks_;
};

}  // namespace gannet::index
