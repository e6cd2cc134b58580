#include "corpora/documents/sources/format_guess.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/documents/files/found_files.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;
using FormatNames = std::vector<std::string>;

/// Enough for the first line of a table and the head of a record.
constexpr std::size_t kSampleBytes = std::size_t{1} << 16;
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

/// What an ending says. Without a format, the content decides.
struct KnownEnding {
  std::string_view ending;
  std::string_view format;
};
constexpr KnownEnding kEndings[] = {
    {".jsonl", "jsonl"},
    {".ndjson", "jsonl"},
    {".json", "jsonl"},
    {".tsv", "tsv"},
    {".tab", "tsv"},
    {".csv", "csv"},
    {".warc", "warc"},
    {".wet", "warc"},
    {".arc", "arc"},
    {".ciff", "ciff"},
    {".html", "dir"},
    {".htm", "dir"},
    {".trectext", "trectext"},
    {".trecweb", "trecweb"},
    {".xhtml", "dir"},
    {".parquet", "parquet"},
    {".trec", ""},
    {".xml", ""},
    {".txt", ""},
};

const KnownEnding* ending_of(const fs::path& name) {
  const std::string extension = name.extension().string();
  const auto* const found = std::ranges::find_if(
      kEndings, [&](const KnownEnding& known) { return same_name(extension, known.ending); });
  return found == std::end(kEndings) ? nullptr : found;
}

bool has_packed_ending(const fs::path& name) {
  const std::string extension = name.extension().string();
  return std::ranges::any_of(kPackedExtensions,
                             [&](std::string_view packed) { return same_name(extension, packed); });
}

fs::path without_packing(const fs::path& file) {
  const fs::path name = file.filename();
  return has_packed_ending(name) ? name.stem() : name;
}

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  return text;
}

/// A member of a JSON object: its name, and the first character of its value.
using JsonMember = std::pair<std::string, char>;

/// The members of the object that the text begins with, as far as the text goes.
std::vector<JsonMember> members_of(std::string_view text) {
  std::vector<JsonMember> members;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' || text[at] == '[') ++depth;
    if ((text[at] == '}' || text[at] == ']') && --depth == 0) break;
    if (text[at] != '"') continue;
    const std::size_t begin = at + 1;
    for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    if (at >= text.size()) break;
    const std::string_view behind = without_blanks(text.substr(at + 1));
    if (depth != 1 || !behind.starts_with(':')) continue;
    const std::string_view value = without_blanks(behind.substr(1));
    members.emplace_back(text.substr(begin, at - begin), value.empty() ? ' ' : value[0]);
  }
  return members;
}

/// A record with a vector has terms and weights. If it has a text, too, either may be meant.
FormatNames formats_of_json(std::string_view text) {
  if (text.starts_with('[')) text = without_blanks(text.substr(1));
  if (!text.starts_with('{')) return {};
  bool has_vector = false;
  bool has_text = false;
  for (const auto& [name, value] : members_of(text)) {
    has_vector |= name == "vector" && value == '{';
    has_text |= name == "contents";
  }
  if (has_vector && has_text) return {"jsonl", "json-vectors"};
  return {has_vector ? "json-vectors" : "jsonl"};
}

FormatNames formats_of_markup(std::string_view text) {
  if (text.starts_with("<DOC>")) {
    const bool web = text.substr(0, text.find("</DOC>")).find("<DOCHDR>") != std::string_view::npos;
    return {web ? "trecweb" : "trectext"};
  }
  if (text.starts_with("<?xml")) text.remove_prefix(std::min(text.find("<mediawiki"), text.size()));
  if (text.starts_with("<mediawiki")) return {"wikipedia"};
  return {};
}

/// The Common Index File Format begins with the length of its header, whose first members are the
/// version, 1, and a number.
bool is_ciff(std::string_view begin) {
  const std::size_t at = !begin.empty() && (begin[0] & 0x80) != 0 ? 2 : 1;
  return begin.size() > at + 2 && begin.substr(at).starts_with("\x08\x01\x10");
}

bool is_column_name(std::string_view name) {
  if (name.size() > 1 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ' ';
  });
}

