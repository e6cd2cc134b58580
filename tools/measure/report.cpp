#include "tools/measure/report.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>

#include "tools/measure/table.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

/// What stands in a cell; negative: nothing.
using Cell = std::function<double(const DecodeResult&)>;

bool measured(const DecodeReport& report, Way way) {
  for (const DecodeResult& result : report.results) {
    if (result.speeds[static_cast<std::size_t>(way)]) return true;
  }
  return false;
}

/// Rows are lengths, columns codecs. The results of one source and output stand in the order in
/// which run_decode() makes them: all codecs of one length, then the next length.
std::string pivot(const DecodeReport& report, const DecodePlan& plan, const std::string& source,
                  Output output, const Cell& cell, std::string (*print)(double) = short_number) {
  std::vector<std::string> header{"length"};
  for (const codecs::ListCodec* codec : plan.codecs) header.emplace_back(codec->name);
  TextTable table(std::move(header));
  std::vector<std::string> row;
  for (const DecodeResult& result : report.results) {
    if (result.source != source || result.output != output) continue;
    if (row.empty()) row.push_back(result.label);
    row.push_back(print(cell(result)));
    if (row.size() == plan.codecs.size() + 1) {
      table.add(std::move(row));
      row.clear();
    }
  }
  return table.text(screen_columns(stdout));
}

double giga(const DecodeResult& result, Way way) {
  const auto& speed = result.speeds[static_cast<std::size_t>(way)];
  return speed ? speed->giga_values() : -1;
}

double limit_percent(const DecodeResult& result, Way way) {
  const auto& speed = result.speeds[static_cast<std::size_t>(way)];
  return speed ? 100 * speed->limit_share : -1;
}

/// How many times faster one list is decoded by the GPU than by one thread of the CPU.
double speedup(const DecodeResult& result) {
  const double cpu = giga(result, Way::kCpuOne);
  const double gpu = giga(result, Way::kGpuLaunch);
  return cpu > 0 && gpu > 0 ? gpu / cpu : -1;
}

void print_speeds(const DecodeReport& report, const DecodePlan& plan, const std::string& source,
                  Output output) {
  for (std::size_t i = 0; i < kWays; ++i) {
    const Way way = static_cast<Way>(i);
    if (!measured(report, way)) continue;
    print("{}, {}: billion integers/s; {}\n{}\n", source, to_string(output), to_string(way),
          pivot(report, plan, source, output, [&](const auto& r) { return giga(r, way); }));
    if (way != Way::kCpuAll && way != Way::kGpuBatch) continue;
    print(
        "{}, {}: percent of the speed of a memory copy (above 100: from caches); {}\n{}\n", source,
        to_string(output), to_string(way),
        pivot(report, plan, source, output, [&](const auto& r) { return limit_percent(r, way); }));
  }
  if (measured(report, Way::kCpuOne) && measured(report, Way::kGpuLaunch)) {
    print("{}, {}: speedup; GPU (one list, single launch) over CPU (one thread)\n{}\n", source,
          to_string(output), pivot(report, plan, source, output, speedup));
  }
}

std::vector<std::string> sources_of(const DecodePlan& plan) {
  std::vector<std::string> sources;
  for (const ListGroup& group : plan.groups) {
    if (sources.empty() || sources.back() != group.source) sources.push_back(group.source);
  }
  return sources;
}

Json decode_json(const Speed& speed) {
  Json json{
      {"billion_integers_per_second", speed.giga_values()},
      {"seconds", speed.seconds},
      {"integers", speed.values},
      {"bytes_read", speed.bytes_read},
      {"share_of_copy_speed", speed.limit_share},
  };
  if (speed.latency_bound > 0) json["latency_bound_seconds"] = speed.latency_bound;
  return json;
}

Json decode_json(const DecodeResult& result) {
  Json json{
      {"source", result.source},
      {"length", result.label},
      {"mean_length", result.mean_length},
      {"content", to_string(result.output)},
      {"codec", result.codec},
      {"bits_per_integer", result.bits},
      {"batch_lists", result.batch},
  };
  for (std::size_t i = 0; i < kWays; ++i) {
    const Way way = static_cast<Way>(i);
    if (result.speeds[i]) json[std::string(key_of(way))] = decode_json(*result.speeds[i]);
  }
  return json;
}

}  // namespace

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      return line.substr(line.find(": ") + 2);
    }
  }
  return "unknown CPU";
}

void print_tables(const DecodeReport& report, const DecodePlan& plan) {
  const Limits& limits = report.limits;
  if (plan.cpu) {
    print("CPU  {}; memory copy (read + write) {} GB/s by one thread, {} GB/s by {}\n", cpu_name(),
          short_number(limits.cpu_one * 1e-9), short_number(limits.cpu_all * 1e-9), plan.threads);
  }
  if (plan.gpu) {
    print("GPU  {}; memory copy {} GB/s, read {} GB/s, write {} GB/s\n", limits.gpu_name,
          short_number(limits.gpu.copy_bytes_per_second * 1e-9),
          short_number(limits.gpu.read_bytes_per_second * 1e-9),
          short_number(limits.gpu.write_bytes_per_second * 1e-9));
  }
  print("Medians of {} runs; every output was compared with the input.\n\n", plan.repeats);
  for (const std::string& source : sources_of(plan)) {
    for (const Output output : plan.outputs) {
      print("{}, {}: bits per integer, metadata included\n{}\n", source, to_string(output),
            pivot(
                report, plan, source, output, [](const auto& r) { return r.bits; },
                [](double bits) { return fmt::format("{:.2f}", bits); }));
      print_speeds(report, plan, source, output);
    }
  }
}

Json json_of(const DecodeReport& report, const DecodePlan& plan) {
  const Limits& limits = report.limits;
  Json json{{"repeats", plan.repeats}};
  if (plan.cpu) {
    json["cpu"] = {
        {"name", cpu_name()},
        {"threads", plan.threads},
        {"copy_bytes_per_second_one_thread", limits.cpu_one},
        {"copy_bytes_per_second", limits.cpu_all},
    };
  }
  if (plan.gpu) {
    json["gpu"] = {
        {"name", limits.gpu_name},
        {"copy_bytes_per_second", limits.gpu.copy_bytes_per_second},
        {"read_bytes_per_second", limits.gpu.read_bytes_per_second},
        {"write_bytes_per_second", limits.gpu.write_bytes_per_second},
    };
  }
  Json& results = json["results"] = Json::array();
  for (const DecodeResult& result : report.results) results.push_back(decode_json(result));
  return json;
}

}  // namespace gannet::tools
