// The options of a build, from Python's keyword arguments: those of `gannet index`.
#pragma once

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"
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

/// What a build did, as Python has it.
nb::dict dict_of(const index::BuildReport& report);

}  // namespace gannet::python
