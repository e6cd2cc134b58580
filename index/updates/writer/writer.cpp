#include "index/updates/writer.hpp"

#include <tbb/task_arena.h>
#include <unistd.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/field_text.hpp"
#include "index/files/messages.hpp"
#include "index/manifest/busy_error.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/manifest/manifest.hpp"
#include "index/updates/add.hpp"
#include "index/updates/remove.hpp"
#include "index/updates/writer/transaction.hpp"

namespace gannet::index {
namespace {

/// Makes an index without documents where there is none.
void make_index(const std::filesystem::path& directory, const BuildOptions& options) {
  std::error_code error;
  // What cannot be looked at, reading it will tell.
  if (std::filesystem::exists(directory / kManifestName, error) || error) return;
  DocumentQueue nothing;
  nothing.end();
  BuildOptions build = options;
  build.write.append = build.write.overwrite = false;
  try {
    build_index(nothing, directory, build);
  } catch (const BusyError&) {
    throw;  // it has waited
  } catch (const UsageError&) {
    // Another writer may have made one meanwhile, for which this one waited.
    if (!std::filesystem::exists(directory / kManifestName, error)) throw;
  }
}

BuildOptions options_for(const std::filesystem::path& directory, const BuildOptions& given,
                         std::shared_ptr<DirectoryLock> lock) {
  BuildOptions options = options_to_add_to(directory);
  options.memory = given.memory;
  options.threads = given.threads;
  options.stop = given.stop;
  options.progress = given.progress;
  options.memory_freed = given.memory_freed;
  options.write.lock = std::move(lock);
  return options;
}

void check_options(const BuildOptions& options) {
  if (options.update || options.rows != nullptr || options.before_commit) {
    throw UsageError(
        "a Writer takes no update, rows or before_commit among its options: update() is a "
        "function, "
        "values come with the documents, and commit() reports");
  }
}

}  // namespace

struct Writer::Impl {
  Impl(std::filesystem::path path, WriterOptions writer_options)
      : directory(std::move(path)), options(std::move(writer_options)) {
    check_options(options.build);
    if (options.build.deadline != kNoDeadline) {
      limit.emplace(options.build.stop, options.build.deadline);
      options.build.stop = limit->token();
      options.build.deadline = kNoDeadline;
    }
    make_index(directory, options.build);
    const auto lock = std::make_shared<DirectoryLock>(directory, options.build.write.lock_wait,
                                                      options.build.stop);
    options.build = options_for(directory, options.build, lock);
    index = std::make_shared<const Index>(Index::open(directory));
  }

  Transaction& begun() {
    throw_if_stopped(options.build.stop);
    if (stale) reopen();
    if (!transaction) {
      options.build.write.generation = index->generation();
      transaction.emplace(directory, options.build, index);
    }
    return *transaction;
  }

  void add(const Document& document, bool update) {
    check(document);
    Transaction& work = begun();
    const std::optional<Docid> before = document.id.empty() ? std::nullopt : work.find(document.id);
    if (before && !update) {
      throw UsageError("a document with the id '" + printable(document.id) +
                       "' is there already; ids must be unique, but update() takes its place");
    }
    work.check_room();
    attempt([&] { work.add(document); });
    if (before) work.remove(*before);
    has_ids = !document.id.empty();
  }

  /// Runs a step after whose failure nothing can be committed.
  template <class F>
  void attempt(F&& step) {
    try {
      step();
    } catch (...) {
      rollback();
      throw;
    }
  }

  void check(const Document& document) {
    if (const auto problem = FieldCheck(options.build.write.schema).problem(document.values)) {
      throw InputError("document '" + printable(document.id) + "': " + *problem);
    }
    if (!document.terms.empty() && options.build.write.analyzer.tokenizer != "verbatim") {
      throw UsageError("documents with weighted terms need an index with the tokenizer 'verbatim'");
    }
    const std::optional<bool> others = others_have_ids();
    if (others && *others == document.id.empty()) {
      throw UsageError(*others ? "the document has no id; the others have"
                               : "the document has an id; the others have none");
    }
  }

