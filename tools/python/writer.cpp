// Writing to an index that is there: documents of Python come and go, in commits.
#include "index/updates/writer.hpp"

#include <memory>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/updates/add.hpp"
#include "tools/options/table/option.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/document_batch.hpp"
#include "tools/python/document_reader.hpp"

namespace gannet::python {
namespace {

nb::list fallback_list(const std::vector<index::CodecFallback>& fallbacks) {
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
  made["seconds"] = report.seconds;
  return made;
}

/// Any number of threads may use one: what a call needs it keeps, whatever others do meanwhile.
class WriterHandle {
 public:
  WriterHandle(const std::string& path, const nb::dict& options, unsigned merge_tier) {
    const BuildRequest request = build_request(options, false);
    {
      const nb::gil_scoped_release unlocked;
      writer_ =
          std::make_shared<index::Writer>(path, index::WriterOptions{request.build, merge_tier});
    }
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
    made["codec_fallbacks"] = fallback_list(fallbacks);
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

nb::dict merge(const std::string& path, std::size_t max_segments, const std::string& memory,
               unsigned threads) {
  index::MergeOptions options;
  options.max_segments = max_segments;
  options.memory = tools::parse_size("memory", memory);
  options.threads = threads;
  return dict_of(interruptible([&](const std::stop_token& stop) {
    index::MergeOptions own = options;
    own.stop = stop;
    return index::merge_index(path, own);
  }));
}

}  // namespace

void bind_writer(nb::module_& module) {
  nb::class_<WriterHandle>(module, "WriterHandle")
      .def(nb::init<const std::string&, const nb::dict&, unsigned>(), nb::arg("path"),
           nb::arg("options"), nb::arg("merge_tier"))
      .def("add", &WriterHandle::add, nb::arg("document"), nb::arg("update"))
      .def("remove", &WriterHandle::remove, nb::arg("id"))
      .def("commit", &WriterHandle::commit)
      .def("rollback", &WriterHandle::rollback)
      .def("close", &WriterHandle::close);
  module.def("merge", merge, nb::arg("path"), nb::arg("max_segments"), nb::arg("memory"),
             nb::arg("threads"));
}

}  // namespace gannet::python
