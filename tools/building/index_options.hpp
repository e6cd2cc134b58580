// What `gannet index` is told: its options, and how they have an index built.
#pragma once

#include "corpora/documents/documents.hpp"
#include "corpora/documents/sources/vector_source.hpp"
#include "index/builder.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// The help of `gannet index`.
HelpText index_help();

/// How the input is to be read, and the index to be written.
struct IndexSetup {
  index::BuildOptions build = {};
  corpora::ReaderOptions reader = {};
};

/// What the options say of it, but for what a BuildRun adds and the impacts of vectors. Throws
/// UsageError.
IndexSetup index_setup(const OptionSet& options);

/// Of --format json-vectors: how weights like these become impacts. Throws UsageError.
void set_impacts(const OptionSet& options, const corpora::VectorWeights& weights,
                 IndexSetup& setup);

}  // namespace gannet::tools
