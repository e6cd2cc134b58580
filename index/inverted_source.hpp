// A collection that is inverted already: documents without text, and posting lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gannet::index {

/// Where build_inverted() takes a collection from. Implemented by corpora/ for interchange formats.
///
/// All functions are const and thread-safe: lists are fetched by many threads at a time. Each may
/// throw (IoError, FormatError, InputError); the build then ends with that error and leaves no
/// trace.
class InvertedSource {
 public:
  virtual ~InvertedSource() = default;

  /// Number of documents, at most 2^29. Docids are 0 .. documents() - 1.
  virtual std::uint64_t documents() const = 0;
  /// Length in tokens of a document. Called once for each document, in order.
  virtual std::uint32_t length(std::uint64_t docid) const = 0;
  /// External id of a document: empty for all documents if the collection has none (docids are
  /// their names then), else non-empty and distinct. Called once for each document, in order.
  virtual std::string document_id(std::uint64_t docid) const = 0;

  /// Number of posting lists. Their numbers, 0 .. lists() - 1, are in an order of the source's own:
  /// terms need not be sorted, but must be distinct and not empty.
  virtual std::uint64_t lists() const = 0;
  /// The term of list `i`, any bytes.
  virtual std::string term(std::uint64_t i) const = 0;
  /// Number of postings of list `i`, or a close estimate: it decides how many lists are in flight
  /// at a time. Lists without postings are left out of the index.
  virtual std::uint64_t postings(std::uint64_t i) const = 0;
  /// Replaces the contents of `docids` (strictly ascending, < documents()) and `freqs` (>= 1, as
  /// many).
  virtual void list(std::uint64_t i, std::vector<std::uint32_t>& docids,
                    std::vector<std::uint32_t>& freqs) const = 0;
};

}  // namespace gannet::index
