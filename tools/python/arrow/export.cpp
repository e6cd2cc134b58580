// Columns as a stream of Arrow, for `__arrow_c_stream__()`: pyarrow, Polars, DuckDB and others read
// it.
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "tools/python/arrow/abi.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {
namespace {

using Buffer = std::vector<std::byte>;
using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// A column with what it consists of. The bytes are its own, so that whoever takes it may release
/// it on any thread, without the interpreter.
struct ExportedColumn {
  std::string name = {};
  std::string format = {};
  std::int64_t length = 0;
  std::int64_t nulls = 0;
  bool all_valid = true;  ///< the first buffer is none
  std::vector<Buffer> buffers = {};
  std::vector<ExportedColumn> children = {};
};

Buffer buffer_of(const AnyArray& array) {
  const auto* const first = static_cast<const std::byte*>(array.data());
  return {first, first + array.size() * array.itemsize()};
}

/// A bit for each byte that is not 0.
Buffer bits_of(const Buffer& truths) {
  Buffer bits((truths.size() + 7) / 8, std::byte{0});
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i] != std::byte{0}) bits[i / 8] |= std::byte{1} << (i % 8);
  }
  return bits;
}

AnyArray array_in(const nb::dict& column, const char* name) {
  return nb::cast<AnyArray>(nb::object(column[name]));
}

bool has(const nb::dict& column, const char* name) {
  return column.contains(name) && !nb::object(column[name]).is_none();
}

/// Which values there are, of `length`.
Buffer validity(const nb::dict& column, ExportedColumn& made) {
  if (!has(column, "valid")) return {};
  const Buffer valid = buffer_of(array_in(column, "valid"));
  made.all_valid = false;
  for (const std::byte one : valid) made.nulls += one == std::byte{0} ? 1 : 0;
  return bits_of(valid);
}

ExportedColumn values_column(const nb::dict& column) {
  static const std::map<std::string_view, std::string_view> kFormats{
      {"u32", "I"}, {"u64", "L"}, {"i64", "l"}, {"f32", "f"}, {"f64", "g"}, {"bool", "b"}};
  ExportedColumn made;
  const auto kind = nb::cast<std::string>(column["kind"]);
  const AnyArray values = array_in(column, "values");
  if (kind == "text") {
    const AnyArray offsets = array_in(column, "text_offsets");
    made.format = "U";
    made.length = static_cast<std::int64_t>(offsets.size()) - 1;
    made.buffers = {{}, buffer_of(offsets), buffer_of(values)};
    return made;
  }
  made.format = kFormats.at(kind);
  made.length = static_cast<std::int64_t>(values.size());
  made.buffers = {{}, kind == "bool" ? bits_of(buffer_of(values)) : buffer_of(values)};
  return made;
}

ExportedColumn column_of(const nb::dict& column) {
  ExportedColumn made = values_column(column);
  if (has(column, "offsets")) {
    const AnyArray offsets = array_in(column, "offsets");
    ExportedColumn list;
    list.format = "+L";
    list.length = static_cast<std::int64_t>(offsets.size()) - 1;
    list.buffers = {{}, buffer_of(offsets)};
    made.name = "item";
    list.children.push_back(std::move(made));
    made = std::move(list);
  }
  made.buffers[0] = validity(column, made);
  made.name = nb::cast<std::string>(column["name"]);
  return made;
}

using SharedColumn = std::shared_ptr<const ExportedColumn>;

/// What a struct of Arrow points to.
template <class Struct>
struct Held {
  SharedColumn column;
  std::vector<const void*> buffers = {};
  std::vector<Struct> children = {};
  std::vector<Struct*> pointers = {};
};

template <class Struct>
void release(Struct* released) {
  for (std::int64_t i = 0; i < released->n_children; ++i) {
    Struct* const child = released->children[i];
    if (child->release != nullptr) child->release(child);
  }
  delete static_cast<Held<Struct>*>(released->private_data);
  released->release = nullptr;
}

SharedColumn child_of(const SharedColumn& column, std::size_t i) {
  return {column, &column->children[i]};
}

template <class Struct, class Fill>
Held<Struct>* hold(const SharedColumn& column, Struct* out, const Fill& fill) {
  auto held = std::make_unique<Held<Struct>>(Held<Struct>{column});
  held->children.resize(column->children.size());
  for (std::size_t i = 0; i < column->children.size(); ++i) {
    fill(child_of(column, i), &held->children[i]);
    held->pointers.push_back(&held->children[i]);
  }
  *out = {};
  out->n_children = static_cast<std::int64_t>(held->children.size());
  out->children = held->pointers.data();
  out->release = release<Struct>;
  out->private_data = held.get();
  return held.release();
}

void fill_schema(const SharedColumn& column, ArrowSchema* out) {
  hold(column, out, fill_schema);
  out->format = column->format.c_str();
  out->name = column->name.c_str();
  out->flags = kArrowNullable;
}

void fill_array(const SharedColumn& column, ArrowArray* out) {
  static constexpr std::byte kNone[8]{};  // a buffer of no bytes is no null pointer
  Held<ArrowArray>* const held = hold(column, out, fill_array);
  for (std::size_t i = 0; i < column->buffers.size(); ++i) {
    const Buffer& bytes = column->buffers[i];
    const bool none = i == 0 && column->all_valid;
    held->buffers.push_back(none ? nullptr : bytes.empty() ? kNone : bytes.data());
  }
  out->length = column->length;
  out->null_count = column->nulls;
  out->n_buffers = static_cast<std::int64_t>(held->buffers.size());
  out->buffers = held->buffers.data();
}

/// One batch, and its schema.
struct Stream {
  SharedColumn table;
  bool taken = false;
};

Stream& exported(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

template <class F>
int guarded(const F& f) {
  try {
    f();
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

ArrowArrayStream* new_stream(SharedColumn table) {
  auto* const made = new ArrowArrayStream{};
  made->private_data = new Stream{std::move(table)};
  made->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    return guarded([&] { fill_schema(exported(self).table, out); });
  };
  made->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    return guarded([&] {
      *out = {};
      if (exported(self).taken) return;
      fill_array(exported(self).table, out);
      exported(self).taken = true;
    });
  };
  made->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  made->release = [](ArrowArrayStream* self) {
    delete &exported(self);
    self->release = nullptr;
  };
  return made;
}

/// A capsule with a stream of one batch. Columns are dicts as ValueColumn::arrays() makes them,
/// with a "name", and of one length.
nb::object arrow_stream(const nb::list& columns) {
  auto table = std::make_shared<ExportedColumn>();
  table->format = "+s";
  table->buffers.resize(1);
  for (const nb::handle column : columns) {
    table->children.push_back(column_of(nb::cast<nb::dict>(column)));
    table->length = table->children.back().length;
  }
  PyObject* const capsule =
      PyCapsule_New(new_stream(std::move(table)), kArrowStreamName, [](PyObject* self) {
        auto* const stream =
            static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(self, kArrowStreamName));
        if (stream->release != nullptr) stream->release(stream);
        delete stream;
      });
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

}  // namespace

void bind_arrow(nb::module_& module) {
  module.def("arrow_stream", arrow_stream, nb::arg("columns"));
}

}  // namespace gannet::python
