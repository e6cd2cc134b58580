// From the name of an order to a permutation of the documents.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/document_order.hpp"
#include "index/index.hpp"

namespace gannet::index {

/// What finding an order may take.
struct OrderWork {
  std::uint64_t memory = 0;  ///< bytes
  unsigned threads = 1;      ///< that run at a time
  std::stop_token stop = {};
  /// As BuildOptions has it; may be empty.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

/// The documents of an index that are not deleted, in an order: the i-th element is the docid, in
/// the index, of what is to be document i. Depends on the index and the order alone. Throws
/// UsageError for an order that the index has not, and for too little memory; what the orders
/// themselves throw.
std::vector<Docid> find_order(const Index& index, const DocumentOrder& order,
                              const OrderWork& work);

}  // namespace gannet::index
