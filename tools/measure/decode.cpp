#include "tools/measure/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codecs/docids.hpp"
#include "tools/measure/device/decode_timing.hpp"
#include "tools/measure/measure.hpp"

namespace gannet::tools {
namespace {

constexpr std::array<std::string_view, 3> kOutputs{"gaps", "docids", "freqs"};
constexpr std::array<std::string_view, kWays> kWayNames{
    "CPU, one list, one thread", "CPU, batch, all threads", "GPU, one list, single launch",
    "GPU, one list, graph replay", "GPU, batch in one launch"};
constexpr std::array<std::string_view, kWays> kWayKeys{"cpu_one_thread", "cpu_all_threads",
                                                       "gpu_launch", "gpu_graph", "gpu_batch"};
/// Batches are not made larger than this to have a list for every thread.
constexpr std::uint64_t kMaxBatch = 1u << 28;

/// The values that are encoded so that decoding gives `output`.
Lists coded_values(Lists lists, Output output) {
  if (output != Output::kGaps) return lists;
  for (auto& list : lists) list = codecs::gaps_of(list);
  return lists;
}

class Runner {
 public:
  Runner(const DecodePlan& plan, const Limits& limits, ThreadTeam& team)
      : plan_(plan), limits_(limits), team_(team) {}

  DecodeResult run(const ListGroup& group, Output output, const codecs::ListCodec& codec,
                   const Lists& lists) {
    const auto content =
        output == Output::kDocids ? codecs::Content::kDocids : codecs::Content::kValues;
    DecodeResult result{
        group.source, group.label, group.mean_length, output, std::string(codec.name), 0, 0, {}};
    const bool cpu = plan_.cpu && group.longest <= plan_.cpu_longest;
    const Batch batch = make_batch(codec, content, lists, batch_values(lists, cpu));
    result.bits = batch.distinct_bits;
    result.batch = batch.lists.size();
    const Batch single = make_batch(codec, content, {median_list(lists)}, 1);
    if (cpu) measure_cpu(single, batch, result);
    if (plan_.gpu) measure_gpu(single, batch, result);
    return result;
  }

 private:
  std::uint64_t batch_values(const Lists& lists, bool cpu) const {
    std::uint64_t total = 0;
    for (const auto& list : lists) total += list.size();
    const double mean = static_cast<double>(total) / static_cast<double>(lists.size());
    if (plan_.batch_lists > 0) {
      return static_cast<std::uint64_t>(mean * static_cast<double>(plan_.batch_lists));
    }
    const auto a_list_each = static_cast<std::uint64_t>(mean * (cpu ? team_.size() : 1));
    return std::max(plan_.batch_values, std::min(a_list_each, kMaxBatch));
  }

  /// The list that is decoded on its own: of middle length.
  static const std::vector<std::uint32_t>& median_list(const Lists& lists) {
    std::vector<const std::vector<std::uint32_t>*> order;
    for (const auto& list : lists) order.push_back(&list);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    std::nth_element(order.begin(), middle, order.end(),
                     [](const auto* a, const auto* b) { return a->size() < b->size(); });
    return **middle;
  }

  void measure_cpu(const Batch& single, const Batch& batch, DecodeResult& result) const {
    result.speeds[0] = time_cpu(single, plan_.repeats, nullptr, limits_.cpu_one);
    result.speeds[1] = time_cpu(batch, plan_.repeats, &team_, limits_.cpu_all);
  }

  void measure_gpu(const Batch& single, const Batch& batch, DecodeResult& result) const {
    const GpuSpeeds one = time_gpu(single, plan_.repeats, limits_.gpu);
    result.speeds[2] = one.launch;
    result.speeds[3] = one.graph;
    result.speeds[3]->latency_bound = measure::time_two_loads(
        codecs::tile_count(single.lists.counts[0]), single.lists.words.size(), plan_.repeats);
    result.speeds[4] =
        batch.lists.size() > 1 ? time_gpu(batch, plan_.repeats, limits_.gpu).launch : one.launch;
  }

  const DecodePlan& plan_;
  const Limits& limits_;
  ThreadTeam& team_;
};

}  // namespace

std::string_view to_string(Output output) { return kOutputs[static_cast<std::size_t>(output)]; }

Output output_named(std::string_view name) {
  const auto* const found = std::find(kOutputs.begin(), kOutputs.end(), name);
  if (found == kOutputs.end()) {
    throw UsageError(fmt::format("unknown content '{}'; there are gaps, docids, freqs", name));
  }
  return static_cast<Output>(found - kOutputs.begin());
}

std::string_view to_string(Way way) { return kWayNames[static_cast<std::size_t>(way)]; }
std::string_view key_of(Way way) { return kWayKeys[static_cast<std::size_t>(way)]; }

DecodeReport run_decode(const DecodePlan& plan,
                        const std::function<void(std::string_view stage, std::uint64_t done,
                                                 std::uint64_t total)>& progress) {
  DecodeReport report;
  ThreadTeam team(plan.threads);
  progress("memory limits", 0, 0);
  report.limits = measure_limits(plan.cpu, plan.gpu, team, plan.repeats);
  Runner runner(plan, report.limits, team);
  const std::uint64_t total = plan.groups.size() * plan.outputs.size() * plan.codecs.size();
  for (const ListGroup& group : plan.groups) {
    for (const Output output : plan.outputs) {
      const Lists lists = coded_values(group.make(output, plan.batch_values), output);
      for (const codecs::ListCodec* codec : plan.codecs) {
        progress(fmt::format("{} {} {}", group.source, group.label, codec->name),
                 report.results.size(), total);
        report.results.push_back(runner.run(group, output, *codec, lists));
      }
    }
  }
  return report;
}

}  // namespace gannet::tools
