#include "query/options/expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/options/reading/parameter_table.hpp"

namespace gannet::query {
namespace {

constexpr std::array<std::string_view, 2> kMethods{"rm3", "rocchio"};
/// RM3 with the values of Anserini's where the defaults are others.
constexpr std::string_view kAnserini = "rm3:anserini";

std::string_view name_of(ExpansionMethod method) {
  return kMethods[static_cast<std::size_t>(method)];
}

/// The parameters that a method has.
ParameterTable<Expansion> table_of(ExpansionMethod method) {
  const bool rm3 = method == ExpansionMethod::kRm3;
  std::vector<Parameter<Expansion>> all{{"docs", &Expansion::documents, 1, 1000},
                                        {"terms", &Expansion::terms, 0, 1000}};
  if (rm3) all.push_back({"weight", &Expansion::weight, 0, 1});
  if (!rm3) all.push_back({"alpha", &Expansion::alpha, 0, 1000});
  if (!rm3) all.push_back({"beta", &Expansion::beta, 0, 1000});
  all.push_back({"max-df", &Expansion::max_document_share, 0, 1});
  all.push_back({"min-length", &Expansion::min_length, 1, 65'535});
  all.push_back({"max-length", &Expansion::max_length, 1, 65'535});
  all.push_back({"chars", &Expansion::ascii_only, 0, 1});
  if (rm3) all.push_back({"doc-terms", &Expansion::document_terms, 0, 1'000'000});
  return {name_of(method), Expansion{.method = method}, std::move(all)};
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
  if (auto problem = table_of(expansion.method).problem(expansion)) return problem;
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
  table_of(expansion.method).read(parameters, expansion);
  const bool document_terms_given =
      ("," + std::string(parameters)).find(",doc-terms=") != std::string::npos;
  if (name == kAnserini && !document_terms_given) expansion.document_terms = expansion.terms;
  if (const auto problem = expansion_problem(expansion)) throw UsageError(*problem);
  return expansion;
}

std::string to_string(const Expansion& expansion) {
  if (const auto problem = expansion_problem(expansion)) return "unusable: " + *problem;
  return table_of(expansion.method).text(expansion);
}

}  // namespace gannet::query
