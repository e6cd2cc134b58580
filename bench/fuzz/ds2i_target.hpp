// What the target `ds2i` tries: bytes as the files of an inverted collection are refused, or every
// list has what index/inverted_source.hpp promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/file_input.hpp"
#include "codecs/error.hpp"
#include "corpora/lists/ds2i.hpp"

namespace gannet::fuzz {

inline void check_list(const index::InvertedSource& source, std::uint64_t i) {
  std::vector<std::uint32_t> docids;
  std::vector<std::uint32_t> freqs;
  try {
    source.list(i, docids, freqs);
  } catch (const FormatError&) {
    return;
  }
  need(docids.size() == freqs.size(), "a list has not as many frequencies as docids");
  for (std::size_t p = 0; p < docids.size(); ++p) {
    need(docids[p] < source.documents(), "a docid is too large");
    need(p == 0 || docids[p] > docids[p - 1], "docids do not ascend");
    need(freqs[p] >= 1, "a frequency is 0");
  }
}

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
