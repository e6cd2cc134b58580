// The members of a manifest's objects, by type; what is wrong with them is told by name.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"
#include "index/files/messages.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/manifest_layout.hpp"

namespace gannet::index {

/// An object of a manifest. Methods throw FormatError, which names the file and the member.
class ManifestMembers {
 public:
  ManifestMembers(simdjson::dom::object object, const std::filesystem::path& path)
      : object_(object), path_(path) {}

  template <class T>
  T get(const char* key) const {
    simdjson::dom::element value;
    T typed{};
    if (object_.at_key(key).get(value) != simdjson::SUCCESS) {
      fail(key, "is missing");
    }
    if (value.get(typed) != simdjson::SUCCESS) fail(key, "is not of the type that it must have");
    return typed;
  }
  std::string text(const char* key) const { return std::string(get<std::string_view>(key)); }
  std::uint64_t number(const char* key, std::uint64_t most = ~std::uint64_t{0}) const {
    const auto value = get<std::uint64_t>(key);
    if (value > most) fail(key, "is too large");
    return value;
  }
  std::uint64_t checksum(const char* key) const {
    const auto value = from_hex(get<std::string_view>(key));
    if (!value) fail(key, "is no checksum of 16 hexadecimal digits");
    return *value;
  }
  bool has(const char* key) const {
    simdjson::dom::element value;
    return object_.at_key(key).get(value) == simdjson::SUCCESS;
  }
  /// The members of an object whose values are all texts.
  std::map<std::string, std::string> texts(const char* key) const {
    std::map<std::string, std::string> all;
    for (const auto& [name, value] : get<simdjson::dom::object>(key)) {
      std::string_view text;
      if (value.get(text) != simdjson::SUCCESS) fail(key, "holds something that is no text");
      all.emplace(name, text);
    }
    return all;
  }
  /// The elements of an array of texts.
  std::vector<std::string> words(const char* key) const {
    std::vector<std::string> all;
    for (const auto& value : get<simdjson::dom::array>(key)) {
      std::string_view text;
      if (value.get(text) != simdjson::SUCCESS) fail(key, "holds something that is no text");
      all.emplace_back(text);
    }
    return all;
  }
  /// JSON of an object with the members that have none of these names; empty if there are none.
  std::string others(std::initializer_list<std::string_view> known) const {
    std::string json;
    for (const auto& [name, value] : object_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      json += (json.empty() ? "{" : ",") + json_text(name) + ":" + simdjson::minify(value);
    }
    return json.empty() ? json : json + "}";
  }
  /// Throws VersionError, which names them, if there are members with other names: for objects of
  /// which a writer would keep none. `object` is what they are of.
  void refuse_others(const char* object, std::initializer_list<std::string_view> known) const {
    const std::string unknown = others(known);
    if (unknown.empty()) return;
    throw VersionError(path_.string() + ": its \"" + object + "\" has " + names_in_json(unknown) +
                       ", which Gannet " + library_version() +
                       " does not know; use the version that wrote it, or a newer one");
  }
  ManifestMembers object(const char* key) const { return {get<simdjson::dom::object>(key), path_}; }

  /// Calls `f(ManifestMembers)` for every object of an array.
  template <class F>
  void each(const char* key, F&& f) const {
    for (const simdjson::dom::element item : get<simdjson::dom::array>(key)) {
      simdjson::dom::object object;
      if (item.get(object) != simdjson::SUCCESS) fail(key, "holds something that is no object");
      f(ManifestMembers(object, path_));
    }
  }

  [[noreturn]] void fail(const char* key, const std::string& what) const {
    fail_format(path_, "\"" + std::string(key) + "\" " + what);
  }

 private:
  simdjson::dom::object object_;
  const std::filesystem::path& path_;
};

/// The object that a file holds; it lives as long as the parser. Throws FormatError.
inline simdjson::dom::object parse_object(simdjson::dom::parser& parser, std::string_view json,
                                          const std::filesystem::path& path) {
  simdjson::dom::element root;
  simdjson::dom::object object;
  const auto error = parser.parse(simdjson::padded_string(json)).get(root);
  if (error != simdjson::SUCCESS) {
    fail_format(path, std::string("not valid JSON: ") + simdjson::error_message(error));
  }
  if (root.get(object) != simdjson::SUCCESS) fail_format(path, "not a JSON object");
  return object;
}

}  // namespace gannet::index
