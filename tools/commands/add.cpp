// gannet add: adds documents to an index.
#include "index/updates/add.hpp"

#include <string>

#include "tools/building/build_input.hpp"
#include "tools/building/build_output.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelp{
    "gannet add --index IDX --input PATH... --format FORMAT [OPTIONS]",
    "Adds documents to an index, as a new segment: nothing that is there is written again. Text "
    "is\n"
    "analysed, and fields are read, as when the index was built; `gannet help index` has the\n"
    "formats. The documents become visible all at once, when the command ends; searches that run\n"
    "meanwhile keep what they have, and an interrupted command leaves the index as it was. Scores\n"
    "are those of one index of all documents.\n\n"
    "Ids must be new: a document whose id is there stops the command. One command at a time "
    "writes\n"
    "to an index.",
    "  gannet add --index idx --input monday.jsonl.gz --format jsonl\n"
    "  gannet add --index idx --input news/2026-11-*.gz --format trectext --on-error skip"};

index::BuildReport add(const OptionSet& options) {
  const auto& directory = options.get<std::string>("index");
  const auto& format = options.get<std::string>("format");
  index::BuildOptions build = index::options_to_add_to(directory);
  corpora::ReaderOptions reader = reader_options(options);
  reader.fields = build.write.contents;
  reader.schema = build.write.schema;
  const BuildRun run(options, build, reader);
  if (is_inverted(format)) return index::add_inverted(*run.open_inverted(), directory, build);
  reader.quantization = build.write.defaults.payload.quantization;
  return index::add_documents(*run.open_documents(reader), directory, build);
}

}  // namespace

int cmd_add(Args args) {
  OptionSet options(kHelp);
  options.add("index", text()->required(), "the index to add to (a folder)");
  declare_build_input(options);
  if (!options.parse(args)) return kOk;
  const index::BuildReport report = add(options);
  print_report(options, "add", options.get<std::string>("index"), report);
  return kOk;
}

}  // namespace gannet::tools
