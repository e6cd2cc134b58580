// gannet export: an index in another program's format.
#include <cstdio>
#include <filesystem>
#include <string>

#include "codecs/base/error.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/data.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kExportHelp{"gannet export IDX --format FORMAT --output PATH [OPTIONS]",
                               R"(
Writes the posting lists of an index for other programs, without positions. Formats:
  ds2i      PATH.docs, PATH.freqs, PATH.sizes, PATH.terms and PATH.documents, as ds2i and
            PISA read them
  ciff      one file in the Common Index File Format, as Anserini, Terrier, PISA, JASS and
            others read it)",
                               R"(
  gannet export idx --format ds2i --output lists/wikipedia
  gannet index --input lists/wikipedia --format ds2i --output again --stemmer english
  gannet export idx --format ciff --output wikipedia.ciff)"};

void check_export_output(const std::string& output, bool ciff, bool overwrite) {
  if (ciff) {
    check_raw_output(output, overwrite);
  } else {
    check_ds2i_output(output, overwrite);
  }
}

}  // namespace

int cmd_export(Args args) {
  OptionSet options(kExportHelp);
  options.add(options::kExportOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  const bool ciff = options.get<std::string>("format") == "ciff";
  const auto& output = options.get<std::string>("output");
  check_export_output(output, ciff, options.has("overwrite"));
  const bool to_stdout = ciff && output_name(output) == "-";

  const auto index = open_index(options);
  {
    const InterruptGuard guard;
    Progress progress(options.has("quiet"));
    const auto tell = [&](std::uint64_t done, std::uint64_t total) {
      progress.update("postings", done, total);
    };
    (ciff ? corpora::export_ciff : corpora::export_ds2i)(
        *index, to_stdout ? "/dev/stdout" : output, tell, guard.token(), existing_output(options));
  }
  if (!options.has("quiet") && index->segments().front()->positions() != nullptr) {
    note("the index has positions, which {} has no place for: left out",
         options.get<std::string>("format"));
  }
  const index::Statistics& statistics = index->statistics();
  std::FILE* const messages = to_stdout ? stderr : stdout;
  if (options.json()) {
    print_result("export",
                 {
                     {"output", output},
                     {"documents", statistics.documents},
                     {"terms", statistics.terms},
                     {"postings", statistics.postings},
                 },
                 messages);
  } else if (!options.has("quiet")) {
    print(messages, "{}{}: {}, {}, {}\n", output, ciff ? "" : ".docs and its companions",
          counted(statistics.documents, "document"), counted(statistics.terms, "term"),
          counted(statistics.postings, "posting"));
  }
  return kOk;
}

}  // namespace gannet::tools
