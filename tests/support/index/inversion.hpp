// A naive inversion to compare with, and all postings of an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "tests/support/index/document_source.hpp"

namespace gannet::test {

/// term → docid → frequency
using Inversion = std::map<std::string, std::map<std::uint32_t, std::uint32_t>>;

/// The obvious inversion, one document after another.
inline Inversion naive_inversion(const std::vector<TextDocument>& documents,
                                 const index::AnalyzerConfig& config) {
  index::Analyzer analyzer(config);
  Inversion inversion;
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    terms.clear();
    analyzer.analyze(documents[i].text, terms);
    for (const std::string& term : terms) ++inversion[term][static_cast<std::uint32_t>(i)];
  }
  return inversion;
}

/// All postings of an index.
inline Inversion read_postings(const std::filesystem::path& directory) {
  const index::Index opened = index::Index::open(directory);
  const index::Segment& segment = *opened.segments().at(0);
  Inversion inversion;
  for (index::TermId term = 0; term < segment.statistics().terms; ++term) {
    const index::PostingList list = segment.list(term);
    std::vector<std::uint32_t> docids(list.count + 128), freqs(list.count + 128);
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    auto& of_term = inversion[segment.term(term)];
    for (std::uint32_t i = 0; i < list.count; ++i) of_term[docids[i]] = freqs[i];
  }
  return inversion;
}

}  // namespace gannet::test