/// Sentences have commas, too: the names must look like names, and one of them be an id's.
bool is_csv_header(std::string_view line) {
  bool has_id = false;
  std::size_t columns = 0;
  for (std::size_t at = 0; at <= line.size(); ++columns) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    const std::string_view name = line.substr(at, comma - at);
    if (!is_column_name(name)) return false;
    for (const std::string_view id : {"id", "\"id\"", "docid", "doc_id", "docno", "_id"}) {
      has_id |= same_name(name, id);
    }
    at = comma + 1;
  }
  return columns > 1 && has_id;
}

FormatNames formats_of_table(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\0') != std::string_view::npos) return {};
  FormatNames names;
  if (line.find('\t') != std::string_view::npos) names.emplace_back("tsv");
  if (is_csv_header(line)) names.emplace_back("csv");
  return names;
}

/// `damage_may_be`: of damaged data before anything can be read there is nothing, and no error: who
/// reads the file tells, and may pass it over.
std::string begin_of(const fs::path& file, bool damage_may_be, const std::stop_token& stop) {
  ByteStream stream(file, stop);
  std::string begin(kSampleBytes, '\0');
  ReadProblem problem;  // damage behind the beginning: who reads all of it will tell
  begin.resize(stream.read(begin.data(), begin.size(), problem));
  const bool nothing = begin.empty() && !problem.empty();
  if (nothing && !(problem.damaged && damage_may_be)) problem.raise();
  if (begin.starts_with(kUtf8Mark)) begin.erase(0, kUtf8Mark.size());
  return begin;
}

/// The formats that a file may be in.
FormatNames formats_of_file(const NamedInput& file, bool in_folder, const std::stop_token& stop) {
  const KnownEnding* const ending = ending_of(without_packing(file.path));
  const std::string_view said = ending == nullptr ? "" : ending->format;
  // JSON may be documents or vectors.
  if (!said.empty() && said != "jsonl") return {std::string(said)};
  if (!fs::is_regular_file(file.path)) {
    if (!said.empty()) return {std::string(said)};
    throw UsageError(file.name +
                     ": what a pipe or a device has cannot be looked at before it is "
                     "read; give --format, one of " +
                     all_format_names());
  }
  const std::string begin = begin_of(file.path, !said.empty(), stop);
  if (!said.empty()) {
    const FormatNames json = formats_of_json(without_blanks(begin));
    return json.empty() ? FormatNames{std::string(said)} : json;
  }
  FormatNames found = formats_by_content(begin);
  if (found.empty() && in_folder && ending != nullptr && ending->ending == ".txt") return {"dir"};
  return found;
}

/// Whether no format has the ending of the file, and it has one.
bool is_foreign(const fs::path& file) {
  return ending_of(without_packing(file)) == nullptr && !ending_without_packing(file).empty();
}

/// Whether a file begins as the format does; of one that cannot be read nothing is known.
bool begins_as(const fs::path& file, std::string_view format, const std::stop_token& stop) {
  try {
    return std::ranges::count(formats_by_content(begin_of(file, true, stop)), format) != 0;
  } catch (const IoError&) {
    return false;
  }
}

bool says(const KnownEnding& ending, std::string_view format) {
  const bool json = ending.format == "jsonl" && format == "json-vectors";
  return ending.format == format || json;
}

/// Such as _SUCCESS, which says that the others are there.
bool is_empty_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && fs::file_size(file, error) == 0;
}

/// A file of each ending of the inputs, and whether it lies in a folder that is an input. Of files
/// in a folder the empty ones say nothing, unless all are.
std::vector<std::pair<NamedInput, bool>> samples_of(const NamedInput& input,
                                                    const std::stop_token& stop) {
  const bool folder = fs::is_directory(input.path);
  const std::vector<FoundFile> files = find_files(input.path, stop).files;
  const bool any =
      std::ranges::any_of(files, [](const FoundFile& f) { return !is_empty_file(f.path); });
  std::map<std::string, NamedInput> by_ending;
  for (const FoundFile& file : files) {
    if (!file.problem.empty()) continue;  // who reads it will tell
    if (folder && any && is_empty_file(file.path)) continue;
    by_ending.try_emplace(ending_without_packing(file.path),
                          NamedInput{file.path, folder ? file.path.string() : input.name});
  }
  if (by_ending.empty()) throw UsageError(input.name + ": there is no file in this directory");
  std::vector<std::pair<NamedInput, bool>> samples;
  for (auto& [ending, file] : by_ending) samples.emplace_back(std::move(file), folder);
  return samples;
}

