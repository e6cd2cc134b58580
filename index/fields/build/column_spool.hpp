// The values of one field, set aside until all are known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <numeric>
#include <vector>

#include "index/fields/build/field_batch.hpp"
#include "index/files/spool.hpp"

namespace gannet::index {

/// Gathers the values of a field in the order of the documents. Not thread-safe.
class ColumnSpool {
 public:
  ColumnSpool(const FieldSpec& spec, const std::filesystem::path& scratch,
              std::size_t buffer_bytes);

  /// Throws InputError for more values than a column can have.
  void add(const FieldBatch::Column& column);
  /// What follows are numbers of another dictionary.
  void end_run() { run_ends_.push_back(values_count_); }
  /// No more will come: documents that are missing do not have the field. Of a field with several
  /// values, the last start is added.
  void finish(std::uint64_t documents);

  const FieldSpec& spec() const { return spec_; }
  std::uint64_t documents() const { return documents_; }
  std::uint64_t having() const { return having_; }
  std::uint64_t values() const { return values_count_; }
  /// Of the values, if there are any.
  std::uint64_t least() const { return least_; }
  std::uint64_t greatest() const { return greatest_; }
  /// The greatest common divisor of the values' differences; 0 if all are equal.
  std::uint64_t divisor() const { return divisor_; }
  /// How many values there were at each end_run().
  const std::vector<std::uint64_t>& run_ends() const { return run_ends_; }

  const Spool& values_spool() const { return values_; }
  Spool& present_spool() { return present_; }  ///< u64, a bit per document
  const Spool& present_spool() const { return present_; }
  const Spool& text_spool() const { return text_; }  ///< stored texts, one behind the other
  Spool& starts_spool() { return starts_; }          ///< u32
  const Spool& starts_spool() const { return starts_; }

 private:
  void add_document(std::uint32_t count);
  void add_value(std::uint64_t value);

  FieldSpec spec_;
  Spool values_;  ///< u64
  Spool present_;
  Spool starts_;
  Spool text_;
  std::uint64_t word_ = 0;  ///< of present_, being filled
  std::uint64_t documents_ = 0;
  std::uint64_t having_ = 0;
  std::uint64_t values_count_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t least_ = ~std::uint64_t{0};
  std::uint64_t greatest_ = 0;
  std::uint64_t divisor_ = 0;
  std::vector<std::uint64_t> run_ends_;
};

}  // namespace gannet::index
