// What a builder tells the segment writer.
#pragma once

#include "index/builder.hpp"
#include "index/text/analysis_libraries.hpp"

namespace gannet::index {

/// The write options of a build, with the libraries that analyse text here, to be recorded. Throws
/// UsageError for an analyzer that there is not.
inline WriteOptions recorded(const BuildOptions& options) {
  WriteOptions write = options.write;
  write.stop = options.stop;
  // Impacts and terms that are given with their weights have no places.
  if (write.defaults.payload.impacts || write.analyzer.tokenizer == "verbatim") {
    write.positions = false;
  }
  if (!options.fields.empty()) write.contents = options.fields;
  if (write.schema.has_text() && write.defaults.payload.impacts) {
    throw UsageError(
        "an index of impacts cannot have text fields, which are scored by frequencies");
  }
  write.analyzer.libraries = linked_libraries(write.analyzer);
  for (const FieldSpec& field : write.schema.fields()) {
    if (field.is_text())
      add_field_libraries(text_analyzer(write.analyzer, field.text), write.analyzer);
  }
  return write;
}

}  // namespace gannet::index
