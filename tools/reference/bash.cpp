#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/options/table/letters.hpp"
#include "tools/reference/completion.hpp"

namespace gannet::tools {
namespace {

constexpr std::string_view kBashBegin =
    R"sh(# Completes command lines of gannet in bash. Made by `gannet completion bash`.

# Sets rows to those of a command: a name, what follows it, and the names that may follow. A row of
# kind "word" is a command below; one named "-" is what words without an option are. "+": several words.
_gannet_rows() {
  case $1 in
)sh";

constexpr std::string_view kBashEnd = R"sh(    *) return 1 ;;
  esac
}

# Offers the commands below the one that is named.
_gannet_below() {
  local row name kind rows=()
  _gannet_rows "$1"
  for row in "${rows[@]}"; do
    read -r name kind <<<"$row"
    [[ $kind == word && $name == "$current"* ]] && COMPREPLY+=("$name")
  done
}

# Offers values of a kind, or of the names; `before` is what the word has before them.
_gannet_values() {
  local name names words=()
  case ${1%+} in
    file) mapfile -t COMPREPLY < <(compgen -P "$before" -f -- "$current") ;;
    folder) mapfile -t COMPREPLY < <(compgen -P "$before" -d -- "$current") ;;
    command)
      for name in "${COMP_WORDS[@]:first:COMP_CWORD-first}"; do
        [[ $name == -* ]] || words+=("$name")
      done
      _gannet_below "${words[*]}"
      ;;
    name | names)
      if [[ $1 == names && $current == *,* ]]; then
        before+=${current%,*},
        current=${current##*,}
      fi
      read -ra names <<<"$2"
      for name in "${names[@]}"; do
        [[ $name == "$current"* ]] && COMPREPLY+=("$before$name")
      done
      ;;
  esac
  case ${1%+} in
    file | folder) compopt -o filenames 2>/dev/null ;;
    names) compopt -o nospace 2>/dev/null ;;
  esac
}

_gannet() {
  local IFS=$' \t\n' rows=() row name kind names command= first=1 before= option= adjacent=1 i
  local current=${COMP_WORDS[COMP_CWORD]} last=$((COMP_CWORD - 1))
  COMPREPLY=()
  _gannet_rows ''
  while ((first < COMP_CWORD)) && _gannet_rows "${command:+$command }${COMP_WORDS[first]}"; do
    command+="${command:+ }${COMP_WORDS[first]}"
    ((++first))
  done
  # --option=value is one word or, by COMP_WORDBREAKS, three.
  if [[ $current == --*=* ]]; then
    option=${current%%=*} before=$option= current=${current#*=}
  elif [[ $current == '=' ]]; then
    option=${COMP_WORDS[last]} current=
  elif [[ ${COMP_WORDS[last]} == '=' ]]; then
    option=${COMP_WORDS[last - 1]}
  elif [[ $current != -* ]]; then
    for ((i = last; i >= first; --i)); do
      [[ ${COMP_WORDS[i]} == -* ]] && option=${COMP_WORDS[i]} && break
      adjacent=
    done
  fi
  if [[ $option ]]; then
    for row in "${rows[@]}"; do
      read -r name kind names <<<"$row"
      [[ $name == "$option" && $kind != flag && ($adjacent || $kind == *+) ]] || continue
      _gannet_values "$kind" "$names"
      return
    done
  fi
  for row in "${rows[@]}"; do
    read -r name kind names <<<"$row"
    if [[ $kind == word ]]; then
      ((first == COMP_CWORD)) && [[ $name == "$current"* ]] && COMPREPLY+=("$name")
    elif [[ $name == - ]]; then
      [[ $current == -* ]] || _gannet_values "$kind" "$names"
    elif [[ $current == -* && $name == "$current"* ]]; then
      COMPREPLY+=("$name")
    fi
  done
}

complete -F _gannet gannet
)sh";

std::string kind_in_bash(const Option& row) {
  constexpr std::string_view kKinds[] = {"value", "file", "folder", "command"};
  const auto* const whole = std::get_if<Whole>(&row.type);
  // What an option says without a number has it behind '=' alone.
  if (std::holds_alternative<Flag>(row.type) || (whole != nullptr && whole->bare)) return "flag";
  const Names names = offered_names(row);
  if (!names.empty()) {
    return fmt::format("{} {}", takes_several(row) ? "names" : "name", fmt::join(names, " "));
  }
  const auto* const texts = std::get_if<Texts>(&row.type);
  const bool words = texts != nullptr && texts->words;
  return fmt::format("{}{}", kKinds[static_cast<std::size_t>(kind_of(row))], words ? "+" : "");
}

}  // namespace

std::string bash_completion(const Page& gannet) {
  std::string script(kBashBegin);
  visit_pages(gannet, [&](const Page& page) {
    const auto add = [&](std::string_view name, std::string_view kind) {
      script += fmt::format("        {}\n", in_single_quotes(fmt::format("{} {}", name, kind)));
    };
    script += fmt::format("    {})\n      rows=(\n", in_single_quotes(command_of(page)));
    for (const Page& part : page.parts) add(part.words.back(), "word");
    for (const Option* const row : page.description.rows) {
      const std::string kind = kind_in_bash(*row);
      add(fmt::format("--{}", row->name), kind);
      if (const char letter = letter_of(row->name)) add(fmt::format("-{}", letter), kind);
    }
    if (page.description.positional != nullptr)
      add("-", kind_in_bash(*page.description.positional));
    script += "      )\n      ;;\n";
  });
  return script + std::string(kBashEnd);
}

}  // namespace gannet::tools
