#include "index/order/keys/listed_order.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"
#include "index/order/keys/text_keys.hpp"
#include "index/order/located.hpp"

namespace gannet::index {
namespace {

[[noreturn]] void fail(const DocumentOrder& order, const std::string& what) {
  throw InputError((order.file.empty() ? "the list of ids" : order.file) + ": " + what);
}

/// `missing`: documents that were not listed, by docid.
void check_all_listed(const Index& index, const DocumentOrder& order,
                      const std::vector<bool>& missing, std::uint64_t listed) {
  const auto count = static_cast<std::uint64_t>(std::ranges::count(missing, true));
  if (count == 0) return;
  const auto first = std::ranges::find(missing, true) - missing.begin();
  fail(order, std::to_string(count) + " of " + std::to_string(count + listed) +
                  " documents are not listed; the first is '" +
                  printable(index.document_id(static_cast<Docid>(first))) + "'");
}

}  // namespace

std::vector<Docid> order_by_list(const Index& index, const DocumentOrder& order,
                                 std::uint64_t memory, const std::stop_token& stop) {
  if (!order.next_id) throw UsageError("an order by a list of ids needs the list");
  const std::uint64_t documents = index.statistics().documents;
  TextKeys ids(documents, memory);
  StopCheck check_stop(stop);
  std::vector<bool> missing(documents);
  for_live_documents(index, [&](std::size_t, Docid, Docid docid) {
    check_stop();
    ids.add(docid, index.document_id(docid));
    missing[docid] = true;
  });
  ids.sort(stop);
  std::vector<Docid> result;
  result.reserve(documents);
  std::string id;
  while (order.next_id(id)) {
    check_stop();
    if (id.empty()) continue;
    const std::string place = "id " + std::to_string(result.size() + 1) + ", '" + printable(id);
    const auto docid = ids.find(id);
    if (!docid) fail(order, place + "', is no document's");
    if (!missing[*docid]) fail(order, place + "', was there before");
    missing[*docid] = false;
    result.push_back(*docid);
  }
  check_all_listed(index, order, missing, result.size());
  return result;
}

}  // namespace gannet::index
