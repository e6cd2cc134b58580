// The lists that the benchmarks share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codecs/docids.hpp"
#include "codecs/encoded_lists.hpp"
#include "corpora/synthetic/synthetic.hpp"

namespace gannet::bench {

/// A benchmark is a codec over lists of one length and distribution.
struct Case {
  const codecs::ListCodec* codec;
  corpora::ListModel model;
  codecs::Content content;
  std::uint32_t length;

  /// "gpu-bp128/uniform/docids/65536"
  std::string name() const {
    const char* source = model == corpora::ListModel::kUniform ? "uniform" : "clustered";
    const char* decoded = content == codecs::Content::kDocids ? "docids" : "gaps";
    return std::string(codec->name) + "/" + source + "/" + decoded + "/" + std::to_string(length);
  }
};

/// Every codec, both distributions, gaps and docids, lengths 2^min_log, 2^(min_log + step) .. .
inline std::vector<Case> all_cases(int min_log, int max_log, int step) {
  std::vector<Case> cases;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    for (const auto model : {corpora::ListModel::kUniform, corpora::ListModel::kClustered}) {
      for (const auto content : {codecs::Content::kValues, codecs::Content::kDocids}) {
        for (int log = min_log; log <= max_log; log += step) {
          cases.push_back({&codec, model, content, std::uint32_t{1} << log});
        }
      }
    }
  }
  return cases;
}

/// The values that the case codes: ids in [0, 2^29), or their gaps. Made once; not thread-safe.
inline const std::vector<std::uint32_t>& values_of(const Case& the_case) {
  static std::map<std::pair<corpora::ListModel, std::uint32_t>, std::vector<std::uint32_t>> ids;
  static std::map<std::pair<corpora::ListModel, std::uint32_t>, std::vector<std::uint32_t>> gaps;
  const auto key = std::pair(the_case.model, the_case.length);
  if (!ids.contains(key)) {
    ids[key] = corpora::synthetic_list(the_case.model, the_case.length, 1u << 29, 1);
    gaps[key] = codecs::gaps_of(ids[key]);
  }
  return the_case.content == codecs::Content::kDocids ? ids[key] : gaps[key];
}

inline codecs::EncodedLists encoded(const Case& the_case) {
  codecs::EncodedLists lists(*the_case.codec, the_case.content);
  lists.add(values_of(the_case));
  return lists;
}

}  // namespace gannet::bench
