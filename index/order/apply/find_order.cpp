#include "index/order/find_order.hpp"

#include <optional>
#include <random>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/field_column.hpp"
#include "index/order/bisection/bisection.hpp"
#include "index/order/column_codes.hpp"
#include "index/order/keys/field_order.hpp"
#include "index/order/keys/listed_order.hpp"
#include "index/order/keys/text_keys.hpp"
#include "index/order/keys/url_key.hpp"
#include "index/order/located.hpp"
#include "index/order/order_field.hpp"

namespace gannet::index {
namespace {

using OrderKey = DocumentOrder::Key;

std::vector<Docid> order_by_id(const Index& index, bool urls, const OrderWork& work) {
  const std::uint64_t documents = index.statistics().documents;
  TextKeys keys(documents, work.memory);
  StopCheck check_stop(work.stop);
  for_live_documents(index, [&](std::size_t, Docid, Docid docid) {
    check_stop();
    const std::string id = index.document_id(docid);
    keys.add(docid, urls ? url_key(id) : id);
  });
  return keys.sort(work.stop);
}

/// Of keywords the first one.
class UrlReader {
 public:
  explicit UrlReader(const FieldColumn& column) : column_(column), codes_(column) {}

  std::optional<std::string> operator()(std::uint32_t d) {
    if (column_.texts() != nullptr) return column_.texts()->text(d);
    const CodePositions at = codes_of_document(column_, d);
    if (at.count == 0) return std::nullopt;
    return column_.dictionary()->text(static_cast<std::uint32_t>(codes_.at(at.first)));
  }

 private:
  const FieldColumn& column_;
  ColumnCodes codes_;
};

std::vector<Docid> order_by_url(const Index& index, const std::string& field,
                                const OrderWork& work) {
  const std::size_t n = url_field(index.schema(), field);
  TextKeys keys(index.statistics().documents, work.memory);
  std::vector<UrlReader> urls;
  for (const auto& segment : index.segments()) urls.emplace_back(segment->field(n));
  StopCheck check_stop(work.stop);
  for_live_documents(index, [&](std::size_t s, Docid d, Docid docid) {
    check_stop();
    const std::optional<std::string> url = urls[s](d);
    keys.add(docid, url ? std::optional(url_key(*url)) : std::nullopt);
  });
  return keys.sort(work.stop);
}

std::vector<Docid> random_order(const Index& index, std::uint64_t seed) {
  std::vector<Docid> order = live_documents(index);
  // std::shuffle gives what the library likes; this is the same everywhere.
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

}  // namespace

std::vector<Docid> find_order(const Index& index, const DocumentOrder& order,
                              const OrderWork& work) {
  switch (order.key) {
    case OrderKey::kId:
      return order_by_id(index, false, work);
    case OrderKey::kField:
      return order_by_field(index, order.field, order.descending, work.memory, work.stop);
    case OrderKey::kUrl:
      return order.field.empty() ? order_by_id(index, true, work)
                                 : order_by_url(index, order.field, work);
    case OrderKey::kRandom:
      return random_order(index, order.seed);
    case OrderKey::kBisection:
      return order_by_bisection(index, work);
    case OrderKey::kList:
      return order_by_list(index, order, work.memory, work.stop);
  }
  throw UsageError("there is no such order");
}

}  // namespace gannet::index
