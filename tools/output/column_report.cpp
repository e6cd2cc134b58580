#include "tools/output/column_report.hpp"

#include <fmt/format.h>

#include <vector>

#include "codecs/base/error.hpp"
#include "index/columns/column_file.hpp"
#include "tools/measure/table.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

/// Rows that are printed of a column with many segments; --json has all.
constexpr std::size_t kMaxRows = 32;

double bits(std::uint64_t words, std::uint64_t values) {
  return values == 0 ? 0 : 32.0 * static_cast<double>(words) / static_cast<double>(values);
}

std::uint64_t words_of(const index::ColumnFile& file) {
  std::uint64_t words = 0;
  for (const index::ColumnSegment& segment : file.segments()) words += segment.words;
  return words;
}

void print_column_json(const index::ColumnFile& file) {
  Json segments = Json::array();
  for (std::size_t i = 0; i < file.segments().size(); ++i) {
    const index::ColumnSegment& segment = file.segments()[i];
    segments.push_back({
        {"first", file.first_value(i)},
        {"values", segment.count},
        {"codec", file.codec(i).name},
        {"bytes", 4 * segment.words},
        {"bits_per_value", bits(segment.words, segment.count)},
    });
  }
  print_result("inspect", {
                              {"column", file.name()},
                              {"type", name_of(file.type())},
                              {"values", file.count()},
                              {"bytes", file.file_bytes()},
                              {"bits_per_value", bits(words_of(file), file.count())},
                              {"segments", std::move(segments)},
                          });
}

void print_column_text(const index::ColumnFile& file) {
  print("type        {}\nvalues      {}\nfile        {}\nbits/value  {:.3f}\n",
        name_of(file.type()), with_commas(file.count()),
        human_bytes(static_cast<double>(file.file_bytes())), bits(words_of(file), file.count()));
  TextTable table({"codec", "first value", "values", "bytes", "bits/value"});
  const std::size_t rows = std::min(file.segments().size(), kMaxRows);
  for (std::size_t i = 0; i < rows; ++i) {
    const index::ColumnSegment& segment = file.segments()[i];
    table.add({std::string(file.codec(i).name), with_commas(file.first_value(i)),
               with_commas(segment.count), with_commas(4 * segment.words),
               fmt::format("{:.3f}", bits(segment.words, segment.count))});
  }
  if (rows > 0) print("\n{}", table.text(screen_columns(stdout)));
  if (rows < file.segments().size()) {
    print("... and {} more segments (--json lists them)\n", file.segments().size() - rows);
  }
}

std::vector<std::string> problems_of(const index::ColumnFile& file, bool quiet) {
  const InterruptGuard guard;
  Progress progress(quiet);
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < file.segments().size(); ++i) {
    progress.update("verifying", file.first_value(i), file.count());
    try {
      file.words(i, guard.token());
    } catch (const FormatError& error) {
      problems.emplace_back(error.what());
    }
  }
  return problems;
}

}  // namespace

void inspect_column(const std::string& path, bool json) {
  const index::ColumnFile file{std::filesystem::path(path)};
  if (json) {
    print_column_json(file);
  } else {
    print_column_text(file);
  }
}

bool verify_column(const std::string& path, bool json, bool quiet) {
  std::vector<std::string> problems;
  std::uint64_t values = 0;
  try {
    const index::ColumnFile file{std::filesystem::path(path)};
    values = file.count();
    problems = problems_of(file, quiet || json);
  } catch (const VersionError&) {
    throw;
  } catch (const FormatError& error) {
    problems.emplace_back(error.what());
  }
  if (json) {
    print_result("verify", {
                               {"column", path},
                               {"sound", problems.empty()},
                               {"values", values},
                               {"problems", problems},
                           });
    return problems.empty();
  }
  for (const std::string& problem : problems) print("{}\n", problem);
  if (problems.empty()) print("{}: sound ({})\n", path, counted(values, "value"));
  return problems.empty();
}

}  // namespace gannet::tools
