// Python objects as documents. All of it needs the interpreter lock.
#pragma once

#include <string>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "tools/python/common.hpp"
#include "tools/python/document_batch.hpp"

namespace gannet::python {

/// Reads documents: strings, pairs (id, text), and mappings with `id` (or what
/// ReaderOptions::id_field names, which all have to have then), the text fields and the schema's
/// fields. Not thread-safe.
class DocumentReader {
 public:
  explicit DocumentReader(const corpora::ReaderOptions& options);

  /// Reads document `number` (from 0) into the batch; a malformed one is an InputError, or counts
  /// as skipped. Throws nb::python_error for exceptions of the object's own.
  void read(nb::handle document, std::uint64_t number, DocumentBatch& batch);

 private:
  struct TextName {
    std::string name;
    nb::object key;
  };
  struct ValuePath {
    ValuePath(std::uint32_t number, const index::FieldSpec& spec);
    /// Parts first .. last - 1 of the path with dots between them.
    const nb::object& key(std::size_t first, std::size_t last) const;

    std::uint32_t field;
    bool whole_days;  ///< times are cut
    std::size_t parts = 0;
    std::vector<nb::object> keys;
  };

  void read_mapping(nb::handle document, DocumentBatch& batch);
  std::string id_of(nb::handle id);
  void settle_ids(const DocumentBatch& batch);
  void begin(std::string_view id, DocumentBatch& batch);
  void check_keys(nb::handle document) const;
  void read_texts(nb::handle document, DocumentBatch& batch);
  void read_path(const ValuePath& path, std::size_t depth, std::size_t nesting, nb::handle value,
                 DocumentBatch& batch);
  void add_value(const ValuePath& path, nb::handle value, DocumentBatch& batch);

  corpora::Malformed malformed_;
  index::Schema schema_;
  bool needs_ids_;
  std::string id_name_;
  nb::object id_key_;
  std::vector<TextName> texts_;
  std::vector<ValuePath> paths_;
  bool any_ = false, with_ids_ = false;  ///< whether documents were read, and had ids
  bool has_id_ = false;                  ///< the document that is being read
};

/// What is wrong with a document without texts, of which the first may be called `name`.
std::string no_text_message(const std::string& name);

/// Throws UsageError: documents have no 'id', and `key` seems to be it.
[[noreturn]] void refuse_other_id(std::string_view key);

/// The characters of a Python string as UTF-8. Throws InputError for lone surrogates; `what` says
/// where they are.
std::string utf8_of(nb::handle text, std::string_view what);

}  // namespace gannet::python
