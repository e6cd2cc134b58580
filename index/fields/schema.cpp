#include "index/fields/schema.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <set>
#include <utility>

#include "codecs/base/error.hpp"
#include "codecs/choose.hpp"
#include "codecs/columns.hpp"
#include "index/fields/field_types.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr const char* kTextOptions =
    "weight=NUMBER, tokenizer=, stemmer=, stop-words=NAME, keep-case, fold-accents and path=WHERE";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

void check_name(const std::string& name) {
  if (name.empty() || name.size() > kLongestName || !is_letter(name[0]) ||
      !std::all_of(name.begin(), name.end(), is_name_character)) {
    throw UsageError("'" + printable(name) +
                     "' is no name for a field: it must have 1 to 64 letters, digits, '_', '-' and "
                     "'.', a letter first");
  }
  if (name == "id" || name == "contents" || name == "score") {
    throw UsageError(
        "no field can be called '" + name +
        "', which documents or hits have anyway; give it another name and path=" + name);
  }
}

/// Whether columns of the field can have the codec: codes have 32 or 64 bits, stored texts are
/// bytes.
bool codes_field(const codecs::Codec& codec, const FieldSpec& field) {
  if (field.is_stored()) return codec.takes(codecs::ValueType::kU8);
  return codec.takes(codecs::ValueType::kU32) || codec.takes(codecs::ValueType::kU64);
}

bool is_codec(std::string_view name, const FieldSpec& field) {
  const auto codecs = codecs::all_codecs();
  return name == codecs::kAuto ||
         std::any_of(codecs.begin(), codecs.end(), [&](const codecs::Codec& codec) {
           return codec.name == name && codes_field(codec, field);
         });
}

std::string codec_names(const FieldSpec& field) {
  return "auto, " +
         codecs::codec_names(field.is_stored() ? codecs::ValueType::kU8 : codecs::ValueType::kU32);
}

void check_text(const FieldSpec& field, const std::string& where) {
  if (field.multi) {
    throw UsageError(where + "several values of a text are one text anyway; leave multi out");
  }
  if (field.codec != codecs::kAuto) throw UsageError(where + "texts have no codec");
  if (const auto problem = text_problem(field.text)) throw UsageError(where + *problem);
}

void check_split(const FieldSpec& field, const std::string& where) {
  constexpr std::size_t kLongest = 8;
  if (field.split.empty()) return;
  if (!field.multi) {
    throw UsageError(where +
                     "split= cuts a cell of a table into several values, which only a field that "
                     "is multi may have; add multi");
  }
  if (field.split.size() > kLongest || field.split.find(':') != std::string::npos ||
      !simdjson::validate_utf8(field.split)) {
    throw UsageError(where + "'" + printable(field.split) +
                     "' cannot stand between values: it must be 1 to 8 bytes of UTF-8 without a "
                     "colon, as in split=;");
  }
}

void check_field(const FieldSpec& field) {
  check_name(field.name);
  const std::string where = "field '" + field.name + "': ";
  if (static_cast<std::size_t>(field.type) >= kFieldTypes) {
    throw UsageError(where + "there is no such type");
  }
  const auto problem = with_field_type(field.type, [&]<class T>() { return T::problem(field); });
  if (problem) throw UsageError(where + *problem);
  if (field.multi && field.is_stored()) {
    throw UsageError(where + "a document has one stored text; leave multi out");
  }
  if (!simdjson::validate_utf8(field.path)) {
    throw UsageError(where + "its path '" + printable(field.path) + "' is not UTF-8");
  }
  check_split(field, where);
  if (field.is_text()) return check_text(field, where);
  if (field.text != TextOptions{})
    throw UsageError(where + "only texts have a weight or a stemmer");
  if (!is_codec(field.codec, field)) {
    throw UsageError(where + "there is no codec '" + printable(field.codec) +
                     "' for it; there are " + codec_names(field));
  }
}

