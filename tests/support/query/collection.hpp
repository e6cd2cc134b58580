// Small collections in memory, and the same written as an index.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "index/index.hpp"
#include "index/index_writer.hpp"

namespace gannet::test {

/// A collection as the tests see it: term frequencies by term and document, 0 where there is none.
struct Collection {
  std::vector<std::uint32_t> lengths;
  std::map<std::string, std::vector<std::uint32_t>> frequencies;

  std::uint32_t documents() const { return static_cast<std::uint32_t>(lengths.size()); }
  std::uint32_t frequency(const std::string& term, std::uint32_t docid) const {
    const auto found = frequencies.find(term);
    return found == frequencies.end() ? 0 : found->second[docid];
  }
  std::uint32_t document_frequency(const std::string& term) const {
    const auto found = frequencies.find(term);
    if (found == frequencies.end()) return 0;
    const auto absent = std::count(found->second.begin(), found->second.end(), 0u);
    return documents() - static_cast<std::uint32_t>(absent);
  }
  double average_length() const {
    double sum = 0;
    for (const std::uint32_t length : lengths) sum += length;
    return lengths.empty() ? 0 : sum / static_cast<double>(lengths.size());
  }
};

/// Terms t0, t1, ... from one that nearly all documents have to some that a few have, in runs and
/// scattered. Lengths repeat, so that equal scores are common.
inline Collection random_collection(std::uint32_t documents, std::uint32_t terms, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Collection collection;
  for (std::uint32_t d = 0; d < documents; ++d) collection.lengths.push_back(20 + below(8) * 30);
  for (std::uint32_t t = 0; t < terms; ++t) {
    std::vector<std::uint32_t> list(documents, 0);
    const std::uint32_t one_in = t == 0 ? 1 : 1u << (t % 12);
    const bool clustered = t % 3 == 2;
    for (std::uint32_t d = 0; d < documents; ++d) {
      const bool in_run = !clustered || d / 1000 % 4 == t % 4;
      if (in_run && below(one_in) == 0) list[d] = 1 + (below(3) == 0 ? below(9) : 0);
    }
    if (std::all_of(list.begin(), list.end(), [](std::uint32_t f) { return f == 0; })) {
      list[below(documents)] = 1;
    }
    collection.frequencies["t" + std::to_string(t)] = std::move(list);
  }
  return collection;
}

/// Writes the collection as an index and opens it. The analyzer keeps terms as they are, but for
/// their case.
inline std::shared_ptr<const index::Index> write_index(const std::filesystem::path& directory,
                                                       const Collection& collection,
                                                       index::WriteOptions options = {}) {
  options.analyzer.stemmer = "none";
  options.positions = false;
  index::IndexWriter writer(directory, options);
  for (const std::uint32_t length : collection.lengths) writer.add_document({}, length);
  for (const auto& [term, list] : collection.frequencies) {
    std::vector<index::Docid> docids;
    std::vector<std::uint32_t> freqs;
    for (std::uint32_t d = 0; d < list.size(); ++d) {
      if (list[d] == 0) continue;
      docids.push_back(d);
      freqs.push_back(list[d]);
    }
    writer.add_list(index::encode_list(term, docids, freqs, writer.document_lengths(),
                                       writer.docid_codec(), writer.freq_codec()));
  }
  writer.commit();
  return std::make_shared<const index::Index>(index::Index::open(directory));
}

/// Writes documents [begin, end) of the collection as an index of one segment, and opens that.
inline std::shared_ptr<const index::Segment> write_segment(
    const std::filesystem::path& directory, const Collection& collection, std::uint32_t begin,
    std::uint32_t end, const index::WriteOptions& options = {}) {
  Collection part;
  part.lengths.assign(collection.lengths.begin() + begin, collection.lengths.begin() + end);
  for (const auto& [term, list] : collection.frequencies) {
    std::vector<std::uint32_t> here(list.begin() + begin, list.begin() + end);
    if (std::any_of(here.begin(), here.end(), [](std::uint32_t f) { return f > 0; })) {
      part.frequencies[term] = std::move(here);
    }
  }
  return write_index(directory, part, options)->segments().front();
}

/// The collection as an index of several segments, which end at `ends`. `docid_codecs`: what
/// as many parts of the segments have, one after the other.
inline std::shared_ptr<const index::Index> write_segments(
    const std::filesystem::path& directory, const Collection& collection,
    const std::vector<std::uint32_t>& ends,
    const std::vector<std::string>& docid_codecs = {"gpu-bp128"}) {
  std::vector<std::shared_ptr<const index::Segment>> segments;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    index::WriteOptions options;
    options.docid_codec = &codecs::list_codec_named(
        docid_codecs[segments.size() * docid_codecs.size() / ends.size()]);
    segments.push_back(
        write_segment(directory / std::to_string(end), collection, begin, end, options));
    begin = end;
  }
  index::AnalyzerConfig analyzer;
  analyzer.stemmer = "none";
  return std::make_shared<const index::Index>(std::move(segments), analyzer,
                                              index::ScoringDefaults{});
}

}  // namespace gannet::test
