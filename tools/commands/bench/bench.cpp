// gannet bench: measures codecs, decoding and querying.
#include "tools/commands/bench/bench.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

constexpr std::array kParts{
    Command{"codecs", "how small and how fast codecs are on your columns", cmd_bench_codecs},
    Command{"decode", "how fast codecs decode lists, by length", cmd_bench_decode},
    Command{"query", "how fast an index answers a query log", cmd_bench_query},
};

std::string usage() {
  std::string text = "Usage: gannet bench PART [OPTIONS]\n\nParts:\n";
  for (const Command& part : kParts) {
    text += fmt::format("  {:<10}{}\n", part.name, part.summary);
  }
  return text + "\n'gannet bench PART --help' says more, with examples.\n";
}

}  // namespace

void check_bench_output(const OptionSet& options) {
  if (!options.has("output")) return;
  check_text_output(options.get<std::string>("output"), options.has("overwrite"));
}

std::span<const Command> bench_parts() { return kParts; }

int cmd_bench(Args args) {
  if (args.empty()) {
    print(stderr, "{}", usage());
    return kUsage;
  }
  if (args[0] == "--help" || args[0] == "-h") {
    print("{}", usage());
    return kOk;
  }
  std::vector<std::string> names;
  for (const Command& part : kParts) {
    if (part.name == args[0]) return part.run(args.subspan(1));
    names.emplace_back(part.name);
  }
  throw UsageError(fmt::format("'{}' cannot be measured{}; there are codecs, decode and query",
                               args[0], index::did_you_mean(args[0], names)));
}

}  // namespace gannet::tools
