// gannet help and gannet completion.
#include "tools/commands/help/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/options/table/reference.hpp"
#include "tools/reference/completion.hpp"
#include "tools/reference/man.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelpHelp{"gannet help [COMMAND [PART]] [--json | --man]", R"(
Says what a command does, with its options and examples; without a command, which commands
there are. --json prints the options with their types, ranges and defaults, or the commands.
--man prints a manual page, of gannet itself without a command; 'man gannet-search' shows it where Gannet is
installed.)",
                             R"(
  gannet help search
  gannet help bench decode
  gannet help search --json
  gannet help search --man > gannet-search.1)"};

constexpr HelpText kCompletionHelp{"gannet completion SHELL", R"(
Prints a script by which a shell completes commands, options, their values, files and folders
when the tab key is pressed. SHELL is bash, zsh or fish. Where Gannet is installed by 'cmake
--install' under /usr or /usr/local, shells find the script themselves.)",
                                   R"sh(
  eval "$(gannet completion bash)"          # in ~/.bashrc
  eval "$(gannet completion zsh)"           # in ~/.zshrc, behind compinit
  gannet completion fish > ~/.config/fish/completions/gannet.fish)sh"};

Page page_of(std::vector<std::string> words, const Command& command) {
  Page page{std::move(words), std::string(command.summary), {}, {}};
  if (command.parts == nullptr) {
    page.description = OptionSet::describe(command.run);
    return page;
  }
  for (const Command& part : command.parts()) {
    std::vector<std::string> below = page.words;
    below.emplace_back(part.name);
    page.parts.push_back(page_of(std::move(below), part));
  }
  return page;
}

Page page_of(const Program& gannet) {
  Page page{{"gannet"}, std::string(gannet.summary), {.help = gannet.help}, {}};
  for (const Command& command : gannet.commands) {
    page.parts.push_back(page_of({"gannet", std::string(command.name)}, command));
  }
  return page;
}

/// The page of the command that the words name.
const Page& page_named(const Page& gannet, const Program& program,
                       const std::vector<std::string>& words) {
  const Page* page = &gannet;
  for (const std::string& word : words) {
    const auto part =
        std::ranges::find(page->parts, word, [](const Page& p) { return p.words.back(); });
    if (part == page->parts.end()) fail_unknown(program.commands, word);
    page = &*part;
  }
  return *page;
}

/// Commands and their parts, as they are typed.
Json commands_json(const Program& gannet) {
  Json commands = Json::array();
  const Page all = page_of(gannet);
  visit_pages(all, [&](const Page& page) {
    if (&page == &all) return;
    commands.push_back({{"name", command_of(page)}, {"summary", page.summary}});
  });
  return {{"commands", std::move(commands)}};
}

}  // namespace

const Command* find_command(std::span<const Command> commands, std::string_view name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() ? nullptr : &*found;
}

void fail_unknown(std::span<const Command> commands, std::string_view name) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.emplace_back(command.name);
  throw UsageError(fmt::format("unknown command '{}'{}; 'gannet --help' lists the commands", name,
                               index::did_you_mean(name, names)));
}

std::string general_help(const Program& gannet) {
  std::string text = fmt::format(
      "gannet: {}\n\nUsage: {}\n       gannet help COMMAND     what a command does, with "
      "examples\n\nCommands:\n",
      gannet.summary, gannet.help.usage);
  for (const Command& command : gannet.commands) {
    text += fmt::format("  {:<12}{}\n", command.name, command.summary);
  }
  return text +
         fmt::format("\nA first session:{}\n{}\n", gannet.help.examples, gannet.help.description);
}

int print_help(const Program& gannet, Args args) {
  OptionSet options(kHelpHelp);
  options.add(options::kHelpOptions);
  options.positional("command");
  if (!options.parse(args)) return kOk;
  const auto& words = options.get<std::vector<std::string>>("command");
  if (options.json() && options.has("man")) throw UsageError("--json and --man exclude each other");
  if (options.has("man")) {
    const Page all = page_of(gannet);
    print("{}", man_page(page_named(all, gannet, words)));
    return kOk;
  }
  if (words.empty()) {
    options.json() ? print_result("help", commands_json(gannet))
                   : print("{}", general_help(gannet));
    return kOk;
  }
  const Command* const command = find_command(gannet.commands, words[0]);
  if (command == nullptr) fail_unknown(gannet.commands, words[0]);
  std::vector<std::string> forwarded(words.begin() + 1, words.end());
  forwarded.emplace_back("--help");
  if (options.json()) forwarded.emplace_back("--json");
  return command->run(forwarded);
}

int print_completion(const Program& gannet, Args args) {
  constexpr std::string (*kScripts[])(const Page&) = {bash_completion, zsh_completion,
                                                      fish_completion};
  OptionSet options(kCompletionHelp);
  options.add(options::kShell);
  options.positional("shell", 1);
  if (!options.parse(args)) return kOk;
  const auto shell = options.choice<options::Shell>("shell");
  const std::string script = kScripts[static_cast<std::size_t>(shell)](page_of(gannet));
  if (options.json()) {
    print_result("completion", {{"shell", options.get<std::string>("shell")}, {"script", script}});
  } else {
    print("{}", script);
  }
  return kOk;
}

}  // namespace gannet::tools
