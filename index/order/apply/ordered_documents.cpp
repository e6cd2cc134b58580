#include "index/order/apply/ordered_documents.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/documents/stored_text.hpp"
#include "index/order/located.hpp"
#include "index/reading/segment_reader.hpp"

namespace gannet::index {
namespace {

/// Documents of a pass, at most, and what one takes besides its text.
constexpr std::size_t kDocumentsAtOnce = 1u << 18;
constexpr std::uint64_t kOrderedDocumentBytes = 160;
/// Between two looks at the stop token.
constexpr std::size_t kTextsPerTask = 64;

/// The stored texts of a segment, which is one on disk; nullptr if it has none.
const StoredText* text_file(const Index& index, std::size_t segment) {
  return dynamic_cast<const SegmentReader&>(*index.segments()[segment]).text();
}

class OrderedDocuments {
 public:
  OrderedDocuments(const Index& index, std::span<const Docid> order, std::uint64_t memory,
                   const std::stop_token& stop)
      : index_(index), locate_(index), order_(order), memory_(memory), stop_(stop) {
    const auto has_ids = [](const auto& segment) { return segment->has_ids(); };
    named_ = std::ranges::any_of(index.segments(), has_ids) || !std::ranges::is_sorted(order);
  }

  /// The end of the pass that begins at `first`.
  std::size_t end_of(std::size_t first) const {
    std::uint64_t taken = 0;
    std::size_t end = first;
    for (; end < order_.size() && end - first < kDocumentsAtOnce; ++end) {
      taken += kOrderedDocumentBytes + text_length(order_[end]);
      if (taken > memory_ && end > first) break;
    }
    return end;
  }

  /// Reads the documents of a pass, in the order in which they lie in the files.
  void read(std::size_t first, std::size_t end) {
    documents_.assign(end - first, {});
    std::vector<std::pair<Docid, std::uint32_t>> read(end - first);
    for (std::size_t i = 0; i < read.size(); ++i) {
      read[i] = {order_[first + i], static_cast<std::uint32_t>(i)};
    }
    std::ranges::sort(read);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, read.size(), kTextsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        throw_if_stopped(stop_);
                        TextReader texts(index_);
                        for (std::size_t i = range.begin(); i != range.end(); ++i) {
                          const auto [docid, at] = read[i];
                          documents_[at] = {named_ ? index_.document_id(docid) : std::string(),
                                            texts.text(locate_(docid))};
                        }
                      });
  }

  /// Adds document `i` of the pass, which is `docid` in the index.
  void write(std::size_t i, Docid docid, IndexWriter& writer) const {
    const LocatedDocument at = locate_(docid);
    const std::uint32_t length = index_.segments()[at.segment]->document_lengths()[at.docid];
    writer.add_document(documents_[i].id, length, documents_[i].text);
  }

 private:
  struct Read {
    std::string id;
    std::string text;
  };

  /// Of documents in the order of the index.
  class TextReader {
   public:
    explicit TextReader(const Index& index) : index_(index) {}
    std::string text(LocatedDocument document) {
      if (document.segment != segment_) {
        segment_ = document.segment;
        file_ = text_file(index_, segment_);
        recent_.emplace();
      }
      return file_ == nullptr ? std::string() : file_->text(document.docid, *recent_);
    }

   private:
    const Index& index_;
    std::size_t segment_ = ~std::size_t{0};
    const StoredText* file_ = nullptr;
    std::optional<RecentBlock> recent_;  ///< of the segment's texts
  };

  std::uint64_t text_length(Docid docid) const {
    const LocatedDocument at = locate_(docid);
    const StoredText* const file = text_file(index_, at.segment);
    return file == nullptr ? 0 : file->length(at.docid);
  }

  const Index& index_;
  DocumentLocator locate_;
  std::span<const Docid> order_;
  std::uint64_t memory_;
  const std::stop_token& stop_;
  bool named_;                   ///< the documents get ids
  std::vector<Read> documents_;  ///< of the pass
};

}  // namespace

void add_ordered_documents(const Index& index, std::span<const Docid> order, std::uint64_t memory,
                           const std::stop_token& stop,
                           const std::function<void(std::uint64_t done)>& on_documents,
                           IndexWriter& writer) {
  OrderedDocuments documents(index, order, memory, stop);
  for (std::size_t first = 0; first < order.size();) {
    throw_if_stopped(stop);
    const std::size_t end = documents.end_of(first);
    documents.read(first, end);
    for (std::size_t i = first; i < end; ++i) documents.write(i - first, order[i], writer);
    on_documents(end);
    first = end;
  }
}

}  // namespace gannet::index
