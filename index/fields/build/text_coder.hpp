// Writing the texts of a stored field.
#pragma once

#include <cstddef>
#include <stop_token>

#include "index/fields/build/column_spool.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// Writes the sections of field `number`, which is stored, and returns its row. Encodes on as many
/// threads as there are; the bytes do not depend on them. Throws UsageError for bytes that the
/// field's codec cannot code, CancelledError.
FieldRow write_texts(ContainerWriter& file, std::size_t number, ColumnSpool& values,
                     const std::stop_token& stop);

}  // namespace gannet::index
