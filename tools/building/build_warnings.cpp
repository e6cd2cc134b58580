#include "tools/building/build_warnings.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "index/fields/field_column.hpp"
#include "index/index.hpp"
#include "index/shard_set.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/building/stop_words_option.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

/// "docs.jsonl", "docs.jsonl and 3 more", with the size of a single file that is empty.
std::string what_was_read(const OptionSet& options) {
  const auto& inputs = options.get<std::vector<std::string>>("input");
  std::error_code error;
  if (inputs.size() == 1 && fs::is_regular_file(inputs[0], error) &&
      fs::file_size(inputs[0], error) == 0) {
    return inputs[0] + ", which is empty";
  }
  if (inputs.size() == 1) return inputs[0];
  return fmt::format("{} and {} more", inputs.front(), inputs.size() - 1);
}

bool has_field(const index::Index& index, std::size_t number) {
  for (const auto& segment : index.segments()) {
    if (documents_with(segment->field(number)) != 0) return true;
  }
  return false;
}

std::vector<std::string> members_of(const corpora::FieldUse* use) {
  return use == nullptr ? std::vector<std::string>() : use->members();
}

/// Of the texts, one that fits hides another that is mistyped.
void add_unused_texts(const OptionSet& options, const corpora::FieldUse& use,
                      std::vector<std::string>& warnings) {
  const std::vector<std::string> names = split_commas(options.get<std::string>("fields"));
  const std::vector<std::string> members = use.members();
  if (members.empty()) return;  // of a format without members
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (use.had(i)) continue;
    warnings.push_back(fmt::format("no document has a text '{}'{}, which --fields names", names[i],
                                   index::did_you_mean(names[i], members)));
  }
}

void add_fields_without_values(const index::Index& index, const corpora::FieldUse* use,
                               std::vector<std::string>& warnings) {
  const auto& fields = index.schema().fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (has_field(index, i)) continue;
    const std::string source =
        fields[i].path.empty() ? "" : fmt::format(", looked for as '{}'", fields[i].path);
    warnings.push_back(fmt::format("no document has a value of the field '{}'{}{}", fields[i].name,
                                   source,
                                   index::did_you_mean(fields[i].source(), members_of(use))));
  }
}

}  // namespace

std::vector<std::string> build_warnings(const OptionSet& options, const std::string& index,
                                        const index::BuildReport& report,
                                        const corpora::FieldUse* use) {
  const index::Statistics& statistics = report.statistics;
  std::vector<std::string> warnings;
  if (statistics.documents == 0) {
    warnings.push_back(fmt::format("no document was found in {} (read as {})",
                                   what_was_read(options), options.get<std::string>("format")));
    return warnings;
  }
  if (statistics.terms == 0) {
    const bool one = statistics.documents == 1;
    warnings.push_back(fmt::format("{} {} read, and {} word: {} (read as {})",
                                   counted(statistics.documents, "document"), one ? "was" : "were",
                                   one ? "it has no" : "none has a", what_was_read(options),
                                   options.get<std::string>("format")));
  }
  if (index::is_shard_set(index)) return warnings;
  const index::Index opened = index::Index::open(index);
  if (use != nullptr) add_unused_texts(options, *use, warnings);
  add_fields_without_values(opened, use, warnings);
  const std::string unused = unused_stop_words_text(opened.analyzer());
  if (!unused.empty()) warnings.push_back(unused);
  return warnings;
}

}  // namespace gannet::tools
