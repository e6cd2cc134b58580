#include "tools/measure/codecs_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "codecs/base/cuda/device.hpp"
#include "tools/measure/report.hpp"
#include "tools/measure/table.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

using Rate = std::optional<double>;

std::string giga(const Rate& speed) { return short_number(speed ? *speed * 1e-9 : -1); }

std::string label(const CodecResult& result) {
  return result.codec == result.chosen ? result.codec
                                       : fmt::format("{} ({})", result.codec, result.chosen);
}

/// Of all columns of one codec.
class Means {
 public:
  void add(const CodecResult& result) {
    values_ += static_cast<double>(result.values);
    words_ += static_cast<double>(result.words);
    const Rate* const speeds[] = {&result.encode, &result.decode, &result.gpu_decode};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!*speeds[i]) continue;
      logs_[i] += std::log(**speeds[i]);
      ++counts_[i];
    }
  }
  double bits() const { return values_ == 0 ? 0 : 32 * words_ / values_; }
  Rate speed(std::size_t i) const {
    return counts_[i] == 0 ? Rate() : std::exp(logs_[i] / counts_[i]);
  }

 private:
  double values_ = 0;
  double words_ = 0;
  double logs_[3] = {};
  int counts_[3] = {};
};

class Tables {
 public:
  explicit Tables(const CodecsPlan& plan) : plan_(plan), raw_bits_(8.0 * size_of(plan.type)) {}

  std::string of_column(const std::vector<CodecResult>& results, std::size_t first) const {
    TextTable table = header();
    for (std::size_t i = first; i < first + plan_.codecs.size(); ++i) {
      const CodecResult& result = results[i];
      add(table, label(result), result.bits(), {result.encode, result.decode, result.gpu_decode});
    }
    return fmt::format("{}: {} of type {}\n{}\n", results[first].column,
                       counted(results[first].values, "value"), name_of(plan_.type),
                       table.text(screen_columns(stdout)));
  }

  std::string of_all(const std::vector<CodecResult>& results) const {
    TextTable table = header();
    for (std::size_t c = 0; c < plan_.codecs.size(); ++c) {
      Means means;
      for (std::size_t i = c; i < results.size(); i += plan_.codecs.size()) means.add(results[i]);
      add(table, plan_.codecs[c], means.bits(), {means.speed(0), means.speed(1), means.speed(2)});
    }
    return fmt::format("all {} columns: bits over all values, geometric means of speeds\n{}\n",
                       results.size() / plan_.codecs.size(), table.text(screen_columns(stdout)));
  }

 private:
  TextTable header() const {
    std::vector<std::string> names{"codec", "bits/value", "ratio", "encode, CPU", "decode, CPU"};
    if (plan_.gpu) names.emplace_back("decode, GPU");
    return TextTable(std::move(names));
  }

  void add(TextTable& table, const std::string& name, double bits,
           const std::vector<Rate>& speeds) const {
    std::vector<std::string> row{name, short_number(bits),
                                 short_number(bits > 0 ? raw_bits_ / bits : -1), giga(speeds[0]),
                                 giga(speeds[1])};
    if (plan_.gpu) row.push_back(giga(speeds[2]));
    table.add(std::move(row));
  }

  const CodecsPlan& plan_;
  double raw_bits_;
};

Json json_of_rate(const Rate& rate) { return rate ? Json(*rate * 1e-9) : Json(); }

}  // namespace

std::string codecs_tables(const CodecsPlan& plan, const std::vector<CodecResult>& results) {
  const Tables tables(plan);
  std::string text = fmt::format(
      "CPU: {}, one thread{}\nSpeeds in GB/s of raw values; a column of fewer than {} values{} is "
      "repeated for them.\n\n",
      cpu_name(), plan.gpu ? "; GPU: " + codecs::cuda::device_name() : "",
      with_commas(plan.cpu_values),
      plan.gpu ? fmt::format(" (on the GPU {})", with_commas(plan.gpu_values)) : "");
  for (std::size_t i = 0; i < results.size(); i += plan.codecs.size()) {
    text += tables.of_column(results, i);
  }
  if (results.size() > plan.codecs.size()) text += tables.of_all(results);
  return text;
}

Json codecs_json(const CodecsPlan& plan, const std::vector<CodecResult>& results) {
  Json rows = Json::array();
  for (const CodecResult& result : results) {
    rows.push_back({
        {"input", result.column},
        {"codec", result.codec},
        {"chosen", result.chosen},
        {"values", result.values},
        {"bytes", 4 * result.words},
        {"bits_per_value", result.bits()},
        {"cpu_values", result.cpu_values},
        {"gpu_values", result.gpu_values},
        {"cpu_encode_gb_per_second", json_of_rate(result.encode)},
        {"cpu_decode_gb_per_second", json_of_rate(result.decode)},
        {"gpu_decode_gb_per_second", json_of_rate(result.gpu_decode)},
    });
  }
  return {
      {"type", name_of(plan.type)},
      {"cpu", cpu_name()},
      {"gpu", plan.gpu ? Json(codecs::cuda::device_name()) : Json()},
      {"repeats", plan.repeats},
      {"results", std::move(rows)},
  };
}

}  // namespace gannet::tools