bool is_ds2i(const fs::path& path) {
  const auto has = [&](const char* ending) { return fs::exists(fs::path(path) += ending); };
  return !fs::exists(path) && has(".docs") && has(".freqs");
}

[[noreturn]] void fail_at(const std::string& file, const FormatNames& formats) {
  std::string may;
  for (const std::string& format : formats) may += (may.empty() ? "" : " or ") + format;
  throw UsageError(file + ": " +
                   (formats.empty()
                        ? "neither its name nor its first bytes say what format it is in"
                        : "may be " + may) +
                   "; give --format, one of " + all_format_names());
}

}  // namespace

std::string all_format_names() { return document_format_names() + ", ds2i, ciff"; }

std::string ending_without_packing(const fs::path& file) {
  return without_packing(file).extension().string();
}

std::set<std::string> unread_endings(const std::vector<FoundFile>& files, std::string_view format,
                                     const std::stop_token& stop) {
  std::set<std::string> unread;
  std::set<std::string> seen;
  bool any_is_read = false;
  for (const FoundFile& file : files) {
    const std::string ending = ending_without_packing(file.path);
    if (!file.problem.empty() || !seen.insert(ending).second) continue;
    const KnownEnding* const known = ending_of(without_packing(file.path));
    if ((known != nullptr && says(*known, format)) || begins_as(file.path, format, stop)) {
      any_is_read = true;
    } else if (is_foreign(file.path)) {
      unread.insert(ending);
    }
  }
  return any_is_read ? unread : std::set<std::string>();
}

std::string name_without_endings(const fs::path& file) {
  std::string name = without_packing(file).string();
  // stem() leaves names that begin with their only dot as they are.
  while (const KnownEnding* const ending = ending_of("x" + name)) {
    name.resize(name.size() - ending->ending.size());
  }
  return name;
}

std::vector<std::string> formats_by_content(std::string_view begin) {
  if (begin.starts_with(kUtf8Mark)) begin.remove_prefix(kUtf8Mark.size());
  if (is_ciff(begin)) return {"ciff"};
  begin = without_blanks(begin);
  if (begin.starts_with("WARC/")) return {"warc"};
  if (begin.starts_with("filedesc://")) return {"arc"};
  if (begin.starts_with('<')) return formats_of_markup(begin);
  if (begin.starts_with('{') || begin.starts_with('[')) {
    FormatNames json = formats_of_json(begin);
    if (!json.empty()) return json;
  }
  return formats_of_table(begin);
}

std::string guess_format(const std::vector<NamedInput>& inputs, const std::stop_token& stop) {
  std::optional<std::string> all;
  std::string first;
  const auto agree = [&](const std::string& file, const std::string& format) {
    if (all && *all != format) {
      throw UsageError("the input is in several formats: " + first + " is " + *all + ", " + file +
                       " is " + format + "; add them one after the other (gannet add), or give " +
                       "--format, one of " + all_format_names());
    }
    if (!all) first = file;
    all = format;
  };
  for (const NamedInput& input : inputs) {
    if (is_ds2i(input.path)) {
      agree(input.name, "ds2i");
      continue;
    }
    std::string unread;
    bool any_is_read = false;
    for (const auto& [file, in_folder] : samples_of(input, stop)) {
      const FormatNames formats = formats_of_file(file, in_folder, stop);
      if (formats.empty() && in_folder && is_foreign(file.path)) {
        unread = file.name;
        continue;
      }
      if (formats.size() != 1) fail_at(file.name, formats);
      any_is_read = true;
      agree(file.name, formats[0]);
    }
    if (!any_is_read) fail_at(unread, {});
  }
  return all.value_or("");
}

}  // namespace gannet::corpora
