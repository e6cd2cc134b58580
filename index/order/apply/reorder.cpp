#include "index/reorder.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/commit/list_writer.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/files/format.hpp"
#include "index/index_writer.hpp"
#include "index/inversion/build_budget.hpp"
#include "index/order/apply/ordered_documents.hpp"
#include "index/order/apply/ordered_fields.hpp"
#include "index/order/apply/ordered_lists.hpp"
#include "index/order/find_order.hpp"
#include "index/order/located.hpp"
#include "index/updates/add.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Order, places, lengths and hashes of the documents, these two twice while they grow, and more of
/// text fields.
constexpr std::uint64_t kSortedDocumentBytes = 32;

bool same_folder(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

WriteOptions write_options(const fs::path& directory, const ReorderOptions& options) {
  if (options.output.empty()) {
    return options_to_change(directory, options.stop, {}, options.lock_wait);
  }
  WriteOptions write = options_for_copy(directory);
  write.stop = options.stop;
  write.overwrite = options.overwrite;
  write.lock_wait = options.lock_wait;
  return write;
}

/// The index, where it is not to be reordered in its place. It is opened before the writer waits
/// for a lock: what is read and the options of what is written are of one commit.
std::optional<Index> source_of(const fs::path& directory, const ReorderOptions& options) {
  if (options.output.empty()) return std::nullopt;
  if (same_folder(directory, options.output)) {
    throw UsageError(options.output.string() +
                     " is the index itself; name no output to reorder it in its place");
  }
  return Index::open(directory);
}

class Reordering {
 public:
  Reordering(const fs::path& directory, const DocumentOrder& order, const ReorderOptions& options)
      : order_(order),
        options_(options),
        budget_(BuildBudget::of(options.memory, thread_count(options.threads))),
        opened_(source_of(directory, options)),
        writer_(options.output.empty() ? directory : options.output,
                write_options(directory, options)) {
    index_ = opened_ ? &*opened_ : writer_.kept();
  }

  ReorderReport run() {
    report_.segments_before = index_->segments().size();
    check_documents();
    for (const auto& segment : index_->segments()) check_for_copy(*segment, options_.stop);
    with_threads(budget_.threads, [&] { write(); });
    return report_;
  }

 private:
  void check_documents() const {
    const std::uint64_t documents = index_->statistics().documents;
    if (documents > kMaxDocuments) {
      throw UsageError("an order is for one segment, which can have at most " +
                       std::to_string(kMaxDocuments) + " documents; the index has " +
                       std::to_string(documents));
    }
    if (documents * document_bytes() <= budget_.run / 4 * 3) return;
    throw UsageError(
        "a memory budget of " + std::to_string(options_.memory) + " bytes is too small for " +
        std::to_string(documents) + " documents: their places and lengths take " +
        std::to_string(documents * document_bytes()) + " bytes; give twice as much memory");
  }

  std::uint64_t document_bytes() const {
    const bool places = index_->segments().front()->positions() != nullptr;
    std::uint64_t bytes = kSortedDocumentBytes + (places ? 3 * sizeof(std::uint32_t) : 0);
    for (const FieldSpec& field : index_->schema().fields()) {
      if (field.is_text()) bytes += (places ? 6 : 3) * sizeof(std::uint32_t);
    }
    return bytes;
  }

  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total) const {
    if (options_.progress) options_.progress(stage, done, total);
  }

  void write() {
    find();
    if (!report_.written) return;
    if (options_.output.empty()) writer_.replace(0, index_->segments().size());
    write_documents();
    write_fields();
    OrderedLists lists(*index_, places_);
    // Half of a build's, since lists are sorted besides.
    write_lists(lists, writer_, budget_.batch_postings / 2, options_.stop, [&](std::uint64_t done) {
      progress("writing lists", done, index_->statistics().terms);
    });
    report_.statistics = writer_.commit();
  }

  void find() {
    const auto start = std::chrono::steady_clock::now();
    const OrderWork work{budget_.run, budget_.threads, options_.stop, options_.progress};
    documents_ = find_order(*index_, order_, work);
    if (options_.memory_freed) options_.memory_freed();
    places_.assign(index_->statistics().documents, kNoPlace);
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      places_[documents_[i]] = static_cast<Docid>(i);
      report_.moved += documents_[i] == i ? 0 : 1;
    }
    report_.statistics = index_->statistics();
    report_.dropped = places_.size() - documents_.size();
    report_.written = !options_.output.empty() || report_.moved + report_.dropped != 0 ||
                      report_.segments_before > 1;
    report_.order_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void write_documents() {
    add_ordered_documents(
        *index_, documents_, budget_.run / 4, options_.stop,
        [&](std::uint64_t done) { progress("writing documents", done, documents_.size()); },
        writer_);
    if (writer_.has_positions()) write_spans();
  }

  void write_spans() {
    const DocumentLocator locate(*index_);
    const auto write = [&](std::uint32_t text) {
      std::vector<std::span<const std::uint32_t>> spans;
      for (const auto& segment : index_->segments()) spans.push_back(segment->text_spans(text));
      for (const Docid docid : documents_) {
        const LocatedDocument at = locate(docid);
        writer_.add_span(text, spans[at.segment][at.docid]);
      }
    };
    write(kMainText);
    for (std::uint32_t i = 0; i < index_->schema().fields().size(); ++i) {
      if (index_->schema().fields()[i].is_text()) write(i);
    }
  }

  void write_fields() {
    FieldCollector* const fields = writer_.fields();
    if (fields == nullptr) return;
    progress("reading fields", 0, 0);
    const FieldWork work{budget_.run / 4, budget_.run / 4, options_.stop};
    add_ordered_fields(*index_, documents_, places_, work, *fields);
  }

  const DocumentOrder& order_;
  const ReorderOptions& options_;
  BuildBudget budget_;
  const std::optional<const Index> opened_;  ///< if it is not the writer's
  IndexWriter writer_;
  const Index* index_ = nullptr;
  std::vector<Docid> documents_;  ///< in the new order, by the docids that they have
  std::vector<Docid> places_;     ///< by the docids that they have, those that they get
  ReorderReport report_;
};

}  // namespace

ReorderReport reorder_index(const fs::path& directory, const DocumentOrder& order,
                            const ReorderOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const ReorderOptions& limited) {
      return reorder_index(directory, order, limited);
    });
  }
  const auto start = std::chrono::steady_clock::now();
  ReorderReport report = Reordering(directory, order, options).run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
