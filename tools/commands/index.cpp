// gannet index: builds an index from documents, or from lists that are inverted already.
#include <optional>
#include <string>

#include "corpora/documents/vector_source.hpp"
#include "index/builder.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/build_output.hpp"
#include "tools/building/index_options.hpp"
#include "tools/building/order_run.hpp"
#include "tools/building/resume/resumable_build.hpp"
#include "tools/commands/command.hpp"
#include "tools/commands/ranks.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {
namespace {

index::BuildReport build(const OptionSet& options) {
  const auto& format = options.get<std::string>("format");
  const auto& output = options.get<std::string>("output");
  IndexSetup setup = index_setup(options);
  const BuildRun run(options, setup.build, setup.reader);
  if (is_inverted(format) && !options.has("resume"))
    return index::build_inverted(*run.open_inverted(), output, setup.build);
  if (format == "json-vectors") {
    set_impacts(options, corpora::scan_json_vectors(run.inputs(), setup.reader), setup);
  }
  if (options.has("resume")) return build_resumably(options, setup, run);
  return index::build_index(*run.open_documents(setup.reader), output, setup.build);
}

}  // namespace

int cmd_index(Args args) {
  if (asks_for_ranks(args)) return run_as_rank("index", args);
  OptionSet options(index_help());
  declare_index_options(options);
  if (!options.parse(args)) return kOk;

  const auto& output = options.get<std::string>("output");
  if (options.has("order")) check_order(options.get<std::string>("order"));
  const index::BuildReport report = build(options);
  std::optional<index::ReorderReport> order;
  if (options.has("order")) {
    order = OrderRun(options).reorder(output, options.get<std::string>("order"));
  }
  print_report(options, "index", output, report, order ? &*order : nullptr);
  return kOk;
}

}  // namespace gannet::tools
