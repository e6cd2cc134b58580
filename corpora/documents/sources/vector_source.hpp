// Documents as vectors of terms and weights, as learned sparse models give them.
//
// `{"id": "d1", "vector": {"solar": 1.73, "##ity": 0.4}}`, one object a line, one a file, or in an
// array: Anserini's JsonVectorCollection. Terms are taken as they are. Weights are numbers >= 0; a
// term of weight 0 is left out, and a term that is there twice counts with the sum.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "corpora/documents/documents.hpp"

namespace gannet::corpora {

/// What a collection's weights are like.
struct VectorWeights {
  double largest = 0;
  bool whole = true;  ///< all of them are whole numbers
};

/// Reads through a collection for its weights; malformed records are passed over. Throws IoError,
/// UsageError for what is no file (it will be read again), and CancelledError. One thread.
VectorWeights scan_json_vectors(const std::vector<std::filesystem::path>& inputs,
                                const ReaderOptions& options);

/// How weights become impacts: whole numbers as they are; others by rounding weight * scale, so
/// that the largest is 2^bits - 1, and those above 0 at least 1. Throws UsageError unless bits is 1
/// to 16.
index::Quantization quantization_for(const VectorWeights& weights, unsigned bits);

}  // namespace gannet::corpora
