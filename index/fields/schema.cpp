#include "index/fields/schema.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
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
constexpr unsigned kMaxScale = 18;
constexpr const char* kTextOptions =
    "weight=NUMBER, tokenizer=, stemmer=, stopwords=NAME, keep-case, fold-accents and path=WHERE";
constexpr std::string_view kTypes =
    "i8, i16, i32, i64, u8, u16, u32, u64, decimal(0) to decimal(18), f32, f64, date, time, bool, "
    "keyword, stored, text";

struct NamedType {
  std::string_view name;
  FieldType type;
  unsigned bits = 64;
  bool is_signed = true;
};
constexpr std::array kNamedTypes{NamedType{"i8", FieldType::kInteger, 8, true},
                                 NamedType{"i16", FieldType::kInteger, 16, true},
                                 NamedType{"i32", FieldType::kInteger, 32, true},
                                 NamedType{"i64", FieldType::kInteger, 64, true},
                                 NamedType{"u8", FieldType::kInteger, 8, false},
                                 NamedType{"u16", FieldType::kInteger, 16, false},
                                 NamedType{"u32", FieldType::kInteger, 32, false},
                                 NamedType{"u64", FieldType::kInteger, 64, false},
                                 NamedType{"f32", FieldType::kFloat32},
                                 NamedType{"f64", FieldType::kFloat64},
                                 NamedType{"date", FieldType::kDate},
                                 NamedType{"time", FieldType::kTime},
                                 NamedType{"bool", FieldType::kBoolean},
                                 NamedType{"keyword", FieldType::kKeyword},
                                 NamedType{"stored", FieldType::kStored},
                                 NamedType{"text", FieldType::kText, 32, false}};

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

/// Codes of columns have 32 or 64 bits, stored texts are bytes.
bool codes_field(const codecs::Codec& codec, FieldType type) {
  if (type == FieldType::kStored) return codec.takes(codecs::ValueType::kU8);
  return codec.takes(codecs::ValueType::kU32) || codec.takes(codecs::ValueType::kU64);
}

bool is_codec(std::string_view name, FieldType type) {
  const auto codecs = codecs::all_codecs();
  return name == codecs::kAuto ||
         std::any_of(codecs.begin(), codecs.end(), [&](const codecs::Codec& codec) {
           return codec.name == name && codes_field(codec, type);
         });
}

std::string codec_names(FieldType type) {
  return "auto, " + codecs::codec_names(type == FieldType::kStored ? codecs::ValueType::kU8
                                                                   : codecs::ValueType::kU32);
}

void check_text(const FieldSpec& field, const std::string& where) {
  if (field.multi) {
    throw UsageError(where + "several values of a text are one text anyway; leave multi out");
  }
  if (field.codec != codecs::kAuto) throw UsageError(where + "texts have no codec");
  if (const auto problem = text_problem(field.text)) throw UsageError(where + *problem);
}

void check_field(const FieldSpec& field) {
  check_name(field.name);
  const std::string where = "field '" + field.name + "': ";
  if (field.type > FieldType::kText) throw UsageError(where + "there is no such type");
  const bool is_width = field.bits == 8 || field.bits == 16 || field.bits == 32 || field.bits == 64;
  if (field.type == FieldType::kInteger && !is_width) {
    throw UsageError(where + "integers have 8, 16, 32 or 64 bits, not " +
                     std::to_string(field.bits));
  }
  if (field.scale > kMaxScale) {
    throw UsageError(where + "decimals have 0 to 18 digits behind the point, not " +
                     std::to_string(field.scale));
  }
  if (field.scale != 0 && field.type != FieldType::kDecimal) {
    throw UsageError(where + "only decimals have a number of digits");
  }
  if (field.multi && field.type == FieldType::kStored) {
    throw UsageError(where + "a document has one stored text; leave multi out");
  }
  if (!simdjson::validate_utf8(field.path)) {
    throw UsageError(where + "its path '" + printable(field.path) + "' is not UTF-8");
  }
  if (field.is_text()) return check_text(field, where);
  if (field.text != TextOptions{})
    throw UsageError(where + "only texts have a weight or a stemmer");
  if (!is_codec(field.codec, field.type)) {
    throw UsageError(where + "there is no codec '" + printable(field.codec) +
                     "' for it; there are " + codec_names(field.type));
  }
}

}  // namespace

bool set_type(FieldSpec& field, std::string_view name) {
  const auto known = std::find_if(kNamedTypes.begin(), kNamedTypes.end(),
                                  [&](const NamedType& type) { return type.name == name; });
  if (known != kNamedTypes.end()) {
    field.type = known->type;
    field.bits = known->bits;
    field.is_signed = known->is_signed;
    return true;
  }
  constexpr std::string_view kLead = "decimal(";
  if (!name.starts_with(kLead) || !name.ends_with(')')) return false;
  const std::string_view digits = name.substr(kLead.size(), name.size() - kLead.size() - 1);
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, field.scale);
  field.type = FieldType::kDecimal;
  return error == std::errc() && rest == end && field.scale <= kMaxScale;
}

std::string unknown_type(std::string_view name) {
  return "there is no type '" + printable(name) + "'; there are " + std::string(kTypes);
}

std::string type_name(const FieldSpec& field) {
  if (field.type == FieldType::kDecimal) return fmt::format("decimal({})", field.scale);
  for (const NamedType& known : kNamedTypes) {
    if (known.type != field.type) continue;
    if (field.type != FieldType::kInteger ||
        (known.bits == field.bits && known.is_signed == field.is_signed)) {
      return std::string(known.name);
    }
  }
  return "unknown";
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
    fail("write NAME:TYPE, as in year:i32; there are the types " + std::string(kTypes));
  }
  std::string_view rest = text.substr(colon + 1);
  bool has_type = false;
  while (!rest.empty() || !has_type) {
    constexpr std::string_view kPath = "path=";
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
    } else if (is_codec(word, field.type)) {
      field.codec = word;
    } else {
      fail("'" + printable(word) + "' is neither 'multi' nor 'path=...' nor a codec; codecs are " +
           codec_names(field.type));
    }
  }
  check_field(field);
  return field;
}

std::string to_string(const FieldSpec& field) {
  std::string text = field.name + ":" + type_name(field);
  if (field.multi) text += ":multi";
  if (field.codec != codecs::kAuto) text += ":" + field.codec;
  text += to_string(field.text);
  if (!field.path.empty()) text += ":path=" + field.path;
  return text;
}

}  // namespace gannet::index
