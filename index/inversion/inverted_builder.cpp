// Building an index from lists that are inverted already.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/builder.hpp"
#include "index/commit/list_writer.hpp"
#include "index/files/format.hpp"
#include "index/inversion/build_budget.hpp"
#include "index/inversion/document_register.hpp"
#include "index/inversion/joined_rows.hpp"
#include "index/inversion/recorded_options.hpp"
#include "index/lexicon/term_order.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

/// Documents that are read and added at a time.
constexpr std::uint64_t kDocuments = 1u << 14;

/// The lists of an InvertedSource in bytewise order of their terms.
class SortedLists final : public ListSource {
 public:
  /// Throws CancelledError once `stop` asks for it.
  SortedLists(const InvertedSource& source, const std::stop_token& stop) : source_(source) {
    read_terms(stop);
    sort_by_term(
        order_, [this](std::uint32_t number) { return term(number); }, stop);
    check_distinct(stop);
  }

  bool next(PendingList& list) override {
    if (next_ == order_.size()) return false;
    const std::uint32_t number = order_[next_++].number;
    list.number = number;
    list.term = term(number);
    list.max_values = source_.postings(number);
    return true;
  }

  void postings(const PendingList& list, ListPostings& postings) const override {
    source_.list(list.number, postings.docids, postings.freqs);
    postings.positions.clear();
  }

 private:
  void read_terms(const std::stop_token& stop) {
    const std::uint64_t lists = source_.lists();
    if (lists > kMaxTerms) {
      throw UsageError("an index can have at most " + std::to_string(kMaxTerms) + " terms, not " +
                       std::to_string(lists));
    }
    ends_.reserve(lists);
    order_.reserve(lists);
    StopCheck check_stop(stop);
    for (std::uint32_t i = 0; i < lists; ++i) {
      check_stop();
      terms_ += source_.term(i);
      ends_.push_back(terms_.size());
      order_.emplace_back(term(i), i);
    }
  }

  std::string_view term(std::uint32_t number) const {
    const std::uint64_t start = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(terms_).substr(start, ends_[number] - start);
  }

  void check_distinct(const std::stop_token& stop) const {
    StopCheck check_stop(stop);
    for (std::size_t i = 1; i < order_.size(); ++i) {
      check_stop();
      const std::uint32_t a = order_[i - 1].number;
      const std::uint32_t b = order_[i].number;
      if (term(a) != term(b)) continue;
      throw UsageError("lists " + std::to_string(std::min(a, b)) + " and " +
                       std::to_string(std::max(a, b)) + " (counted from 0) both have the term '" +
                       std::string(term(a)) + "'; terms must be unique");
    }
  }

  const InvertedSource& source_;
  std::string terms_;
  std::vector<std::uint64_t> ends_;  ///< of each term in terms_
  std::vector<TermSortKey> order_;
  std::size_t next_ = 0;
};

/// Adds documents [first, end) of `source`.
void add_documents(const InvertedSource& source, std::uint64_t first, std::uint64_t end,
                   DocumentRegister& documents) {
  std::vector<std::string> ids(end - first);
  std::vector<DocumentRegister::Entry> entries;
  entries.reserve(ids.size());
  for (std::uint64_t i = first; i < end; ++i) {
    std::string& id = ids[i - first];
    id = source.document_id(i);
    entries.push_back({id, IdSet::hash_of(id), source.length(i), {}});
  }
  documents.add(entries);
}

BuildReport build(const InvertedSource& source, const std::filesystem::path& directory,
                  const BuildOptions& options) {
  const BuildBudget budget = BuildBudget::of(options.memory, thread_count(options.threads));
  const auto progress = [&](const char* stage, std::uint64_t done, std::uint64_t total) {
    if (options.progress) options.progress(stage, done, total);
  };
  if (!has_rows(options) && !options.write.schema.empty()) {
    throw UsageError(
        "posting lists come without values of fields; give rows that have them (--rows), or no "
        "schema");
  }
  if (source.documents() > kMaxDocuments) {
    throw UsageError("an index can have at most " + std::to_string(kMaxDocuments) +
                     " documents, not " + std::to_string(source.documents()) +
                     "; split the collection");
  }
  WriteOptions write = recorded(options);
  if (write.append && write.positions) {
    throw UsageError(
        "posting lists come without positions, which the index has; add documents with their "
        "texts, or build the index again without positions (--no-positions; in Python "
        "positions=False)");
  }
  write.positions = false;
  IndexWriter writer(directory, write);
  BuildReport report;
  with_threads(budget.threads, [&] {
    const std::uint64_t count = source.documents();
    if (options.rows != nullptr) {
      report.skipped = add_rows(writer, budget, options);
      check_rows(writer, count);
    }
    DocumentRegister documents(writer, options.update);
    for (std::uint64_t first = 0; first < count; first += kDocuments) {
      throw_if_stopped(options.stop);
      const std::uint64_t end = std::min(first + kDocuments, count);
      add_documents(source, first, end, documents);
      progress("reading documents", end, count);
    }
    report.empty_documents = documents.empty_documents();
    report.replaced = documents.replaced();
    documents.finish();
    SortedLists lists(source, options.stop);
    write_lists(lists, writer, budget.batch_postings, options.stop,
                [&](std::uint64_t done) { progress("writing lists", done, source.lists()); });
  });
  if (options.before_commit) options.before_commit(writer, report);
  report.statistics = writer.commit();
  report.deleted = writer.deleted_documents();
  report.fallbacks = writer.fallbacks();
  return report;
}

}  // namespace

BuildReport build_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                           const BuildOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const BuildOptions& limited) {
      return build_inverted(source, directory, limited);
    });
  }
  const auto start = std::chrono::steady_clock::now();
  BuildReport report = build(source, directory, options);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
