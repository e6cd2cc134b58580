#include <fmt/format.h>

#include "tools/options/table/letters.hpp"
#include "tools/reference/completion.hpp"

namespace gannet::tools {
namespace {

constexpr std::string_view kZshBegin = R"sh(#compdef gannet
# Completes command lines of gannet in zsh. Made by `gannet completion zsh`.

# Sets below to the commands below the one that is named.
_gannet_below() {
  case $1 in
)sh";

constexpr std::string_view kZshBetween = R"sh(    (*) return 1 ;;
  esac
}

# Offers commands behind those that are typed: gannet help bench ...
_gannet_named() {
  local -a typed below
  typed=(${words[2,CURRENT-1]:#-*})
  _gannet_below "${(j: :)typed}" && _describe -t commands command below
}

_gannet() {
  local -a below
  local command=
  # Words that name a command are taken off.
  while _gannet_below "$command"; do
    if (( CURRENT == 2 )); then
      _describe -t commands command below
      return
    fi
    command+="${command:+ }$words[2]"
    shift words
    (( CURRENT-- ))
  done
  case $command in
)sh";

constexpr std::string_view kZshEnd = R"sh(    (*) return 1 ;;
  esac
}

if [[ $funcstack[1] == _gannet ]]; then
  _gannet "$@"
else
  compdef _gannet gannet
fi
)sh";

/// In a specification of _arguments and _describe.
std::string plain_in_zsh(std::string_view text) { return with_backslashes(text, "\\[]:"); }

std::string names_in_zsh(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : " ") +
            with_backslashes(with_backslashes(name, "\\'\"`$&;<>|*?()[]{}#~!"), ":");
  }
  return text;
}

/// What may follow: files, names; a blank for what nothing is known about.
std::string value_in_zsh(const Option& row) {
  Names names = offered_names(row);
  if (!names.empty() && takes_several(row)) {
    // _values reads them as specifications, behind the shell.
    for (std::string& name : names) name = plain_in_zsh(name);
    return fmt::format("_values -s , name {}", names_in_zsh(names));
  }
  if (!names.empty()) return fmt::format("({})", names_in_zsh(names));
  switch (kind_of(row)) {
    case Kind::kFile:
      return "_files";
    case Kind::kFolder:
      return "_files -/";
    case Kind::kCommand:
      return "_gannet_named";
    case Kind::kAny:
      break;
  }
  return " ";
}

/// "--k=[hits]:k: " of _arguments; `dashes` and `name` are the option's name.
std::string argument_in_zsh(const Option& row, std::string_view name, bool is_long) {
  const std::string explained = fmt::format("[{}]", plain_in_zsh(sentence_of(row)));
  if (std::holds_alternative<Flag>(row.type)) return fmt::format("{}{}", name, explained);
  const auto* const texts = std::get_if<Texts>(&row.type);
  const auto* const whole = std::get_if<Whole>(&row.type);
  const bool bare = whole != nullptr && whole->bare.has_value();
  const std::string_view sign = !is_long ? "" : bare ? "=-" : "=";
  const std::string_view colon = bare ? "::" : texts != nullptr && texts->words ? ":*-*:" : ":";
  return fmt::format("{}{}{}{}{}{}:{}", texts != nullptr ? "*" : "", name, sign, explained, colon,
                     plain_in_zsh(row.name), value_in_zsh(row));
}

void append_arguments(std::string& script, const Page& page) {
  script += fmt::format("    ({})\n      _arguments -S", in_single_quotes(command_of(page)));
  const auto add = [&](const std::string& text) {
    script += " \\\n        " + in_single_quotes(text);
  };
  for (const Option* const row : page.description.rows) {
    add(argument_in_zsh(*row, fmt::format("--{}", row->name), true));
    if (const char letter = letter_of(row->name)) {
      add(argument_in_zsh(*row, fmt::format("-{}", letter), false));
    }
  }
  if (const Option* const row = page.description.positional) {
    add(fmt::format("*:{}:{}", plain_in_zsh(row->name), value_in_zsh(*row)));
  }
  script += "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const Page& gannet) {
  std::string script(kZshBegin);
  visit_pages(gannet, [&](const Page& page) {
    if (page.parts.empty()) return;
    script += fmt::format("    ({})\n      below=(\n", in_single_quotes(command_of(page)));
    for (const Page& part : page.parts) {
      const std::string row = fmt::format("{}:{}", plain_in_zsh(part.words.back()),
                                          with_backslashes(part.summary, "\\:"));
      script += fmt::format("        {}\n", in_single_quotes(row));
    }
    script += "      )\n      ;;\n";
  });
  script += kZshBetween;
  visit_pages(gannet, [&](const Page& page) {
    if (page.parts.empty()) append_arguments(script, page);
  });
  return script + std::string(kZshEnd);
}

}  // namespace gannet::tools
