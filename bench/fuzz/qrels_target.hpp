// What the target `qrels` tries: text is refused as judgements, or writing them gives the same
// judgements again.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "corpora/evaluation/qrels.hpp"

namespace gannet::fuzz {

/// Input: the judgements.
inline void try_qrels(std::span<const std::uint8_t> input) {
  corpora::Qrels qrels;
  try {
    qrels = corpora::parse_qrels(text_of(input), "input");
  } catch (const InputError&) {
    return;
  }
  std::string text;
  for (const auto& [query, judgements] : qrels) {
    for (const auto& [document, grade] : judgements) {
      text += query + " 0 " + document + " " + std::to_string(grade) + "\n";
    }
  }
  need(corpora::parse_qrels(text, "again") == qrels, "written judgements are other judgements");
}

}  // namespace gannet::fuzz
