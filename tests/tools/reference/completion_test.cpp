// What shells complete: all that the table of options has, once, and nothing that breaks a script.
#include "tools/reference/completion.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/support/tools/json.hpp"
#include "tests/support/tools/named_options.hpp"

namespace gannet::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

std::string script_for(const std::string& shell_name) {
  const Output script = gannet({"completion", shell_name});
  EXPECT_EQ(script.code, 0) << script.err;
  EXPECT_THAT(script.err, IsEmpty());
  return script.out;
}

/// What stands between the two, after the last `begin`: zsh's commands with parts come first.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.rfind(begin);
  if (from == std::string::npos) return {};
  return text.substr(from, text.find(end, from) - from);
}

std::string lines_with(const std::string& text, const std::string& part) {
  std::istringstream stream(text);
  std::string lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.find(part) != std::string::npos) lines += line + "\n";
  }
  return lines;
}

TEST(Completion, BashHasEveryCommandAndOptionOnce) {
  const std::string script = script_for("bash");
  for (const std::string& command : named_commands()) {
    EXPECT_EQ(occurrences(script, "    '" + command + "')\n"), 1u) << command;
    EXPECT_GE(occurrences(script, "'" + words_of(command).back() + " word'"), 1u) << command;
    const std::string rows = between(script, "    '" + command + "')\n", ";;");
    for (const std::string& option : named_options(command)) {
      EXPECT_EQ(occurrences(rows, "'--" + option + " "), 1u) << command << " " << option;
    }
  }
}

TEST(Completion, ZshHasEveryCommandAndOptionOnce) {
  const std::string script = script_for("zsh");
  EXPECT_EQ(script.rfind("#compdef gannet\n", 0), 0u);
  for (const std::string& command : named_commands()) {
    EXPECT_EQ(occurrences(script, "    ('" + command + "')\n"), 1u) << command;
    const std::string rows = between(script, "    ('" + command + "')\n", ";;");
    for (const std::string& option : named_options(command)) {
      const std::string name = "--" + option;
      EXPECT_EQ(occurrences(rows, "'" + name + "[") + occurrences(rows, "'" + name + "=") +
                    occurrences(rows, "'*" + name + "="),
                1u)
          << command << " " << option;
    }
  }
}

TEST(Completion, FishHasEveryCommandAndOptionOnce) {
  const std::string script = script_for("fish");
  for (const std::string& command : named_commands()) {
    std::vector<std::string> words = words_of(command);
    const std::string last = words.back();
    words.pop_back();
    std::string test = "'__gannet_typed";
    for (const std::string& word : words) test += " " + word;
    EXPECT_EQ(occurrences(script, test + "' -a " + last + " -d "), 1u) << command;
    const std::string rows = lines_with(script, "'__gannet_in " + command + "' ");
    for (const std::string& option : named_options(command)) {
      EXPECT_EQ(occurrences(rows, "-l " + option + " "), 1u) << command << " " << option;
    }
  }
}

