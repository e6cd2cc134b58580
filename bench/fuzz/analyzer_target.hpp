// What the target `analyzer` tries: any bytes give terms that can be terms of an index, and the
// terms of two texts side by side are those of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "index/text/analyzer.hpp"

namespace gannet::fuzz {

inline std::vector<std::string> terms_of(index::Analyzer& analyzer, std::string_view text) {
  std::vector<std::string> terms;
  analyzer.analyze(text, terms);
  for (const std::string& term : terms) {
    need(!term.empty() && term.find('\n') == std::string::npos, "a term is empty or a line");
  }
  return terms;
}

/// Input: a text.
inline void try_analyzer(std::span<const std::uint8_t> input) {
  static index::Analyzer analyzer{index::AnalyzerConfig{}};
  const std::string text(text_of(input));
  const std::vector<std::string> once = terms_of(analyzer, text);
  std::vector<std::string> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  need(terms_of(analyzer, text + "\n\n" + text) == twice,
       "a text's terms depend on its neighbours");
}

}  // namespace gannet::fuzz
