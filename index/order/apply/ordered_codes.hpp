// The codes of a field for a run of documents in another order.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "index/fields/field_column.hpp"
#include "index/index.hpp"
#include "index/order/located.hpp"

namespace gannet::index {

/// A field of an index with one column a segment, in another order. Code: std::uint64_t, or char
/// for stored texts.
template <class Code>
class OrderedCodes {
 public:
  /// places[d]: where document d of the index comes, or kNoPlace. All must stay.
  OrderedCodes(const Index& index, std::size_t field, std::span<const Docid> places);

  /// Bytes that a document takes in a run.
  std::uint64_t bytes(LocatedDocument document) const;
  /// Reads the documents that come at `first` .. first + order.size() - 1, which `order` names;
  /// decodes columns in parallel. Throws FormatError for a damaged one, CancelledError.
  void read(Docid first, std::span<const Docid> order, const std::stop_token& stop);
  /// The codes of the i-th document of the run, as its segment has them.
  std::span<const Code> of(std::size_t i) const {
    return std::span<const Code>(codes_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }
  const FieldColumn& column(std::size_t segment) const { return *columns_[segment]; }

 private:
  void take(std::size_t segment, std::size_t block, Docid first);

  DocumentLocator locate_;
  std::span<const Docid> places_;
  std::vector<const FieldColumn*> columns_;  ///< by segment
  std::vector<std::uint64_t> starts_;        ///< of the run's documents in codes_, and the end
  std::vector<Code> codes_;
};

extern template class OrderedCodes<std::uint64_t>;
extern template class OrderedCodes<char>;

}  // namespace gannet::index
