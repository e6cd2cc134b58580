// gannet export: an index in another program's format.
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "codecs/error.hpp"
#include "corpora/lists/ds2i.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelp{
    "gannet export --index IDX --format ds2i --output BASE [OPTIONS]",
    "Writes the posting lists of an index for other programs. Format ds2i (also PISA's):\n"
    "BASE.docs, BASE.freqs, BASE.sizes, BASE.terms and BASE.documents.",
    "  gannet export --index idx --format ds2i --output lists/wikipedia\n"
    "  gannet index --input lists/wikipedia --format ds2i --output again --stemmer english"};

}  // namespace

int cmd_export(Args args) {
  OptionSet options(kHelp);
  add_index_option(options);
  options.add("format", text()->required(), "ds2i");
  options.add("output", text()->required(), "path that the files' names begin with");
  options.flag("quiet", "no progress line and no summary");
  if (!options.parse(args)) return kOk;
  const auto& format = options.get<std::string>("format");
  if (format != "ds2i") {
    throw UsageError(fmt::format("--format: '{}' is unknown; there is ds2i", format));
  }

  const auto index = open_index(options);
  const auto& output = options.get<std::string>("output");
  {
    const InterruptGuard guard;
    Progress progress(options.has("quiet"));
    corpora::export_ds2i(
        *index, output,
        [&](std::uint64_t done, std::uint64_t total) { progress.update("postings", done, total); },
        guard.token());
  }
  const index::Statistics& statistics = index->statistics();
  if (options.json()) {
    print_json({
        {"output", output},
        {"documents", statistics.documents},
        {"terms", statistics.terms},
        {"postings", statistics.postings},
    });
  } else if (!options.has("quiet")) {
    print("{}.docs and its companions: {} documents, {} terms, {} postings\n", output,
          with_commas(statistics.documents), with_commas(statistics.terms),
          with_commas(statistics.postings));
  }
  return kOk;
}

}  // namespace gannet::tools
