// Building an index of tables of Arrow: pyarrow's, Polars', and all that has
// `__arrow_c_stream__()`.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "tools/python/arrow/abi.hpp"
#include "tools/python/arrow/arrow_batch.hpp"
#include "tools/python/arrow/arrow_column.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/document_queue.hpp"

namespace gannet::python {
namespace {

/// What the builder takes at a time: rows, and about so many bytes of text.
constexpr std::int64_t kRows = 4096;
constexpr std::size_t kTextBytes = std::size_t{1} << 20;

template <class T>
T* pointer_in(nb::handle capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return static_cast<T*>(pointer);
}

/// Throws InputError for what a stream says of an error.
void check(ArrowArrayStream* stream, int error, const char* doing) {
  if (error == 0) return;
  const char* const message = stream->get_last_error(stream);
  throw InputError(std::string(doing) + ": " + (message != nullptr ? message : "failed"));
}

Released<ArrowArrayStream> stream_of(nb::handle table) {
  const nb::object capsule = table.attr("__arrow_c_stream__")();
  Released<ArrowArrayStream> stream(pointer_in<ArrowArrayStream>(capsule, kArrowStreamName));
  if (stream.empty()) throw InputError("the table's stream has been read already");
  return stream;
}

Released<ArrowSchema> schema_of(ArrowArrayStream* stream) {
  Released<ArrowSchema> schema;
  check(stream, stream->get_schema(stream, schema.get()), "the table's schema");
  return schema;
}

/// Whether a table's columns can be read without Python's objects. Consumes nothing of a reader.
bool arrow_reads(nb::handle table, const nb::dict& options) {
  const corpora::ReaderOptions reader = build_request(options, false).reader;
  if (nb::hasattr(table, "schema") && nb::hasattr(table.attr("schema"), "__arrow_c_schema__")) {
    const nb::object capsule = table.attr("schema").attr("__arrow_c_schema__")();
    Released<ArrowSchema> schema(pointer_in<ArrowSchema>(capsule, "arrow_schema"));
    return ArrowReading(std::move(schema), reader).reads_all();
  }
  Released<ArrowArrayStream> stream = stream_of(table);
  return ArrowReading(schema_of(stream.get()), reader).reads_all();
}

/// Takes batches of tables in the calling thread, where their errors belong.
class ArrowBatches {
 public:
  ArrowBatches(nb::iterator tables, const corpora::ReaderOptions& options)
      : tables_(std::move(tables)), options_(options) {}

  /// Null at the end.
  std::unique_ptr<QueuedBatch> next() {
    while (array_ == nullptr || row_ == (*array_)->length) {
      if (!next_array()) return nullptr;
    }
    const std::int64_t first = row_;
    std::size_t bytes = 0;
    while (row_ < (*array_)->length && row_ - first < kRows && bytes < kTextBytes) {
      bytes += text_bytes(row_++);
    }
    const std::uint64_t number = number_;
    number_ += static_cast<std::uint64_t>(row_ - first);
    return std::make_unique<ArrowBatch>(reading_, array_, first, row_, number);
  }

 private:
  std::size_t text_bytes(std::int64_t row) const {
    std::size_t bytes = 0;
    std::deque<std::string> none;
    for (const auto& [name, number] : reading_->texts) {
      const ArrowColumn column(*reading_->schema->children[number], *(*array_)->children[number]);
      const std::int64_t at = row + (*array_)->offset;
      if (column.has(at)) bytes += column.value(at, none)->size();
    }
    return bytes;
  }

  /// The next batch of the table, or of the next table; false at the end.
  bool next_array() {
    if (stream_.empty() && !next_table()) return false;
    auto next = std::make_shared<Released<ArrowArray>>();
    {
      const nb::gil_scoped_release unlocked;
      check(stream_.get(), stream_.get()->get_next(stream_.get(), next->get()), "the table");
    }
    row_ = 0;
    array_ = next->empty() ? nullptr : std::move(next);
    if (array_ == nullptr) stream_ = {};
    return true;
  }

  bool next_table() {
    const nb::object table = nb::steal(PyIter_Next(tables_.ptr()));
    if (!table.is_valid()) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      return false;
    }
    stream_ = stream_of(table);
    reading_ = std::make_shared<const ArrowReading>(schema_of(stream_.get()), options_);
    if (!reading_->reads_all()) throw InputError("the tables have columns of different types");
    reading_->check_id();
    return true;
  }

  nb::iterator tables_;
  const corpora::ReaderOptions& options_;
  Released<ArrowArrayStream> stream_;
  std::shared_ptr<const ArrowReading> reading_;
  std::shared_ptr<Released<ArrowArray>> array_;
  std::int64_t row_ = 0;  ///< of the array, the next
  std::uint64_t number_ = 0;
};

nb::dict build_from_arrow(nb::iterator tables, const std::string& path, const nb::dict& options,
                          const nb::object& progress) {
  const BuildRequest request = build_request(options, false);
  ArrowBatches batches(std::move(tables), request.reader);
  return build_of_batches(request, path, progress, [&] { return batches.next(); });
}

}  // namespace

void bind_arrow_source(nb::module_& module) {
  module.def("arrow_reads", arrow_reads, nb::arg("table"), nb::arg("options"));
  module.def("build_from_arrow", build_from_arrow, nb::arg("tables"), nb::arg("path"),
             nb::arg("options"), nb::arg("progress").none());
}

}  // namespace gannet::python
