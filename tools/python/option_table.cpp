#include "tools/python/option_table.hpp"

#include <algorithm>
#include <map>
#include <span>

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

const Keyword kOpen[]{
    {table::kBackend}, {table::kDevice}, {table::kHostThreads}, {table::kBoundsBits}};
const Keyword kQuery[]{{table::kFilter}, {table::kMode}, {table::kOperators}, {table::kTimeLimit}};
const Keyword kRanking[]{{table::kScorer},
                         {table::kScorerParams},
                         {table::kExpand},
                         {table::kExpandParams},
                         {table::kExhaustive}};
const Keyword kSearch[]{{table::kHits},
                        {table::kFields},
                        {table::kSort},
                        {table::kFacet, "facets"},
                        {table::kHistogram, "histograms"},
                        {table::kStats},
                        {table::kGroup}};
const Keyword kBatch[]{{table::kHits}};
const Keyword kRun[]{{table::kHitsOfRun}};
const Keyword kWrite[]{{table::kTextFields}, {table::kSchema},    {table::kStore},
                       {table::kCodec},      {table::kFreqCodec}, {table::kBuildMemory},
                       {table::kThreads},    {table::kTokenizer}, {table::kStemmer},
                       {table::kStopwords},  {table::kKeepCase},  {table::kFoldAccents},
                       {table::kK1},         {table::kB}};
const Keyword kBuild[]{{table::kHeader},      {table::kColumns},    {table::kIdField},
                       {table::kEncoding},    {table::kImpactBits}, {table::kOnError},
                       {table::kReplaceIndex}};
const Keyword kMerge[]{{table::kMaxSegments}, {table::kMemory}, {table::kThreads}};

using Groups = std::vector<std::span<const Keyword>>;

/// By what takes them: methods of Index, and gannet.Writer.
const std::map<std::string, Groups> kTakers{
    {"open", {kOpen}},
    {"search", {kQuery, kRanking, kSearch}},
    {"count", {kQuery}},
    {"search_batch", {kQuery, kRanking, kBatch}},
    {"run", {kQuery, kRanking, kRun}},
    {"build", {kWrite, kBuild}},
    {"Writer", {kWrite}},
    {"merge", {kMerge}},
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

/// Throws UsageError for a value that its row does not allow; None is none.
void check_options(const std::string& taker, const nb::dict& options) {
  for_each_keyword(taker, [&](const Keyword& keyword) {
    const std::string name = name_of(keyword);
    if (!options.contains(name.c_str())) return;
    const nb::object value(options[name.c_str()]);
    if (value.is_none()) return;
    if (const auto* const real = std::get_if<tools::Real>(&keyword.row.type)) {
      tools::checked_real(name, *real, nb::cast<double>(value));
      return;
    }
    const nb::str typed(value);
    if (nb::len(typed) != 0) check_value(name, keyword.row, typed.c_str());
  });
}

}  // namespace

void bind_options(nb::module_& module) {
  module.def("option_rows", option_rows, nb::arg("taker"));
  module.def("check_options", check_options, nb::arg("taker"), nb::arg("options"));
}

}  // namespace gannet::python
