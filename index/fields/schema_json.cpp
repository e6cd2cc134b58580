// Schemas as JSON: files that users write, and the manifest.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "codecs/base/error.hpp"
#include "codecs/choose.hpp"
#include "index/fields/field_types.hpp"
#include "index/fields/schema.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

namespace dom = simdjson::dom;

class SchemaParser {
 public:
  explicit SchemaParser(std::string_view path) : path_(path) {}

  std::vector<FieldSpec> parse(std::string_view json) {
    dom::parser parser;
    dom::element root;
    const auto error = parser.parse(simdjson::padded_string(json)).get(root);
    if (error != simdjson::SUCCESS) {
      fail(std::string("not valid JSON: ") + simdjson::error_message(error));
    }
    dom::array array;
    if (root.get(array) != simdjson::SUCCESS) {
      fail("must be an array of objects, as in [{\"name\": \"year\", \"type\": \"i32\"}]");
    }
    std::vector<FieldSpec> fields;
    for (const dom::element item : array) {
      where_ = "field " + std::to_string(fields.size() + 1) + " of the array";
      dom::object object;
      if (item.get(object) != simdjson::SUCCESS) fail("must be an object");
      fields.push_back(read(object));
    }
    return fields;
  }

 private:
  FieldSpec read(dom::object object) {
    FieldSpec field;
    bool has_type = false;
    for (const auto& [key, value] : object) {
      if (key == "name") {
        field.name = text(key, value);
        where_ += " ('" + printable(field.name) + "')";
      } else if (key == "type") {
        const std::string name = text(key, value);
        if (!set_type(field, name)) fail(unknown_type(name));
        has_type = true;
      } else if (key == "multi") {
        if (value.get(field.multi) != simdjson::SUCCESS) fail("\"multi\" must be true or false");
      } else if (key == "codec") {
        field.codec = text(key, value);
      } else if (key == "path") {
        field.path = text(key, value);
      } else if (key == "split") {
        field.split = text(key, value);
      } else if (key == "weight" || key == "keep-case" || key == "fold-accents" ||
                 key == "tokenizer" || key == "stemmer" || key == "stop-words") {
        read_text_option(key, value, field.text);
      } else {
        fail("there is no member \"" + printable(key) +
             "\"; there are name, type, multi, codec, split, path, and of texts weight, "
             "tokenizer, stemmer, stop-words, keep-case and fold-accents");
      }
    }
    if (field.name.empty() || !has_type) fail("must have a \"name\" and a \"type\"");
    try {
      Schema({field});
    } catch (const UsageError& error) {
      fail(error.what());
    }
    return field;
  }

  /// As in `--field`, but that JSON has numbers and truth values.
  void read_text_option(std::string_view key, dom::element value, TextOptions& options) const {
    std::string spelled;
    double number = 0;
    bool flag = false;
    if (key == "weight") {
      if (value.get(number) != simdjson::SUCCESS) fail("\"weight\" must be a number");
      spelled = fmt::format("{}", static_cast<float>(number));
    } else if (key == "keep-case" || key == "fold-accents") {
      if (value.get(flag) != simdjson::SUCCESS) {
        fail("\"" + std::string(key) + "\" must be true or false");
      }
      spelled = flag ? "yes" : "no";
    } else {
      spelled = text(key, value);
    }
    try {
      take_text_option(std::string(key) + "=" + spelled, options);
    } catch (const UsageError& error) {
      fail(error.what());
    }
  }

  std::string text(std::string_view key, dom::element value) const {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) fail("\"" + std::string(key) + "\" must be a string");
    return std::string(text);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(std::string(path_) + ": " + (where_.empty() ? "a schema" : where_) + ": " +
                     what);
  }

  std::string_view path_;
  std::string where_;
};

void add_text_options(const TextOptions& options, nlohmann::ordered_json& json) {
  if (options.weight != 1) json["weight"] = std::stod(fmt::format("{}", options.weight));
  if (options.tokenizer) json["tokenizer"] = *options.tokenizer;
  if (options.stemmer) json["stemmer"] = *options.stemmer;
  if (options.stopwords) json["stop-words"] = *options.stopwords;
  if (options.keep_case) json["keep-case"] = *options.keep_case;
  if (options.fold_accents) json["fold-accents"] = *options.fold_accents;
}

}  // namespace

std::vector<FieldSpec> parse_schema(std::string_view json, std::string_view path) {
  return SchemaParser(path).parse(json);
}

std::string schema_json(const Schema& schema) {
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  for (const FieldSpec& field : schema.fields()) {
    nlohmann::ordered_json json{{"name", field.name}, {"type", type_name(field)}};
    if (field.multi) json["multi"] = true;
    if (field.codec != codecs::kAuto) json["codec"] = field.codec;
    add_text_options(field.text, json);
    if (!field.split.empty()) json["split"] = field.split;
    if (!field.path.empty()) json["path"] = field.path;
    fields.push_back(std::move(json));
  }
  return fields.dump();
}

}  // namespace gannet::index
