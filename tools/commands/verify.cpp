// gannet verify: checks every byte of an index.
#include "index/verify.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "codecs/base/error.hpp"
#include "index/columns/column_file.hpp"
#include "index/shard_set.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/data.hpp"
#include "tools/output/column_report.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kVerifyHelp{"gannet verify IDX [OPTIONS]",
                               R"(
Checks the size and checksum of every file of an index and decodes every posting list and
every column of a field.
Prints the problems found, one a line. Exit code 0: sound; 1: there are problems.
A column file (gannet encode) is checked in the same way. Of a set of shards all are checked,
and that they are those which the set was made of.)",
                               R"(
  gannet verify idx
  gannet verify idx --json)"};

/// An index too damaged to be opened is a finding here, not a failure of the command. One written
/// by a newer Gannet is no finding.
template <class F>
index::VerifyReport with_findings(F&& check) {
  try {
    return check();
  } catch (const VersionError&) {
    throw;
  } catch (const FormatError& e) {
    index::VerifyReport report;
    report.problems.emplace_back(e.what());
    return report;
  }
}

index::VerifyReport verify_one(const std::string& path, unsigned threads, Progress& progress) {
  return with_findings([&] {
    return index::verify_index(
        path, threads,
        [&](std::uint64_t done, std::uint64_t total) { progress.update("verifying", done, total); },
        interrupt_token());
  });
}

/// Adds the findings of a part, called `name`, to those of all.
void add_findings(const index::VerifyReport& part, const std::string& name,
                  index::VerifyReport& all) {
  for (const std::string& problem : part.problems) all.problems.push_back(name + problem);
  all.files += part.files;
  all.bytes += part.bytes;
  all.lists += part.lists;
  all.postings += part.postings;
  all.values += part.values;
}

index::VerifyReport verify_set(const std::string& path, unsigned threads, Progress& progress) {
  index::VerifyReport all;
  for (const index::ShardRecord& shard : index::read_shard_set(path)) {
    const std::string directory = (std::filesystem::path(path) / shard.name).string();
    add_findings(verify_one(directory, threads, progress), shard.name + ": ", all);
  }
  ++all.files;
  if (!all.problems.empty()) return all;  // what is damaged need not fit together
  add_findings(with_findings([&] {
                 index::open_shards(path);
                 return index::VerifyReport{};
               }),
               "", all);
  return all;
}

index::VerifyReport verify(const std::string& path, unsigned threads, bool quiet) {
  const InterruptGuard guard;
  Progress progress(quiet);
  if (!index::is_shard_set(path)) return verify_one(path, threads, progress);
  return with_findings([&] { return verify_set(path, threads, progress); });
}

Json verify_json(const std::string& path, const index::VerifyReport& report) {
  return {
      {"index", path},           {"sound", report.problems.empty()},
      {"files", report.files},   {"bytes", report.bytes},
      {"lists", report.lists},   {"postings", report.postings},
      {"values", report.values}, {"problems", report.problems},
  };
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
    if (sound) {
      print("{}: sound ({}, {}, {}, {}{})\n", path, counted(report.files, "file"),
            human_bytes(static_cast<double>(report.bytes)), counted(report.lists, "list"),
            counted(report.postings, "posting"),
            report.values == 0
                ? ""
                : ", " + counted(report.values, "value of fields", "values of fields"));
    }
  }
  return sound ? kOk : kNegative;
}

}  // namespace gannet::tools
