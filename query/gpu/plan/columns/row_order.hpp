// The order of documents by several fields as keys of 64 bits. For kernels, and for the host that
// reads what they found.
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"
#include "query/backend/column_work.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// A field's part of a key: the larger its place, the sooner a document comes.
struct OrderField {
  FieldView field;
  std::uint64_t limit;  ///< codes are below it
  std::uint32_t shift;  ///< where the place stands in the key
  bool descending;
  bool missing_first;

  /// Places are from 0, without a value, or limit + 1, without a value but first.
  GANNET_HD std::uint64_t place_of(std::uint32_t code) const {
    return descending ? std::uint64_t{code} + 1 : limit - code;
  }
  GANNET_HD std::uint64_t place_of_missing() const { return missing_first ? limit + 1 : 0; }
  /// The code of a place; FirstDocument::kMissing.
  std::uint64_t code_of(std::uint64_t place) const {
    if (place == 0 || place > limit) return FirstDocument::kMissing;
    return descending ? place - 1 : limit - place;
  }
};

/// Keys have the places of the fields, the first one highest, then the document, the smaller one
/// larger: all keys differ, and the largest is that of the first document.
struct RowOrder {
  OrderField fields[kMaxOrderKeys];
  std::uint32_t count;      ///< fields
  std::uint32_t documents;  ///< of the segment, >= 1
  std::uint32_t document_bits;

  GANNET_HD std::uint64_t document_part(std::uint32_t document) const {
    return documents - 1 - document;
  }
  FirstDocument row_of(std::uint64_t key) const;
};

/// Sets where the places and the document stand in a key, by the fields' limits and `documents`.
/// False if they do not fit into 64 bits.
bool lay_out(RowOrder& order);

}  // namespace gannet::query::cuda
