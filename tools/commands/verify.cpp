// gannet verify: checks every byte of an index.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "index/columns/column_file.hpp"
#include "index/files/messages.hpp"
#include "tools/building/check_index.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/data.hpp"
#include "tools/output/column_report.hpp"
#include "tools/output/positions_json.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kVerifyHelp{"gannet verify IDX [OPTIONS]",
                               R"(
Checks the size and checksum of every file of an index and decodes every posting list, its
positions, and every column of a field.
Prints the problems found, one a line, and what to do about them. Exit code 0: sound; 1: there are problems.
A column file (gannet encode) is checked in the same way. Of a set of shards all are checked,
and that they are those which the set was made of.)",
                               R"(
  gannet verify idx
  gannet verify idx --json)"};

index::VerifyReport verify(const std::string& path, unsigned threads, bool quiet) {
  const InterruptGuard guard;
  Progress progress(quiet);
  return check_index(
      path, threads,
      [&](std::uint64_t done, std::uint64_t total) { progress.update("verifying", done, total); },
      guard.token());
}

PositionsSize positions_of(const index::VerifyReport& report) {
  return {report.positions, report.position_bytes};
}

std::string positions_text(const PositionsSize& size) {
  if (!size.there()) return "";
  return fmt::format(", {} in {} of {:.2f} bits", counted(size.number, "position"),
                     human_bytes(static_cast<double>(size.bytes)), size.bits());
}

Json verify_json(const std::string& path, const index::VerifyReport& report) {
  return {
      {"index", path},
      {"sound", report.problems.empty()},
      {"files", report.files},
      {"bytes", report.bytes},
      {"lists", report.lists},
      {"postings", report.postings},
      {"values", report.values},
      {"positions", json_of(positions_of(report))},
      {"problems", report.problems},
  };
}

/// Nothing can be repaired without the file that says what there is.
bool says_what_to_do(const index::VerifyReport& report) {
  return std::ranges::any_of(report.problems, [](const std::string& problem) {
    return problem.ends_with("rebuild the index with `gannet index`");
  });
}

}  // namespace

int cmd_verify(Args args) {
  OptionSet options(kVerifyHelp);
  options.add(options::kVerifyOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;

  const auto& path = options.get<std::string>("index");
  if (index::is_column_file(path)) {
    return verify_column(path, options.json(), options.has("quiet")) ? kOk : kNegative;
  }
  const index::VerifyReport report =
      verify(path, options.get<unsigned>("threads"), options.has("quiet"));
  const bool sound = report.problems.empty();
  if (options.json()) {
    print_result("verify", verify_json(path, report));
  } else {
    for (const std::string& problem : report.problems) print("{}\n", problem);
    if (!sound && !says_what_to_do(report)) {
      flush_stdout();
      print_note(index::kDamageAdvice);
    }
    if (sound) {
      print("{}: sound ({}, {}, {}, {}{}{})\n", path, counted(report.files, "file"),
            human_bytes(static_cast<double>(report.bytes)), counted(report.lists, "list"),
            counted(report.postings, "posting"), positions_text(positions_of(report)),
            report.values == 0
                ? ""
                : ", " + counted(report.values, "value of fields", "values of fields"));
    }
  }
  return sound ? kOk : kNegative;
}

}  // namespace gannet::tools
