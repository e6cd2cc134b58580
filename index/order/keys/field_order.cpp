#include "index/order/keys/field_order.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/field_column.hpp"
#include "index/order/column_codes.hpp"
#include "index/order/located.hpp"
#include "index/order/order_field.hpp"

namespace gannet::index {
namespace {

/// A document and the key of its value.
struct KeyedDocument {
  std::uint64_t key;
  Docid docid;
};

/// The next string of a segment's dictionary.
struct DictionaryCursor {
  std::size_t segment;
  std::uint32_t number;
  std::string text;
};

/// For each segment its keywords' numbers among all different keywords of the index.
class KeywordRanks {
 public:
  KeywordRanks(const Index& index, std::size_t field, const std::stop_token& stop) {
    for (const auto& segment : index.segments()) {
      dictionaries_.push_back(segment->field(field).dictionary());
      ranks_.emplace_back(dictionaries_.back() == nullptr ? 0 : dictionaries_.back()->size());
    }
    for (std::size_t s = 0; s < ranks_.size(); ++s) push(s, 0);
    StopCheck check_stop(stop);
    std::string last;
    for (std::uint64_t rank = 0; !cursors_.empty();) {
      check_stop();
      std::ranges::pop_heap(cursors_, kBehind);
      DictionaryCursor cursor = std::move(cursors_.back());
      cursors_.pop_back();
      if (cursor.text != last) ++rank;
      ranks_[cursor.segment][cursor.number] = rank;
      push(cursor.segment, cursor.number + 1);
      last = std::move(cursor.text);
    }
  }

  std::uint64_t operator()(std::size_t segment, std::uint64_t code) const {
    return ranks_[segment][code];
  }

 private:
  static constexpr auto kBehind = [](const DictionaryCursor& a, const DictionaryCursor& b) {
    return a.text > b.text;
  };

  void push(std::size_t segment, std::uint32_t number) {
    if (number >= ranks_[segment].size()) return;
    cursors_.push_back({segment, number, dictionaries_[segment]->text(number)});
    std::ranges::push_heap(cursors_, kBehind);
  }

  std::vector<const KeywordDictionary*> dictionaries_;
  std::vector<std::vector<std::uint64_t>> ranks_;
  std::vector<DictionaryCursor> cursors_;  ///< a heap
};

void check_memory(const Index& index, std::size_t field, std::uint64_t memory) {
  std::uint64_t needed = index.statistics().documents * (sizeof(KeyedDocument) + sizeof(Docid));
  for (const auto& segment : index.segments()) {
    const KeywordDictionary* const dictionary = segment->field(field).dictionary();
    if (dictionary != nullptr) needed += std::uint64_t{8} * dictionary->size();
  }
  if (needed <= memory) return;
  throw UsageError(
      "the memory budget is too small to sort " + std::to_string(index.statistics().documents) +
      " documents by a field: " + std::to_string(memory) + " bytes are left for what takes " +
      std::to_string(needed) + "; give twice as much memory");
}

}  // namespace

std::vector<Docid> order_by_field(const Index& index, std::string_view field, bool descending,
                                  std::uint64_t memory, const std::stop_token& stop) {
  const std::size_t number = sortable_field(index.schema(), field);
  check_memory(index, number, memory);
  const KeywordRanks ranks(index, number, stop);
  std::vector<KeyedDocument> documents;
  documents.reserve(index.statistics().documents);
  std::vector<Docid> without;
  StopCheck check_stop(stop);
  std::vector<ColumnCodes> codes;
  for (const auto& segment : index.segments()) codes.emplace_back(segment->field(number));
  for_live_documents(index, [&](std::size_t s, Docid d, Docid docid) {
    check_stop();
    const FieldColumn& column = codes[s].column();
    const CodePositions at = codes_of_document(column, d);
    if (at.count == 0) return without.push_back(docid);
    const std::uint64_t code = codes[s].at(descending ? at.first + at.count - 1 : at.first);
    const std::uint64_t key =
        column.dictionary() == nullptr ? column.keys().key(code) : ranks(s, code);
    documents.push_back({descending ? ~key : key, docid});
  });
  tbb::parallel_sort(documents.begin(), documents.end(),
                     [&](const KeyedDocument& a, const KeyedDocument& b) {
                       throw_if_stopped(stop);
                       return std::pair(a.key, a.docid) < std::pair(b.key, b.docid);
                     });
  std::vector<Docid> order;
  order.reserve(index.statistics().documents);
  for (const KeyedDocument& document : documents) order.push_back(document.docid);
  order.insert(order.end(), without.begin(), without.end());
  return order;
}

}  // namespace gannet::index
