// A source of an inverted collection: documents without text, and posting lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gannet::index {

/// A source for build_inverted(). Implemented by corpora/ for interchange formats.
///
/// All functions must be thread-safe: several threads fetch lists at the same time. A function may
/// throw IoError, FormatError or InputError; the build then ends with that error and leaves the
/// directory as it was.
class InvertedSource {
 public:
  virtual ~InvertedSource() = default;

  /// Number of documents, at most 2^29. Docids are 0 .. documents() - 1.
  virtual std::uint64_t documents() const = 0;
  /// Length of a document in tokens. Called once for each document, in ascending order.
  virtual std::uint32_t length(std::uint64_t docid) const = 0;
  /// External id of a document. Empty for all documents if the collection has no ids; otherwise not
  /// empty and distinct. Called once for each document, in ascending order.
  virtual std::string document_id(std::uint64_t docid) const = 0;

  /// Number of posting lists, at most 2^32 - 1. Lists are numbered 0 .. lists() - 1 in any order:
  /// their terms need not be sorted.
  virtual std::uint64_t lists() const = 0;
  /// The term of list `i`: any bytes, not empty, distinct from those of other lists.
  virtual std::string term(std::uint64_t i) const = 0;
  /// Number of postings of list `i`, or a close estimate, by which the build bounds its memory.
  virtual std::uint64_t postings(std::uint64_t i) const = 0;
  /// Replaces the contents of `docids` and `freqs` by the postings of list `i`: docids strictly
  /// ascending and < documents(), as many frequencies, each >= 1. A list without postings is left
  /// out of the index.
  virtual void list(std::uint64_t i, std::vector<std::uint32_t>& docids,
                    std::vector<std::uint32_t>& freqs) const = 0;
};

}  // namespace gannet::index
