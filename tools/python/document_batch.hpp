// Documents on their way from Python to the builder: a batch owns its bytes, so that nothing but
// filling it needs the interpreter lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"
#include "index/fields/field_text.hpp"

namespace gannet::python {

/// Documents that wait for the builder's threads.
struct QueuedBatch : index::RawBatch {
  /// Documents, with those that were skipped.
  virtual std::size_t records() const = 0;
  /// What the builder reads; `self` is this batch.
  virtual std::unique_ptr<index::ParsedBatch> parsed(std::unique_ptr<QueuedBatch> self,
                                                     const index::Schema& schema,
                                                     corpora::Malformed malformed) const = 0;
};

/// Documents as they were read from Python objects. Not thread-safe.
class DocumentBatch : public QueuedBatch {
 public:
  explicit DocumentBatch(std::uint64_t first) : first_(first) {}

  /// Begins a document; an empty id is none.
  void add(std::string_view id) {
    documents_.push_back({keep(id), fields_.size(), values_.size()});
  }
  /// Adds to the document added last, as index::ParsedBatch does. `name` must outlive the batch.
  void add_field(std::string_view name, std::string_view text) {
    fields_.push_back({name, keep(text)});
  }
  void add_value(std::uint32_t field, std::string_view text) {
    values_.push_back({field, keep(text)});
  }
  /// What is wrong with the values of the document added last; nothing if all is well.
  std::optional<std::string> problem_of_last(index::FieldCheck& check) const;
  /// Takes the document added last away again.
  void drop();

  std::size_t records() const override { return size() + skipped; }
  std::unique_ptr<index::ParsedBatch> parsed(std::unique_ptr<QueuedBatch> self,
                                             const index::Schema& schema,
                                             corpora::Malformed malformed) const override {
    return parse(std::unique_ptr<DocumentBatch>(static_cast<DocumentBatch*>(self.release())),
                 schema, malformed);
  }

  std::size_t size() const { return documents_.size(); }
  std::size_t bytes() const { return bytes_.size(); }
  std::uint64_t skipped = 0;  ///< malformed documents that are not in it

  /// Makes it what the builder reads. Values that are none of their fields stop it (InputError) or
  /// are skipped with their documents.
  static std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<DocumentBatch> batch,
                                                   const index::Schema& schema,
                                                   corpora::Malformed malformed);

 private:
  /// A place in bytes_, which grows.
  struct Place {
    std::size_t begin, size;
  };
  struct Document {
    Place id;
    std::size_t first_field, first_value;
  };
  struct Field {
    std::string_view name;
    Place text;
  };
  struct Value {
    std::uint32_t field;
    Place text;
  };
  struct Parsed;

  std::vector<index::FieldText> values_of(std::size_t document) const;
  Place keep(std::string_view text) {
    bytes_.append(text);
    return {bytes_.size() - text.size(), text.size()};
  }
  std::string_view at(Place place) const { return {bytes_.data() + place.begin, place.size}; }
  void add_to(index::ParsedBatch& parsed, std::size_t i, index::FieldCheck& check,
              corpora::Malformed malformed) const;

  std::uint64_t first_;  ///< how many documents were read before it
  std::string bytes_;
  std::vector<Document> documents_;
  std::vector<Field> fields_;
  std::vector<Value> values_;
};

}  // namespace gannet::python
