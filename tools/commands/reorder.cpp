// gannet reorder: gives the documents of an index another order.
#include "index/reorder.hpp"

#include <optional>
#include <string>

#include "tools/building/order_run.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kReorderHelp{
    "gannet reorder IDX --order ORDER [OPTIONS]",
    "Gives the documents of an index other numbers. Where neighbours are alike, lists are smaller\n"
    "and searches skip more. Scores stay as they are, and so do ids (documents without ids are\n"
    "called by the numbers that they had); deleted documents are left out, and hits with equal\n"
    "scores come in the new order. Nothing is read but the index, which becomes one segment with\n"
    "the bytes that building its documents in this order gives. Orders:\n"
    "  id                by the ids, bytewise\n"
    "  url               the ids are URLs: by host (org.example.www), then path\n"
    "  url:NAME          the same by a keyword or stored field\n"
    "  field:NAME        by a field, least value first; behind it :desc for greatest first;\n"
    "                    documents without the field come last\n"
    "  random            at random, always the same; random:SEED for another permutation\n"
    "  bisection         documents with the same terms beside each other (recursive graph\n"
    "                    bisection): faster searches, smaller lists in most codecs; begins with\n"
    "                    the order that there is; holds 4 bytes a posting within --memory, and\n"
    "                    with less looks at the longest lists alone\n"
    "  file:PATH         as a file has the ids, one a line, all of them; compressed or "
    "not\n"
    "The order is changed in place, unless --output names another folder; needs room on the disk\n"
    "for the new index beside the old one. Searches that run meanwhile keep what they have, and\n"
    "an interrupted command leaves the index as it was. `gannet inspect` says how many bits a\n"
    "posting takes before and after.",
    "  gannet reorder idx --order bisection --memory 8G\n"
    "  gannet reorder idx --order field:year:desc\n"
    "  gannet reorder idx --order url --output by-url\n"
    "  gannet reorder idx --order file:ids.txt.gz"};

}  // namespace

int cmd_reorder(Args args) {
  OptionSet options(kReorderHelp);
  options.add("index", text()->required(), "the index (a folder)");
  options.positional("index", 1);
  options.add("order", text()->required(),
              "id, url, url:NAME, field:NAME, field:NAME:desc, random, random:SEED, bisection or "
              "file:PATH");
  options.add("output", text(), "where the index goes (a folder); default: in place");
  options.flag("overwrite", "replace the index that is in --output");
  options.add("memory", text("2G"), "most memory: 512M, 8G");
  options.add("threads", number<unsigned>(0), "0: all cores");
  options.flag("quiet", "no progress line and no summary");
  if (!options.parse(args)) return kOk;
  const auto& index = options.get<std::string>("index");
  const auto& order = options.get<std::string>("order");
  OrderRun run(options);
  run.options().overwrite = options.has("overwrite");
  if (options.has("output")) run.options().output = options.get<std::string>("output");
  const index::ReorderReport report = run.reorder(index, order);
  const auto& written = options.has("output") ? options.get<std::string>("output") : index;
  if (options.json()) {
    print_result("reorder", {{"index", written},
                             {"order", order},
                             {"documents", report.statistics.documents},
                             {"moved", report.moved},
                             {"dropped", report.dropped},
                             {"segments_before", report.segments_before},
                             {"written", report.written},
                             {"order_seconds", report.order_seconds},
                             {"seconds", report.seconds}});
  } else if (!options.has("quiet")) {
    print_order(written, report);
  }
  return kOk;
}

}  // namespace gannet::tools
