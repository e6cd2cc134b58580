// Reading a source of documents to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "corpora/documents/documents.hpp"

namespace gannet::test {

/// Ids and texts (fields with line ends between, weighted terms as "term^3\n", and values of fields
/// as
/// "\n#0=text"), and how many records were skipped.
struct Documents {
  std::vector<std::pair<std::string, std::string>> all;
  std::uint64_t skipped = 0;

  std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const auto& document : all) ids.push_back(document.first);
    return ids;
  }
  bool operator==(const Documents&) const = default;
};

inline Documents read_all(index::DocumentSource& source) {
  Documents documents;
  while (auto raw = source.read()) {
    const auto batch = source.parse(std::move(raw));
    for (std::size_t i = 0; i < batch->size(); ++i) {
      const index::Document document = (*batch)[i];
      std::string text;
      for (const index::TextField& field : document.fields) {
        if (&field != &document.fields.front()) text += '\n';
        text += field.text;
      }
      for (const index::WeightedTerm& term : document.terms) {
        text += std::string(term.term) + '^' + std::to_string(term.weight) + '\n';
      }
      for (const index::FieldText& value : document.values) {
        text += "\n#" + std::to_string(value.field) + '=' + std::string(value.text);
      }
      documents.all.emplace_back(document.id, text);
    }
    documents.skipped += batch->skipped;
  }
  return documents;
}

inline Documents read_all(corpora::DocumentFormat format,
                          const std::vector<std::filesystem::path>& inputs,
                          const corpora::ReaderOptions& options = {}) {
  return read_all(*corpora::open_documents(format, inputs, options));
}

}  // namespace gannet::test
