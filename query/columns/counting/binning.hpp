// Which bin of a histogram a value belongs into.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "index/fields/schema.hpp"
#include "query/columns/column_query.hpp"

namespace gannet::query {

/// The bins of one field. Bins are numbered from that of its least value on, ascending with the
/// values. Immutable, thread-safe.
class Binning {
 public:
  virtual ~Binning() = default;
  /// The bin of the value with this key, from the least to the greatest one. Throws UsageError if
  /// the width is too small for a value as large.
  virtual std::uint64_t bin(std::uint64_t key) const = 0;
  /// That of the greatest value, or the last one that there can be.
  virtual std::uint64_t last(std::uint64_t greatest_key) const { return bin(greatest_key); }
  /// The smallest key from `least` to `greatest` whose bin is not below `bin`, which must be above
  /// that of `least` and not above that of `greatest`.
  virtual std::uint64_t first_key(std::uint64_t bin, std::uint64_t least,
                                  std::uint64_t greatest) const;
  /// The least value that may be in a bin.
  virtual std::string from(std::uint64_t bin) const = 0;
};

/// Throws UsageError if the request does not fit the field's type.
std::unique_ptr<Binning> make_binning(const index::FieldSpec& field,
                                      const HistogramRequest& request, std::uint64_t least_key);

/// What make_binning() throws whatever the values are.
void check_binning(const index::FieldSpec& field, const HistogramRequest& request);

}  // namespace gannet::query
