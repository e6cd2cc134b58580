// gannet index: builds an index from documents, or from lists that are inverted already.
#include <filesystem>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/vector_source.hpp"
#include "index/builder.hpp"
#include "index/manifest/directory.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/build_output.hpp"
#include "tools/building/index_options.hpp"
#include "tools/building/input_guess.hpp"
#include "tools/building/order_run.hpp"
#include "tools/building/resume/resumable_build.hpp"
#include "tools/building/scratch_folder.hpp"
#include "tools/commands/command.hpp"
#include "tools/commands/ranks.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

index::BuildReport build(const OptionSet& options, IndexSetup setup, const fs::path& output) {
  const auto& format = options.get<std::string>("format");
  const BuildRun run(options, setup.build, setup.reader);
  if (is_inverted(format) && !options.has("resume"))
    return index::build_inverted(*run.open_inverted(), output, setup.build);
  if (format == "json-vectors") {
    set_impacts(options, corpora::scan_json_vectors(run.inputs(), setup.reader), setup);
  }
  index::BuildReport report =
      options.has("resume")
          ? build_resumably(options, setup, run)
          : index::build_index(*run.open_documents(setup.reader), output, setup.build);
  report.left_out += run.left_out();
  return report;
}

/// The index that there is stays until the new one has its order: built elsewhere, and written to
/// the output as it is reordered.
index::BuildReport build_in_order(const OptionSet& options, IndexSetup setup,
                                  index::ReorderReport& order) {
  const auto& output = options.get<std::string>("output");
  const auto& wanted = options.get<std::string>("order");
  const bool overwrite = options.has("overwrite");
  check_order(wanted, setup.build.write.schema);
  index::check_destination(output, overwrite);
  setup.build.write.overwrite = false;
  const ScratchFolder scratch(output);
  const index::BuildReport report = build(options, std::move(setup), scratch.index());
  OrderRun run(options);
  run.options().output = output;
  run.options().overwrite = overwrite;
  order = run.reorder(scratch.index().string(), wanted);
  return report;
}

}  // namespace

int cmd_index(Args args) {
  if (asks_for_ranks(args)) return run_as_rank("index", args);
  OptionSet options(index_help());
  options.add(options::kInputOptions, options::kIndexOptions);
  options.positional("input");
  if (!options.parse(args)) return kOk;

  if (options.has("resume") && options.has("order")) {
    throw UsageError(
        "--order and --resume exclude each other: build with --resume, then gannet reorder");
  }
  if (options.has("step") && !options.has("resume")) {
    throw UsageError("--step: only a build with --resume has steps");
  }
  settle_input(options, true);
  const auto& output = options.get<std::string>("output");
  remove_left_scratch(output);
  index::ReorderReport order;
  const bool in_order = options.has("order");
  const IndexSetup setup = index_setup(options);
  const index::BuildReport report =
      in_order ? build_in_order(options, setup, order) : build(options, setup, output);
  // Of a build that goes on, others have read the beginning.
  const corpora::FieldUse* const use =
      options.has("resume") ? nullptr : setup.reader.field_use.get();
  return print_report(options, output, report, use, in_order ? &order : nullptr);
}

}  // namespace gannet::tools
