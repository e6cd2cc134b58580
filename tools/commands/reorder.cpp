// gannet reorder: gives the documents of an index another order.
#include "index/reorder.hpp"

#include <optional>
#include <string>

#include "tools/building/order_run.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kReorderHelp{"gannet reorder IDX --order ORDER [OPTIONS]",
                                R"(
Gives the documents of an index other numbers. Where neighbours are alike, lists are smaller
and searches skip more. Scores stay as they are, and so do ids (documents without ids are
called by the numbers that they had); deleted documents are left out, and hits with equal
scores come in the new order. Nothing is read but the index, which becomes one segment with
the bytes that building its documents in this order gives. Orders:
  id                by the ids, bytewise
  url               the ids are URLs: by host (org.example.www), then path
  url:NAME          the same by a keyword or stored field
  field:NAME        by a field, least value first; behind it :desc for greatest first;
                    documents without the field come last
  random            at random, always the same; random:SEED for another permutation
  bisection         documents with the same terms beside each other (recursive graph
                    bisection): faster searches, smaller lists in most codecs; begins with
                    the order that there is; holds 4 bytes a posting within --memory, and
                    with less looks at the longest lists alone
  file:PATH         as a file has the ids, one a line, all of them; compressed or not
The order is changed in place, unless --output names another folder; needs room on the disk
for the new index beside the old one. Searches that run meanwhile keep what they have, and
an interrupted command leaves the index as it was. `gannet inspect` says how many bits a
posting takes before and after.)",
                                R"(
  gannet reorder idx --order bisection --memory 8G
  gannet reorder idx --order field:year:desc
  gannet reorder idx --order url --output by-url
  gannet reorder idx --order file:ids.txt.gz)"};

}  // namespace

int cmd_reorder(Args args) {
  OptionSet options(kReorderHelp);
  options.add(options::kReorderOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  const auto& index = options.get<std::string>("index");
  const auto& order = options.get<std::string>("order");
  OrderRun run(options);
  run.options().overwrite = options.has("overwrite");
  run.options().lock_wait = options.get<double>("wait");
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
