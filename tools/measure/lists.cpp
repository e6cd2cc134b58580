#include "tools/measure/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "index/text/analyzer.hpp"

namespace gannet::tools {
namespace {

using index::Segment;
using index::TermId;

/// Synthetic values that are made for a batch; a larger batch repeats them at other addresses.
constexpr std::uint64_t kDistinctValues = 1u << 22;

/// A posting list of one segment.
struct ListRef {
  const Segment* segment;
  TermId term;
};

std::uint32_t length_of(const ListRef& ref) { return ref.segment->document_frequency(ref.term); }

std::vector<std::uint32_t> decoded(const ListRef& ref, Output output) {
  const index::PostingList list = ref.segment->list(ref.term);
  std::vector<std::uint32_t> values(list.count);
  if (output == Output::kFreqs) {
    list.decode_frequencies(values.data());
    for (std::uint32_t& value : values) --value;  // as indexes store them
  } else {
    list.decode_docids(values.data());
  }
  return values;
}

/// Evenly spread lists of `refs` with about `values` values together; at least one.
Lists sample(const std::vector<ListRef>& refs, double mean_length, Output output,
             std::uint64_t values) {
  const double wanted = std::max(1.0, static_cast<double>(values) / mean_length);
  const double step = std::max(1.0, static_cast<double>(refs.size()) / wanted);
  Lists lists;
  const auto count = static_cast<std::size_t>(std::ceil(static_cast<double>(refs.size()) / step));
  lists.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(static_cast<double>(i) * step);
    lists.push_back(decoded(refs[std::min(at, refs.size() - 1)], output));
  }
  return lists;
}

ListGroup group_of(std::shared_ptr<const index::Index> index, std::string source, std::string label,
                   std::vector<ListRef> refs) {
  std::uint64_t total = 0;
  std::uint32_t longest = 0;
  for (const ListRef& ref : refs) {
    const std::uint32_t length = length_of(ref);
    total += length;
    longest = std::max(longest, length);
  }
  const double mean = static_cast<double>(total) / static_cast<double>(refs.size());
  return {std::move(source), std::move(label), mean, longest,
          [index = std::move(index), refs = std::move(refs), mean](
              Output output, std::uint64_t values) { return sample(refs, mean, output, values); }};
}

std::vector<ListGroup> groups_by_length(const std::shared_ptr<const index::Index>& index,
                                        const std::string& source, const std::vector<ListRef>& refs,
                                        int min_log, int max_log) {
  std::map<int, std::vector<ListRef>> by_log;
  for (const ListRef& ref : refs) by_log[std::bit_width(length_of(ref)) - 1].push_back(ref);
  std::vector<ListGroup> groups;
  for (auto& [log, members] : by_log) {
    if (log < min_log || log > max_log) continue;
    groups.push_back(group_of(index, source, fmt::format("2^{}", log), std::move(members)));
  }
  return groups;
}

}  // namespace

std::vector<ListGroup> synthetic_groups(corpora::ListModel model, int min_log, int max_log,
                                        std::uint64_t universe, std::uint64_t seed) {
  const char* source = model == corpora::ListModel::kUniform ? "uniform" : "clustered";
  std::vector<ListGroup> groups;
  for (int log = min_log; log <= max_log; ++log) {
    const std::uint64_t count = std::uint64_t{1} << log;
    if (count > universe) break;
    const auto make = [=](Output, std::uint64_t values) {
      Lists lists;
      do {
        lists.push_back(corpora::synthetic_list(model, count, universe, seed + lists.size()));
      } while (lists.size() * count < std::min(values, kDistinctValues));
      return lists;
    };
    groups.push_back({source, fmt::format("2^{}", log), static_cast<double>(count), count, make});
  }
  return groups;
}

std::vector<ListGroup> index_groups(const std::shared_ptr<const index::Index>& index, int min_log,
                                    int max_log) {
  std::vector<ListRef> refs;
  for (const auto& segment : index->segments()) {
    for (TermId term = 0; term < segment->statistics().terms; ++term) {
      refs.push_back({segment.get(), term});
    }
  }
  auto groups = groups_by_length(index, "index", refs, min_log, max_log);
  if (groups.empty()) {
    throw UsageError("the index has no posting list of the lengths asked for; see --min-log");
  }
  groups.insert(groups.begin(), group_of(index, "index", "all", std::move(refs)));
  return groups;
}

std::vector<ListGroup> topic_groups(const std::shared_ptr<const index::Index>& index,
                                    const std::vector<corpora::Topic>& topics, int min_log,
                                    int max_log) {
  index::Analyzer analyzer(index->analyzer());
  std::vector<std::string> terms;
  for (const corpora::Topic& topic : topics) analyzer.analyze(topic.text, terms);
  std::vector<ListRef> refs;
  for (const std::string& term : terms) {
    for (const auto& segment : index->segments()) {
      if (const auto id = segment->find(term)) refs.push_back({segment.get(), *id});
    }
  }
  if (refs.empty()) throw UsageError("no term of the topics occurs in the index");
  auto groups = groups_by_length(index, "topics", refs, min_log, max_log);
  groups.insert(groups.begin(), group_of(index, "topics", "all", std::move(refs)));
  return groups;
}

}  // namespace gannet::tools
