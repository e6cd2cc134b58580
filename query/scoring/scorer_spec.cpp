#include "query/scoring/base/scorer_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"
#include "query/scoring/all.hpp"

namespace gannet::query {
namespace {

template <class... S>
constexpr std::array<ScorerInfo, sizeof...(S)> infos(std::tuple<S...>*) {
  return {ScorerInfo{S::id, S::name, S::summary, S::formula, S::parameters, S::monotone,
                     S::needs_occurrences, S::adds_idf}...};
}
constexpr auto kScorers = infos(static_cast<AllScorers*>(nullptr));

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string range_of(const ScorerParameter& parameter) {
  if (!parameter.choices.empty()) {
    return fmt::format("one of {}", fmt::join(split_at(parameter.choices, ','), ", "));
  }
  return fmt::format("between {} and {}", parameter.least, parameter.greatest);
}

std::string text_of(const ScorerParameter& parameter, float value) {
  if (parameter.choices.empty()) return fmt::format("{}", value);
  const auto names = split_at(parameter.choices, ',');
  const auto number = static_cast<std::size_t>(value);
  return number < names.size() ? std::string(names[number]) : fmt::format("{}", value);
}

bool allowed(const ScorerParameter& parameter, float value) {
  if (!(value >= parameter.least && value <= parameter.greatest)) return false;
  return parameter.choices.empty() || value == std::floor(value);
}

/// A value as written; nothing if it is no number and no name of a choice.
std::optional<float> parse_value(const ScorerParameter& parameter, std::string_view text) {
  if (!parameter.choices.empty()) {
    const auto names = split_at(parameter.choices, ',');
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<float>(found - names.begin());
  }
  return plain_number<float>(text);
}

std::string names_of(const ScorerInfo& info) {
  if (info.parameters.empty()) return "it has none";
  std::vector<std::string> names;
  for (const ScorerParameter& parameter : info.parameters) {
    names.push_back(fmt::format("{} ({}; default {})", parameter.name, range_of(parameter),
                                text_of(parameter, parameter.standard)));
  }
  return fmt::format("there are {}", fmt::join(names, ", "));
}

constexpr ScorerParameter kTextB{"b", 0.4f, 0, 1};
constexpr ScorerParameter kTextWeight{"weight", 1, 1e-6f, 1e6f};

TextParameters& text_parameters(ScorerSpec& spec, std::string_view text) {
  const auto found = std::ranges::find(spec.texts, text, &TextParameters::text);
  if (found != spec.texts.end()) return *found;
  return spec.texts.emplace_back(TextParameters{std::string(text), {}, {}});
}

/// `title.b=0.3`, `title.weight=2`; names of fields may have points as well.
void set_text_parameter(const ScorerInfo& info, std::string_view name, std::string_view text,
                        ScorerSpec& spec) {
  const std::size_t point = name.rfind('.');
  const std::string_view which = name.substr(point + 1);
  if (which != kTextB.name && which != kTextWeight.name) {
    throw UsageError(fmt::format(
        "{}: no parameter is called '{}'; of a text there are TEXT.b and TEXT.weight, such as "
        "title.b=0.3",
        info.name, name));
  }
  const ScorerParameter& parameter = which == kTextB.name ? kTextB : kTextWeight;
  const std::optional<float> value = parse_value(parameter, text);
  if (!value || !allowed(parameter, *value)) {
    throw UsageError(
        fmt::format("{}: {} must be {}, not '{}'", info.name, name, range_of(parameter), text));
  }
  TextParameters& own = text_parameters(spec, name.substr(0, point));
  (which == kTextB.name ? own.b : own.weight) = value;
}

void set_parameter(const ScorerInfo& info, std::string_view assignment, ScorerSpec& spec) {
  ScorerValues& values = spec.values;
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  if (info.id == ScorerId::kBm25F && name.find('.') != std::string_view::npos) {
    const bool given = equals != std::string_view::npos;
    return set_text_parameter(info, name, given ? assignment.substr(equals + 1) : "", spec);
  }
  const auto parameter = std::ranges::find(info.parameters, name, &ScorerParameter::name);
  if (parameter == info.parameters.end()) {
    throw UsageError(
        fmt::format("{}: no parameter is called '{}'; {}", info.name, name, names_of(info)));
  }
  const std::string_view text =
      equals == std::string_view::npos ? std::string_view{} : assignment.substr(equals + 1);
  const std::optional<float> value = parse_value(*parameter, text);
  if (!value || !allowed(*parameter, *value)) {
    throw UsageError(
        fmt::format("{}: {} must be {}, not '{}'", info.name, name, range_of(*parameter), text));
  }
  values[static_cast<std::size_t>(parameter - info.parameters.begin())] = *value;
}

}  // namespace

std::span<const ScorerInfo> all_scorers() { return kScorers; }

std::string scorer_names() {
  std::vector<std::string_view> names(kScorers.size());
  std::ranges::transform(kScorers, names.begin(), &ScorerInfo::name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const ScorerInfo* find_scorer(ScorerId id) {
  const auto found = std::ranges::find(kScorers, id, &ScorerInfo::id);
  return found == kScorers.end() ? nullptr : &*found;
}

const ScorerInfo* find_scorer(std::string_view name) {
  const auto found = std::ranges::find(kScorers, name, &ScorerInfo::name);
  return found == kScorers.end() ? nullptr : &*found;
}

ScorerSpec standard_scorer(ScorerId id) {
  ScorerSpec spec{id, {}, {}};
  if (const ScorerInfo* const info = find_scorer(id)) {
    std::ranges::transform(info->parameters, spec.values.begin(), &ScorerParameter::standard);
  }
  return spec;
}

ScorerSpec bm25(float k1, float b) {
  ScorerSpec spec = standard_scorer(ScorerId::kBm25);
  spec.values[0] = k1;
  spec.values[1] = b;
  return spec;
}

std::optional<std::string> scorer_problem(const ScorerSpec& spec) {
  const ScorerInfo* const info = find_scorer(spec.id);
  if (info == nullptr) return "there is no such scorer; there are " + scorer_names();
  for (std::size_t i = 0; i < info->parameters.size(); ++i) {
    const ScorerParameter& parameter = info->parameters[i];
    if (!allowed(parameter, spec.values[i])) {
      return fmt::format("{}: {} must be {}, not {}", info->name, parameter.name,
                         range_of(parameter), spec.values[i]);
    }
  }
  if (!spec.texts.empty() && spec.id != ScorerId::kBm25F) {
    return fmt::format("{}: has no parameters of texts; bm25f has", info->name);
  }
  for (const TextParameters& text : spec.texts) {
    if (text.b && !allowed(kTextB, *text.b)) {
      return fmt::format("{}: {}.b must be {}, not {}", info->name, text.text, range_of(kTextB),
                         *text.b);
    }
    if (text.weight && !allowed(kTextWeight, *text.weight)) {
      return fmt::format("{}: {}.weight must be {}, not {}", info->name, text.text,
                         range_of(kTextWeight), *text.weight);
    }
  }
  for (std::size_t i = info->parameters.size(); i < spec.values.size(); ++i) {
    if (spec.values[i] != 0) return fmt::format("{}: has no parameter number {}", info->name, i);
  }
  return std::nullopt;
}

const TextParameters* parameters_of_text(const ScorerSpec& spec, std::string_view text) {
  const auto found = std::ranges::find(spec.texts, text, &TextParameters::text);
  return found == spec.texts.end() ? nullptr : &*found;
}

ScorerSpec scorer_of_text(const ScorerSpec& spec, std::string_view text) {
  ScorerSpec own = spec;
  const TextParameters* const parameters = parameters_of_text(spec, text);
  if (parameters != nullptr && parameters->b) own.values[1] = *parameters->b;
  return own;
}

ScorerSpec parse_scorer(std::string_view name, std::string_view parameters,
                        const ScorerSpec& defaults) {
  const ScorerInfo* const info = name.empty() ? find_scorer(defaults.id) : find_scorer(name);
  if (info == nullptr) {
    throw UsageError(fmt::format("no scorer is called '{}'; there are {}", name, scorer_names()));
  }
  ScorerSpec spec = info->id == defaults.id ? defaults : standard_scorer(info->id);
  if (parameters.empty()) return spec;
  for (const std::string_view assignment : split_at(parameters, ',')) {
    set_parameter(*info, assignment, spec);
  }
  return spec;
}

std::string value_of(const ScorerSpec& spec, std::size_t i) {
  const ScorerInfo* const info = find_scorer(spec.id);
  if (info == nullptr || i >= info->parameters.size()) return {};
  return text_of(info->parameters[i], spec.values[i]);
}

std::string parameters_of(const ScorerSpec& spec) {
  std::string text;
  const ScorerInfo* const info = find_scorer(spec.id);
  for (std::size_t i = 0; info != nullptr && i < info->parameters.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : ",", info->parameters[i].name, value_of(spec, i));
  }
  for (const TextParameters& own : spec.texts) {
    if (own.b) text += fmt::format(",{}.b={}", own.text, *own.b);
    if (own.weight) text += fmt::format(",{}.weight={}", own.text, *own.weight);
  }
  return text;
}

std::string to_string(const ScorerSpec& spec) {
  const ScorerInfo* const info = find_scorer(spec.id);
  const std::string parameters = parameters_of(spec);
  const std::string name(info == nullptr ? "unknown" : info->name);
  return parameters.empty() ? name : name + " " + parameters;
}

}  // namespace gannet::query
