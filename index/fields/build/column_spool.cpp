#include "index/fields/build/column_spool.hpp"

#include <limits>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::index {

ColumnSpool::ColumnSpool(const FieldSpec& spec, const std::filesystem::path& scratch,
                         std::size_t buffer_bytes)
    : spec_(spec),
      values_(scratch, buffer_bytes),
      present_(scratch, buffer_bytes),
      starts_(scratch, buffer_bytes),
      text_(scratch, buffer_bytes) {}

void ColumnSpool::add(const FieldBatch::Column& column) {
  if (column.values.size() > std::numeric_limits<std::uint32_t>::max() - values_count_) {
    throw InputError("field '" + spec_.name +
                     "' has more than 4,294,967,295 values; split the collection");
  }
  for (const std::uint32_t count : column.counts) add_document(count);
  for (const std::uint64_t value : column.values) add_value(value);
  values_.append_values(std::span<const std::uint64_t>(column.values));
  text_.append(std::as_bytes(std::span(column.text)));
}

void ColumnSpool::add_document(std::uint32_t count) {
  if (spec_.multi) starts_.append_value(static_cast<std::uint32_t>(values_count_));
  // values_count_ is where the next document begins: it runs ahead of the values themselves.
  values_count_ += count;
  if (count != 0) {
    ++having_;
    word_ |= std::uint64_t{1} << documents_ % 64;
  }
  if (++documents_ % 64 != 0) return;
  present_.append_value(word_);
  word_ = 0;
}

void ColumnSpool::add_value(std::uint64_t value) {
  if (least_ > greatest_) first_ = value;
  if (value < least_) least_ = value;
  if (value > greatest_) greatest_ = value;
  if (divisor_ == 1) return;
  divisor_ = std::gcd(divisor_, value > first_ ? value - first_ : first_ - value);
}

void ColumnSpool::finish(std::uint64_t documents) {
  while (documents_ < documents) add_document(0);
  if (documents_ % 64 != 0) present_.append_value(word_);
  if (spec_.multi) starts_.append_value(static_cast<std::uint32_t>(values_count_));
}

}  // namespace gannet::index
