// The options of a build, from Python's keyword arguments: those of `gannet index`.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"
#include "index/updates/merge.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

struct BuildRequest {
  index::BuildOptions build = {};
  corpora::ReaderOptions reader = {};
  unsigned impact_bits = 8;
  /// Files whose records have the fields of documents, which `reader` then does not look for.
  std::vector<std::filesystem::path> rows = {};

  /// The source of their records, for BuildOptions::rows; null without files.
  std::unique_ptr<index::DocumentSource> open_rows(const std::stop_token& stop) const;
};

/// Reads them from a dict with all names (gannet/_options.py). `verbatim`: terms are taken as they
/// are. Throws UsageError.
BuildRequest build_request(const nb::dict& options, bool verbatim);

// What building and changing an index did, as Python has it.
nb::dict dict_of(const index::BuildReport& report);
nb::dict dict_of(const index::MergeReport& report);
/// A dict for each field that its codec did not take.
nb::list list_of(const std::vector<index::CodecFallback>& fallbacks);

}  // namespace gannet::python