TEST(Completion, OtherShellsAreRefusedAndJsonHasTheScript) {
  const Output other = gannet({"completion", "zhs"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("did you mean 'zsh'?"));
  EXPECT_EQ(gannet({"completion"}).code, 2);
  const Output json = gannet({"completion", "bash", "--json"});
  EXPECT_EQ(json_at(json.out, "/shell"), "\"bash\"");
  EXPECT_THAT(json_at(json.out, "/script"), HasSubstr("complete -F _gannet gannet"));
}

/// What bash completes of the words, the last of which is being typed. Sorted.
std::vector<std::string> completed(const std::string& script, const std::string& words) {
  const TemporaryDirectory folder;
  write_file(folder / "script", script);
  folder.write("data/a.jsonl", "");
  folder.write("data/sub/b", "");
  const std::string program = "cd '" + folder.path().string() + "'; source ./script; COMP_WORDS=(" +
                              words +
                              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gannet; "
                              "printf '%s\\n' \"${COMPREPLY[@]}\" | LC_ALL=C sort";
  const Output done = Process({"bash", "-c", program}, {}).wait();
  EXPECT_THAT(done.err, IsEmpty()) << words;
  std::istringstream stream(done.out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

TEST(Completion, BashCompletesLinesAsTheyAreTyped) {
  if (!installed("bash")) GTEST_SKIP() << "there is no bash";
  const std::string bash = script_for("bash");
  const auto typed = [&](const std::string& words) { return completed(bash, words); };
  EXPECT_THAT(typed("gannet sea"), ElementsAre("search"));
  EXPECT_THAT(typed("gannet bench ''"), ElementsAre("codecs", "decode", "query"));
  EXPECT_THAT(typed("gannet bench decode --dis"), ElementsAre("--distribution"));
  EXPECT_THAT(typed("gannet search --ba"), ElementsAre("--backend"));
  EXPECT_THAT(typed("gannet search --backend ''"), ElementsAre("auto", "cpu", "cuda"));
  EXPECT_THAT(typed("gannet search --backend = c"), ElementsAre("cpu", "cuda"));
  EXPECT_THAT(typed("gannet search --backend ="), ElementsAre("auto", "cpu", "cuda"));
  EXPECT_THAT(typed("gannet search --backend=a"), ElementsAre("--backend=auto"));
  EXPECT_THAT(typed("gannet search --scorer bm25"), IsSupersetOf({"bm25", "bm25f"}));
  EXPECT_THAT(typed("gannet search --index data/"), ElementsAre("data/sub"));
  EXPECT_THAT(typed("gannet search --snippets ''"), ElementsAre("data"));  // the index
  EXPECT_THAT(typed("gannet search --k ''"), IsEmpty());
  EXPECT_THAT(typed("gannet index --format json"), ElementsAre("json-vectors", "jsonl"));
  EXPECT_THAT(typed("gannet index --input x data/"), ElementsAre("data/a.jsonl", "data/sub"));
  EXPECT_THAT(typed("gannet index --codec gpu-bp1"), ElementsAre("gpu-bp128"));
  EXPECT_THAT(typed("gannet bench query --mode or,a"), ElementsAre("or,and"));
  EXPECT_THAT(typed("gannet verify d"), ElementsAre("data"));
  EXPECT_THAT(typed("gannet help bench d"), ElementsAre("decode"));
  EXPECT_THAT(typed("gannet completion ''"), ElementsAre("bash", "fish", "zsh"));
  EXPECT_THAT(typed("gannet nothing ''"), IsEmpty());
}

tools::Names odd_names() { return {"it's", "$HOME", "a:b", "[x]", "`id`", "back\\slash"}; }
constexpr tools::Option kOddRows[] = {
    {"odd", tools::Choice{odd_names}, tools::kNone, R"(it's [one] of: "these" \ or $none `so`)"},
    {"topics", tools::Choice{odd_names, true}, tools::kNone, "several"},
};

tools::Page odd_page() {
  using namespace tools;  // NOLINT(google-build-using-namespace)
  Page page{{"gannet"}, "", {}, {}};
  page.parts.push_back(
      {{"gannet", "try"}, "it's: [odd]", {.rows = {&kOddRows[0], &kOddRows[1]}}, {}});
  return page;
}

TEST(Completion, OddTextsStayTexts) {
  const std::string bash = tools::bash_completion(odd_page());
  EXPECT_THAT(bash, HasSubstr(R"(it'\''s)"));
  const std::string zsh = tools::zsh_completion(odd_page());
  EXPECT_THAT(zsh, HasSubstr(R"('try:it'\''s\: [odd]')"));
  EXPECT_THAT(zsh, HasSubstr(R"('--odd=[it'\''s \[one\] of\: "these" \\ or $none `so`]:odd:()"));
  const std::string fish = tools::fish_completion(odd_page());
  EXPECT_THAT(fish, HasSubstr(R"(-d 'it\'s: [odd]')"));
  EXPECT_THAT(fish, HasSubstr(R"(-d 'it\'s [one] of: "these" \\ or $none `so`')"));
  if (!installed("bash")) GTEST_SKIP() << "there is no bash";
  EXPECT_THAT(completed(bash, "gannet try --odd ''"),
              ElementsAre("$HOME", "[x]", "`id`", "a:b", "back\\slash", "it's"));
  EXPECT_THAT(completed(bash, "gannet try -t 'a:b,['"), ElementsAre("a:b,[x]"));
}

/// The shell takes the script, and one with odd texts.
void expect_read_by(const std::string& program, const std::string& check,
                    const std::vector<std::string>& scripts) {
  if (!installed(program)) GTEST_SKIP() << "there is no " << program;
  const TemporaryDirectory folder;
  for (const std::string& script : scripts) {
    write_file(folder / "script", script);
    const Output done = shell(check + " '" + (folder / "script").string() + "'");
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.err, IsEmpty());
  }
}

TEST(Completion, BashReadsItsScript) {
  expect_read_by("bash", "bash -n", {script_for("bash"), tools::bash_completion(odd_page())});
}

TEST(Completion, ZshReadsItsScript) {
  expect_read_by("zsh", "zsh -n", {script_for("zsh"), tools::zsh_completion(odd_page())});
}

TEST(Completion, FishReadsItsScript) {
  expect_read_by("fish", "fish --no-execute",
                 {script_for("fish"), tools::fish_completion(odd_page())});
}

}  // namespace
}  // namespace gannet::test
