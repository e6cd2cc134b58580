#include "tools/python/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "codecs/base/error.hpp"
#include "tools/options/table/building.hpp"
#include "tools/options/table/topics.hpp"

namespace gannet::python {
namespace {

using tools::Option;
namespace table = tools::options;

/// Named otherwise than the option where it takes a sequence of what the option takes one of.
struct Keyword {
  const Option& row;
  const char* name = nullptr;
};

const Keyword kOpen[]{{table::kBackend},     {table::kDevice},       {table::kDevices},
                      {table::kSpread},      {table::kDeviceBudget}, {table::kDeviceMemory},
                      {table::kHostThreads}, {table::kBoundsBits},   {table::kCandidateFilters},
                      {table::kSynonyms}};
const Keyword kQuery[]{{table::kFilter},        {table::kMode},        {table::kSearchFields},
                       {table::kMaxExpansions}, {table::kFuzzyPrefix}, {table::kOperators},
                       {table::kTimeLimit}};
const Keyword kRanking[]{{table::kScorer},
                         {table::kScorerParams},
                         {table::kExpand},
                         {table::kExpandParams},
                         {table::kExhaustive}};
const Keyword kColumns[]{{table::kFields},
                         {table::kSort},
                         {table::kFacet, "facets"},
                         {table::kHistogram, "histograms"},
                         {table::kStats},
                         {table::kGroup},
                         {table::kTotal}};
const Keyword kSearch[]{{table::kHits}};
const Keyword kPaging[]{{table::kOffset}, {table::kAfter}};
const Keyword kRun[]{{table::kHitsOfRun}, {table::kTopicFormat}, {table::kTopicFields}};
const Keyword kWrite[]{{table::kTextFields}, {table::kSchema},    {table::kStore},
                       {table::kCodec},      {table::kFreqCodec}, {table::kBuildMemory},
                       {table::kThreads},    {table::kTokenizer}, {table::kStemmer},
                       {table::kStopWords},  {table::kKeepCase},  {table::kFoldAccents},
                       {table::kK1},         {table::kB}};
const Keyword kFiles[]{{table::kHeader},   {table::kColumns}, {table::kIdField},
                       {table::kEncoding}, {table::kPageIds}, {table::kOnError}};
const Keyword kBuild[]{{table::kImpactBits}, {table::kReplaceIndex}};
const Keyword kMerge[]{{table::kMaxSegments}};
const Keyword kUpkeep[]{{table::kMemory}, {table::kThreads}};
const Keyword kChange[]{{table::kLockWait}};
const Keyword kSelected[]{{table::kFilter}};

using Groups = std::vector<std::span<const Keyword>>;

/// By what takes them: methods of Index, and gannet.Writer.
const std::map<std::string, Groups> kTakers{
    {"open", {kOpen}},
    {"search", {kQuery, kRanking, kColumns, kSearch, kPaging}},
    {"count", {kQuery}},
    {"search_batch", {kQuery, kRanking, kColumns, kSearch}},
    {"run", {kQuery, kRanking, kColumns, kRun}},
    {"build", {kWrite, kBuild, kFiles}},
    {"add", {kFiles, kUpkeep, kChange}},
    {"Writer", {kWrite, kChange}},
    {"delete", {kSelected, kChange}},
    {"merge", {kMerge, kUpkeep, kChange}},
    {"upkeep", {kUpkeep, kChange}},
};

std::string name_of(const Keyword& keyword) {
  std::string name(keyword.name != nullptr ? keyword.name : keyword.row.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

template <class Work>
void for_each_keyword(const std::string& taker, const Work& work) {
  for (const auto& group : kTakers.at(taker)) std::ranges::for_each(group, work);
}

/// The rows of the table of options behind the keyword arguments of a taker: {"mode": {"type",
/// "default", "range", "sentence"}, ...}.
nb::dict option_rows(const std::string& taker) {
  nb::dict rows;
  for_each_keyword(taker, [&](const Keyword& keyword) {
    nb::dict row;
    row["type"] = std::string(type_of(keyword.row));
    row["default"] = std::string(keyword.row.standard.text);
    row["range"] = range_of(keyword.row);
    row["sentence"] = sentence_of(keyword.row);
    rows[name_of(keyword).c_str()] = row;
  });
  return rows;
}

using Rows = std::map<std::string, const Option*, std::less<>>;

/// The rows of a taker by the names of its keyword arguments.
const Rows& options_of(const std::string& taker) {
  static const std::map<std::string, Rows> all = [] {
    std::map<std::string, Rows> rows;
    for (const auto& [name, groups] : kTakers) {
      for_each_keyword(name, [&](const Keyword& keyword) {
        rows[name].emplace(name_of(keyword), &keyword.row);
      });
    }
    return rows;
  }();
  return all.at(taker);
}

void check_value_of(const char* name, const Option& row, nb::handle value) {
  if (std::holds_alternative<tools::Whole>(row.type)) {
    whole_number(name, row, value);
  } else if (std::holds_alternative<tools::Real>(row.type)) {
    real_number(name, row, value);
  } else if (std::holds_alternative<tools::Size>(row.type)) {
    tools::parse_size(name, text_value(name, nb::str(value)));
  } else if (const auto* const choice = std::get_if<tools::Choice>(&row.type)) {
    if (choice->several && !nb::isinstance<nb::str>(value)) return;  // names, checked one by one
    const std::string typed = text_value(name, value);
    if (!typed.empty()) check_value(name, row, typed);
  }
}

/// Throws UsageError for a value that its row does not allow; None is none.
void check_options(const std::string& taker, const nb::dict& options) {
  const Rows& rows = options_of(taker);
  for (const auto& [key, value] : options) {
    if (value.is_none()) continue;
    const std::string name = nb::cast<std::string>(key);
    const auto row = rows.find(name);
    if (row != rows.end()) check_value_of(name.c_str(), *row->second, value);
  }
}

}  // namespace

std::string text_value(const char* name, nb::handle value) {
  if (!nb::isinstance<nb::str>(value)) {
    throw UsageError(fmt::format("{}: must be a text", name));
  }
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) throw nb::python_error();
  return {text, static_cast<std::size_t>(size)};
}

std::uint64_t whole_number(const char* name, const Option& row, nb::handle value) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) PyErr_Clear();
  // What has no __index__ is shown with its quotes, and fails.
  const std::string typed = text_value(name, index.is_valid() ? nb::str(index) : nb::repr(value));
  return tools::whole_value(name, std::get<tools::Whole>(row.type), typed);
}

double real_number(const char* name, const Option& row, nb::handle value) {
  const auto& range = std::get<tools::Real>(row.type);
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return tools::checked_real(name, range, number);
  PyErr_Clear();
  return tools::real_value(name, range, text_value(name, nb::repr(value)));
}

void bind_options(nb::module_& module) {
  module.def("option_rows", option_rows, nb::arg("taker"));
  module.def("check_options", check_options, nb::arg("taker"), nb::arg("options"));
}

}  // namespace gannet::python
