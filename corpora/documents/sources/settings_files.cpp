#include "corpora/documents/sources/settings_files.hpp"

#include <simdjson.h>

#include <algorithm>
#include <string_view>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources/format_guess.hpp"
#include "corpora/documents/sources/id_names.hpp"
#include "corpora/documents/sources/json_values.hpp"
#include "corpora/documents/sources/member_tree.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kLargestSettings = std::size_t{1} << 16;

bool has_ending(const FoundFile& file, std::string_view ending) {
  return same_name(ending_without_packing(file.path), ending);
}

bool ends_in_lines(const FoundFile& file) {
  return has_ending(file, ".jsonl") || has_ending(file, ".ndjson");
}

/// The members of objects that become part of a document.
class DocumentMembers {
 public:
  explicit DocumentMembers(const ReaderOptions& options)
      : id_(id_field_of(options)), texts_(options.fields), tree_(MemberTree::of(options.schema)) {
    if (texts_.empty()) texts_.emplace_back(index::kContentsField);
  }

  bool has(std::string_view name) const {
    return name == id_ || is_id_name(name) || std::ranges::count(texts_, name) != 0 ||
           tree_.find(name) != nullptr;
  }

  /// "'id', 'title' or 'body'"
  std::string shown() const {
    std::string all = "'" + id_ + "'";
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      all += (i + 1 == texts_.size() ? " or '" : ", '") + texts_[i] + "'";
    }
    return all;
  }

 private:
  std::string id_;
  std::vector<std::string> texts_;
  MemberTree tree_;
};

/// Whether a value is an object without any of the members.
bool is_no_document(const simdjson::dom::element& value, const DocumentMembers& members) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return false;
  return std::none_of(object.begin(), object.end(),
                      [&](const auto& member) { return members.has(member.key); });
}

/// What cannot be read, who reads the documents tells.
bool holds_no_document(const FoundFile& file, const DocumentMembers& members,
                       const std::stop_token& stop) {
  std::string text(kLargestSettings, '\0');
  try {
    ByteStream stream(file.path, stop);
    ReadProblem problem;
    text.resize(stream.read(text.data(), text.size(), problem));
    if (!problem.empty() || text.size() == kLargestSettings) return false;
  } catch (const IoError&) {
    return false;
  }
  simdjson::dom::parser parser;
  simdjson::dom::element value;
  simdjson::dom::array array;
  if (parser.parse(text).get(value) != simdjson::SUCCESS) return false;
  if (value.get(array) != simdjson::SUCCESS) return is_no_document(value, members);
  return std::all_of(array.begin(), array.end(),
                     [&](const auto& one) { return is_no_document(one, members); });
}

}  // namespace

std::set<std::filesystem::path> settings_files(const std::vector<FoundFile>& files,
                                               const ReaderOptions& options) {
  std::set<std::filesystem::path> found;
  if (!std::ranges::any_of(files, ends_in_lines)) return found;
  const DocumentMembers members(options);
  for (const FoundFile& file : files) {
    if (!file.problem.empty() || !has_ending(file, ".json")) continue;
    if (holds_no_document(file, members, options.stop)) found.insert(file.path);
  }
  return found;
}

std::string settings_reason(const ReaderOptions& options) {
  return "holds no document: no object with " + DocumentMembers(options).shown();
}

}  // namespace gannet::corpora
