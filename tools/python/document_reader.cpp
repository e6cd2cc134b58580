#include "tools/python/document_reader.hpp"

#include <cmath>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/id_names.hpp"
#include "corpora/documents/sources/json_values.hpp"

namespace gannet::python {
namespace {

/// A member of a mapping; null if it lacks it or has None there.
nb::object member(nb::handle mapping, nb::handle key) {
  PyObject* found = nullptr;
  if (PyDict_CheckExact(mapping.ptr())) {
    found = PyDict_GetItemWithError(mapping.ptr(), key.ptr());
    Py_XINCREF(found);
    if (found == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  } else {
    found = PyObject_GetItem(mapping.ptr(), key.ptr());
    if (found == nullptr) {
      if (PyErr_ExceptionMatches(PyExc_LookupError) == 0) throw nb::python_error();
      PyErr_Clear();
    }
  }
  nb::object value = nb::steal(found);
  return value.is_none() ? nb::object() : value;
}

std::string type_of(nb::handle object) { return nb::inst_name(object).c_str(); }

/// What tables have where nothing is: a float NaN, pandas' NaT and NA.
bool is_missing(nb::handle value) {
  if (PyFloat_Check(value.ptr())) return std::isnan(PyFloat_AsDouble(value.ptr()));
  const std::string type = type_of(value);
  return type.ends_with("NaTType") || type.ends_with("NAType");
}

bool is_sequence(nb::handle value) {
  return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyAnySet_Check(value.ptr());
}

/// NumPy's arrays and scalars, which are no numbers of Python's.
bool is_array(nb::handle value) {
  PyObject* const object = value.ptr();
  return !PyUnicode_Check(object) && !PyLong_Check(object) && !PyDict_Check(object) &&
         nb::hasattr(value, "tolist");
}

/// The string or int of Python's that NumPy's integers and arrays of one element give; else
/// nothing: what item() gives of other types may have an item() again.
nb::object plain_of(nb::handle id) {
  if (!nb::hasattr(id, "item")) return {};
  nb::object plain = id.attr("item")();
  return PyUnicode_Check(plain.ptr()) || PyLong_Check(plain.ptr()) ? plain : nb::object();
}

std::string repr_of(nb::handle value) { return utf8_of(nb::repr(value), "a value"); }

/// The digits of an int or a float, also of a class of the user's below them, which may print
/// otherwise.
std::string digits_of(nb::handle number) {
  PyObject* const plain =
      PyLong_Check(number.ptr()) ? PyNumber_Long(number.ptr()) : PyNumber_Float(number.ptr());
  if (plain == nullptr) throw nb::python_error();
  return repr_of(nb::steal(plain));
}

}  // namespace

std::string no_text_message(const std::string& name) {
  return "it has no '" + name + "'; --fields names the texts to index";
}

void refuse_other_id(std::string_view key) {
  throw UsageError("documents have no 'id'" + corpora::id_field_hint(key) +
                   "; without such a key they are named by their numbers");
}

std::string utf8_of(nb::handle text, std::string_view what) {
  // Not PyUnicode_AsUTF8AndSize(), which keeps a copy in the caller's string as long as that lives.
  PyObject* const bytes = PyUnicode_AsUTF8String(text.ptr());
  if (bytes == nullptr) {
    PyErr_Clear();
    throw InputError(std::string(what) + " has surrogates, which are no characters");
  }
  const nb::object owner = nb::steal(bytes);
  return {PyBytes_AsString(bytes), static_cast<std::size_t>(PyBytes_Size(bytes))};
}

DocumentReader::ValuePath::ValuePath(std::uint32_t number, const index::FieldSpec& spec)
    : field(number), whole_days(spec.traits().whole_days()) {
  const std::string_view source = spec.source();
  std::vector<std::size_t> begins{0};  // of the parts, and behind the last one's dot
  for (std::size_t at = source.find('.'); at != std::string_view::npos;
       at = source.find('.', at + 1)) {
    begins.push_back(at + 1);
  }
  begins.push_back(source.size() + 1);
  parts = begins.size() - 1;
  for (std::size_t first = 0; first < parts; ++first) {
    for (std::size_t last = first + 1; last <= parts; ++last) {
      const std::string_view key = source.substr(begins[first], begins[last] - 1 - begins[first]);
      keys.emplace_back(nb::str(key.data(), key.size()));
    }
  }
}

const nb::object& DocumentReader::ValuePath::key(std::size_t first, std::size_t last) const {
  // Those that begin with part 0 come first: of `parts` keys, and of one less each time.
  return keys[first * parts - first * (first - 1) / 2 + (last - first - 1)];
}

DocumentReader::DocumentReader(const corpora::ReaderOptions& options)
    : malformed_(options.malformed),
      schema_(options.schema),
      needs_ids_(!options.id_field.empty()),
      id_name_(needs_ids_ ? options.id_field : "id"),
      id_key_(nb::str(id_name_.c_str(), id_name_.size())) {
  std::vector<std::string> names = options.fields;
  if (names.empty()) names.emplace_back(index::kContentsField);
  for (std::string& name : names) {
    nb::object key = nb::str(name.c_str(), name.size());
    texts_.push_back({std::move(name), std::move(key)});
  }
  const auto& fields = options.schema.fields();
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    ValuePath path(i, fields[i]);
    paths_.push_back(std::move(path));
  }
}

void DocumentReader::read(nb::handle document, std::uint64_t number, DocumentBatch& batch) {
  const std::size_t before = batch.size();
  try {
    if (PyUnicode_Check(document.ptr())) {
      begin({}, batch);
      batch.add_field(index::kContentsField, utf8_of(document, "the text"));
    } else if (PyTuple_Check(document.ptr()) && nb::len(document) == 2 &&
               PyUnicode_Check(nb::object(document[1]).ptr())) {
      begin(id_of(document[0]), batch);
      batch.add_field(index::kContentsField, utf8_of(document[1], "the text"));
    } else if (PyMapping_Check(document.ptr()) != 0 && !is_sequence(document)) {
      read_mapping(document, batch);
    } else {
      throw InputError("it is of type '" + type_of(document) +
                       "'; give strings, pairs (id, text) or dicts");
    }
    settle_ids(batch);
  } catch (const InputError& error) {
    if (batch.size() > before) batch.drop();
    if (malformed_ == corpora::Malformed::kStop) {
      throw InputError("document " + std::to_string(number) + ": " + error.what());
    }
    ++batch.skipped;
  }
}

void DocumentReader::begin(std::string_view id, DocumentBatch& batch) {
  if (needs_ids_ && id.empty()) throw InputError("it has no '" + id_name_ + "'");
  if (any_ && with_ids_ == id.empty()) {
    throw InputError(id.empty() ? "it has no 'id', and those before have one"
                                : "it has an 'id', and those before have none");
  }
  batch.add(id);
  has_id_ = !id.empty();
}

/// The first sound document decides whether all have ids: not one that is passed over, also later
/// on, because its values are none of their fields.
void DocumentReader::settle_ids(const DocumentBatch& batch) {
  if (any_) return;
  index::FieldCheck check(schema_);
  if (const auto problem = batch.problem_of_last(check)) throw InputError(*problem);
  any_ = true;
  with_ids_ = has_id_;
}

std::string DocumentReader::id_of(nb::handle id) {
  std::string text;
  if (PyUnicode_Check(id.ptr())) {
    text = utf8_of(id, "'" + id_name_ + "'");
  } else if (PyLong_Check(id.ptr()) && !PyBool_Check(id.ptr())) {
    text = digits_of(id);
  } else if (const nb::object plain = plain_of(id); plain.is_valid()) {
    return id_of(plain);
  } else {
    throw InputError("'" + id_name_ + "' is neither a string nor a whole number but " +
                     repr_of(id));
  }
  if (text.empty()) throw InputError("'" + id_name_ + "' is empty");
  return text;
}

void DocumentReader::read_mapping(nb::handle document, DocumentBatch& batch) {
  const nb::object id = member(document, id_key_);
  if (!id.is_valid() && !needs_ids_ && !any_) check_keys(document);
  begin(id.is_valid() ? id_of(id) : std::string(), batch);
  read_texts(document, batch);
  for (const ValuePath& path : paths_) read_path(path, 0, 0, document, batch);
}

/// Of a document without an id: whoever has ids under another name would get numbers unawares.
void DocumentReader::check_keys(nb::handle document) const {
  for (const nb::handle key : nb::iter(document)) {
    if (!PyUnicode_Check(key.ptr()) || !member(document, key).is_valid()) continue;
    if (const std::string name = utf8_of(key, "a key"); corpora::is_id_name(name)) {
      refuse_other_id(name);
    }
  }
}

void DocumentReader::read_texts(nb::handle document, DocumentBatch& batch) {
  bool found = false;
  for (const TextName& text : texts_) {
    const nb::object value = member(document, text.key);
    if (!value.is_valid() || is_missing(value)) continue;
    const std::string what = "'" + text.name + "'";
    if (!PyUnicode_Check(value.ptr())) {
      throw InputError(what + " is not a string but of type '" + type_of(value) + "'");
    }
    batch.add_field(text.name, utf8_of(value, what));
    found = true;
  }
  if (!found && !schema_.has_text()) throw InputError(no_text_message(texts_.front().name));
}

/// As dotted paths lead through JSON: into mappings, and through every element of sequences.
/// `depth` parts of the path are behind, and `nesting` containers are around.
void DocumentReader::read_path(const ValuePath& path, std::size_t depth, std::size_t nesting,
                               nb::handle value, DocumentBatch& batch) {
  if (nesting > corpora::kDeepestJson) {
    throw InputError("its values are nested deeper than " + std::to_string(corpora::kDeepestJson) +
                     " levels");
  }
  if (is_sequence(value)) {
    for (const nb::handle element : nb::iter(value)) {
      if (!element.is_none()) read_path(path, depth, nesting + 1, element, batch);
    }
    return;
  }
  if (is_array(value)) {
    const nb::object plain = value.attr("tolist")();
    if (plain.type().is(value.type()))
      throw InputError("a value is of type '" + type_of(value) + "'");
    return read_path(path, depth, nesting + 1, plain, batch);
  }
  if (depth == path.parts) return add_value(path, value, batch);
  if (PyMapping_Check(value.ptr()) == 0 || PyUnicode_Check(value.ptr())) {
    throw InputError(repr_of(path.key(depth - 1, depth)) + " is not a mapping");
  }
  // A key may spell several parts of the path, with dots.
  for (std::size_t next = depth + 1; next <= path.parts; ++next) {
    const nb::object found = member(value, path.key(depth, next));
    if (found.is_valid()) read_path(path, next, nesting + 1, found, batch);
  }
}

void DocumentReader::add_value(const ValuePath& path, nb::handle value, DocumentBatch& batch) {
  if (is_missing(value)) return;
  PyObject* const object = value.ptr();
  if (PyUnicode_Check(object)) {
    batch.add_value(path.field, utf8_of(value, "a value"));
  } else if (PyBool_Check(object)) {
    batch.add_value(path.field, object == Py_True ? "true" : "false");
  } else if (PyLong_Check(object) || PyFloat_Check(object)) {
    batch.add_value(path.field, digits_of(value));
  } else if (nb::hasattr(value, "isoformat")) {
    const bool cut = path.whole_days && nb::hasattr(value, "date");
    const nb::object when = cut ? value.attr("date")() : nb::borrow(value);
    batch.add_value(path.field, utf8_of(when.attr("isoformat")(), "a value"));
  } else if (type_of(value).ends_with("Decimal")) {
    batch.add_value(path.field, nb::str(value).c_str());
  } else {
    throw InputError("a value is of type '" + type_of(value) +
                     "'; there are numbers, booleans, strings, dates and times");
  }
}

}  // namespace gannet::python
