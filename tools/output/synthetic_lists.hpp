// Synthetic posting lists as a collection that is inverted already.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "corpora/synthetic/synthetic.hpp"
#include "index/inverted_source.hpp"

namespace gannet::tools {

struct ListShape {
  std::uint64_t documents = 1000;
  std::uint64_t lists = 100;
  corpora::ListModel model = corpora::ListModel::kClustered;
  std::uint64_t seed = 1;
};

/// Lists whose lengths follow Zipf's law: list i has about documents / 2 * 2.7 / (i + 2.7)
/// postings. Frequencies are geometric with mean 2. Every list is a function of (shape, number).
class SyntheticLists final : public index::InvertedSource {
 public:
  /// Throws UsageError unless 1 <= documents < 2^32 and lists >= 1, CancelledError if `stop`
  /// is asked for while it adds up the documents' lengths.
  explicit SyntheticLists(const ListShape& shape, const std::stop_token& stop = {});

  std::uint64_t documents() const override { return shape_.documents; }
  std::uint32_t length(std::uint64_t docid) const override { return lengths_[docid]; }
  std::string document_id(std::uint64_t /*docid*/) const override { return {}; }
  std::uint64_t lists() const override { return shape_.lists; }
  std::string term(std::uint64_t i) const override { return std::to_string(i); }
  std::uint64_t postings(std::uint64_t i) const override;
  void list(std::uint64_t i, std::vector<std::uint32_t>& docids,
            std::vector<std::uint32_t>& freqs) const override;

 private:
  ListShape shape_;
  std::vector<std::uint32_t> lengths_;
};

}  // namespace gannet::tools
