// What must hold of an index, and of a searcher over it. All throw Failure.
#pragma once

#include <filesystem>
#include <random>

#include "query/searcher.hpp"
#include "tests/soak/model/snapshot.hpp"

namespace gannet::soak {

/// A searcher with options at random: threads, bounds for all lists, some or none.
query::Searcher searcher_of(std::shared_ptr<const index::Index> index, std::mt19937& random,
                            query::BackendChoice backend = query::BackendChoice::kCpu);

/// Questions at random, one by one or as a batch, are answered as by a loop over the documents: the
/// same counts and docids, in the same order, with the same bits of scores.
void check_answers(const query::Searcher& searcher, const Snapshot& snapshot, std::mt19937& random,
                   unsigned questions);

/// The order by a field and the counts of its values are those of a loop.
void check_columns(const query::Searcher& searcher, const Snapshot& snapshot, std::mt19937& random);

/// Queries of every scorer find what an index that was built at once of the same documents finds,
/// with the same bits of scores. What is deleted is deleted there too.
void check_against_one_build(std::shared_ptr<const index::Index> index, const Snapshot& snapshot,
                             std::mt19937& random, unsigned questions,
                             query::BackendChoice backend = query::BackendChoice::kCpu);

/// Every byte of an index (verify_index()), its documents, and some questions.
void check_directory(const std::filesystem::path& directory, const Archive& archive,
                     const Documents& expected, std::mt19937& random);

}  // namespace gannet::soak
