#include "tools/building/order_run.hpp"

#include <memory>

#include "codecs/base/error.hpp"
#include "index/order/order_field.hpp"
#include "tools/building/free_memory.hpp"
#include "tools/terminal/line_input.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

/// Calls `work`, whose UsageErrors get the option's name.
template <class F>
auto of_option(F&& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    throw UsageError(std::string("--order: ") + error.what());
  }
}

index::DocumentOrder order_option(const std::string& text) {
  return of_option([&] { return index::parse_order(text); });
}

}  // namespace

OrderRun::OrderRun(const OptionSet& options) : progress_(options.has("quiet")) {
  options_.memory = options.get<std::uint64_t>("memory");
  options_.threads = options.get<unsigned>("threads");
  options_.stop = guard_.token();
  options_.memory_freed = return_free_memory;
  options_.progress = [this](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    progress_.update(stage, done, total);
  };
}

index::ReorderReport OrderRun::reorder(const std::string& index, const std::string& order) {
  index::DocumentOrder wanted = order_option(order);
  if (wanted.key == index::DocumentOrder::Key::kList) {
    const auto ids = std::make_shared<LineInput>(wanted.file, options_.stop);
    wanted.next_id = [ids](std::string& id) { return ids->next(id); };
  }
  const index::ReorderReport report = index::reorder_index(index, wanted, options_);
  progress_.clear();
  return report;
}

void check_order(const std::string& order, const index::Schema& schema) {
  of_option([&] { index::check_order(index::parse_order(order), schema); });
}

void print_order(const std::string& index, const index::ReorderReport& report) {
  if (!report.written) {
    print("{}: its {} in this order\n", index,
          counted(report.statistics.documents, "document is", "documents are"));
    return;
  }
  print("{}: {} of {} documents have other numbers; {}, of which {} for finding the order\n", index,
        with_commas(report.moved), with_commas(report.statistics.documents),
        human_seconds(report.seconds), human_seconds(report.order_seconds));
}

}  // namespace gannet::tools