  /// Numbers of documents are no ids to delete them by.
  void check_ids() const {
    check_has_ids(*index);
    if (has_ids == false) {
      throw UsageError("the documents that were added have no ids to delete them by; roll back");
    }
  }

  /// Nothing if there are no others.
  std::optional<bool> others_have_ids() const {
    if (has_ids) return has_ids;
    for (const auto& segment : index->segments()) {
      if (segment->statistics().documents != 0) return segment->has_ids();
    }
    return std::nullopt;
  }

  CommitReport commit() {
    throw_if_stopped(options.build.stop);
    CommitReport report;
    if (!transaction) return report;
    report.added = transaction->added();
    report.removed = transaction->removed();
    // A commit that failed may still have come so far that the index is another one.
    stale = true;
    attempt([&] { transaction->commit(); });
    report.fallbacks = transaction->fallbacks();
    rollback();
    if (options.merge_tier != 0) merge(report);
    reopen();
    return report;
  }

  /// The commit is done, whatever comes of this.
  void merge(CommitReport& report) const {
    try {
      report.merged = merge_index(directory, tiers_after(options.build, options.merge_tier));
    } catch (const CancelledError&) {
      throw;
    } catch (const Error& error) {
      report.merge_problem = error.what();
    }
  }

  void reopen() {
    index = std::make_shared<const Index>(Index::open(directory, *index));
    stale = false;
  }

  void rollback() {
    transaction.reset();
    has_ids.reset();
  }

  /// Throws in a process that was forked from the one that made the writer: its threads are not
  /// there.
  void check_process() const {
    if (process == ::getpid()) return;
    throw UsageError("the writer belongs to process " + std::to_string(process) +
                     ", from which this one was forked; open the index there, or here after it");
  }

  /// Calls f with the lock. Threads that take part in its work do nothing else meanwhile: a task of
  /// the caller's that they took up might want the lock.
  template <class F>
  auto alone(const F& f) {
    check_process();
    const std::lock_guard lock(mutex);
    try {
      return tbb::this_task_arena::isolate(f);
    } catch (const CancelledError&) {
      if (limit && limit->passed()) fail_deadline();
      throw;
    }
  }

  int process = ::getpid();
  std::mutex mutex;
  std::filesystem::path directory;
  WriterOptions options;
  std::optional<DeadlineStop> limit;  ///< if there is a deadline
  std::shared_ptr<const Index> index;
  bool stale = false;  ///< the index may be another one by now
  std::optional<Transaction> transaction;
  std::optional<bool> has_ids;  ///< of the documents that were added
};

Writer::Writer(const std::filesystem::path& directory, WriterOptions options)
    : impl_(std::make_unique<Impl>(directory, std::move(options))) {}

Writer::~Writer() {
  // In a forked process the files are its parent's, and threads to wait for are not there.
  if (impl_->process != ::getpid()) static_cast<void>(impl_.release());
}

void Writer::add(const Document& document) {
  impl_->alone([&] { impl_->add(document, false); });
}

void Writer::update(const Document& document) {
  impl_->alone([&] { impl_->add(document, true); });
}

bool Writer::remove(std::string_view id) {
  return impl_->alone([&] {
    Transaction& work = impl_->begun();
    impl_->check_ids();
    const std::optional<Docid> docid = work.find(id);
    if (docid) work.remove(*docid);
    return docid.has_value();
  });
}

CommitReport Writer::commit() {
  return impl_->alone([&] { return impl_->commit(); });
}

void Writer::rollback() {
  impl_->alone([&] { impl_->rollback(); });
}

std::shared_ptr<const Index> Writer::index() const {
  return impl_->alone([&] {
    if (impl_->stale) impl_->reopen();
    return impl_->index;
  });
}

}  // namespace gannet::index
