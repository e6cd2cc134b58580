#include "tools/building/resume/build_progress.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <span>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "index/files/atomic_file.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMax = std::size_t{1} << 30;

Json step_json(const BuildStep& step) {
  return {{"documents", step.documents},
          {"batches", step.batches},
          {"ended", step.ended},
          {"text_bytes", step.text_bytes},
          {"skipped", step.skipped},
          {"left_out", step.left_out},
          {"broken_files", step.broken_files},
          {"empty_documents", step.empty_documents},
          {"runs", step.runs},
          {"seconds", step.seconds}};
}

Json step_json(const BuildTask& task) {
  Json json{{"version", task.version}, {"settings", Json::array()}, {"inputs", Json::array()}};
  for (const auto& [name, value] : task.settings) json["settings"].push_back({name, value});
  for (const BuildTask::Input& input : task.inputs) {
    json["inputs"].push_back({input.path, input.bytes, input.modified});
  }
  return json;
}

// value() throws simdjson's own exception where a member is missing or another kind of value.
std::uint64_t number_at(dom::element json, const char* name) {
  return json[name].get_uint64().value();
}
dom::array array_at(dom::element json, const char* name) { return json[name].get_array().value(); }
std::string text_of(dom::element json) { return std::string(json.get_string().value()); }

BuildStep step_of(dom::element json) {
  BuildStep step;
  step.documents = number_at(json, "documents");
  step.batches = number_at(json, "batches");
  step.ended = json["ended"].get_bool().value();
  step.text_bytes = number_at(json, "text_bytes");
  step.skipped = number_at(json, "skipped");
  step.left_out = number_at(json, "left_out");
  for (const dom::element file : array_at(json, "broken_files")) {
    step.broken_files.push_back(text_of(file));
  }
  step.empty_documents = number_at(json, "empty_documents");
  step.runs = number_at(json, "runs");
  step.seconds = json["seconds"].get_double().value();
  return step;
}

Json step_json(const BuildMerge& merge) {
  return {{"generation", merge.generation},
          {"documents", merge.outcome.documents},
          {"postings", merge.outcome.postings},
          {"tokens", merge.outcome.tokens}};
}

BuildMerge merge_of(dom::element json) {
  return {number_at(json, "generation"),
          {number_at(json, "documents"), number_at(json, "postings"), number_at(json, "tokens")}};
}

BuildTask task_of(dom::element json) {
  BuildTask task;
  task.version = text_of(json["version"].value());
  for (const dom::element pair : array_at(json, "settings")) {
    task.settings.emplace_back(text_of(pair.at(0).value()), text_of(pair.at(1).value()));
  }
  for (const dom::element input : array_at(json, "inputs")) {
    task.inputs.push_back({text_of(input.at(0).value()), input.at(1).get_uint64().value(),
                           input.at(2).get_int64().value()});
  }
  return task;
}

}  // namespace

std::optional<BuildStep> BuildProgress::step_at(std::uint64_t documents) const {
  const auto step = std::find_if(steps.rbegin(), steps.rend(), [&](const BuildStep& known) {
    return known.documents == documents;
  });
  return step == steps.rend() ? std::nullopt : std::optional(*step);
}

void write_progress(const std::filesystem::path& path, const BuildProgress& progress) {
  Json json{{"task", step_json(progress.task)}, {"steps", Json::array()}};
  for (const BuildStep& step : progress.steps) json["steps"].push_back(step_json(step));
  if (progress.merging) json["merging"] = step_json(*progress.merging);
  index::AtomicFile file(path);
  const std::string line = json_line(json) + '\n';
  file.append(std::as_bytes(std::span(line)));
  file.finish();
  file.publish();
  index::sync_directory(path.parent_path());
}

BuildProgress read_progress(const std::filesystem::path& path) {
  const std::string text = corpora::read_whole_file(path, kMax);
  try {
    dom::parser parser;
    const dom::element json = parser.parse(text).value();
    BuildProgress progress{task_of(json["task"].value()), {}, {}};
    for (const dom::element step : array_at(json, "steps")) {
      progress.steps.push_back(step_of(step));
    }
    if (progress.steps.empty()) throw simdjson::simdjson_error(simdjson::EMPTY);
    dom::element merging;
    if (json["merging"].get(merging) == simdjson::SUCCESS) progress.merging = merge_of(merging);
    return progress;
  } catch (const simdjson::simdjson_error& error) {
    throw FormatError(path.string() + ": does not say how far the build came (" + error.what() +
                      "); remove the folder to begin again");
  }
}

std::string difference(const BuildTask& before, const BuildTask& now) {
  if (before.version != now.version) {
    return fmt::format("it was begun by Gannet {}, and this is {}", before.version, now.version);
  }
  for (const auto& [name, value] : now.settings) {
    const auto known =
        std::ranges::find(before.settings, name, [](const auto& s) { return s.first; });
    if (known == before.settings.end() || known->second != value) {
      return fmt::format("--{} is another one", name);
    }
  }
  for (std::size_t i = 0; i < std::max(before.inputs.size(), now.inputs.size()); ++i) {
    if (i >= now.inputs.size()) return before.inputs[i].path + " is no input any more";
    if (i >= before.inputs.size()) return now.inputs[i].path + " is a new input";
    const auto& [path, bytes, modified] = now.inputs[i];
    if (before.inputs[i].path != path) return path + " is a new input, or at another place";
    if (before.inputs[i].bytes != bytes) return path + " has another size";
    if (before.inputs[i].modified != modified) return path + " was written since";
  }
  return before == now ? "" : "other options were given";
}

}  // namespace gannet::tools
