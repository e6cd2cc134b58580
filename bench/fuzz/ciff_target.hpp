// What the target `ciff` tries: bytes as a CIFF file are refused, or every list has what
// index/inverted_source.hpp promises.
#pragma once

#include <cstdint>
#include <span>

#include "bench/fuzz/parts/file_input.hpp"
#include "bench/fuzz/parts/inverted_source.hpp"
#include "codecs/base/error.hpp"
#include "corpora/lists/ciff.hpp"

namespace gannet::fuzz {

/// Calls `read`, which may refuse what it reads.
template <class Read>
void refusing(Read read) {
  try {
    read();
  } catch (const FormatError&) {
    // As it should be.
  }
}

inline void try_ciff(std::span<const std::uint8_t> input) {
  const auto path = file_with("lists.ciff", text_of(input));
  std::unique_ptr<index::InvertedSource> source;
  try {
    source = corpora::open_ciff(path);
  } catch (const FormatError&) {
    return;  // also damaged data of a compressed file
  } catch (const InputError&) {
    return;
  }
  for (std::uint64_t i = 0; i < source->lists(); ++i) {
    refusing([&] { need(!source->term(i).empty(), "a term is empty"); });
    check_list(*source, i);
  }
  for (std::uint64_t docid = 0; docid < source->documents(); ++docid) {
    refusing([&] { source->length(docid); });
    refusing([&] { source->document_id(docid); });
  }
}

}  // namespace gannet::fuzz
