#include "index/order/apply/ordered_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/order/apply/ordered_codes.hpp"
#include "index/order/located.hpp"

namespace gannet::index {
namespace {

/// Documents of a batch, and bytes of its stored texts.
constexpr std::size_t kRowsAtOnce = 4096;
constexpr std::uint64_t kTextBytes = std::uint64_t{8} << 20;

/// A field whose values are numbers or keywords.
class CodedField {
 public:
  CodedField(const Index& index, std::uint32_t number, std::span<const Docid> places,
             const FieldConverter& converter)
      : number_(number), converter_(converter), codes_(index, number, places) {
    for (std::size_t s = 0; s < index.segments().size(); ++s) {
      const KeywordDictionary* const dictionary = codes_.column(s).dictionary();
      numbers_.emplace_back(dictionary == nullptr ? 0 : dictionary->size(), kUnknown);
    }
  }

  OrderedCodes<std::uint64_t>& codes() { return codes_; }
  const OrderedCodes<std::uint64_t>& codes() const { return codes_; }
  /// The collector's dictionary was emptied.
  void forget() {
    for (auto& numbers : numbers_) std::ranges::fill(numbers, kUnknown);
  }

  /// Appends the values of the i-th document of the run, which is of `segment`.
  void add(std::size_t i, std::size_t segment, FieldBatch& batch) {
    FieldBatch::Column& out = batch.columns[number_];
    const auto codes = codes_.of(i);
    for (const std::uint64_t code : codes) out.values.push_back(value(segment, code));
    // Numbers of keywords are in the order in which they came.
    std::sort(out.values.end() - static_cast<std::ptrdiff_t>(codes.size()), out.values.end());
    out.counts.push_back(static_cast<std::uint32_t>(codes.size()));
  }

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  std::uint64_t value(std::size_t segment, std::uint64_t code) {
    const FieldColumn& column = codes_.column(segment);
    if (column.dictionary() == nullptr) return column.keys().key(code);
    std::uint64_t& number = numbers_[segment][code];
    if (number == kUnknown) {
      number =
          converter_.keyword(number_, column.dictionary()->text(static_cast<std::uint32_t>(code)));
    }
    return number;
  }

  std::uint32_t number_;
  const FieldConverter& converter_;
  OrderedCodes<std::uint64_t> codes_;
  std::vector<std::vector<std::uint64_t>> numbers_;  ///< of keywords, by segment and code
};

/// A field of texts.
struct StoredField {
  std::uint32_t number;
  OrderedCodes<char> codes;

  /// Appends the text of the i-th document of the run, which is `document`.
  void add(std::size_t i, LocatedDocument document, FieldBatch::Column& out) const {
    const bool has = codes.column(document.segment).has(document.docid);
    out.counts.push_back(has ? 1 : 0);
    if (!has) return;
    const auto text = codes.of(i);
    out.values.push_back(text.size());
    out.text.append(text.data(), text.size());
  }
};

class OrderedFields {
 public:
  OrderedFields(const Index& index, std::span<const Docid> order, std::span<const Docid> places,
                const FieldWork& work, FieldCollector& collector)
      : locate_(index), order_(order), work_(work), collector_(collector) {
    const auto& fields = index.schema().fields();
    for (std::uint32_t f = 0; f < fields.size(); ++f) {
      if (fields[f].is_stored()) {
        stored_.push_back({f, {index, f, places}});
      } else {
        coded_.emplace_back(index, f, places, collector.converter());
      }
    }
  }

  void run() {
    for (std::size_t first = 0; first < order_.size();) {
      const std::size_t end = end_of(first);
      const auto documents = order_.subspan(first, end - first);
      const auto docid = static_cast<Docid>(first);
      for (CodedField& field : coded_) field.codes().read(docid, documents, work_.stop);
      for (StoredField& field : stored_) field.codes.read(docid, documents, work_.stop);
      for (std::size_t at = first; at < end;) at = add_batch(first, at, end);
      first = end;
    }
  }

 private:
  /// The end of the pass that begins at `first`.
  std::size_t end_of(std::size_t first) const {
    std::uint64_t taken = 0;
    std::size_t end = first;
    for (; end < order_.size(); ++end) {
      const LocatedDocument at = locate_(order_[end]);
      for (const CodedField& field : coded_) taken += field.codes().bytes(at);
      for (const StoredField& field : stored_) taken += field.codes.bytes(at);
      if (taken > work_.memory && end > first) break;
    }
    return end;
  }

  /// Adds documents of the pass [first, end), from `begin` on; returns where the next batch begins.
  std::size_t add_batch(std::size_t first, std::size_t begin, std::size_t end) {
    throw_if_stopped(work_.stop);
    collector_.converter().start(batch_);
    std::size_t at = begin;
    std::uint64_t text_bytes = 0;
    for (; at < end && at - begin < kRowsAtOnce && text_bytes < kTextBytes; ++at) {
      const LocatedDocument document = locate_(order_[at]);
      for (CodedField& field : coded_) field.add(at - first, document.segment, batch_);
      for (const StoredField& field : stored_) {
        field.add(at - first, document, batch_.columns[field.number]);
        text_bytes += field.codes.of(at - first).size();
      }
    }
    collector_.add(batch_);
    if (collector_.memory() > work_.strings) {
      collector_.spill();
      for (CodedField& field : coded_) field.forget();
    }
    return at;
  }

  DocumentLocator locate_;
  std::span<const Docid> order_;
  const FieldWork& work_;
  FieldCollector& collector_;
  std::vector<CodedField> coded_;
  std::vector<StoredField> stored_;
  FieldBatch batch_;
};

}  // namespace

void add_ordered_fields(const Index& index, std::span<const Docid> order,
                        std::span<const Docid> places, const FieldWork& work,
                        FieldCollector& collector) {
  OrderedFields(index, order, places, work, collector).run();
}

}  // namespace gannet::index
