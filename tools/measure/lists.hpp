// The lists that `gannet bench decode` measures: synthetic ones, or those of an index.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "corpora/synthetic/synthetic.hpp"
#include "corpora/topics/topics.hpp"
#include "index/index.hpp"
#include "tools/measure/decode.hpp"

namespace gannet::tools {

/// One group for each length 2^min_log .. 2^max_log, of ids in [0, universe).
std::vector<ListGroup> synthetic_groups(corpora::ListModel model, int min_log, int max_log,
                                        std::uint64_t universe, std::uint64_t seed);

/// The posting lists of an index: one group "all", then groups by length: 2^k stands for lengths
/// from 2^k to 2^(k+1) - 1, for k from min_log to max_log. Throws UsageError if no list is so long.
std::vector<ListGroup> index_groups(const std::shared_ptr<const index::Index>& index, int min_log,
                                    int max_log);

/// The lists of the topics' terms, as often as the topics have them: one group "all", then groups
/// by length. Terms that no document has are left out. Throws UsageError if none is left.
std::vector<ListGroup> topic_groups(const std::shared_ptr<const index::Index>& index,
                                    const std::vector<corpora::Topic>& topics, int min_log,
                                    int max_log);

}  // namespace gannet::tools
