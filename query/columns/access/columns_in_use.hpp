// The decoded columns that one call uses.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/index.hpp"
#include "query/columns/access/decoded_columns.hpp"

namespace gannet::query {

/// Asks for each column once, and holds it until the call is over: thousands of plans on sixteen
/// threads would wait for each other otherwise, at the lock of those that are kept and at the
/// counts of references. A column for which there was no room is not asked for again, either. Any
/// number of threads may use it. Index and columns must outlive it.
class ColumnsInUse {
 public:
  ColumnsInUse(DecodedColumns& kept, const index::Index& index)
      : kept_(kept),
        index_(index),
        fields_(index.schema().fields().size()),
        slots_(index.segments().size() * fields_) {}

  /// A field's column in a segment; null if there is no room for it.
  const DecodedColumn* of(std::size_t segment, std::size_t field) const {
    Slot& slot = slots_[segment * fields_ + field];
    slot.once([&] { slot.column = kept_.of(index_.segments()[segment]->field(field)); });
    return slot.column.get();
  }

 private:
  struct Slot {
    Once once;
    std::shared_ptr<const DecodedColumn> column;
  };

  DecodedColumns& kept_;
  const index::Index& index_;
  std::size_t fields_;
  mutable std::vector<Slot> slots_;
};

}  // namespace gannet::query