/// Until `f` is true of a type.
template <class F, class... T>
bool for_types(const F& f, std::tuple<T...>*) {
  return (f.template operator()<T>() || ...);
}
template <class F>
bool for_types(const F& f) {
  return for_types(f, static_cast<AllFieldTypes*>(nullptr));
}

}  // namespace

bool set_type(FieldSpec& field, std::string_view name) {
  return for_types([&]<class T>() {
    FieldSpec typed = field;
    typed.type = field_type<T>;
    typed.bits = FieldSpec{}.bits;
    typed.is_signed = FieldSpec{}.is_signed;
    typed.scale = FieldSpec{}.scale;
    if (!T::take_name(typed, name)) return false;
    field = std::move(typed);
    return true;
  });
}

std::string unknown_type(std::string_view name) {
  return "there is no type '" + printable(name) + "'; there are " + type_names();
}

std::string type_name(const FieldSpec& field) {
  return with_field_type(field.type, [&]<class T>() { return T::name(field); });
}

const std::string& type_names() {
  static const std::string names = [] {
    std::string all;
    for_types([&]<class T>() {
      all.append(all.empty() ? "" : ", ").append(T::names);
      return false;
    });
    return all;
  }();
  return names;
}

Schema::Schema(std::vector<FieldSpec> fields) : fields_(std::move(fields)) {
  if (fields_.size() > kMaxFields) {
    throw UsageError("an index can have at most " + std::to_string(kMaxFields) + " fields, not " +
                     std::to_string(fields_.size()));
  }
  std::set<std::string_view> names;
  for (const FieldSpec& field : fields_) {
    check_field(field);
    if (!names.insert(field.name).second) {
      throw UsageError("field '" + field.name + "' is there twice");
    }
  }
}

int Schema::find(std::string_view name) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool Schema::has_text() const { return std::ranges::any_of(fields_, &FieldSpec::is_text); }

FieldSpec parse_field(std::string_view text) {
  const auto fail = [&](const std::string& what) {
    throw UsageError("field '" + printable(text) + "': " + what);
  };
  FieldSpec field;
  const std::size_t colon = text.find(':');
  field.name = text.substr(0, colon);
  if (colon == std::string_view::npos) {
    fail("write NAME:TYPE, as in year:i32; there are the types " + type_names());
  }
  std::string_view rest = text.substr(colon + 1);
  bool has_type = false;
  while (!rest.empty() || !has_type) {
    constexpr std::string_view kPath = "path=";
    constexpr std::string_view kSplit = "split=";
    if (has_type && rest.starts_with(kPath)) {
      field.path = rest.substr(kPath.size());
      if (field.path.empty()) fail("there is nothing behind path=");
      break;
    }
    const std::size_t end = rest.find(':');
    const std::string_view word = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (end != std::string_view::npos && rest.empty())
      fail("there is nothing behind the last colon");
    if (!has_type) {
      if (!set_type(field, word)) fail(unknown_type(word));
      has_type = true;
    } else if (field.is_text()) {
      if (!take_text_option(word, field.text)) {
        fail("'" + printable(word) + "' is no option of a text; there are " + kTextOptions);
      }
    } else if (word == "multi") {
      field.multi = true;
    } else if (word.starts_with(kSplit)) {
      field.split = word.substr(kSplit.size());
      if (field.split.empty()) fail("there is nothing behind split=");
    } else if (is_codec(word, field)) {
      field.codec = word;
    } else {
      fail("'" + printable(word) +
           "' is neither 'multi' nor 'split=...' nor 'path=...' nor a codec; codecs are " +
           codec_names(field));
    }
  }
  check_field(field);
  return field;
}

std::string to_string(const FieldSpec& field) {
  std::string text = field.name + ":" + type_name(field);
  if (field.multi) text += ":multi";
  if (field.codec != codecs::kAuto) text += ":" + field.codec;
  if (!field.split.empty()) text += ":split=" + field.split;
  text += to_string(field.text);
  if (!field.path.empty()) text += ":path=" + field.path;
  return text;
}

}  // namespace gannet::index
