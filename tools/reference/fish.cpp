#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/options/table/letters.hpp"
#include "tools/reference/completion.hpp"

namespace gannet::tools {
namespace {

constexpr std::string_view kFishBegin =
    R"sh(# Completes command lines of gannet in fish. Made by `gannet completion fish`.

# Whether the words typed are these commands and nothing else; behind a command that takes others' names, too.
function __gannet_typed
    set -l words (commandline -opc)
    set -e words[1]
    if contains -- "$words[1]" $__gannet_namers
        set -e words[1]
        set words (string match -v -- '-*' $words)
    end
    test "$words" = "$argv"
end
# Whether they begin with these.
function __gannet_in
    set -l words (commandline -opc)
    set -e words[1]
    set -l count (count $argv)
    test "$words[1..$count]" = "$argv"
end

complete -c gannet -f
)sh";

std::string in_fish_quotes(std::string_view text) {
  return "'" + with_backslashes(text, "\\'") + "'";
}

/// A line; `words` are those behind the program's name, `rest` is what is completed there.
std::string line_in_fish(std::string_view test, const Page& page, std::string_view rest,
                         std::string_view what) {
  const std::string command = command_of(page);
  const std::string condition = fmt::format("{}{}{}", test, command.empty() ? "" : " ", command);
  return fmt::format("complete -c gannet -n {} {} -d {}\n", in_fish_quotes(condition), rest,
                     in_fish_quotes(what));
}

std::string names_in_fish(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : " ") + with_backslashes(name, "\\'\"$*?~#()[]{}<>&|;");
  }
  return text;
}

/// What may follow: " -x -a 'or and'".
std::string value_in_fish(const Option& row) {
  const Names names = offered_names(row);
  const std::string list = names_in_fish(names);
  if (!names.empty() && takes_several(row))
    return " -x -a " + in_fish_quotes("(__fish_append , " + list + ")");
  if (!names.empty()) return " -x -a " + in_fish_quotes(list);
  switch (kind_of(row)) {
    case Kind::kFile:
      return " -r -F";
    case Kind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::kCommand:
    case Kind::kAny:
      break;
  }
  const auto* const whole = std::get_if<Whole>(&row.type);
  const bool bare = whole != nullptr && whole->bare;
  return std::holds_alternative<Flag>(row.type) || bare ? "" : " -x";
}

void append_completions(std::string& script, const Page& page) {
  for (const Option* const row : page.description.rows) {
    const char letter = letter_of(row->name);
    script +=
        line_in_fish("__gannet_in", page,
                     fmt::format("{}-l {}{}", letter != '\0' ? fmt::format("-s {} ", letter) : "",
                                 row->name, value_in_fish(*row)),
                     sentence_of(*row));
  }
  const Option* const row = page.description.positional;
  if (row == nullptr) return;
  if (kind_of(*row) == Kind::kCommand) {
    script += fmt::format("set -g __gannet_namers {}\n", command_of(page));
    return;
  }
  // Of a word without an option fish asks for no value: -r and -x are about options.
  const std::string words = value_in_fish(*row);
  const std::size_t end = std::string_view(" -x ").size();
  if (words.size() > end) {
    script += line_in_fish("__gannet_in", page, words.substr(end), sentence_of(*row));
  }
}

}  // namespace

std::string fish_completion(const Page& gannet) {
  std::string script(kFishBegin);
  visit_pages(gannet, [&](const Page& page) {
    for (const Page& part : page.parts) {
      script += line_in_fish("__gannet_typed", page, fmt::format("-a {}", part.words.back()),
                             part.summary);
    }
    append_completions(script, page);
  });
  return script;
}

}  // namespace gannet::tools
