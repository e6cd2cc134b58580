// Recursive graph bisection: documents with the same terms get docids beside each other.
#pragma once

#include <vector>

#include "index/index.hpp"
#include "index/order/find_order.hpp"

namespace gannet::index {

/// The order that recursive graph bisection finds (Dhulipala et al., "Compressing Graphs and
/// Indexes with Recursive Graph Bisection", KDD 2016): documents are split into halves, exchanged
/// between them as long as that makes the lists' gaps smaller, and each half is split again. As
/// Mackenzie et al. (SIGIR 2021) do it, halves are found by selection instead of sorting, and
/// exchanges stop earlier in later rounds. It begins with the order that there is, and depends on
/// the index, and on whether memory holds all terms (forward_index.hpp): not on threads. Throws
/// UsageError for too little memory, FormatError, CancelledError.
std::vector<Docid> order_by_bisection(const Index& index, const OrderWork& work);

}  // namespace gannet::index
