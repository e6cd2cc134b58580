// Measuring how fast codecs decode on the CPU: what `gannet bench decode` does.
#include <algorithm>
#include <thread>

#include "codecs/base/error.hpp"
#include "tools/measure/decode.hpp"
#include "tools/measure/lists.hpp"
#include "tools/options/table/option.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {
namespace {

constexpr std::uint64_t kBatchValues = 1u << 21;

tools::DecodePlan plan_of(const std::vector<std::string>& codecs, int min_log, int max_log,
                          const std::string& distribution, const std::string& content,
                          std::uint64_t universe, std::uint64_t seed, int repeats) {
  tools::check_range("min_log", min_log, 0, 29);
  tools::check_range("max_log", max_log, min_log, 29);
  tools::check_range("repeats", repeats, 1, 1000);
  tools::DecodePlan plan;
  for (const std::string& name : codecs) plan.codecs.push_back(&codecs::list_codec_named(name));
  if (codecs.empty()) {
    for (const codecs::ListCodec& codec : codecs::all_list_codecs()) plan.codecs.push_back(&codec);
  }
  plan.outputs = {tools::output_named(content)};
  if (plan.outputs.front() == tools::Output::kFreqs) {
    throw UsageError("content: synthetic lists have no frequencies; there are gaps and docids");
  }
  plan.groups =
      tools::synthetic_groups(corpora::list_model(distribution), min_log, max_log, universe, seed);
  if (plan.groups.empty()) throw UsageError("universe: it is smaller than the shortest list");
  plan.cpu_longest = std::uint64_t{1} << 30;
  plan.batch_values = kBatchValues;
  plan.threads = std::max(1u, std::thread::hardware_concurrency());
  plan.repeats = repeats;
  return plan;
}

nb::list rows_of(const tools::DecodeReport& report) {
  nb::list rows;
  for (const tools::DecodeResult& result : report.results) {
    for (std::size_t i = 0; i < tools::kWays; ++i) {
      if (!result.speeds[i]) continue;
      nb::dict row;
      row["codec"] = result.codec;
      row["source"] = result.source;
      row["length"] = result.mean_length;
      row["content"] = std::string(to_string(result.output));
      row["way"] = std::string(to_string(static_cast<tools::Way>(i)));
      row["bits_per_integer"] = result.bits;
      row["integers_per_second"] = result.speeds[i]->giga_values() * 1e9;
      row["share_of_copy_speed"] = result.speeds[i]->limit_share;
      rows.append(row);
    }
  }
  return rows;
}

/// Every output is compared with what was encoded. Ends soon after Ctrl-C.
nb::list bench_decode(const std::vector<std::string>& codecs, int min_log, int max_log,
                      const std::string& distribution, const std::string& content,
                      std::uint64_t universe, std::uint64_t seed, int repeats) {
  const tools::DecodePlan plan =
      plan_of(codecs, min_log, max_log, distribution, content, universe, seed, repeats);
  return rows_of(interruptible([&](const std::stop_token& stop) {
    return tools::run_decode(plan, [&](std::string_view, std::uint64_t, std::uint64_t) {
      if (stop.stop_requested()) throw CancelledError("cancelled");
    });
  }));
}

}  // namespace

void bind_measure(nb::module_& module) {
  module.def("bench_decode", bench_decode, nb::arg("codecs"), nb::arg("min_log"),
             nb::arg("max_log"), nb::arg("distribution"), nb::arg("content"), nb::arg("universe"),
             nb::arg("seed"), nb::arg("repeats"));
}

}  // namespace gannet::python
