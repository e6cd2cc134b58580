// What an index holds, document by document, told by the versions that a history has written.
#pragma once

#include <vector>

#include "index/index.hpp"
#include "tests/soak/model/versions.hpp"

namespace gannet::soak {

/// Documents of an index by docid, the deleted ones that still count in statistics among them.
struct Snapshot {
  Documents documents;
  std::vector<bool> live;

  Documents alive() const;
};

/// Reads all documents of an index: ids, stored texts and fields must be those of one version, and
/// every document that is not deleted must be found by its id. Throws Failure.
Snapshot read_snapshot(const index::Index& index, const Archive& archive);

/// Throws Failure, with the first difference, unless these are the documents, in this order.
void expect_documents(const Documents& found, const Documents& expected);

}  // namespace gannet::soak
