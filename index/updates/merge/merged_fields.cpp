#include "index/updates/merge/merged_fields.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "codecs/base/cancellation.hpp"

namespace gannet::index {
namespace {

/// Documents of a batch.
constexpr std::uint32_t kRowsPerStep = 4096;

/// The codes of a column, from the first on.
class CodeReader {
 public:
  explicit CodeReader(const FieldColumn& column) : column_(column) {}

  std::uint64_t next() {
    if (at_ == codes_.size()) {
      codes_.resize(column_.blocks()[block_].count);
      column_.decode(block_++, codes_.data());
      at_ = 0;
    }
    return codes_[at_++];
  }

 private:
  const FieldColumn& column_;
  std::vector<std::uint64_t> codes_;
  std::size_t at_ = 0;
  std::size_t block_ = 0;
};

/// One field of the segment, document by document.
class FieldReader {
 public:
  FieldReader(const FieldColumn& column, std::uint32_t number, const FieldConverter& converter)
      : column_(column), number_(number), converter_(converter), codes_(column) {
    if (column.dictionary() != nullptr) numbers_.resize(column.dictionary()->size(), kUnknown);
  }

  /// The collector's dictionary was emptied.
  void forget() { std::ranges::fill(numbers_, kUnknown); }

  /// Passes over the next document.
  void skip(std::uint32_t document) {
    if (column_.texts() != nullptr) return;
    const std::uint32_t count =
        column_.multi() ? column_.starts()[document + 1] - column_.starts()[document] : 1;
    for (std::uint32_t i = 0; i < count; ++i) codes_.next();
  }

  /// Appends the next document's values.
  void add(std::uint32_t document, FieldBatch::Column& out) {
    if (column_.texts() != nullptr) return add_text(document, out);
    const std::size_t before = out.values.size();
    if (column_.multi()) {
      const std::uint32_t count = column_.starts()[document + 1] - column_.starts()[document];
      for (std::uint32_t i = 0; i < count; ++i) out.values.push_back(value(codes_.next()));
      // Numbers of keywords are in the order in which they came.
      std::sort(out.values.begin() + static_cast<std::ptrdiff_t>(before), out.values.end());
    } else {
      const std::uint64_t code = codes_.next();  // also of documents without the field
      if (column_.has(document) && column_.code_limit() != 0) out.values.push_back(value(code));
    }
    out.counts.push_back(static_cast<std::uint32_t>(out.values.size() - before));
  }

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  void add_text(std::uint32_t document, FieldBatch::Column& out) const {
    const std::optional<std::string> text = column_.texts()->text(document);
    out.counts.push_back(text ? 1 : 0);
    if (!text) return;
    out.values.push_back(text->size());
    out.text += *text;
  }

  std::uint64_t value(std::uint64_t code) {
    if (column_.dictionary() == nullptr) return column_.keys().key(code);
    std::uint64_t& number = numbers_[code];
    if (number == kUnknown) {
      number =
          converter_.keyword(number_, column_.dictionary()->text(static_cast<std::uint32_t>(code)));
    }
    return number;
  }

  const FieldColumn& column_;
  std::uint32_t number_;
  const FieldConverter& converter_;
  CodeReader codes_;
  std::vector<std::uint64_t> numbers_;  ///< of keywords, by code
};

}  // namespace

void add_fields(const MergedSegment& segment, const Schema& schema, std::uint64_t memory,
                const std::stop_token& stop, FieldCollector& collector) {
  std::vector<FieldReader> readers;
  for (std::uint32_t f = 0; f < schema.fields().size(); ++f) {
    readers.emplace_back(segment.segment().field(f), f, collector.converter());
  }
  const auto documents = static_cast<std::uint32_t>(segment.segment().statistics().documents);
  FieldBatch batch;
  for (std::uint32_t first = 0; first < documents;) {
    throw_if_stopped(stop);
    const std::uint32_t end = first + std::min(kRowsPerStep, documents - first);
    collector.converter().start(batch);
    for (std::size_t f = 0; f < readers.size(); ++f) {
      for (std::uint32_t d = first; d < end; ++d) {
        segment.is_live(d) ? readers[f].add(d, batch.columns[f]) : readers[f].skip(d);
      }
    }
    collector.add(batch);
    if (collector.memory() > memory) {
      collector.spill();
      for (FieldReader& reader : readers) reader.forget();
    }
    first = end;
  }
}

}  // namespace gannet::index
