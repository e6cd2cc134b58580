// Writing a column from the values of its field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "index/columns/column_file.hpp"
#include "index/fields/build/column_spool.hpp"
#include "index/fields/build/keyword_runs.hpp"
#include "index/fields/codec_fallback.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// How the codes of a field are encoded, in blocks.
ColumnOptions block_options(const FieldSpec& spec, const std::stop_token& stop);

/// Writes the sections of field `number`, which is not stored, but those of its dictionary, which
/// has `strings` strings, and returns its row. Of keywords, `keywords` knows the ranks. Encodes on
/// as many threads as there are; the bytes do not depend on them. Where the field's codec does not
/// take the codes (wider ones than it codes, too many different ones for bitmaps), `auto` codes
/// them, and `fallback` says so. Throws as FieldCollector::write() says, and CancelledError.
FieldRow write_column(ContainerWriter& file, std::size_t number, ColumnSpool& values,
                      std::uint64_t strings, const KeywordRuns& keywords,
                      const std::stop_token& stop, std::optional<CodecFallback>& fallback);

}  // namespace gannet::index
