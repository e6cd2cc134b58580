// The options of a build, from Python's keyword arguments: those of `gannet index`.
#pragma once

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"
#include "index/updates/merge.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

struct BuildRequest {
  index::BuildOptions build = {};
  corpora::ReaderOptions reader = {};
  unsigned impact_bits = 8;
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
