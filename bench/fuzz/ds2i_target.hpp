// What the target `ds2i` tries: bytes as the files of an inverted collection are refused, or every
// list has what index/inverted_source.hpp promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "bench/fuzz/parts/inverted_source.hpp"
#include "codecs/base/error.hpp"
#include "corpora/lists/ds2i.hpp"

namespace gannet::fuzz {

/// Input: the sizes of the files .docs, .freqs and .sizes, two bytes each, then the files; what is
/// left are the terms.
inline void try_ds2i(std::span<const std::uint8_t> input) {
  if (input.size() < 6) return;
  std::span<const std::uint8_t> rest = input.subspan(6);
  const char* const names[] = {"lists.docs", "lists.freqs", "lists.sizes"};
  std::filesystem::path docs;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t wanted = input[2 * i] + 256u * input[2 * i + 1];
    const std::size_t size = std::min(wanted, rest.size());
    const auto path = file_with(names[i], text_of(rest.first(size)));
    if (i == 0) docs = path;
    rest = rest.subspan(size);
  }
  file_with("lists.terms", text_of(rest));
  try {
    const auto source = corpora::open_ds2i(docs);
    for (std::uint64_t i = 0; i < source->lists(); ++i) {
      need(!source->term(i).empty(), "a term is empty");
      check_list(*source, i);
    }
    for (std::uint64_t docid = 0; docid < source->documents(); ++docid) source->length(docid);
  } catch (const FormatError&) {
    // Refused, as it should be.
  }
}

}  // namespace gannet::fuzz
