#include "tools/building/input_guess.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/format_guess.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/pipe_begin.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBeginOfPipe = std::size_t{1} << 18;

/// What is read twice from a pipe is nothing at the second time.
void check_pipes_once(const std::vector<std::string>& inputs) {
  std::set<int> descriptors;
  for (const std::string& input : inputs) {
    const std::optional<int> descriptor = descriptor_named(input);
    if (!descriptor || descriptors.insert(*descriptor).second) continue;
    throw UsageError(
        *descriptor == STDIN_FILENO
            ? "--input: stdin ('-') is named twice; a file of that name is './-'"
            : fmt::format("--input: '{}' is named twice, and a pipe can be read once", input));
  }
}

std::string format_of(const std::vector<std::string>& inputs) {
  std::vector<corpora::NamedInput> named;
  for (const std::string& input : inputs) {
    const std::string name = input == "-" ? "stdin" : input;
    const std::optional<int> descriptor = descriptor_named(input);
    fs::path path = input;
    std::error_code error;
    const bool folder = input != "-" && fs::is_directory(path, error);  // also as /dev/fd/3
    if (descriptor && !folder) path = pipe_begin(*descriptor, name, kBeginOfPipe);
    named.push_back({std::move(path), name});
  }
  return corpora::guess_format(named);
}

}  // namespace

std::string default_output(const std::string& input) {
  fs::path path = input;
  if (!path.has_filename()) path = path.parent_path();  // "docs/"
  if (path.filename() == "." || path.filename() == "..") path = fs::canonical(path);
  const std::string name = corpora::name_without_endings(path.filename());
  if (descriptor_named(input) || name.empty()) {
    throw UsageError(
        fmt::format("--output is missing: {} has no name that the index could be called after",
                    input == "-" ? "stdin" : "'" + input + "'"));
  }
  return (name.starts_with('-') ? "./" : "") + name + ".gannet";
}

void settle_input(OptionSet& options, bool makes_index, bool tell) {
  const auto inputs = options.get<std::vector<std::string>>("input");
  check_pipes_once(inputs);
  const bool wants_output = makes_index && !options.has("output");
  // An error here costs no reading of stdin.
  if (wants_output) options.set("output", default_output(inputs.at(0)));
  const bool wants_format = !options.has("format");
  if (wants_format) options.set("format", format_of(inputs));
  if (!tell || options.has("quiet") || !(wants_format || wants_output)) return;
  std::string said;
  if (wants_format) said = "format " + options.get<std::string>("format");
  if (wants_output) {
    said += (said.empty() ? "" : ", ") + ("output " + options.get<std::string>("output"));
  }
  print_note(said);
}

}  // namespace gannet::tools
