// Writing to an index that is there: documents of Python come and go, in commits.
#include "index/updates/writer.hpp"

#include <memory>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/updates/add.hpp"
#include "index/updates/remove.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/document_batch.hpp"
#include "tools/python/document_reader.hpp"
#include "tools/python/index_handle.hpp"

namespace gannet::python {
namespace {

/// Any number of threads may use one: what a call needs it keeps, whatever others do meanwhile.
class WriterHandle {
 public:
  WriterHandle(const std::string& path, const nb::dict& options, unsigned merge_tier, double wait) {
    const BuildRequest request = build_request(options, false);
    writer_ = interruptible([&](const std::stop_token& stop) {
      index::BuildOptions build = request.build;
      build.stop = stop;  // of the constructor alone: nobody can ask it for a stop afterwards
      build.write.lock_wait = wait;
      return std::make_shared<index::Writer>(path, index::WriterOptions{build, merge_tier});
    });
    const index::WriteOptions recorded = index::write_options_of(path);
    reading_.schema = recorded.schema;
    reading_.fields = recorded.contents;
    start();
  }

  void add(nb::handle document, bool update) {
    const auto writer = open();
    const auto reader = reader_;
    auto batch = std::make_unique<DocumentBatch>(number_);
    reader->read(document, number_, *batch);
    ++number_;
    const nb::gil_scoped_release unlocked;
    const auto parsed =
        DocumentBatch::parse(std::move(batch), reading_.schema, corpora::Malformed::kStop);
    const index::Document one = (*parsed)[0];
    update ? writer->update(one) : writer->add(one);
  }

  bool remove(const std::string& id) {
    const auto writer = open();
    const nb::gil_scoped_release unlocked;
    return writer->remove(id);
  }

  /// Of the last commit, all documents that match. What was added since cannot be searched.
  std::uint64_t remove_matches(const std::string& query, const std::string& filter) {
    const auto writer = open();
    if (number_ > 0) {
      throw UsageError(
          "documents that were added since the last commit cannot be searched; commit first");
    }
    return interruptible([&](const std::stop_token& stop) {
      const std::shared_ptr<const index::Index> index = writer->index();
      index::check_has_ids(*index);
      std::uint64_t removed = 0;
      for (const index::Docid docid : matches_of(index, query, filter, stop)) {
        if (writer->remove(index->document_id(docid))) ++removed;
      }
      return removed;
    });
  }

  nb::dict commit() {
    const auto writer = open();
    // Ctrl-C is heard afterwards: a commit is whole or is not.
    const index::CommitReport report =
        interruptible([&](const std::stop_token&) { return writer->commit(); });
    start();
    nb::dict made;
    made["added"] = report.added;
    made["removed"] = report.removed;
    made["merged"] = report.merged.changed() ? nb::object(dict_of(report.merged)) : nb::none();
    made["merge_problem"] = report.merge_problem.empty()
                                ? nb::none()
                                : nb::object(nb::str(report.merge_problem.c_str()));
    std::vector<index::CodecFallback> fallbacks = report.fallbacks;
    fallbacks.insert(fallbacks.end(), report.merged.fallbacks.begin(),
                     report.merged.fallbacks.end());
    made["codec_fallbacks"] = list_of(fallbacks);
    return made;
  }

  void rollback() {
    const auto writer = open();
    {
      const nb::gil_scoped_release unlocked;
      writer->rollback();
    }
    start();
  }

  void close() {
    std::shared_ptr<index::Writer> closed = std::move(writer_);
    writer_ = nullptr;
    const nb::gil_scoped_release unlocked;
    closed = nullptr;  // may wait for what is under way
  }

 private:
  std::shared_ptr<index::Writer> open() const {
    if (writer_ == nullptr) throw UsageError("the writer is closed");
    return writer_;
  }
  /// What follows is read as if nothing had been before.
  void start() {
    reader_ = std::make_shared<DocumentReader>(reading_);
    number_ = 0;
  }

  std::shared_ptr<index::Writer> writer_;
  corpora::ReaderOptions reading_;
  std::shared_ptr<DocumentReader> reader_;
  std::uint64_t number_ = 0;  ///< of the next document since the last commit
};

}  // namespace

nb::list list_of(const std::vector<index::CodecFallback>& fallbacks) {
  nb::list made;
  for (const index::CodecFallback& one : fallbacks) {
    nb::dict entry;
    entry["field"] = one.field;
    entry["codec"] = one.wanted;
    entry["used"] = one.used;
    entry["why"] = one.why;
    made.append(entry);
  }
  return made;
}

nb::dict dict_of(const index::MergeReport& report) {
  nb::dict made;
  made["segments_before"] = report.segments_before;
  made["segments"] = report.segments;
  made["documents"] = report.documents;
  made["documents_merged"] = report.documents_merged;
  made["dropped"] = report.dropped;
  made["codec_fallbacks"] = list_of(report.fallbacks);
  made["seconds"] = report.seconds;
  return made;
}

void bind_writer(nb::module_& module) {
  nb::class_<WriterHandle>(module, "WriterHandle")
      .def(nb::init<const std::string&, const nb::dict&, unsigned, double>(), nb::arg("path"),
           nb::arg("options"), nb::arg("merge_tier"), nb::arg("wait") = 0.0)
      .def("add", &WriterHandle::add, nb::arg("document").none(), nb::arg("update"))
      .def("remove", &WriterHandle::remove, nb::arg("id"))
      .def("remove_matches", &WriterHandle::remove_matches, nb::arg("query"), nb::arg("filter"))
      .def("commit", &WriterHandle::commit)
      .def("rollback", &WriterHandle::rollback)
      .def("close", &WriterHandle::close);
}

}  // namespace gannet::python
