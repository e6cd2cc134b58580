// gannet demo: a first index and three searches, without a collection at hand.
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/posix_file.hpp"
#include "index/index.hpp"
#include "tools/building/scratch_folder.hpp"
#include "tools/commands/command.hpp"
#include "tools/demo/documents.hpp"
#include "tools/demo/keep_index.hpp"
#include "tools/measure/stats.hpp"
#include "tools/options/index_argument.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/options/table/searching.hpp"
#include "tools/reference/completion.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr HelpText kDemoHelp{"gannet demo [--output IDX] [OPTIONS]",
                             R"(
Indexes a small collection that is inside this program, shows three searches as you would type
them, says what they took, and what to type next. It needs no network and no other file.

The collection has 161 short documents about the chemical elements and the bodies of the solar
system, written for this demo, with names in other languages. Each has a kind; most have the year
in which the element or body was found (year), and by whom (by).

The index stays in the folder ./gannet-demo, so that you can go on with it; remove the folder when
you are done. Nothing that is there already is replaced: an index of an earlier demo is used again,
and if the folder has anything else in it, the demo ends and names it.

With --json each search prints a line, as 'gannet search --json' does, and a last line has what was
measured.)",
                             R"(
  gannet demo
  gannet demo --output /tmp/elements
  gannet demo --json | jq -r 'select(.command == "search") | .hits[].id')"};

constexpr std::array kFields{"kind:keyword", "year:i32", "by:keyword:multi"};

struct Example {
  std::string_view what;
  std::vector<std::string_view> words;  ///< behind `gannet search IDX`
};

std::vector<Example> examples() {
  return {{"Words, the best documents first. A document need not have all of them.",
           {"-k", "2", "metal that melts in the hand"}},
          {"A filter, and fields of each hit.",
           {"-k", "2", "--filter", "year:<1800", "--fields", "kind,year,by", "gas"}},
          {"A word that must not occur, and counts over all documents that match.",
           {"-k", "1", "--facet", "kind:3", "--facet", "by:2", "radioactive -bomb"}}};
}

/// As a person would type it in a shell.
std::string typed(const Words& words) {
  std::string line = "gannet";
  for (const std::string& word : words) {
    const bool plain = word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "0123456789-_./:,+=@%") == std::string::npos;
    line += " " + (plain && !word.empty() ? word : in_single_quotes(word));
  }
  return line;
}

void write_documents(const fs::path& file) {
  std::ofstream stream(file, std::ios::binary);
  stream << demo_documents();
  stream.close();
  if (!stream) index::fail_io(file, "write", errno);
}

/// Builds the index by `gannet index` and gives it its name. Returns the seconds of the build.
double make_index(const fs::path& output) {
  const ScratchFolder scratch(output);
  write_documents(scratch.documents());
  Words words{scratch.documents(), "--format", "jsonl",  "--output",
              scratch.index(),     "--store",  "--quiet"};
  for (const char* const field : kFields) words.insert(words.end(), {"--field", field});
  const Stopwatch watch;
  cmd_index(words);
  const double seconds = watch.seconds();
  keep_index(scratch.index(), output);
  return seconds;
}

/// The index as the first word of a command, or by its option where the environment names another.
Words index_words(const std::string& index) {
  return index_of_environment() ? Words{"--index", index} : Words{index};
}

/// Runs `gannet search` for an example. Returns its seconds.
double show(const OptionSet& options, const Example& example) {
  Words words = index_words(options.get<std::string>("output"));
  const auto& backend = options.get<std::string>("backend");
  if (backend != options::kBackend.standard.text) words.insert(words.end(), {"--backend", backend});
  words.insert(words.end(), example.words.begin(), example.words.end());
  if (options.json()) {
    words.insert(words.begin(), "--json");
  } else {
    Words line{"search"};
    line.insert(line.end(), words.begin(), words.end());
    print("\n{}\n$ {}\n", example.what, typed(line));
  }
  const Stopwatch watch;
  cmd_search(words);
  return watch.seconds();
}

struct Measured {
  double build = 0;
  std::vector<double> searches = {};
  double all = 0;
};

std::uint64_t bytes_of(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) bytes += file.file_size();
  return bytes;
}

void print_measured(const OptionSet& options, const Measured& measured) {
  const std::string& output = options.get<std::string>("output");
  const index::Index index = index::Index::open(output);
  const index::Statistics& statistics = index.statistics();
  const std::uint64_t bytes = bytes_of(output);
  if (options.json()) {
    print_result("demo", {{"index", output},
                          {"documents", statistics.documents},
                          {"terms", statistics.terms},
                          {"input_bytes", demo_documents().size()},
                          {"index_bytes", bytes},
                          {"build_seconds", measured.build},
                          {"search_seconds", measured.searches},
                          {"seconds", measured.all}});
    return;
  }
  std::string searches;
  for (const double seconds : measured.searches) {
    searches += (searches.empty() ? "" : ", ") + human_seconds(seconds);
  }
  print("\nMeasured\n  indexing   {}: {}, {}; the index: {}, {}\n", human_seconds(measured.build),
        counted(statistics.documents, "document"),
        human_bytes(static_cast<double>(demo_documents().size())),
        counted(statistics.terms, "term"), human_bytes(static_cast<double>(bytes)));
  print("  searching  {}, each with opening the index\n", searches);
  print("  all        {}\n", human_seconds(measured.all));
}

void print_next(const std::string& output) {
  const auto line = [&](const char* command, const char* last) {
    Words words{command};
    const Words index = index_words(output);
    words.insert(words.end(), index.begin(), index.end());
    words.emplace_back(last);
    return typed(words);
  };
  print("\nNext, type\n");
  print("  {:<32}  # ask more; Ctrl-D ends it\n", line("search", "-"));
  print("  {:<32}  # a document with its fields\n", line("get", "gold"));
  print("  {:<32}  # how your own documents become an index\n", "gannet help index");
}

}  // namespace

int cmd_demo(Args args) {
  OptionSet options(kDemoHelp);
  options.add(options::kDemoOutput, options::kBackend);
  if (!options.parse(args)) return kOk;

  const Stopwatch watch;
  Measured measured;
  const std::string output = options.get<std::string>("output");
  measured.build = make_index(output);
  if (!options.json()) {
    print("Short documents on the elements and the solar system; their index: {}\n", output);
  }
  for (const Example& example : examples()) measured.searches.push_back(show(options, example));
  measured.all = watch.seconds();
  print_measured(options, measured);
  if (!options.json()) print_next(output);
  return kOk;
}

}  // namespace gannet::tools
