#include "query/options/expansion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <variant>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"

namespace gannet::query {
namespace {

constexpr std::array<std::string_view, 2> kMethods{"rm3", "rocchio"};
/// RM3 with the values of Anserini's where the defaults are others.
constexpr std::string_view kAnserini = "rm3:anserini";

using Member = std::variant<std::uint32_t Expansion::*, double Expansion::*, bool Expansion::*>;

/// A parameter as users name it. A flag is written as one of two words.
struct Parameter {
  std::string_view name;
  Member member;
  double least;
  double greatest;
  std::optional<ExpansionMethod> only = {};  ///< the method that has it; nothing: each
};

constexpr std::string_view kFlagWords[] = {"any", "ascii"};

constexpr std::array kParameters{
    Parameter{"docs", &Expansion::documents, 1, 1000},
    Parameter{"terms", &Expansion::terms, 0, 1000},
    Parameter{"weight", &Expansion::weight, 0, 1, ExpansionMethod::kRm3},
    Parameter{"alpha", &Expansion::alpha, 0, 1000, ExpansionMethod::kRocchio},
    Parameter{"beta", &Expansion::beta, 0, 1000, ExpansionMethod::kRocchio},
    Parameter{"max-df", &Expansion::max_document_share, 0, 1},
    Parameter{"min-length", &Expansion::min_length, 1, 65'535},
    Parameter{"max-length", &Expansion::max_length, 1, 65'535},
    Parameter{"chars", &Expansion::ascii_only, 0, 1},
    Parameter{"doc-terms", &Expansion::document_terms, 0, 1'000'000, ExpansionMethod::kRm3},
};

bool is_flag(const Parameter& parameter) {
  return std::holds_alternative<bool Expansion::*>(parameter.member);
}

bool is_whole(const Parameter& parameter) {
  return std::holds_alternative<std::uint32_t Expansion::*>(parameter.member);
}

double value_of(const Expansion& expansion, const Parameter& parameter) {
  return std::visit([&](auto member) { return static_cast<double>(expansion.*member); },
                    parameter.member);
}

void set_value(Expansion& expansion, const Parameter& parameter, double value) {
  std::visit(
      [&](auto member) {
        using Value = std::remove_reference_t<decltype(expansion.*member)>;
        expansion.*member = static_cast<Value>(value);
      },
      parameter.member);
}

std::string text_of(const Parameter& parameter, double value) {
  return is_flag(parameter) ? std::string(kFlagWords[value == 0 ? 0 : 1])
                            : fmt::format("{}", value);
}

std::string range_of(const Parameter& parameter) {
  if (is_flag(parameter)) return fmt::format("one of {}", fmt::join(kFlagWords, ", "));
  return fmt::format("{}between {} and {}", is_whole(parameter) ? "a whole number " : "",
                     parameter.least, parameter.greatest);
}

bool allowed(const Parameter& parameter, double value) {
  return value >= parameter.least && value <= parameter.greatest;
}

std::string_view name_of(ExpansionMethod method) {
  return kMethods[static_cast<std::size_t>(method)];
}

std::vector<Parameter> parameters_of(ExpansionMethod method) {
  std::vector<Parameter> parameters;
  std::ranges::copy_if(kParameters, std::back_inserter(parameters),
                       [&](const Parameter& p) { return !p.only || *p.only == method; });
  return parameters;
}

/// The number that is all of `text`, or what a flag's word means; nothing if there is none.
std::optional<double> parse_value(const Parameter& parameter, std::string_view text) {
  if (is_flag(parameter)) {
    const auto* const found = std::ranges::find(kFlagWords, text);
    if (found == std::end(kFlagWords)) return std::nullopt;
    return found == std::begin(kFlagWords) ? 0 : 1;
  }
  if (!is_whole(parameter)) return plain_number<double>(text);
  return plain_number<std::uint32_t>(text);
}

std::string choices_of(ExpansionMethod method) {
  const Expansion standard{.method = method};
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_of(method)) {
    names.push_back(fmt::format("{} ({}; default {})", parameter.name, range_of(parameter),
                                text_of(parameter, value_of(standard, parameter))));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void assign(Expansion& expansion, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view text =
      equals == std::string_view::npos ? std::string_view{} : assignment.substr(equals + 1);
  for (const Parameter& parameter : parameters_of(expansion.method)) {
    if (parameter.name != name) continue;
    const std::optional<double> value = parse_value(parameter, text);
    if (!value || !allowed(parameter, *value)) {
      throw UsageError(fmt::format("{}: {} must be {}, not '{}'", name_of(expansion.method), name,
                                   range_of(parameter), text));
    }
    set_value(expansion, parameter, *value);
    return;
  }
  throw UsageError(fmt::format("{}: no parameter is called '{}'; there are {}",
                               name_of(expansion.method), name, choices_of(expansion.method)));
}

/// With its parameters' defaults.
Expansion expansion_called(std::string_view name) {
  if (name == kAnserini) return {.method = ExpansionMethod::kRm3, .ascii_only = true};
  const auto* const found = std::ranges::find(kMethods, name);
  if (found == kMethods.end()) {
    throw UsageError(
        fmt::format("no query expansion is called '{}'; there are {}", name, expansion_names()));
  }
  return {.method = static_cast<ExpansionMethod>(found - kMethods.begin())};
}

}  // namespace

std::string expansion_names() {
  return fmt::format("{}, {}, {}", kMethods[0], kAnserini, kMethods[1]);
}

std::optional<std::string> expansion_problem(const Expansion& expansion) {
  if (static_cast<std::size_t>(expansion.method) >= kMethods.size()) {
    return "there is no such method; there are " + expansion_names();
  }
  const std::string_view name = name_of(expansion.method);
  for (const Parameter& parameter : parameters_of(expansion.method)) {
    const double value = value_of(expansion, parameter);
    if (allowed(parameter, value)) continue;
    return fmt::format("{}: {} must be {}, not {}", name, parameter.name, range_of(parameter),
                       text_of(parameter, value));
  }
  if (expansion.min_length > expansion.max_length) {
    return fmt::format("{}: min-length {} is more than max-length {}", name, expansion.min_length,
                       expansion.max_length);
  }
  if (expansion.method == ExpansionMethod::kRocchio && expansion.alpha == 0 &&
      expansion.beta == 0) {
    return fmt::format("{}: alpha and beta cannot both be 0, nothing would be left", name);
  }
  return std::nullopt;
}

Expansion parse_expansion(std::string_view name, std::string_view parameters) {
  Expansion expansion = expansion_called(name);
  bool document_terms_given = false;
  for (bool more = !parameters.empty(); more;) {
    const std::size_t comma = parameters.find(',');
    assign(expansion, parameters.substr(0, comma));
    document_terms_given |= parameters.starts_with("doc-terms=");
    more = comma != std::string_view::npos;
    if (more) parameters.remove_prefix(comma + 1);
  }
  if (name == kAnserini && !document_terms_given) expansion.document_terms = expansion.terms;
  if (const auto problem = expansion_problem(expansion)) throw UsageError(*problem);
  return expansion;
}

std::string to_string(const Expansion& expansion) {
  if (const auto problem = expansion_problem(expansion)) return "unusable: " + *problem;
  std::vector<std::string> values;
  for (const Parameter& parameter : parameters_of(expansion.method)) {
    const double value = value_of(expansion, parameter);
    values.push_back(fmt::format("{}={}", parameter.name, text_of(parameter, value)));
  }
  return fmt::format("{} {}", name_of(expansion.method), fmt::join(values, ","));
}

}  // namespace gannet::query
